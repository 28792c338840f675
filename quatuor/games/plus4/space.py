"""Every position of the elementary game, numbered: 31 ways to fill a column, four columns, two sides to move.

The exact solver uses the functions of the rules and these three (``PositionSpace`` in quatuor/games/hooks.py).
"""

from quatuor.games.plus4.rules import (
    CELLS,
    ELEMENTARY,
    TURN,
    VARIANT,
    legal,
    outcome,
    play,
    setup,
    to_move,
)
from quatuor.kernel import Words, exports, jit

__all__ = ["index", "legal", "outcome", "play", "positions", "setup", "to_move", "unindex"]

FILLINGS = 31  # of a column: 1, 2, 4, 8 or 16 colourings of the top 0 to 4 floors
GRIDS = FILLINGS**4


@jit
def positions(state: Words) -> int:
    """How many positions this state's variant has; 0 where they are too many to be listed."""
    return 2 * GRIDS if state[VARIANT] == ELEMENTARY else 0


@jit
def filling(blue: int, red: int) -> int:
    """A column's number from its cells (4 bits of each colour); pawns stand on the top floors without a gap."""
    return (blue | red) + red


@jit
def index(state: Words) -> int:
    """The number of a position: the columns as digits, the last one first, before them the side to move."""
    blue = state[CELLS]
    red = state[CELLS + 1]
    i = state[TURN]
    for column in range(3, -1, -1):
        i = i * FILLINGS + filling(blue >> 4 * column & 0xF, red >> 4 * column & 0xF)
    return i


@jit
def unindex(i: int, state: Words) -> None:
    """Put the position of this number on a state that is set up."""
    blue = 0
    red = 0
    for column in range(4):
        pawns = i % FILLINGS + 1
        i //= FILLINGS
        full = 1
        while full * 2 <= pawns:
            full *= 2
        red |= (pawns - full) << 4 * column
        blue |= (full - 1) - (pawns - full) << 4 * column
    state[CELLS] = blue
    state[CELLS + 1] = red
    state[TURN] = i


EXPORTS = exports(positions, index)
