"""One table with everybody around it: wishes in, events out, each written down before anybody hears of it."""

import asyncio
import contextlib
import functools
import logging
from collections import OrderedDict, deque
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from quatuor.game import Game
from quatuor.server.engines import Engines
from quatuor.server.settings import Settings
from quatuor.server.store import Kept, Store
from quatuor.server.store.store import MARK
from quatuor.server.wire import Hint, Move, Undo, Wish, encode
from quatuor.table import Event, Refused, Setup, Table, seen_by, snapshot, stands_anew, study, told

log = logging.getLogger("quatuor.server")

RECENT = 100  # events that can be told again to somebody who was away
STRIDE = 1000  # versions put aside at a time for events that are not kept
REMEMBERED = 200  # answers that can be given again, besides those of wishes carried out


class Listener(Protocol):
    """Somebody at the other end of a line; ``send`` never waits."""

    guest: str | None

    def send(self, frame: bytes) -> None: ...
    def close(self, code: int) -> None: ...


class Live:
    """A table in memory. Versions it tells are never told twice for different events, not even after a crash."""

    def __init__(
        self, name: str, table: Table, kept: Kept | None, store: Store, engines: Engines, settings: Settings
    ) -> None:
        self.id = name
        self.table = table
        self.listeners: set[Listener] = set()
        self.used = asyncio.get_running_loop().time()
        self.broken = False
        self._store, self._engines, self._settings = store, engines, settings
        self._lock = asyncio.Lock()
        self._count = kept.count if kept else 0  # events and marks in the store
        self._reserved = table.version  # versions up to here are put aside
        self._first = table.version + 1 if kept else 0  # the oldest that is told while the table is in memory
        self._recent: deque[dict[str, Any]] = deque(maxlen=RECENT)
        self._replies: OrderedDict[tuple[str | None, str], dict[str, Any]] = OrderedDict()
        self._hints: dict[tuple[str | None, str], asyncio.Future[dict[str, Any]]] = {}
        self._thinking: dict[tuple[int, int], asyncio.Task[None]] = {}  # (turn, seat)
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def idle(self) -> bool:
        """Whether nothing is lost if the table leaves memory."""
        return not (self.listeners or self._thinking or self._tasks or self._lock.locked())

    # ---- wishes

    async def wish(self, guest: str | None, wish: Wish) -> dict[str, Any]:
        """Carry out a message's wish, once; the answer is the same however often it is sent."""
        key = (guest, wish.ack)
        if key in self._replies:
            return self._replies[key]
        try:
            version = await self.carry_out(lambda: self._decide(guest, wish))
        except Refused as refused:
            reply = {"t": "error", "ack": wish.ack, "code": refused.code, "detail": refused.detail}
            return reply if refused.code == "store_failed" else self._remember(key, reply)
        return {"t": "ack", "ack": wish.ack, "version": version}

    async def carry_out(self, decide: Callable[[], Event | int], opens: tuple[str, Setup] | None = None) -> int:
        """Do what ``decide`` gives: an event to keep, apply and tell, or a version at which it was done before.

        It is finished even if whoever asked has gone.
        """
        return await asyncio.shield(asyncio.ensure_future(self._carry_out(decide, opens)))

    async def hint(self, guest: str | None, wish: Hint) -> dict[str, Any]:
        """What an engine would do, for somebody who plays alone or against engines."""
        key = (guest, wish.ack)
        if key in self._replies:
            return self._replies[key]
        if key not in self._hints:
            if any(other == guest for other, _ in self._hints):
                raise Refused("rate_limited")  # one at a time
            game, seat = self._hint_wanted(guest, wish.ply)
            task = self._hints[key] = asyncio.ensure_future(self._engines.hint(game, seat))
            task.add_done_callback(lambda _: self._hints.pop(key, None))
        try:
            found = await asyncio.shield(self._hints[key])
        except Exception as error:
            log.exception("table %s: a hint failed", self.id)
            raise Refused("engine_failed") from error
        return self._remember(key, {"t": "hint", "ack": wish.ack, **found})

    # ---- coming and going

    async def enter(self, listener: Listener, since: int | None) -> None:
        """Tell a newcomer what was missed, or everything, and from then on whatever happens."""
        async with self._lock:
            self.listeners.add(listener)
            await self._note_presence(listener.guest, skip=listener)
            for frame in self._missed(listener.guest, since):
                listener.send(encode(frame))
        self._wake_engines()

    def leave(self, listener: Listener) -> None:
        """Somebody is gone; the others are told unless they are back in a moment."""
        self.listeners.discard(listener)
        self.used = asyncio.get_running_loop().time()
        if self.table.owned(listener.guest):
            self._spawn(self._gone(listener.guest))

    async def note_presence(self, guest: str | None) -> None:
        """Tell everybody if the guest has come or gone meanwhile."""
        async with self._lock:
            await self._note_presence(guest)

    async def rename(self, guest: str, name: str) -> None:
        """Somebody at this table has another name now."""
        if self.table.owned(guest):
            async with self._lock:
                self.table.names[guest] = name
                await self._pass_on(Event("presence", {"guest": guest, "online": guest in self.table.online}))

    def snapshot(self, viewer: str | None) -> dict[str, Any]:
        """The whole table as a viewer may see it."""
        return {"id": self.id, **snapshot(self.table, viewer)}

    def bye(self, code: str) -> None:
        """The server stops: everybody may try again somewhere else, or later."""
        for listener in list(self.listeners):
            listener.send(encode({"t": "bye", "code": code}))
            listener.close(1012)
        for task in [*self._tasks, *self._thinking.values()]:
            task.cancel()

    # ---- inside

    def _decide(self, guest: str | None, wish: Wish) -> Event | int:
        done = self.table.answers.get((guest or "", wish.ack))
        if done is not None:
            return done
        if isinstance(wish, Move):
            return self.table.move(guest, wish.ply, wish.seat, wish.move, wish.ack)
        if isinstance(wish, Undo):
            return self.table.undo(guest, wish.ply, wish.ack)
        return self.table.resign(guest, wish.seat, wish.ack)

    def _hint_wanted(self, guest: str | None, ply: int) -> tuple[Game, int]:
        table = self.table
        seats = [seat for seat in table.to_move if seat in table.owned(guest)]
        if not table.alone(guest):
            raise Refused("no_hint")
        if not seats:
            raise Refused("game_over" if table.ended_by else "not_your_turn", to_move=list(table.to_move))
        if ply != table.game.ply:
            raise Refused("stale_ply", ply=table.game.ply)
        return study(table), seats[0]

    async def _carry_out(self, decide: Callable[[], Event | int], opens: tuple[str, Setup] | None) -> int:
        async with self._lock:
            decided = decide()
            if isinstance(decided, int):
                return decided
            await self._keep(self.table.version + 1, decided, opens)
            self._tell(decided)
            version = self.table.version
        self._wake_engines()
        return version

    async def _keep(self, version: int, event: Event, opens: tuple[str, Setup] | None = None) -> None:
        if self.broken:
            raise Refused("store_failed")
        try:
            await self._store.append(self.id, self._count, version, event, opens)
        except Exception as error:
            # Whether it was written is unknown: forget what is in memory, everybody comes back to what was kept.
            raise self._break("store_failed") from error
        self._count += 1

    def _break(self, code: str) -> Refused:
        log.exception("table %s is taken out of memory", self.id)
        self.broken = True
        self.bye(code)
        return Refused(code)

    async def _pass_on(self, event: Event, skip: Listener | None = None) -> None:
        """An event that is not kept. Its version is put aside first, so that it is never used again after a crash."""
        if self.table.version + 1 > self._reserved:
            reserved = self.table.version + STRIDE
            await self._keep(reserved, Event(MARK))
            self._reserved = reserved
        self._tell(event, skip)

    def _tell(self, event: Event, skip: Listener | None = None) -> None:
        try:
            self.table.apply(event)
        except Exception as error:
            raise self._break("internal") from error
        heard = told(self.table, event)
        self._recent.append(heard)
        frames: dict[str | None, bytes] = {}
        for listener in list(self.listeners):
            if listener is skip:
                continue
            viewer = listener.guest
            if viewer not in frames:
                own = seen_by(self.table, viewer) if stands_anew(heard) else {}
                frames[viewer] = encode({"t": "event", **heard, **own})
            listener.send(frames[viewer])

    def _missed(self, viewer: str | None, since: int | None) -> list[dict[str, Any]]:
        """What somebody who has heard everything up to ``since`` has to be told."""
        version = self.table.version
        if since is None or not max(self._first, version - len(self._recent)) <= since <= version:
            return [{"t": "state", **self.snapshot(viewer)}]
        missed = list(self._recent)[len(self._recent) - (version - since) :]
        frames = [{"t": "event", **heard} for heard in missed]
        anew = [frame for frame in frames if stands_anew(frame)]
        if anew:
            anew[-1].update(seen_by(self.table, viewer))  # how it stands since then is how it stands now
        return frames

    async def _note_presence(self, guest: str | None, skip: Listener | None = None) -> None:
        here = any(listener.guest == guest for listener in self.listeners)
        if guest is not None and self.table.owned(guest) and here != (guest in self.table.online):
            await self._pass_on(Event("presence", {"guest": guest, "online": here}), skip)

    async def _gone(self, guest: str | None) -> None:
        await asyncio.sleep(self._settings.away_after)
        with contextlib.suppress(Refused):  # the table is taken out of memory: nobody is here to be told
            await self.note_presence(guest)

    def _remember(self, key: tuple[str | None, str], reply: dict[str, Any]) -> dict[str, Any]:
        self._replies[key] = reply
        if len(self._replies) > REMEMBERED:
            self._replies.popitem(last=False)
        return reply

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- engines

    def _wake_engines(self) -> None:
        """Have every engine that is to move think, and stop those whose turn is gone. Nobody listens: no hurry."""
        due = {(self.table.turn, seat): level for seat, level in self.table.engines().items()}
        for key in [key for key in self._thinking if key not in due]:
            self._thinking.pop(key).cancel()
        if self.listeners and not self.broken:
            for key, level in due.items():
                if key not in self._thinking:
                    task = self._thinking[key] = asyncio.ensure_future(self._think(*key, level))
                    task.add_done_callback(functools.partial(self._thought, key))

    def _thought(self, key: tuple[int, int], task: asyncio.Task[None]) -> None:
        if self._thinking.get(key) is task:
            del self._thinking[key]

    async def _think(self, turn: int, seat: int, level: int) -> None:
        pace = asyncio.ensure_future(asyncio.sleep(self._settings.engine_pace))
        try:
            move = await self._engines.choose(study(self.table), seat, level)
            await pace
            await self.carry_out(lambda: self.table.answer(turn, seat, move))
        except Refused as refused:
            log.info("table %s: an engine's answer came too late (%s)", self.id, refused.code)
        except Exception:
            log.exception("table %s: the engine of seat %d failed", self.id, seat)
            for listener in self.listeners:
                listener.send(encode({"t": "error", "ack": None, "code": "engine_failed", "detail": {"seat": seat}}))
