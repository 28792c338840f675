"""Lay all pieces on the Blokus board: a beam search, all colours in turn, large pieces before small ones.

Of every position kept, the best few continuations are looked at, and of all those the best are kept. A position is
good if few cells are dead for all colours, if every colour may still cover many cells for the squares it has to place,
and if it has many open corners. All of this is counted from what one placement changes, not from the whole board.
"""

import math
from typing import Any

import numpy as np

from quatuor.games.blokus.tables import FORMS, NAMES, PAD, PIECE, SIDE, SQUARES
from quatuor.kernel import Floats, Rng, Words, below, jit
from quatuor.puzzles.shapes import (
    ACTION,
    AROUND,
    BESIDE,
    BODY,
    CELLS,
    CORNERS,
    GAVE_UP,
    HEIGHT,
    IMPOSSIBLE,
    MASK,
    ROWS,
    SHAPES,
    SKIP,
    SOLVED,
    count,
    window,
)

COLOURS = 4
PIECES = len(NAMES)

# ---- a position: for each colour the cells it may cover, its attach points, its hand, and counts of them
FREE = 0
ATTACH = COLOURS * ROWS
HAND = 2 * COLOURS * ROWS  # a bit for each piece left
ROOM = HAND + COLOURS  # how many cells are free
OPEN = ROOM + COLOURS  # how many attach points
NEED = OPEN + COLOURS  # squares to place
DEAD = NEED + COLOURS  # cells that no colour can cover any more
HASH = DEAD + 1
SIZE = HASH + 1

_random = np.random.default_rng(84)
FORM_KEY = _random.integers(0, 1 << 60, (COLOURS, len(FORMS)))
CELL_KEY = _random.integers(0, 1 << 60, CELLS)

# ---- weights, found by trying many on small beams
SPACIOUS, TIGHT, OPEN_CORNERS = 52.6, 1300.0, 2.4
WASTE, SNUG, NOISE = 1.0, 0.54, 0.54
CHANCE = 60.0  # noise that leaves a placement to chance, but for the worst


@jit
def _worth(room: int, need: int, corners: int) -> float:
    """How good it is for a colour to have so much room and so many corners for the squares it still has to place."""
    if need == 0:
        return 0.0
    share = need / (room + 1.0)
    return SPACIOUS * math.sqrt(room) - TIGHT * share * share + OPEN_CORNERS * math.sqrt(corners)


@jit
def _judge(state: Words, mine: int, action: int) -> float:
    """The value of the position after a placement."""
    form = action // CELLS
    low = action % CELLS // SIDE + PAD - 1
    shift = action % SIDE
    second, third, fourth = mine + 1 & 3, mine + 2 & 3, mine + 3 & 3
    room1 = room2 = room3 = room4 = open1 = open2 = open3 = open4 = waste = snug = 0
    for i in range(HEIGHT[form]):
        body = BODY[form * AROUND + i] << shift
        beside = BESIDE[form * AROUND + i] << shift
        corners = CORNERS[form * AROUND + i] << shift
        row = low + i
        free1, free2 = state[mine * ROWS + row], state[second * ROWS + row]
        free3, free4 = state[third * ROWS + row], state[fourth * ROWS + row]
        attach = state[ATTACH + mine * ROWS + row]
        others = free2 | free3 | free4
        room1 += count(free1 & beside)
        room2 += count(free2 & body)
        room3 += count(free3 & body)
        room4 += count(free4 & body)
        open1 += count(corners & ~beside & free1 & ~attach) - count(attach & beside)
        open2 += count(state[ATTACH + second * ROWS + row] & body)
        open3 += count(state[ATTACH + third * ROWS + row] & body)
        open4 += count(state[ATTACH + fourth * ROWS + row] & body)
        waste += count(free1 & beside & ~body & ~others)
        snug += count(beside & ~body & ~(free1 | others))
    return (
        _worth(state[ROOM + mine] - room1, state[NEED + mine] - SQUARES[PIECE[form]], state[OPEN + mine] + open1)
        + _worth(state[ROOM + second] - room2, state[NEED + second], state[OPEN + second] - open2)
        + _worth(state[ROOM + third] - room3, state[NEED + third], state[OPEN + third] - open3)
        + _worth(state[ROOM + fourth] - room4, state[NEED + fourth], state[OPEN + fourth] - open4)
        - WASTE * (state[DEAD] + waste)
        + SNUG * snug
    )


