"""The 21 pieces of Blokus and what is computed from them once: turned and flipped forms, action ids, look-up tables.

Cells are (row, column), row 0 at the bottom, column 0 at the left. A *form* is a piece turned and flipped in one way;
there are 91. Its reference cell is its lowest one, the left-most of those: the first in written order.

Action ids, fixed for ever: ``form * 400 + row * 20 + column`` of the reference cell, on every size of board. Forms are
numbered piece by piece in the order of NAMES, and within a piece by the sorted list of their cells, counted from
the form's lowest row and left-most column.
"""

import numpy as np

from quatuor.games.contract import State

Cells = tuple[tuple[int, int], ...]

SIDE = 20  # of the largest board; rows of 20 also number the cells of smaller ones
DRAWN = {  # by the usual names
    "1": "#", "2": "##", "I3": "###", "V3": "## #.", "I4": "####", "L4": "### #..", "T4": "### .#.", "O4": "## ##",
    "Z4": "##. .##", "F": ".## ##. .#.", "I5": "#####", "L5": "#### #...", "N": "###. ..##", "P": "### ##.",
    "T5": "### .#. .#.", "U": "### #.#", "V5": "### #.. #..", "W": "##. .## ..#", "X": ".#. ### .#.",
    "Y": "#### .#..", "Z5": "##. .#. .##",
}  # fmt: skip
NAMES = tuple(DRAWN)
SINGLE = 0  # the piece of one square


def normal(cells: Cells) -> Cells:
    """Moved to the lowest row and the left-most column, sorted."""
    low, left = min(r for r, _ in cells), min(c for _, c in cells)
    return tuple(sorted((r - low, c - left) for r, c in cells))


def _forms(drawn: str) -> list[Cells]:
    """BK-1: all ways to turn and flip a piece."""
    cells = tuple((r, c) for r, line in enumerate(drawn.split()) for c, mark in enumerate(line) if mark == "#")
    found = set()
    for _ in range(4):
        cells = tuple((c, -r) for r, c in cells)
        found |= {normal(cells), normal(tuple((r, -c) for r, c in cells))}
    return sorted(found)


FORMS: tuple[Cells, ...] = tuple(form for name in NAMES for form in _forms(DRAWN[name]))
FORM_OF: dict[Cells, int] = {form: i for i, form in enumerate(FORMS)}
ACTIONS = len(FORMS) * SIDE * SIDE


def _words(values: object) -> State:
    return np.array(values, np.int64)


PIECE = _words([i for i, name in enumerate(NAMES) for _ in _forms(DRAWN[name])])  # of every form
SQUARES = _words([drawn.count("#") for drawn in DRAWN.values()])  # of every piece


def cells_of(action: int) -> Cells:
    """The cells that an action covers, in written order."""
    form, cell = divmod(action, SIDE * SIDE)
    row, column = divmod(cell, SIDE)
    left = FORMS[form][0][1]
    return tuple((row + r, column + c - left) for r, c in FORMS[form])


def action_of(cells: Cells) -> int | None:
    """The action that covers these cells; None if they are not one piece."""
    form = FORM_OF.get(normal(cells))
    row, column = min(cells)
    return None if form is None else form * SIDE * SIDE + row * SIDE + column


# ---- rows of a board are words; column c is bit c + PAD, and PAD empty bits and rows surround the board

PAD = 4  # no piece reaches further than four steps from any of its squares
FORM_ROWS = np.zeros(len(FORMS) * 5, np.int64)  # five rows a form, reference cell in column 0
for _form, _cells in enumerate(FORMS):
    for _r, _c in _cells:
        FORM_ROWS[_form * 5 + _r] |= 1 << PAD + _c - _cells[0][1]

# ---- the shapes that may cover one given cell, the attach point
#
# A *shape* is a form together with the one of its squares that covers the attach point: the single square, which
# needs no table, and 413 more, as bits in eight words. After a colour's first piece an attach point has at most two
# open sides, and those adjacent, since the piece it touches closes the others. So shapes are sorted into words by the
# sides through which they leave the attach point: one word each for up, right, down and left, two for corners, two for
# the rest; and a point needs three words or less.

UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
_STEPS = {UP: (1, 0), RIGHT: (0, 1), DOWN: (-1, 0), LEFT: (0, -1)}
_WORD_OF_SIDES = {
    UP: 0, RIGHT: 1, DOWN: 2, LEFT: 3, UP | RIGHT: 4, DOWN | LEFT: 4, RIGHT | DOWN: 5, LEFT | UP: 5,
    UP | DOWN: 6, RIGHT | LEFT: 7, 7: 6, 11: 7, 13: 6, 14: 7, 15: 6,
}  # fmt: skip
SHAPE_WORDS = 8

# The window: the 41 cells within four steps of the attach point as bits, row by row from the lowest. Seven rows and
# halves of rows, without the attach point itself, are its stretches, (first bit, bits) each; for a stretch and its free
# cells, FITS has the shapes that need no other cell there.
STRETCHES = ((0, 4), (4, 5), (9, 7), (16, 4), (21, 4), (25, 7), (32, 5), (37, 4))
_WINDOW = [(r, c) for r in range(-4, 5) for c in range(-4, 5) if abs(r) + abs(c) <= 4]
UP_BIT, RIGHT_BIT, DOWN_BIT, LEFT_BIT = (_WINDOW.index(step) for step in _STEPS.values())

SHAPE_BASE = np.zeros(SHAPE_WORDS * 64, np.int64)  # action id of a shape, less the attach point's cell number
SHAPES_OF = np.zeros(len(NAMES) * SHAPE_WORDS, np.int64)  # the shapes of a piece
FITS_FIRST = tuple(SHAPE_WORDS * sum(1 << bits for _, bits in STRETCHES[:i]) for i in range(len(STRETCHES)))
FITS = np.zeros(SHAPE_WORDS * sum(1 << bits for _, bits in STRETCHES), np.int64)

_used = [0] * SHAPE_WORDS
for _form, _cells in list(enumerate(FORMS))[1:]:
    for _row, _column in _cells:
        _shape = {(r - _row, c - _column) for r, c in _cells}
        _word = _WORD_OF_SIDES[sum(side for side, step in _STEPS.items() if step in _shape)]
        _bit = _used[_word]
        _used[_word] += 1
        SHAPE_BASE[_word * 64 + _bit] = _form * SIDE * SIDE - (_row * SIDE + _column - _cells[0][1])
        SHAPES_OF[PIECE[_form] * SHAPE_WORDS + _word] |= 1 << _bit
        _asked = sum(1 << _WINDOW.index(cell) for cell in _shape)
        for (_first, _bits), _at in zip(STRETCHES, FITS_FIRST, strict=True):
            _need = _asked >> _first & (1 << _bits) - 1
            for _free in range(1 << _bits):
                if _need & ~_free == 0:
                    FITS[_at + _free * SHAPE_WORDS + _word] |= 1 << _bit

# Which words an attach point needs, by its open sides: four bits for each, 8 + word, so that 0 ends the list.
WORDS = np.zeros(16, np.int64)
for _open in range(16):
    for _word in sorted({word for sides, word in _WORD_OF_SIDES.items() if sides & ~_open == 0}):
        WORDS[_open] = WORDS[_open] << 4 | 8 | _word

# The number of a single bit: 2**0 .. 2**65 are all different modulo 67. This needs no special machine instruction.
BIT_NUMBER = np.zeros(67, np.int64)
for _bit in range(62):
    BIT_NUMBER[(1 << _bit) % 67] = _bit
