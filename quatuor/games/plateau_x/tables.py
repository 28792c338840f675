"""The board as bits and the numbering of actions, shared by rules, notation and picture.

Bit ``row * 8 + column`` is a cell: eight bits a row for seven columns, so that a shift across an edge lands on the
unused eighth bit and never on a cell. A *kind* is a brick's shape and turn; bit ``anchor`` of a set of bricks of one
kind is the lower left cell of the brick's box (for a triple lacking that corner, the anchor is not its own cell).

Action ids are those of the 7 by 7 grid in every variant. Cells count row by row from A1: A1 0, B1 1, A2 7, G7 48.

======================  ==============================================================================
0 .. 48                 a single on that cell
49 .. 90                a double lying across, 6 a row, by its left cell
91 .. 132               a double standing upright, 7 a row, by its lower cell
133 .. 276              a triple: 36 squares of 2 by 2 (6 a row, by their lower left cell) for each of the four
                        corners it can lack: lower left, lower right, upper left, upper right
277 .. 325              bring a pawn in on that cell
326 .. 2726             move a pawn: 326 + 49 * from + to
2727                    declare the end
======================  ==============================================================================
"""

from collections.abc import Iterable

import numpy as np

from quatuor.kernel import Words

SIDE, CELLS = 7, 49
RIGHT, UP = 1, 8  # shifts to a neighbour

SINGLE, ACROSS, UPRIGHT = 0, 1, 2
NO_LOWER_LEFT, NO_LOWER_RIGHT, NO_UPPER_LEFT, NO_UPPER_RIGHT = 3, 4, 5, 6
KINDS = 7
SQUARE = (0, RIGHT, UP, UP + RIGHT)  # PX-4: a triple is this square without one corner
OFFSETS = ((0,), (0, RIGHT), (0, UP), SQUARE[1:], SQUARE[:1] + SQUARE[2:], SQUARE[:2] + SQUARE[3:], SQUARE[:3])
BOXES = ((7, 7), (6, 7), (7, 6), (6, 6), (6, 6), (6, 6), (6, 6))  # columns and rows that anchors can be in

ENTER = 277
MOVE = ENTER + CELLS
END = MOVE + CELLS * CELLS
ACTIONS = END + 1


def bit(cell: int) -> int:
    """The bit of a cell number."""
    return 1 << cell // SIDE * UP + cell % SIDE


def _bricks() -> list[tuple[int, int, int]]:
    """Of every brick action: its kind, its anchor as a bit, its cells as bits."""
    found = []
    for kind in range(KINDS):
        columns, rows = BOXES[kind]
        for row in range(rows):
            for column in range(columns):
                anchor = row * UP + column
                found.append((kind, 1 << anchor, sum(1 << anchor + offset for offset in OFFSETS[kind])))
    return found


def _words(values: Iterable[int]) -> Words:
    return np.array(list(values), np.int64)


IN_HAND = CELLS  # the cell number of a pawn not yet brought in: its bit is 0
BIT = _words([bit(cell) for cell in range(CELLS)] + [0])
KIND, ANCHOR, COVER = map(_words, zip(*_bricks(), strict=True))
WIDTH = _words(columns for columns, _ in BOXES)
FIRST = _words(sum(columns * rows for columns, rows in BOXES[:kind]) for kind in range(KINDS))
BOARD = {side: sum(1 << row * UP + column for row in range(side) for column in range(side)) for side in (6, 7)}

# Which of 32 bits a lone bit is: times this number, bits 27 to 31 differ for all of them
DE_BRUIJN = 0x077CB531
PLACE = _words(sorted(range(32), key=lambda i: DE_BRUIJN << i >> 27 & 31))

# the variants four, trio, mini, double (PX-40 to PX-43)
BOARDS = _words([BOARD[7], BOARD[7], BOARD[6], BOARD[7]])
SEATS = _words([4, 3, 2, 2])
PAWNS = _words([1, 1, 1, 2])
SINGLES = _words([2, 2, 3, 3])
