"""One local table: the session of ``quatuor.table``, with engines and hints computed here, and pages that follow it."""

import asyncio
import functools
import json
import logging
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from quatuor.local import thinking
from quatuor.local.setups import GUEST, again, new_id, now
from quatuor.local.store import Store, StoredTable
from quatuor.table import Event, Refused, Session, Setup, Table, commands, restore, summarise
from quatuor.table.encoding import encode
from quatuor.table.session import error
from quatuor.table.turns import engines

log = logging.getLogger("quatuor.local")

ENGINE_PACE = 0.45  # seconds that a move of the computer takes at least, as on the server
COMMANDS: dict[str, type[commands.PlayerCommand]] = {  # by the name of the message
    "move": commands.Move,
    "undo": commands.Undo,
    "resign": commands.Resign,
    "say": commands.Say,
    "words": commands.AllowWords,
    "offer": commands.Offer,  # refused: nobody else is there to agree, and undo needs no offer here
    "answer": commands.Answer,
    "abort": commands.Abort,
}


class TableLog:
    """The events of one table in a store. Another tab may write to it, too."""

    shared = True

    def __init__(self, store: Store, table: str) -> None:
        self._store, self._table = store, table

    async def append(self, version: int, event: Event) -> None:
        await self._store.append(self._table, version, asdict(event))

    async def since(self, version: int) -> list[Event]:
        kept = await self._store.load(self._table)
        if kept is None:
            raise Refused("unknown_table")
        return [Event(**event) for event in kept.events[version:]]


class PageListener:
    """A page that follows a table."""

    guest: str | None = GUEST

    def __init__(self, send: Callable[[str], None]) -> None:
        self._send = send

    def send(self, frame: bytes) -> None:
        self._send(frame.decode())


class LocalSession(Session[PageListener]):
    """A table in memory."""

    def __init__(self, table_id: str, kept: StoredTable, store: Store, name: str, pace: float = ENGINE_PACE) -> None:
        try:
            table, recent = restore(Setup.read(kept.setup), (Event(**event) for event in kept.events))
        except (ValueError, LookupError) as failed:
            raise Refused("unreadable_table") from failed
        super().__init__(table_id, table, TableLog(store, table_id), now, recent)
        self.presence.names = {GUEST: name}
        self.observers.append(lambda _: self._wake_engines())
        self._games, self._pace = store, pace
        self._engines: dict[tuple[int, int], asyncio.Task[None]] = {}  # by turn and seat
        self._hint: asyncio.Task[dict[str, Any]] | None = None

    # ---- coming and going

    def enter(self, listener: PageListener, since: int | None) -> None:
        """A page follows the table: send it what it does not know."""
        self.listeners.add(listener)
        self.presence.online = {GUEST}
        for frame in self.frames_since(GUEST, since):
            listener.send(frame)
        self._wake_engines()

    def leave(self, listener: PageListener) -> None:
        """A page is gone; without one nobody waits for the engines."""
        self.listeners.discard(listener)
        if not self.listeners:
            self.stop_thinking()

    def rename(self, name: str) -> None:
        """The person at this device has a new name."""
        self.presence.names = {GUEST: name}
        for listener in self.listeners:
            listener.send(self.presence_frame())

    # ---- messages

    async def answer(self, message: dict[str, Any]) -> bytes:
        """Carry out what a message asks for; the message that answers it."""
        kind, ack = message.pop("t"), message.get("ack")
        try:
            if kind == "hint":
                return encode({"t": "hint", "ack": ack, **await self._find_hint(message["ply"])})
            if kind not in COMMANDS:
                raise Refused("needs_server")
        except Refused as refused:
            return encode(error(refused, ack))
        reply = await self.reply(COMMANDS[kind](**message), GUEST)
        await self._games.summarise(self.id, asdict(summarise(self.table)))
        return encode(reply)

    async def rematch(self) -> str:
        """Play again; returns the id of the new table."""
        table_id = new_id()
        await self.handle(commands.OfferRematch(table_id), GUEST)
        if self.table.rematch == table_id:
            setup = again(self.table)
            await self._games.open(table_id, asdict(setup), asdict(summarise(Table(setup))))
        assert self.table.rematch is not None
        return self.table.rematch

    # ---- engines

    def stop_thinking(self) -> None:
        """Stop all searches."""
        for task in self._engines.values():
            task.cancel()
        self._engines.clear()
        if self._hint:
            self._hint.cancel()

    def _wake_engines(self) -> None:
        """Ask for every move that is due, and stop what is no longer wanted."""
        due = {(self.table.turn, seat): level for seat, level in engines(self.table).items()} if self.listeners else {}
        for key in [key for key in self._engines if key not in due]:
            self._engines.pop(key).cancel()
        for key, level in due.items():
            if key not in self._engines:
                task = self._engines[key] = asyncio.ensure_future(self._play(*key, level))
                task.add_done_callback(functools.partial(self._played, key))

    def _played(self, key: tuple[int, int], task: asyncio.Task[None]) -> None:
        if self._engines.get(key) is task:
            del self._engines[key]

    async def _play(self, turn: int, seat: int, level: int) -> None:
        began = asyncio.get_running_loop().time()
        try:
            move = await thinking.choose(self.table.study(), seat, level)
            await asyncio.sleep(max(0.0, began + self._pace - asyncio.get_running_loop().time()))
            await asyncio.shield(self._store_move(commands.EngineMove(turn, seat, move)))
        except Refused as refused:
            log.info("table %s: an engine answered too late (%s)", self.id, refused.code)
        except Exception:
            log.exception("table %s: the engine of seat %d failed", self.id, seat)
            message = {"t": "error", "ack": None, "code": "engine_failed", "detail": {"seat": seat}}
            for listener in self.listeners:
                listener.send(json.dumps(message).encode())

    async def _store_move(self, command: commands.EngineMove) -> None:
        """Run to the end even if the turn's task is cancelled: the very event that this stores cancels it."""
        await self.handle(command)
        await self._games.summarise(self.id, asdict(summarise(self.table)))

    async def _find_hint(self, ply: int) -> dict[str, Any]:
        table = self.table
        seats = [seat for seat in table.to_move if seat in table.owned(GUEST)]
        if not seats:
            raise Refused("game_over" if table.ended_by else "not_your_turn", to_move=list(table.to_move))
        if ply != table.game.ply:
            raise Refused("stale_ply", ply=table.game.ply)
        if self._hint and not self._hint.done():
            raise Refused("rate_limited")  # one at a time
        self._hint = asyncio.ensure_future(thinking.hint(table.study(), seats[0]))
        try:
            return await self._hint
        except asyncio.CancelledError:
            raise Refused("try_again") from None
