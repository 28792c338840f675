"""Work backwards through the positions with bonus pawns, between two changes of the score.

A *layer* holds one byte for every position of blocks.py under one score. While no line is completed the turns of the
two seats alternate between two layers (one, if both seats need as much). A push that completes a line leaves them; what
such exits are worth is known beforehand.
"""

from typing import Any, NamedTuple

import numpy as np

from quatuor.games.plus4.blocks import BLOCK, GRIDS_TYPE, Grids, carry, grid, mirror, rank, sink
from quatuor.kernel import Array, Words, exports, jit, ones

# A byte: 0 a draw (or not known yet), d a win in d turns, LOSS + d a loss in d turns, for the seat to move.
# For exits: also 0 there is none, LOSS the best is a draw.
LOSS = 128
LONGEST = 127


class Side(NamedTuple):
    """A layer while it is computed, for kernels: bytes by position (exits, results) or by grid."""

    exits: Any
    results: Any
    wake: Any  # the distance of the next exit that decides something
    left: Any  # positions not decided yet
    changed: Any  # the last even and the last odd sweep that decided some


class Scratch(NamedTuple):
    """Working memory for one block."""

    shown: Any  # by position: OPEN, WIN
    mine_to: Any  # by rank of the mover's bonus pawn: where a push takes it
    theirs_to: Any


OPEN, WIN = 1, 2  # what a position's moves have shown so far; 0: all of them lose


@jit
def mark(distance: int, exits: Any, results: Any, start: int, shown: Words, width: int) -> None:
    """Begin a block with what the exits show. Positions already decided count as won: no further look is needed."""
    for p in range(width):
        best = exits[start + p]
        if results[start + p] or best == distance:
            shown[p] = WIN
        elif best == 0 or LOSS < best <= LOSS + distance:
            shown[p] = 0
        else:
            shown[p] = OPEN


@jit
def look(distance: int, child: int, p: int, shown: Words) -> None:
    """Take one more move into account: the byte of the position it leads to."""
    turns = child & LONGEST
    if child == 0 or turns >= distance:  # nothing known before this sweep
        shown[p] |= OPEN
    elif child > LOSS:
        shown[p] = WIN


@jit
def follow(mine: int, theirs: int, column: int, mirrored: int, mine_to: Words, theirs_to: Words) -> None:
    """Where a push takes the bonus pawns, by their ranks; one entry more in ``mine_to`` for a bonus pawn pushed now."""
    pushed = 1 << 4 * column
    mine_after = sink(mine, column) | pushed
    theirs_after = sink(theirs, column)
    if mirrored:
        mine_after = mirror(mine_after)
        theirs_after = mirror(theirs_after)
        pushed = mirror(pushed)
    carry(mine, mine_after, column, mirrored, mine_to)
    carry(theirs, theirs_after, column, mirrored, theirs_to)
    mine_to[ones(mine) + 1] = rank(mine_after, pushed)


@jit
def push(distance: int, cells: int, column: int, mirrored: int, start: int, others: Any, scratch: Scratch) -> None:
    """Look at one push, ordinary and bonus, for all positions of a block; ``start``: the block it leads to."""
    shown = scratch.shown
    mine_to = scratch.mine_to
    theirs_to = scratch.theirs_to
    mine = cells & 0xFFFF
    theirs = cells >> 16
    follow(mine, theirs, column, mirrored, mine_to, theirs_to)
    rows = ones(mine) + 1
    width = ones(theirs) + 1
    step = ones(sink(mine, column)) + 2  # the block ahead belongs to the other seat: our rank is its second
    for i in range(rows + 1):
        row = i if i < rows else 0  # P4-20: the last one pushes the bonus pawn, which was in hand
        for j in range(width):
            p = row * width + j
            if shown[p] & WIN == 0:
                look(distance, others[start + theirs_to[j & 31] * step + mine_to[i & 31]], p, shown)


@jit
def settle(distance: int, results: Any, start: int, shown: Words, width: int) -> int:
    """End a block: write down what has been decided; return how many positions that is."""
    found = 0
    for p in range(width):
        if results[start + p] == 0 and shown[p] != OPEN:
            results[start + p] = distance if shown[p] & WIN else LOSS + distance
            found += 1
    return found


@jit
def next_exit(distance: int, exits: Any, start: int, width: int) -> int:
    """The distance of the nearest exit of a block beyond ``distance`` that decides something; 0 if there is none."""
    best = LONGEST + 1
    for p in range(width):
        turns = exits[start + p] & LONGEST
        if distance < turns < best:
            best = turns
    return best & LONGEST


@jit
def sweep(distance: int, first: int, last: int, grids: Grids, side: Side, other: Side) -> int:
    """Mark the positions decided in ``distance`` turns among the grids ``first`` to ``last - 1``; return how many.

    A grid is looked at when an exit of that distance wakes it or a block ahead, of the ``other`` side, has changed in
    the last sweep. Only bytes of shorter distance are read, so the order of the grids, and the number of threads, do
    not matter.
    """
    codes, offsets, children = grids
    exits, results, wake, left, _ = side
    scratch = Scratch(np.empty(BLOCK, np.int64), np.empty(32, np.int64), np.empty(32, np.int64))
    shown = scratch.shown
    now = distance & 1
    total = 0
    for g in range(first, last):
        if left[g] == 0:
            continue
        active = wake[g] == distance
        for column in range(4):
            child = children[g, column]
            if child >= 0 and other.changed[1 - now, child >> 1] == distance - 1:
                active = True
        if not active:
            continue
        start = offsets[g]
        width = offsets[g + 1] - start
        mark(distance, exits, results, start, shown, width)
        for column in range(4):
            child = children[g, column]
            if child >= 0:
                ahead = offsets[child >> 1]
                push(distance, grid(codes[g]), column, child & 1, ahead, other.results, scratch)
        if wake[g] == distance:
            wake[g] = next_exit(distance, exits, start, width)
        found = settle(distance, results, start, shown, width)
        if found:
            left[g] -= found
            side.changed[now, g] = distance
            total += found
    return total


SIDE_TYPE = Side(Array("uint8"), Array("uint8"), Array("uint8"), Array("int16"), Array("uint8", 2))
EXPORTS = exports(sweep, grids=GRIDS_TYPE, side=SIDE_TYPE, other=SIDE_TYPE)
