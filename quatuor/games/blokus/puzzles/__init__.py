"""The solitaire puzzles of Blokus: check, solve, hint, generate. BK-20 to BK-22, and small ones to warm up.

>>> from quatuor import puzzles
>>> solution = puzzles.solve("tetro20", hard=True, seed=3)
>>> puzzles.check(solution).solved
True
>>> puzzles.load(solution.dump()) == solution
True
"""

from quatuor.games.blokus.puzzles.check import Fault, Report, check
from quatuor.games.blokus.puzzles.generate import Challenge, daily, new
from quatuor.games.blokus.puzzles.kinds import DIFFICULTIES, KINDS, Kind
from quatuor.games.blokus.puzzles.picture import svg, text_board
from quatuor.games.blokus.puzzles.position import Piece, Position, empty, load, read
from quatuor.games.blokus.puzzles.solve import Answer, hint, solvable, solve

__all__ = [
    "DIFFICULTIES", "KINDS", "Answer", "Challenge", "Fault", "Kind", "Piece", "Position", "Report", "check", "daily",
    "empty", "hint", "load", "new", "read", "solvable", "solve", "svg", "text_board",
]  # fmt: skip
