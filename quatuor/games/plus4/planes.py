"""What a learner sees of a Plus 4 position. A plane's row 0 is the top floor, its column 0 is column a."""

import numpy as np

from quatuor.games.plus4.rules import BONUS, CELLS, ELEMENTARY, ROUND, ROUNDS, SCORE, TARGET, VARIANT, to_move
from quatuor.kernel import Bytes, Words, inlined, rule

VERSION = 1
ROWS, COLUMNS = 4, 4
PLANES = ("own pawns", "the other's pawns", "own bonus pawn", "the other's bonus pawn")
FACTS = (
    "acts now",
    "own bonus pawn in hand",
    "the other's bonus pawn in hand",
    "own points",
    "the other's points",
    "points to reach (0: none)",
    "rounds left (0: no limit)",
)
MOST = 127
BITS_OF = np.array([[byte >> j & 1 for j in range(8)] for byte in range(256)], np.int8)  # eight are copied at once


@rule
@inlined
def observe(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    mine, others = CELLS + (seat & 1), CELLS + (seat + 1 & 1)
    bonus = _by_row(state[BONUS])
    pawns = _by_row(state[mine]) | _by_row(state[others]) << 16
    cells = pawns | (pawns & (bonus | bonus << 16)) << 32  # all four planes
    for i in range(8):
        for j in range(8):
            planes[8 * i + j] = BITS_OF[cells >> 8 * i & 255, j]
    facts[0] = to_move(state) >> seat & 1
    facts[1] = 1 if state[VARIANT] != ELEMENTARY and state[mine] & state[BONUS] == 0 else 0
    facts[2] = 1 if state[VARIANT] != ELEMENTARY and state[others] & state[BONUS] == 0 else 0
    facts[3] = min(state[SCORE + (seat & 1)], MOST)
    facts[4] = min(state[SCORE + (seat + 1 & 1)], MOST)
    facts[5] = min(state[TARGET], MOST)
    facts[6] = min(max(state[ROUNDS] - state[ROUND], 0), MOST)


@rule
def _by_row(cells: int) -> int:
    """Cells numbered row by row instead of column by column: the 4 by 4 bits, transposed."""
    swap = (cells ^ cells >> 3) & 0x0A0A
    cells ^= swap ^ swap << 3
    swap = (cells ^ cells >> 6) & 0x00CC
    return cells ^ swap ^ swap << 6
