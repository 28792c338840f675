"""Pieces as bit masks, for the searches: which placements cover a cell, and which cells surround a placement.

A board is ROWS words, column c at bit c + PAD, with PAD empty rows and columns around it; placements are the action
ids of the game. A *shape* is a form together with the one of its squares that covers a given cell. Shapes form a tree:
the parent of a shape has one square less. Where a shape does not fit, none of its descendants does.
"""

import numpy as np

from quatuor.games.blokus.adjacency import corners, edges
from quatuor.games.blokus.tables import FORM_ROWS, FORMS, PAD, SIDE, Cells
from quatuor.kernel import Words, jit

ROWS = SIDE + 2 * PAD
CELLS = SIDE * SIDE
SOLVED, IMPOSSIBLE, GAVE_UP = 1, 0, -1  # what a search found; only IMPOSSIBLE is a proof that there is nothing
PAUSED = 2  # it goes on with the next call

_STARTS = [sum(9 - 2 * abs(r) for r in range(-4, row)) for row in range(-4, 5)]


def _bit(row: int, column: int) -> int:
    """The 41 cells within four steps of a cell, numbered row by row."""
    return _STARTS[row + 4] + column + 4 - abs(row)


def _tree() -> tuple[list[int], list[int], list[int]]:
    """All shapes, parents before children: their cells, the shape after all their children, and their action ids."""
    actions: dict[int, int] = {}  # of a shape that covers row 0, column 0 of the padding
    for form, cells in enumerate(FORMS):
        for row, column in cells:
            mask = sum(1 << _bit(r - row, c - column) for r, c in cells)
            actions[mask] = form * CELLS - (row + PAD) * SIDE + cells[0][1] - column - PAD
    under: dict[int, list[int]] = {}
    for mask in actions:
        smaller = [mask ^ 1 << b for b in range(41) if mask >> b & 1 and mask ^ 1 << b in actions]
        if smaller:
            under.setdefault(smaller[0], []).append(mask)
    order: list[int] = []
    after: dict[int, int] = {}

    def visit(mask: int) -> None:
        order.append(mask)
        for larger in under.get(mask, []):
            visit(larger)
        after[mask] = len(order)

    visit(1 << _bit(0, 0))
    return order, [after[mask] for mask in order], [actions[mask] for mask in order]


MASK, SKIP, ACTION = (np.array(column, np.int64) for column in _tree())
SHAPES = len(MASK)

# Seven rows a form, beginning one below it, its reference cell at bit PAD: its squares, the same with the cells beside
# them, and the cells at their corners.
AROUND = 7
BODY, BESIDE, CORNERS = (np.zeros(len(FORMS) * AROUND, np.int64) for _ in range(3))
HEIGHT = np.array([max(r for r, _ in form) + 3 for form in FORMS], np.int64)  # how many of the seven matter
for _form, _cells in enumerate(FORMS):
    for _rows, _found in ((BODY, set(_cells)), (BESIDE, edges(_cells) | set(_cells)), (CORNERS, corners(_cells))):
        for _row, _column in _found:
            _rows[_form * AROUND + _row + 1] |= 1 << PAD + _column - _cells[0][1]


@jit
def window(board: Words, row: int, column: int) -> int:
    """The 41 cells around a cell as bits. Rows and columns count from the padding's edge."""
    return (
        board[row - 4] >> column & 1
        | (board[row - 3] >> column - 1 & 7) << 1
        | (board[row - 2] >> column - 2 & 31) << 4
        | (board[row - 1] >> column - 3 & 127) << 9
        | (board[row] >> column - 4 & 511) << 16
        | (board[row + 1] >> column - 3 & 127) << 25
        | (board[row + 2] >> column - 2 & 31) << 32
        | (board[row + 3] >> column - 1 & 7) << 37
        | (board[row + 4] >> column & 1) << 40
    )


@jit
def flip(board: Words, action: int) -> None:
    """Place a piece on a board, or take it away again."""
    form = action // CELLS
    row = action % CELLS // SIDE + PAD
    column = action % SIDE
    for i in range(5):
        cells = FORM_ROWS[form * 5 + i]
        if cells:
            board[row + i] ^= cells << column


def board_of(rows: int, columns: int, taken: Cells) -> "np.typing.NDArray[np.int64]":
    """A board of this size. A bit is set where a cell is taken, or off the board."""
    board = np.full(ROWS, (1 << ROWS) - 1, np.int64)
    board[PAD : PAD + rows] ^= (1 << columns) - 1 << PAD
    for row, column in taken:
        board[PAD + row] |= 1 << PAD + column
    return board
