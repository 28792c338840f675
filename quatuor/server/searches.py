"""What worker processes do: plain functions whose arguments say everything."""

import datetime
from collections import OrderedDict
from typing import Any

from quatuor.engine import levels
from quatuor.engine.analysis import Analysis
from quatuor.engine.player import Engine
from quatuor.game import Game

HINT_SECONDS = levels.SECONDS  # a person waits for it
HINTS = 5  # moves shown
REVIEW_SECONDS = 0.5  # for each position of a game that is analysed
KEPT = 2  # analyses whose search trees a worker keeps
_analysts: OrderedDict[str, Engine] = OrderedDict()  # of this worker


def choose(game: Game, seat: int, level: int, seed: int) -> str:
    """The move of an engine in that seat."""
    return Engine(level, seed=seed, threads=1).choose(game, seat)  # one thread: each worker is a core's worth


def hint(game: Game, seat: int) -> dict[str, Any]:
    """What an engine thinks of the best moves."""
    found = Engine(seconds=HINT_SECONDS, threads=1).analyse(game, seat)
    return {"moves": found["moves"][:HINTS], "exact": found["exact"]}


def analyse(stream: str, game: Game, seat: int) -> Analysis:
    """What every move of one position is worth; what was found of earlier positions of the same stream is used."""
    engine = _analysts.pop(stream, None) or Engine(seconds=REVIEW_SECONDS, threads=1)
    found = engine.analyse(game, seat)
    _analysts[stream] = engine  # unless it was stopped
    if len(_analysts) > KEPT:
        _analysts.popitem(last=False)
    return found


def check_puzzle(position: dict[str, Any]) -> dict[str, Any]:
    """Which rules are broken, and what is left to place."""
    from quatuor import puzzles

    return puzzles.check(puzzles.read(position)).data()


def complete_puzzle(position: dict[str, Any], witness: dict[str, Any] | None, seconds: float) -> dict[str, Any]:
    """Whether a position can be completed, and how."""
    from quatuor import puzzles

    known = None if witness is None else puzzles.read(witness)
    return puzzles.solvable(puzzles.read(position), seconds, known).data()


def puzzle_hint(position: dict[str, Any], witness: dict[str, Any] | None, seconds: float) -> dict[str, Any]:
    """One piece that belongs."""
    from quatuor import puzzles

    known = None if witness is None else puzzles.read(witness)
    piece, answer = puzzles.hint(puzzles.read(position), seconds, known)
    return {"piece": piece and piece.data()} | answer.data()


def new_puzzle(
    name: str, difficulty: str, seed: int, hard: bool, rows: int | None, columns: int | None
) -> dict[str, Any]:
    """A graded puzzle with its solution."""
    from quatuor import puzzles

    return _whole(puzzles.new(name, difficulty, seed, hard, rows, columns))


def daily_puzzle(day: datetime.date, difficulty: str) -> dict[str, Any]:
    """The puzzle of a day with its solution."""
    from quatuor import puzzles

    return _whole(puzzles.daily(day, difficulty))


def _whole(challenge: Any) -> dict[str, Any]:
    data: dict[str, Any] = challenge.data()
    return data | {"solution": challenge.solution.data()}