@jit
def lay(state: Words, mine: int, action: int) -> None:
    """Lay a piece and bring everything up to date."""
    form = action // CELLS
    low = action % CELLS // SIDE + PAD - 1
    shift = action % SIDE
    for i in range(HEIGHT[form]):
        body = BODY[form * AROUND + i] << shift
        beside = BESIDE[form * AROUND + i] << shift
        corners = CORNERS[form * AROUND + i] << shift
        row = low + i
        others = 0
        for colour in range(COLOURS):
            if colour != mine:
                others |= state[colour * ROWS + row]
        state[DEAD] += count(state[mine * ROWS + row] & beside & ~body & ~others)
        for colour in range(COLOURS):
            free = state[colour * ROWS + row]
            attach = state[ATTACH + colour * ROWS + row]
            now_free = free & ~(beside if colour == mine else body)
            now_attach = (attach | (corners if colour == mine else 0)) & now_free
            state[colour * ROWS + row] = now_free
            state[ATTACH + colour * ROWS + row] = now_attach
            state[ROOM + colour] += count(now_free) - count(free)
            state[OPEN + colour] += count(now_attach) - count(attach)
    state[HASH] = _hash(state, mine, action)
    state[HAND + mine] &= ~(1 << PIECE[form])
    state[NEED + mine] -= SQUARES[PIECE[form]]


