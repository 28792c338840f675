"""BK-4 in one place: which cells touch by an edge and which by a corner, for rows of bits and for lists of cells.

Only the checker of the puzzles (puzzles/check.py) has its own, so that it can prove the searches right.
"""

from collections.abc import Iterable

from quatuor.kernel import inlined, jit

Cell = tuple[int, int]
# A row is never negative. "& POSITIVE" lets the compiler know: to copy a sign takes browsers six instructions
POSITIVE = (1 << 63) - 1

EDGE_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
CORNER_STEPS = ((1, 1), (1, -1), (-1, 1), (-1, -1))


@jit
@inlined
def edge_row(cells: int, below: int, above: int) -> int:
    """The cells of a row that share an edge with one of a set, from its cells in this row and in the two next to it."""
    return cells << 1 | cells >> 1 & POSITIVE | below | above


@jit
@inlined
def corner_row(below: int, above: int) -> int:
    """The cells of a row that share a corner with one of a set, from its cells in the rows below and above."""
    return (below | above) << 1 | (below | above) >> 1 & POSITIVE


def edges(cells: Iterable[Cell]) -> set[Cell]:
    """The cells that share an edge with one of these; perhaps off the board, perhaps some of these."""
    return {(row + up, column + right) for row, column in cells for up, right in EDGE_STEPS}


def corners(cells: Iterable[Cell]) -> set[Cell]:
    """The cells that share a corner with one of these; perhaps off the board, perhaps some that share an edge too."""
    return {(row + up, column + right) for row, column in cells for up, right in CORNER_STEPS}
