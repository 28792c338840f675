"""Engines think in threads of their own; the search lets go of the interpreter lock, so the server stays awake."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from quatuor.engine import levels
from quatuor.engine.player import Engine
from quatuor.game import Game

T = TypeVar("T")

HINT_SECONDS = levels.SECONDS  # somebody waits for it
HINTS = 5  # moves shown


class Engines:
    """A few threads shared by all tables."""

    def __init__(self, threads: int | None) -> None:
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1, "quatuor-engine")
        self.thinking = 0  # at work, or waiting for a thread

    async def choose(self, game: Game, seat: int, level: int) -> str:
        """The move of an engine in that seat."""
        engine = Engine(level, threads=1)  # one thread a table: all of them think at once
        return await self._think(engine, lambda: engine.choose(game, seat))

    async def hint(self, game: Game, seat: int) -> dict[str, Any]:
        """What an engine thinks of the best moves."""
        engine = Engine(seconds=HINT_SECONDS, threads=1)
        found = await self._think(engine, lambda: engine.analyse(game, seat))
        return {"moves": found["moves"][:HINTS], "exact": found["exact"]}

    def close(self) -> None:
        """Forget what nobody waits for any more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _think(self, engine: Engine, work: Callable[[], T]) -> T:
        self.thinking += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, work)
        except asyncio.CancelledError:
            engine.stop()  # the table has moved on: somebody else may have the thread
            raise
        finally:
            self.thinking -= 1
