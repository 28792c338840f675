"""Work backwards through the positions with bonus pawns, between two changes of the score.

A *layer* holds one byte for every position of blocks.py under one score. While no line is completed the turns of the
two seats alternate between two layers (one, if both seats need as much). A push that completes a line leaves them; what
such exits are worth is known beforehand.
"""

from typing import Any

import numpy as np

from quatuor.games.plus4.blocks import BLOCK, carry, count, grid, mirror, rank, sink
from quatuor.kernel import Words, jit

# A byte: 0 a draw (or not known yet), d a win in d turns, LOSS + d a loss in d turns, for the seat to move.
# Of exits also: 0 there is none, LOSS the best is a draw.
LOSS = 128
LONGEST = 127

OPEN, WIN = 1, 2  # what a position's moves have shown so far; 0: all of them lose


@jit
def mark(distance: int, exits: Any, results: Any, start: int, shown: Words, width: int) -> None:
    """Begin a block: what the exits show. Positions already decided count as won, they need no more looking."""
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
    mine_to[count(mine) + 1] = rank(mine_after, pushed)


@jit
def push(
    distance: int, cells: int, column: int, mirrored: int, start: int, others: Any, shown: Words, mine_to: Words,
    theirs_to: Words,
) -> None:  # fmt: skip
    """Look at one push, ordinary and bonus, for all positions of a block; ``start``: the block it leads to."""
    mine = cells & 0xFFFF
    theirs = cells >> 16
    follow(mine, theirs, column, mirrored, mine_to, theirs_to)
    rows = count(mine) + 1
    width = count(theirs) + 1
    step = count(sink(mine, column)) + 2  # the block ahead belongs to the other seat: our rank is its second
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
def sweep(
    distance: int, first: int, last: int, codes: Any, offsets: Any, children: Any, exits: Any, wake: Any, left: Any,
    results: Any, others: Any, changed: Any, changing: Any,
) -> int:  # fmt: skip
    """Mark the positions decided in ``distance`` turns among the grids ``first`` to ``last - 1``; return how many.

    A grid is looked at when an exit of that distance wakes it or a block ahead has changed in the last sweep
    (``changed``; this sweep's changes go to ``changing``). Only bytes of shorter distance are read, so the order of
    the grids, and the number of threads, do not matter.
    """
    shown = np.empty(BLOCK, np.int64)
    mine_to = np.empty(32, np.int64)
    theirs_to = np.empty(32, np.int64)
    total = 0
    for g in range(first, last):
        if left[g] == 0:
            continue
        active = wake[g] == distance
        for column in range(4):
            child = children[g, column]
            if child >= 0 and changed[child >> 1] == distance - 1:
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
                push(distance, grid(codes[g]), column, child & 1, ahead, others, shown, mine_to, theirs_to)
        if wake[g] == distance:
            wake[g] = next_exit(distance, exits, start, width)
        found = settle(distance, results, start, shown, width)
        if found:
            left[g] -= found
            changing[g] = distance
            total += found
    return total
