"""The engines of one table: think when it is their turn and a person waits, and play what they choose."""

import asyncio
import functools
import logging
import random
from typing import Any, Protocol

from quatuor.server.engine_queue import Asker
from quatuor.server.engines import Engines
from quatuor.server.listener import SocketListener
from quatuor.server.visitors import Visitor
from quatuor.table import Refused, Table
from quatuor.table.commands import Command, EngineMove
from quatuor.table.turns import engines

log = logging.getLogger("quatuor.server")

FIRST_RETRY, LAST_RETRY = 1.0, 30.0  # seconds until a move that was refused or failed is asked for again


class Session(Protocol):
    """What engines need of the session of their table."""

    id: str
    table: Table
    listeners: set[SocketListener]

    def send_all(self, message: dict[str, Any]) -> None: ...
    async def handle(self, command: Command) -> int: ...


class EngineDriver:
    """Asks for the moves of one table's engines, for as long as they are wanted."""

    def __init__(self, session: Session, engines: Engines, pace: float) -> None:
        self._session, self._engines, self._pace = session, engines, pace
        self._thinking: dict[tuple[int, int], asyncio.Task[None]] = {}  # (turn, seat)
        self._last_seen: Visitor | None = None

    @property
    def thinking(self) -> bool:
        """Whether a move is awaited."""
        return bool(self._thinking)

    @property
    def asker(self) -> Asker | None:
        """On whose behalf the engines think; None: nobody waits for them.

        Among several people each waits for the next turn, connected or not. A person who plays alone is in no hurry
        while away, and a game of engines alone needs a known person who watches.
        """
        table = self._session.table
        present = sorted((listener.visitor for listener in self._session.listeners), key=lambda v: (v.person or "", v))
        seated = [visitor for visitor in present if visitor.person in table.people]
        known = [visitor for visitor in present if visitor.person]
        if not table.people:
            chosen = known[0] if known else None
        else:
            chosen = next(iter((*seated, *known, *present)), None)
        self._last_seen = chosen or self._last_seen
        if chosen is None and len(table.people) > 1:
            chosen = self._last_seen or Visitor("", table.owner)
        return Asker(chosen, self._session.id) if chosen else None

    def wake(self, responsible: bool) -> None:
        """Ask for every move that is due, and stop what is no longer wanted. One process is responsible for a table."""
        due = {(self._session.table.turn, seat): level for seat, level in engines(self._session.table).items()}
        if not due and not self._thinking:
            return
        asker = self.asker if responsible else None
        for key in [key for key in self._thinking if asker is None or key not in due]:
            self._thinking.pop(key).cancel()
        for key, level in due.items() if asker else ():
            if key not in self._thinking:
                task = self._thinking[key] = asyncio.ensure_future(self._play(*key, level))
                task.add_done_callback(functools.partial(self._played, key))

    def stop(self) -> None:
        """Stop all thinking."""
        for task in self._thinking.values():
            task.cancel()
        self._thinking.clear()

    def _played(self, key: tuple[int, int], task: asyncio.Task[None]) -> None:
        if self._thinking.get(key) is task:
            del self._thinking[key]

    async def _play(self, turn: int, seat: int, level: int) -> None:
        pace = asyncio.get_running_loop().time() + self._pace
        move = await self._choose(seat, level)
        await asyncio.sleep(pace - asyncio.get_running_loop().time())
        try:
            await self._session.handle(EngineMove(turn, seat, move))
        except Refused as refused:
            log.info("table %s: an engine answered too late (%s)", self._session.id, refused.code)
        except Exception:
            log.exception("table %s: the move of seat %d was not played", self._session.id, seat)

    async def _choose(self, seat: int, level: int) -> str:
        """A move, however often it has to be asked for: a game in progress must not hang."""
        wait, reported = FIRST_RETRY, ""
        while True:
            table, asker = self._session.table, self.asker
            if asker:
                try:
                    return await self._engines.choose(asker, table.study(), seat, level, bool(table.people))
                except Refused:
                    code = "engine_busy"
                except Exception:
                    log.exception("table %s: the engine of seat %d failed", self._session.id, seat)
                    code = "engine_failed"
                if code != reported:
                    self._session.send_all({"t": "error", "ack": None, "code": code, "detail": {"seat": seat}})
                    reported = code
            await asyncio.sleep(wait * random.uniform(0.75, 1.25))  # not all tables at the same moment
            wait = min(2 * wait, LAST_RETRY)
