"""What a push that completes a line is worth, given what the positions after it are worth."""

from typing import Annotated, Any, NamedTuple

import numpy as np

from quatuor.games.plus4.blocks import GRIDS_TYPE, Grids, grid, sink
from quatuor.games.plus4.retrograde import LONGEST, LOSS, follow, next_exit
from quatuor.games.plus4.rules import _award as award
from quatuor.games.plus4.rules import _lines as lines
from quatuor.games.plus4.rules import _points as points
from quatuor.kernel import Array, Words, exports, jit, ones

Layers = Annotated[Any, Array("uint8", 2)]


class Worths(NamedTuple):
    """What exits are worth: in rounds by the points of the mover and of the other, else see ``race_exit``."""

    need: int
    other_need: int
    layers: Layers
    in_rounds: bool
    by_points: Layers


@jit
def layer(need: int, other_need: int) -> int:
    """The number of the layer where the mover needs ``need`` points and the other ``other_need``; by the larger one."""
    top = max(need, other_need)
    return (top - 1) * (top - 1) + (other_need - 1 if need == top else top + need - 1)


@jit
def better(a: int, b: int) -> int:
    """The better of two exits for the mover: win early, else draw, else lose late, else none."""
    return a if _worth(a) > _worth(b) else b


@jit
def _worth(exit: int) -> int:
    if exit == 0:
        return -1
    return exit - LOSS if exit > LOSS else 1000 if exit == LOSS else 2000 - exit


@jit
def ended(need: int, other_need: int) -> int:
    """P4-25: at least one has the points; the higher score, so the smaller need, wins."""
    if need == other_need:
        return LOSS
    return 1 if need < other_need else LOSS + 1


@jit
def turned(byte: int) -> int:
    """A position's byte as an exit of the turn before, seen by the other seat."""
    if byte == 0:
        return LOSS
    return byte - LOSS + 1 if byte > LOSS else LOSS + byte + 1


@jit
def race_exit(need: int, other_need: int, layers: Any, place: int) -> int:
    """Endless: what it is worth to reach a place of the layer where the seats need these points."""
    if need <= 0 or other_need <= 0:
        return ended(need, other_need)
    return turned(layers[layer(other_need, need), place])


@jit
def gains(in_rounds: bool, cells: int, completed: int, column: int, out: Words) -> None:
    """What a colour scores by a push (P4-21, P4-22; in rounds P4-31, P4-32), for every rank of its bonus pawn.

    One entry more: for the bonus pawn pushed now, which in rounds does not count double.
    """
    out[0] = award(completed, 0) if in_rounds else points(completed, 0)
    i = 0
    while cells:
        cell = cells & -cells
        cells ^= cell
        i += 1
        bonus = sink(cell, column)
        out[i & 31] = award(completed, bonus) if in_rounds else points(completed, bonus)
    out[i + 1 & 31] = out[0] if in_rounds else points(completed, 1 << 4 * column)


@jit
def list_exits(worths: Worths, first: int, last: int, grids: Grids, exits: Any, wake: Any) -> int:
    """The best push of every position that completes a line, into ``exits``; return the longest distance."""
    need, other_need, layers, in_rounds, by_points = worths
    codes, offsets, children = grids
    mine_to = np.empty(32, np.int64)
    theirs_to = np.empty(32, np.int64)
    mine_points = np.empty(32, np.int64)
    theirs_points = np.empty(32, np.int64)
    longest = 0
    for g in range(first, last):
        start = offsets[g]
        width = offsets[g + 1] - start
        cells = grid(codes[g])
        mine = cells & 0xFFFF
        theirs = cells >> 16
        rows = ones(mine) + 1
        columns = ones(theirs) + 1
        for column in range(4):
            child = ~children[g, column]
            if child < 0:
                continue
            mine_after = sink(mine, column) | 1 << 4 * column
            theirs_after = sink(theirs, column)
            gains(in_rounds, mine, lines(mine_after) & ~lines(mine), column, mine_points)
            gains(in_rounds, theirs, lines(theirs_after) & ~lines(theirs), column, theirs_points)
            follow(mine, theirs, column, child & 1, mine_to, theirs_to)
            ahead = offsets[child >> 1]
            step = ones(mine_after) + 1
            for i in range(rows + 1):
                row = i if i < rows else 0  # the last one pushes the bonus pawn, which was in hand
                gain = mine_points[i & 31]
                for j in range(columns):
                    given = theirs_points[j & 31]
                    if in_rounds:
                        worth = by_points[gain, given]
                    else:
                        place = ahead + theirs_to[j & 31] * step + mine_to[i & 31]
                        worth = race_exit(need - gain, other_need - given, layers, place)
                    p = start + row * columns + j
                    exits[p] = better(exits[p], worth)
        wake[g] = next_exit(0, exits, start, width)
        for p in range(start, start + width):
            longest = max(longest, exits[p] & LONGEST)
    return longest


EXPORTS = exports(
    list_exits,
    grids=GRIDS_TYPE,
    exits=Array("uint8"),
    wake=Array("uint8"),
)
