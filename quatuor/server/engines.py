"""Engines think in threads of their own; the search lets go of the interpreter lock, so the server stays awake."""

import asyncio
import os
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


class Engines:
    """A few threads shared by all tables."""

    def __init__(self, threads: int | None) -> None:
        count = threads or os.cpu_count() or 1
        self._pool = ThreadPoolExecutor(count, "quatuor-engine")
        self._reviews = ThreadPoolExecutor(max(1, count // 2), "quatuor-review")  # so that those who play never wait
        self.thinking = 0  # at work, or waiting for a thread

    async def choose(self, game: Game, seat: int, level: int) -> str:
        """The move of an engine in that seat."""
        engine = Engine(level, threads=1)  # one thread a table: all of them think at once
        return await self._think(self._pool, engine, lambda: engine.choose(game, seat))

    async def hint(self, game: Game, seat: int) -> dict[str, Any]:
        """What an engine thinks of the best moves."""
        engine = Engine(seconds=HINT_SECONDS, threads=1)
        found = await self._think(self._pool, engine, lambda: engine.analyse(game, seat))
        return {"moves": found["moves"][:HINTS], "exact": found["exact"]}

    async def review(self, game: Game) -> AsyncIterator[Turn]:
        """What an engine thinks of every turn of a game. Turns of all games wait in one line, so that each gets on."""
        engine = Engine(seconds=REVIEW_SECONDS, threads=1)
        turns = review(game, engine)
        while (turn := await self._think(self._reviews, engine, partial(next, turns, None))) is not None:
            yield turn

    def close(self) -> None:
        """Forget what nobody waits for any more."""
        for pool in (self._pool, self._reviews):
            pool.shutdown(wait=False, cancel_futures=True)

    async def _think(self, pool: ThreadPoolExecutor, engine: Engine, work: Callable[[], T]) -> T:
        self.thinking += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work)
        except asyncio.CancelledError:
            engine.stop()  # the table has moved on: somebody else may have the thread
            raise
        finally:
            self.thinking -= 1
