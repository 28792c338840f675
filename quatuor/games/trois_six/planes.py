"""What a learner sees of a 3/6 position. A plane's row 0 is row 1 of the board, its column 0 is column A."""

from quatuor.games.trois_six.rules import (
    CELL_AT,
    CELLS,
    HEIGHT,
    JUMP,
    OWN_STACKING,
    QUIET,
    QUIET_TURNS,
    SPOT,
    VOID_BLOCKS,
    to_move,
)
from quatuor.kernel import Bytes, Words, rule

VERSION = 1
ROWS, COLUMNS = 6, 6
PLANES = (
    *(f"own pawn {number}" for number in range(1, 7)),
    *(f"the other's pawn {number}" for number in range(1, 7)),
    "height of own piles",
    "height of the other's piles",
)
FACTS = ("acts now", "quiet turns left (127: no limit)", "own stacking", "jumps", "void orders block")
OWN_HEIGHT = 12
MOST = 127


@rule
def observe(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    for i in range(len(PLANES) * CELLS):
        planes[i] = 0
    for i in range(12):
        pawn = (i + 6 * (seat & 1)) % 12
        if state[SPOT + pawn]:  # it tops a pile
            cell = CELL_AT[state[SPOT + pawn] & 63]
            planes[CELLS * i + cell] = 1
            planes[CELLS * (OWN_HEIGHT + i // 6) + cell] = state[HEIGHT + pawn]
    facts[0] = to_move(state) >> seat & 1
    facts[1] = min(state[QUIET_TURNS] - state[QUIET], MOST) if state[QUIET_TURNS] else MOST
    facts[2] = state[OWN_STACKING]
    facts[3] = state[JUMP]
    facts[4] = state[VOID_BLOCKS]
