"""Searches in steps of a few milliseconds, so that a worker with one thread answers messages in between."""

import secrets
import types
from collections.abc import AsyncIterator
from typing import Any, TypeVar

from quatuor.engine import levels
from quatuor.engine.analysis import Analysis
from quatuor.engine.player import Engine
from quatuor.engine.review import Turn, positions, reviewed
from quatuor.game import Game
from quatuor.games.steps import Steps

T = TypeVar("T")
HINTS = 5  # moves shown
REVIEW_SECONDS = 0.5  # for each position of a game that is analysed


@types.coroutine
def in_steps(steps: Steps[T]) -> Steps[T]:
    """Await a search; the event loop handles other messages at each pause, as with ``asyncio.sleep(0)``."""
    return (yield from steps)


async def choose(game: Game, seat: int, level: int, seed: int | None = None) -> str:
    """The move of an engine in that seat."""
    engine = Engine(level, seed=secrets.randbits(60) if seed is None else seed, threads=1)
    return await in_steps(engine.choosing(game, seat))


async def hint(game: Game, seat: int) -> dict[str, Any]:
    """What an engine thinks of the best moves."""
    found = await in_steps(Engine(seconds=levels.SECONDS, threads=1).analysing(game, seat, lines=HINTS))
    return {"moves": found["moves"], "exact": found["exact"]}


async def review(game: Game) -> AsyncIterator[Turn]:
    """What an engine thinks of every turn of a game, one after the other."""
    engine = Engine(seconds=REVIEW_SECONDS, threads=1)
    before: tuple[Game, dict[int, Analysis]] | None = None
    for position in positions(game):
        after = position, {seat: await in_steps(engine.analysing(position, seat)) for seat in position.to_move}
        if before is not None:
            yield reviewed(game, before, after)
        before = after


async def standing(game: Game) -> dict[str, Any]:
    """What an engine thinks of the moves of every seat that acts now."""
    return {str(seat): await hint(game, seat) for seat in game.to_move}
