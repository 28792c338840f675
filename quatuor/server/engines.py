"""Engines think in threads of their own; the search lets go of the interpreter lock, so the server stays awake."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from quatuor.game import Game

HINT_LEVEL = 6
HINTS = 5  # moves shown


class Engines:
    """A few threads shared by all tables."""

    def __init__(self, threads: int | None) -> None:
        self._pool = ThreadPoolExecutor(threads or os.cpu_count() or 1, "quatuor-engine")

    async def choose(self, game: Game, seat: int, level: int) -> str:
        """The move of an engine in that seat."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, _choose, game, seat, level)

    async def hint(self, game: Game, seat: int) -> dict[str, Any]:
        """What an engine thinks of the best moves."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, _hint, game, seat)

    def close(self) -> None:
        """Forget what nobody waits for any more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _choose(game: Game, seat: int, level: int) -> str:
    import quatuor

    return quatuor.engine(level=level).choose(game, seat)


def _hint(game: Game, seat: int) -> dict[str, Any]:
    import quatuor

    return quatuor.engine(level=HINT_LEVEL).analyse(game, seat)
