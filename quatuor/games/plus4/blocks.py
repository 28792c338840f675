"""Every position with bonus pawns, numbered: 23.9 million seen by the seat to move, mirror images counted once.

A *code* writes a grid as four digits of base 31, one for each column (see space.py), with the mover's pawns for blue
and the other's for red. Of a grid and its mirror image the one with the smaller code is kept; kept grids are numbered
in order. A grid's *block* lists its positions: the mover's bonus pawn in hand or on one of the mover's pawns, times the
same for the other. A bonus pawn's *rank* is 0 in hand, else 1, 2, … counting its colour's pawns from column a, top to
bottom.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quatuor.games.plus4.rules import _lines as lines
from quatuor.games.plus4.space import FILLINGS, GRIDS, filling
from quatuor.kernel import Array, Words, exports, jit, ones

POSITIONS = 23_862_895  # in all blocks, counted
BLOCK = 81  # the longest block: 8 pawns each


def _columns() -> npt.NDArray[np.int64]:
    """For each filling of a column: the cells of the mover, then those of the other four bits higher."""
    found = []
    for pawns in range(1, FILLINGS + 1):
        full = 1 << pawns.bit_length() - 1
        theirs = pawns - full
        found.append((full - 1 ^ theirs) | theirs << 4)
    return np.array(found, np.int64)


COLUMNS = _columns()


@jit
def mirror(cells: int) -> int:
    """The cells as seen from behind: column a becomes column d."""
    return (cells & 0xF) << 12 | (cells & 0xF0) << 4 | cells >> 4 & 0xF0 | cells >> 12


@jit
def grid(code: int) -> int:
    """The mover's cells of a code, and the other's cells 16 bits higher."""
    cells = 0
    for column in range(4):
        pawns = COLUMNS[code % FILLINGS]
        code //= FILLINGS
        cells |= (pawns & 0xF) << 4 * column | (pawns >> 4) << 16 + 4 * column
    return cells


@jit
def encode(mine: int, theirs: int) -> int:
    """The code of a grid as it stands, whichever of its two images that is."""
    code = 0
    for column in range(3, -1, -1):
        code = code * FILLINGS + filling(mine >> 4 * column & 0xF, theirs >> 4 * column & 0xF)
    return code


@jit
def sink(cells: int, column: int) -> int:
    """P4-2, P4-3: one colour's cells after a push into a column, without the pawn pushed."""
    column_cells = 0xF << 4 * column
    return cells & ~column_cells | (cells & column_cells) << 1 & column_cells


@jit
def rank(cells: int, cell: int) -> int:
    """The rank of a bonus pawn on ``cell`` (one bit; 0: in hand) among its colour's cells."""
    return 1 + ones(cells & cell - 1) if cell else 0


@jit
def number_grids(numbers: Any, codes: Any, offsets: Any) -> int:
    """Fill the lists that ``Blocks`` keeps; return how many grids are kept."""
    kept = 0
    total = 0
    for code in range(GRIDS):
        cells = grid(code)
        mine = cells & 0xFFFF
        theirs = cells >> 16
        image = encode(mirror(mine), mirror(theirs))
        if image < code:
            numbers[code] = 2 * (numbers[image] >> 1) + 1
            continue
        numbers[code] = 2 * kept
        codes[kept] = code
        offsets[kept] = total
        total += (ones(mine) + 1) * (ones(theirs) + 1)
        kept += 1
    offsets[kept] = total
    return kept


@jit
def list_children(numbers: Any, codes: Any, out: Any) -> None:
    """For every kept grid and column: where the push leads, seen by the other seat, as ``numbers`` has it.

    Minus one minus that number if the push completes a line: the points change, and the grid is in another table.
    """
    for i in range(len(codes)):
        cells = grid(codes[i])
        mine = cells & 0xFFFF
        theirs = cells >> 16
        for column in range(4):
            mine_after = sink(mine, column) | 1 << 4 * column
            theirs_after = sink(theirs, column)
            child = numbers[encode(theirs_after, mine_after)]
            scoring = lines(mine_after) & ~lines(mine) | lines(theirs_after) & ~lines(theirs)
            out[i, column] = ~child if scoring else child


@jit
def carry(before: int, after: int, column: int, mirrored: int, out: Words) -> None:
    """Where a push takes a bonus pawn: ``out[rank before]`` is the rank after, 0 if it is ejected (P4-3).

    ``before`` and ``after`` are the cells of its colour, ``after`` as the kept grid shows them.
    """
    column_cells = 0xF << 4 * column
    out[0] = 0
    i = 0
    while before:
        cell = before & -before
        before ^= cell
        i += 1
        if cell & column_cells:
            cell = cell << 1 & column_cells
        out[i & 31] = rank(after, mirror(cell) if mirrored else cell)


@jit
def place(mine: int, theirs: int, bonus: int, numbers: Any, offsets: Any) -> int:
    """The number of a position: the mover's cells, the other's, and the cells that hold a bonus pawn."""
    number = numbers[encode(mine, theirs)]
    if number & 1:
        mine = mirror(mine)
        theirs = mirror(theirs)
        bonus = mirror(bonus)
    start: int = offsets[number >> 1]
    return start + rank(mine, mine & bonus) * (ones(theirs) + 1) + rank(theirs, theirs & bonus)


class Grids(NamedTuple):
    """The kept grids, for kernels."""

    codes: Any
    offsets: Any  # where a grid's block begins; one more for the end
    children: Any  # see ``list_children``


GRIDS_TYPE = Grids(Array("int32"), Array("int32"), Array("int32", 2))
EXPORTS = exports(
    number_grids, list_children, place,
    numbers=Array("int32"), codes=Array("int32"), offsets=Array("int32"), out=Array("int32", 2),
)  # fmt: skip


class Blocks:
    """The numbering as arrays."""

    def __init__(self) -> None:
        self.numbers = np.zeros(GRIDS, np.int32)  # code -> twice the kept grid's number, plus one if it is the image
        codes, offsets = np.zeros(GRIDS, np.int32), np.zeros(GRIDS + 1, np.int32)
        kept = number_grids(self.numbers, codes, offsets)
        self.codes = codes[:kept].copy()
        self.offsets = offsets[: kept + 1].copy()  # where a kept grid's block begins
        self.children = np.zeros((kept, 4), np.int32)
        list_children(self.numbers, self.codes, self.children)
        self.grids = Grids(self.codes, self.offsets, self.children)
