"""Engines think in threads of their own; the search lets go of the interpreter lock, so the server stays awake."""

import asyncio
import os
from collections import deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from quatuor.engine import levels
from quatuor.engine.player import Engine
from quatuor.engine.review import Turn, review
from quatuor.game import Game

T = TypeVar("T")

HINT_SECONDS = levels.SECONDS  # somebody waits for it
HINTS = 5  # moves shown
REVIEW_SECONDS = 0.5  # for each position of a game that is analysed


class Turns:
    """So many at a time; who has to wait, waits in a line of the own table, and the tables take turns."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}  # the first table is served next

    async def take(self, table: str) -> None:
        """A place; waits until it is this table's turn."""
        if self._free:
            self._free -= 1
            return
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._lines.setdefault(table, deque()).append(ticket)
        try:
            await ticket
        except asyncio.CancelledError:
            if ticket.done() and not ticket.cancelled():
                self.give_back()  # it was this one's turn just now
            raise

    def give_back(self) -> None:
        """A place is free: the next table's first."""
        while self._lines:
            table = next(iter(self._lines))
            line = self._lines.pop(table)
            ticket = line.popleft()
            if line:
                self._lines[table] = line  # behind all others
            if not ticket.done():
                ticket.set_result(None)
                return
        self._free += 1


class Threads:
    """Threads that tables share in fair turns."""

    def __init__(self, count: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(count, name)
        self._turns = Turns(count)

    async def run(self, table: str, work: Callable[[], T]) -> T:
        """Have something done when it is the table's turn. Whoever gives up waiting has to see that it ends."""
        await self._turns.take(table)
        done = self._pool.submit(work)
        loop = asyncio.get_running_loop()
        done.add_done_callback(lambda _: loop.call_soon_threadsafe(self._turns.give_back))
        return await asyncio.wrap_future(done)

    def close(self) -> None:
        """Forget what nobody waits for any more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


class Engines:
    """A few threads shared by all tables, in fair turns."""

    def __init__(self, threads: int | None) -> None:
        count = threads or os.cpu_count() or 1
        self._players = Threads(count, "quatuor-engine")
        self._reviewers = Threads(max(1, count // 2), "quatuor-review")  # so that those who play never wait
        self.thinking = 0  # at work, or waiting for a thread

    async def choose(self, table: str, game: Game, seat: int, level: int) -> str:
        """The move of an engine in that seat."""
        engine = Engine(level, threads=1)  # one thread a table: all of them think at once
        return await self._think(self._players, table, engine, lambda: engine.choose(game, seat))

    async def hint(self, table: str, game: Game, seat: int) -> dict[str, Any]:
        """What an engine thinks of the best moves."""
        engine = Engine(seconds=HINT_SECONDS, threads=1)
        found = await self._think(self._players, table, engine, lambda: engine.analyse(game, seat))
        return {"moves": found["moves"][:HINTS], "exact": found["exact"]}

    async def review(self, game: Game) -> AsyncIterator[Turn]:
        """What an engine thinks of every turn of a game; games take turns, so that each gets on."""
        engine = Engine(seconds=REVIEW_SECONDS, threads=1)
        turns = review(game, engine)
        step, line = partial(next, turns, None), str(id(turns))
        while (turn := await self._think(self._reviewers, line, engine, step)) is not None:
            yield turn

    def close(self) -> None:
        """Forget what nobody waits for any more."""
        for threads in (self._players, self._reviewers):
            threads.close()

    async def _think(self, threads: Threads, table: str, engine: Engine, work: Callable[[], T]) -> T:
        self.thinking += 1
        try:
            return await threads.run(table, work)
        except asyncio.CancelledError:
            engine.close()  # the table has moved on: the thread is free for another
            raise
        finally:
            self.thinking -= 1
