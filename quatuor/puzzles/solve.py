"""Solve a puzzle, complete a position, tell whether that can be done, give a hint."""

import time
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from quatuor.puzzles import laying, tiling
from quatuor.puzzles.check import Fault, beside, check
from quatuor.puzzles.glance import hopeless
from quatuor.puzzles.position import Piece, Position, empty
from quatuor.puzzles.shapes import IMPOSSIBLE, SOLVED

SECONDS = 1.0


@dataclass(frozen=True)
class Answer:
    """Whether a position can be completed: a "yes" comes with a completion, a "no" is proven, else "unknown"."""

    value: Literal["yes", "no", "unknown"]
    completion: Position | None = None
    faults: tuple[Fault, ...] = ()  # what was seen at a glance to make it impossible, if that is why

    def data(self) -> dict[str, Any]:
        """For programs; hand the completion back as witness next time, and the next answer comes quicker."""
        return {
            "answer": self.value,
            "completion": self.completion and self.completion.data(),
            "faults": [fault.data() for fault in self.faults],
        }


def solve(
    name: str, hard: bool = False, seed: int = 0, rows: int | None = None, columns: int | None = None
) -> Position:
    """A solution of a puzzle, another one for every seed. Pieces come in an order in which they may be placed.

    >>> from quatuor import puzzles
    >>> solution = puzzles.solve("pento48", seed=1)
    >>> len(solution.pieces), puzzles.check(solution).solved
    (48, True)
    """
    position = empty(name, hard, rows, columns)
    _, pieces = _module(position).complete(position, seed)
    return _verified(position.plus(pieces))


def solvable(position: Position, seconds: float = SECONDS, witness: Position | None = None, seed: int = 0) -> Answer:
    """Whether a position can be completed. A completion known from before, as a witness, makes "yes" much quicker."""
    report = check(position)
    faults = report.faults or hopeless(position, report)
    if faults:
        return Answer("no", faults=faults)
    if report.solved:
        return Answer("yes", position)
    known = None if witness is None else _known(position, witness)
    warm(position.kind.fills)
    result, pieces = _module(position).complete(position, seed, time.monotonic() + seconds, known)
    if result == SOLVED:
        return Answer("yes", _verified(position.plus(pieces)))
    return Answer("no" if result == IMPOSSIBLE else "unknown")


def hint(position: Position, seconds: float = SECONDS, witness: Position | None = None) -> tuple[Piece | None, Answer]:
    """One piece that belongs, and the answer that it comes from; None if there is no completion, or none was found."""
    answer = solvable(position, seconds, witness)
    if answer.completion is None or answer.completion == position:
        return None, answer
    rest = answer.completion.pieces[len(position.pieces) :]
    if not position.kind.fills:
        return rest[0], answer  # the next one in a legal order
    covered = {cell for piece in position.pieces for cell in piece.cells}
    return max(rest, key=lambda piece: _contact(position, piece, covered)), answer


def _contact(position: Position, piece: Piece, covered: set[tuple[int, int]]) -> float:
    """How much of a piece's outline lies along what is covered or the edge of the board: there it is easily seen."""
    around = {near for cell in piece.cells for near in beside(cell)} - set(piece.cells)
    free = {(r, c) for r, c in around - covered if 0 <= r < position.rows and 0 <= c < position.columns}
    return 1 - len(free) / len(around)


def _module(position: Position) -> Any:
    return tiling if position.kind.fills else laying


def _verified(solution: Position) -> Position:
    """Nothing leaves the solver unchecked."""
    report = check(solution)
    if not report.solved:
        raise AssertionError(f"the solver is wrong: {[fault.text for fault in report.faults]}, left {report.left}")
    return solution


def _known(position: Position, witness: Position) -> tuple[Piece, ...]:
    same = (witness.puzzle, witness.hard, witness.rows, witness.columns) == (
        position.puzzle, position.hard, position.rows, position.columns,
    )  # fmt: skip
    if not same or not check(witness).solved:
        raise ValueError("the witness must be a solution of the same puzzle on the same board")
    return witness.pieces


@cache
def warm(fills: bool) -> None:
    """Have a search compiled, before a clock starts: the one for rectangles, or the one for the large board."""
    solve("tetro20" if fills else "all84")
