"""The solitaire puzzles of Blokus: check, solve, hint, generate (docs/puzzles.md).

>>> from quatuor import puzzles
>>> solution = puzzles.solve("tetro20", hard=True, seed=3)
>>> puzzles.check(solution).solved
True
>>> puzzles.load(solution.dump()) == solution
True
"""

from quatuor.games.blokus.puzzles import (
    DIFFICULTIES,
    KINDS,
    Answer,
    Challenge,
    Fault,
    Kind,
    Piece,
    Position,
    Report,
    check,
    daily,
    empty,
    hint,
    load,
    new,
    read,
    solvable,
    solve,
    svg,
    text_board,
)

__all__ = [
    "DIFFICULTIES", "KINDS", "Answer", "Challenge", "Fault", "Kind", "Piece", "Position", "Report", "check", "daily",
    "empty", "hint", "load", "new", "read", "solvable", "solve", "svg", "text_board",
]  # fmt: skip
