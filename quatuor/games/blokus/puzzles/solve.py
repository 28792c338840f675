"""Solve a puzzle, complete a position, say whether that is possible, give a hint: at once, or in steps."""

import time
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from quatuor.games.blokus.adjacency import edges
from quatuor.games.blokus.puzzles import complete_84, complete_rectangle
from quatuor.games.blokus.puzzles.check import Fault, check
from quatuor.games.blokus.puzzles.position import Piece, Position, check_position, check_whole, empty
from quatuor.games.blokus.puzzles.quick_refutation import hopeless
from quatuor.games.blokus.puzzles.shapes import IMPOSSIBLE, SOLVED
from quatuor.games.steps import Steps, finished

SECONDS = 1.0  # for an answer, unless the caller sets a time; chosen


@dataclass(frozen=True)
class Answer:
    """Whether a position can be completed: a "yes" comes with a completion, a "no" is proven, else "unknown"."""

    value: Literal["yes", "no", "unknown"]
    completion: Position | None = None
    faults: tuple[Fault, ...] = ()  # the reasons, if it is impossible and no search was needed

    def data(self) -> dict[str, Any]:
        """For programs. Pass the completion as the witness of the next question: that answer comes sooner."""
        return {
            "answer": self.value,
            "completion": self.completion and self.completion.data(),
            "faults": [fault.data() for fault in self.faults],
        }


def solve(
    name: str, hard: bool = False, seed: int = 0, rows: int | None = None, columns: int | None = None
) -> Position:
    """A solution of a puzzle, a different one for each seed. Its pieces are in a legal placing order.

    >>> from quatuor import puzzles
    >>> solution = puzzles.solve("pento48", seed=1)
    >>> len(solution.pieces), puzzles.check(solution).solved
    (48, True)

    Raises:
        ValueError: There is no such puzzle, or not in this size or form.
    """
    return finished(solving(name, hard, seed, rows, columns))


def solving(
    name: str, hard: bool = False, seed: int = 0, rows: int | None = None, columns: int | None = None
) -> Steps[Position]:
    """``solve`` in steps."""
    check_whole(seed=seed)
    position = empty(name, hard, rows, columns)
    _, pieces = yield from _module(position).completing(position, seed)
    return _verified(position.plus(pieces))


def solvable(position: Position, seconds: float = SECONDS, witness: Position | None = None, seed: int = 0) -> Answer:
    """Whether a position can be completed. An earlier completion as ``witness`` makes a "yes" much faster.

    >>> from quatuor import puzzles
    >>> puzzles.solvable(puzzles.new("tetro20", "easy", seed=5).position).value
    'yes'
    """
    return finished(answering(position, seconds, witness, seed))


def answering(
    position: Position, seconds: float = SECONDS, witness: Position | None = None, seed: int = 0
) -> Steps[Answer]:
    """``solvable`` in steps."""
    report = check(position)
    if witness is not None:
        check_position(witness)
    check_whole(seed=seed)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not seconds >= 0:
        raise ValueError(f"seconds={seconds!r}: give a number from 0")
    faults = report.faults or hopeless(position, report)
    if faults:
        return Answer("no", faults=faults)
    if report.solved:
        return Answer("yes", position)
    known = None if witness is None else _known(position, witness)
    precompile(position.kind.fills)
    result, pieces = yield from _module(position).completing(position, seed, time.monotonic() + seconds, known)
    if result == SOLVED:
        return Answer("yes", _verified(position.plus(pieces)))
    return Answer("no" if result == IMPOSSIBLE else "unknown")


def hint(position: Position, seconds: float = SECONDS, witness: Position | None = None) -> tuple[Piece | None, Answer]:
    """One piece of a completion, and the answer with it; None if there is no completion or none was found."""
    return finished(hinting(position, seconds, witness))


def hinting(
    position: Position, seconds: float = SECONDS, witness: Position | None = None
) -> Steps[tuple[Piece | None, Answer]]:
    """``hint`` in steps."""
    answer = yield from answering(position, seconds, witness)
    if answer.completion is None or answer.completion == position:
        return None, answer
    rest = answer.completion.pieces[len(position.pieces) :]
    if not position.kind.fills:
        return rest[0], answer  # the next one in a legal order
    covered = {cell for piece in position.pieces for cell in piece.cells}
    return max(rest, key=lambda piece: _contact(position, piece, covered)), answer


def _contact(position: Position, piece: Piece, covered: set[tuple[int, int]]) -> float:
    """The share of a piece's outline along covered cells or the edge of the board, where it is easily seen."""
    around = edges(piece.cells) - set(piece.cells)
    free = {(r, c) for r, c in around - covered if 0 <= r < position.rows and 0 <= c < position.columns}
    return 1 - len(free) / len(around)


def _module(position: Position) -> Any:
    return complete_rectangle if position.kind.fills else complete_84


def _verified(solution: Position) -> Position:
    """Every solution passes the independent checker."""
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
def precompile(fills: bool) -> None:
    """Compile a search before a clock starts: the one for rectangles, or the one for the large board."""
    (complete_rectangle if fills else complete_84).precompile()
