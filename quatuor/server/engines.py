"""The server's engines: moves, hints, analysis and puzzles, each searched for in a worker process."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from functools import partial
from typing import Any, TypeVar

from quatuor.engine import levels
from quatuor.engine.analysis import Analysis
from quatuor.engine.review import Turn, positions, reviewed
from quatuor.game import Game
from quatuor.server import searches
from quatuor.server.engine_queue import RETRY_AFTER, Asker, Priority
from quatuor.server.workers import Workers
from quatuor.table import Refused

T = TypeVar("T")


class Engines:
    """Decides which search a question needs, and how urgent it is."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.thinking = 0  # questions that are not answered yet

    async def choose(self, asker: Asker, game: Game, seat: int, level: int, played: bool = True) -> str:
        """The move of an engine in that seat; ``played``: a person plays in this game."""
        call = partial(searches.choose, game, seat, level, secrets.randbits(60))
        priority = Priority.MOVE if played else Priority.ANALYSIS
        return (await self._run(asker, priority, call, short=level < levels.TOP))[0]

    async def hint(self, asker: Asker, game: Game, seat: int) -> dict[str, Any]:
        """What an engine thinks of the best moves."""
        return (await self._run(asker, Priority.HINT, partial(searches.hint, game, seat)))[0]

    async def puzzle(self, asker: Asker, call: partial[T], short: bool) -> T:
        """The answer to a question about a puzzle."""
        return (await self._run(asker, Priority.PUZZLE, call, short))[0]

    async def read(self, asker: Asker, call: partial[T]) -> T:
        """What is in a text to analyse: reading thousands of moves takes a while, too."""
        return (await self._run(asker, Priority.PUZZLE, call))[0]

    async def review(self, asker: Asker, game: Game) -> AsyncIterator[Turn]:
        """What an engine thinks of every turn of a game, one after the other."""
        stream, worker = secrets.token_hex(8), None
        before: tuple[Game, dict[int, Analysis]] | None = None
        for position in positions(game):
            analyses: dict[int, Analysis] = {}
            for seat in position.to_move:
                call = partial(searches.analyse, stream, position, seat)
                analyses[seat], worker = await self._analyse(asker, call, worker)
            after = (position, analyses)
            if before is not None:
                yield reviewed(game, before, after)
            before = after

    async def standing(self, asker: Asker, game: Game) -> dict[str, Any]:
        """What an engine thinks of the moves of every seat that acts now, after a review."""
        hints = {}
        for seat in game.to_move:
            hints[str(seat)], _ = await self._analyse(asker, partial(searches.hint, game, seat))
        return hints

    def close(self) -> None:
        """End the worker processes."""
        self.workers.close()

    async def _analyse(self, asker: Asker, call: partial[T], worker: int | None = None) -> tuple[T, int]:
        """Ask again later while too much waits: an analysis holds a place, and only one of its jobs waits."""
        while True:
            try:
                return await self._run(asker, Priority.ANALYSIS, call, prefer=worker)
            except Refused as refused:
                await asyncio.sleep(refused.detail.get("retry_after", RETRY_AFTER))

    async def _run(
        self, asker: Asker, priority: Priority, call: partial[T], short: bool = True, prefer: int | None = None
    ) -> tuple[T, int]:
        self.thinking += 1
        try:
            return await self.workers.run(asker, priority, call, short, prefer)
        finally:
            self.thinking -= 1
