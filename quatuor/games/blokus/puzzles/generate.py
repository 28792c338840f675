"""Graded puzzles: a solution from which some pieces are removed, for the player to place."""

import datetime
import random
from dataclasses import dataclass, replace
from typing import Any

from quatuor.games.blokus.puzzles.kinds import DIFFICULTIES
from quatuor.games.blokus.puzzles.position import Piece, Position, check_whole, empty
from quatuor.games.blokus.puzzles.solve import solving
from quatuor.games.steps import Steps, finished

WEEK = (  # Monday first
    ("tetro10", False), ("pento12", False), ("tetro20", False), ("tetro20", True), ("pento48", False),
    ("pento48", True), ("all84", False),
)  # fmt: skip


@dataclass(frozen=True)
class Challenge:
    """A task with a guaranteed solution."""

    position: Position
    solution: Position  # the given pieces first
    difficulty: str
    seed: int

    def data(self) -> dict[str, Any]:
        """For programs, without the solution."""
        return {"difficulty": self.difficulty, "seed": self.seed, "position": self.position.data()}


def new(
    name: str,
    difficulty: str = "easy",
    seed: int = 0,
    hard: bool = False,
    rows: int | None = None,
    columns: int | None = None,
) -> Challenge:
    """A graded puzzle; the same one for the same arguments, everywhere.

    >>> from quatuor import puzzles
    >>> task = puzzles.new("tetro20", "easy", seed=5)
    >>> len(task.position.pieces), puzzles.solvable(task.position).value
    (14, 'yes')
    """
    return finished(generating(name, difficulty, seed, hard, rows, columns))


def generating(
    name: str, difficulty: str, seed: int, hard: bool, rows: int | None = None, columns: int | None = None
) -> Steps[Challenge]:
    """``new`` in steps."""
    check_whole(seed=seed)
    if not isinstance(difficulty, str) or difficulty not in DIFFICULTIES:
        raise ValueError(f"unknown difficulty {difficulty!r}; choose {', '.join(DIFFICULTIES)}")
    task = empty(name, hard, rows, columns)
    solution = yield from solving(name, hard, seed, task.rows, task.columns)
    pieces = _sorted(solution, seed) if task.kind.fills else solution.pieces
    given = len(pieces) - task.kind.open[difficulty]
    solution = replace(solution, pieces=pieces, given=given)
    return Challenge(replace(solution, pieces=pieces[:given]), solution, difficulty, seed)


def _sorted(solution: Position, seed: int) -> tuple[Piece, ...]:
    """From far to near around some cell, so that the removed pieces leave one hole."""
    chance = random.Random(seed)
    row, column = chance.uniform(0, solution.rows - 1), chance.uniform(0, solution.columns - 1)

    def distance(piece: Piece) -> float:
        return sum((r - row) ** 2 + (c - column) ** 2 for r, c in piece.cells)

    return tuple(sorted(solution.pieces, key=lambda piece: (-distance(piece), piece.cells)))


def daily(day: datetime.date | None = None, difficulty: str = "medium") -> Challenge:
    """The puzzle of a day (today, if none is named): the same for everyone, made from the date alone."""
    if day is not None and not isinstance(day, datetime.date):
        raise TypeError(f"day={day!r}: give a datetime.date, or None for today")
    return finished(generating_daily(day or datetime.date.today(), difficulty))


def generating_daily(day: datetime.date, difficulty: str = "medium") -> Steps[Challenge]:
    """``daily`` in steps."""
    name, hard = WEEK[day.weekday()]
    return generating(name, difficulty, day.toordinal(), hard)