@jit
def _hash(state: Words, mine: int, action: int) -> int:
    """What names the position after a placement: the same for any order of the same placements; never 0."""
    key: int = FORM_KEY[mine, action // CELLS] ^ CELL_KEY[action % CELLS]
    return (state[HASH] + key & (1 << 60) - 1) | 1


@jit
def _keep(value: float, action: int, n: int, most: int, first: int, values: Floats, actions: Words) -> int:
    """Enter a placement into the best ones so far, sorted from worst to best; how many there are now."""
    if n == most:
        if value <= values[first]:
            return n
        at = first  # the worst gives way
        while at + 1 < first + n and values[at + 1] < value:
            values[at] = values[at + 1]
            actions[at] = actions[at + 1]
            at += 1
    else:
        at = first + n
        n += 1
        while at > first and values[at - 1] > value:
            values[at] = values[at - 1]
            actions[at] = actions[at - 1]
            at -= 1
    values[at] = value
    actions[at] = action
    return n


@jit
def _best(
    state: Words,
    mine: int,
    size: int,  # of the pieces that are placed now; 0: any
    most: int,
    noise: float,
    first: int,
    values: Floats,
    actions: Words,
    rng: Rng,
    free: Words,  # ROWS words to work with
    cut: Words,  # counts the placements that were dropped
) -> int:
    """A colour's best placements, from ``first`` on in ``values`` and ``actions``; how many."""
    n = 0
    for row in range(ROWS):
        free[row] = state[FREE + mine * ROWS + row]
    for row in range(PAD, ROWS - PAD):
        attach = state[ATTACH + mine * ROWS + row]
        while attach:
            bit = attach & -attach
            attach ^= bit
            column = count(bit - 1)
            taken = ~window(free, row, column)
            shape = 0
            while shape < SHAPES:
                if MASK[shape] & taken:
                    shape = SKIP[shape]
                    continue
                action = ACTION[shape] + row * SIDE + column
                piece = PIECE[action // CELLS]
                if state[HAND + mine] >> piece & 1 and (size == 0 or SQUARES[piece] == size):
                    cut[0] += n == most
                    value = _judge(state, mine, action) + noise * below(rng, 1024) / 1024
                    n = _keep(value, action, n, most, first, values, actions)
                shape += 1
            free[row] ^= bit  # whatever covers this attach point has been seen
    return n


@jit
def _next(state: Words, colour: int, size: int) -> int:
    """The next colour, from this one on, that holds a piece of a size (0: any piece); -1 if none does."""
    for i in range(COLOURS):
        now = colour + i & 3
        for piece in range(PIECES):
            if state[HAND + now] >> piece & 1 and (size == 0 or SQUARES[piece] == size):
                return now
    return -1


@jit
def _seen(key: int, table: Words) -> bool:
    """Whether a key is in a hash table; it is afterwards. The length is a power of two."""
    at = key >> 7 & len(table) - 1
    while table[at]:
        if table[at] == key:
            return True
        at = at + 1 & len(table) - 1
    table[at] = key
    return False


@jit
def beam(
    start: Any,
    width: int,
    children: int,  # of one position that are kept at most
    by_size: bool,
    loose: int,  # so many placements are left to chance, for variety
    rng: Rng,
    parents: Any,
    placements: Any,
) -> int:
    """Place everything that is left; placement i of row k of the log followed row parents[i - 1, k] of the one before.

    IMPOSSIBLE means that nothing was cut, so that there is no way in this order of sizes, or in any (not by_size).
    """
    kept = np.zeros((width, SIZE), np.int64)
    after = np.zeros((width, SIZE), np.int64)
    values = np.zeros(width * children)
    actions = np.zeros(width * children, np.int64)
    parent = np.zeros(width * children, np.int64)
    slots = 4
    while slots < 4 * width:
        slots *= 2
    table = np.zeros(slots, np.int64)
    free = np.zeros(ROWS, np.int64)
    cut = np.zeros(1, np.int64)
    kept[0] = start
    n = 1
    size = 5 if by_size else 0
    colour = 0
    step = 0
    while True:
        mine = _next(kept[0], colour, size)
        while mine < 0 and size > 1:
            size -= 1
            mine = _next(kept[0], colour, size)
        if mine < 0:
            return SOLVED
        noise = CHANCE if step < loose else NOISE
        found = 0
        for b in range(n):
            first = found
            found += _best(kept[b], mine, size, children, noise, first, values, actions, rng, free, cut)
            parent[first:found] = b
        table[:] = 0
        order = np.argsort(values[:found], kind="mergesort")
        n = 0
        for i in range(found - 1, -1, -1):
            k = order[i]
            if _seen(_hash(kept[parent[k]], mine, actions[k]), table):
                continue
            if n == width:
                cut[0] += 1
                break
            after[n] = kept[parent[k]]
            lay(after[n], mine, actions[k])
            parents[step, n] = parent[k]
            placements[step, n] = actions[k] * COLOURS + mine
            n += 1
        if n == 0:
            return GAVE_UP if cut[0] else IMPOSSIBLE
        kept, after = after, kept
        colour = mine + 1 & 3
        step += 1


def position() -> "np.typing.NDArray[np.int64]":
    """The empty board: BK-3, fixed corners."""
    state = np.zeros(SIZE, np.int64)
    for colour, (row, column) in enumerate(((SIDE - 1, 0), (SIDE - 1, SIDE - 1), (0, SIDE - 1), (0, 0))):
        first = colour * ROWS + PAD
        state[FREE + first : FREE + first + SIDE] = (1 << SIDE) - 1 << PAD
        state[ATTACH + first + row] = 1 << PAD + column
        state[HAND + colour] = (1 << PIECES) - 1
        state[ROOM + colour], state[OPEN + colour], state[NEED + colour] = CELLS, 1, SQUARES.sum()
    return state
