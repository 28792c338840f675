"""Priors of moves: how likely a strong player makes each of them.

A *layer* is a set of cells that matter for one reason, such as the attach points of the other side. The value of a move
is the weight of its piece plus, for every layer, the layer's weight for each of its cells that the piece covers (or
touches by a corner, or by an edge). The weights (weights.py) are summed once a position for every cell of the board, so
that a move costs about twenty additions. The value is the logarithm of the probability, up to a constant.
"""

import numpy as np

from quatuor.games.blokus.adjacency import corner_row, corners, edge_row, edges
from quatuor.games.blokus.rules import (
    ANY,
    ATTACH,
    CELLS,
    COLOUR,
    DUO_SIDE,
    FREE,
    GREEN,
    HAND,
    LAST_ACTION,
    LAST_COLOUR,
    LAYER,
    OUT,
    SHARED,
    TEAMS,
    THREE,
    TWO,
    VARIANT,
    colours,
    side,
)
from quatuor.games.blokus.tables import FORM_ROWS, FORMS, NAMES, PAD, PIECE, SIDE
from quatuor.games.blokus.weights import LARGE, RING_OF, SETS, STAGE_OF
from quatuor.kernel import Floats, Words, jit, lowest, ones

# ---- layers in memory: first those to work with, then those that have a weight, in the order of weights.py
OWN_FREE, OWN_POINTS, OWN_NEAR, OWN_MIDDLE, OWN_FAR = 0, 1, 2, 3, 4
THEIR_FREE, THEIR_POINTS, SHARED_POINTS, THEIR_NEAR, THEIR_MIDDLE, THEIR_FAR = 5, 6, 7, 8, 9, 10
ALLY_FREE, ALLY_POINTS, BESIDE_THEM, BESIDE_ALLY, LAST_MOVE, AROUND_LAST = 11, 12, 13, 14, 15, 16
FREE_1, POINTS_1, NEAR_1, MIDDLE_1, FAR_1 = 17, 18, 19, 20, 21  # of one of them
WEIGHED = 22
UNDERS, TO_CORNERS = len(LARGE.under), len(LARGE.under) + len(LARGE.corners)
LAYERS = TO_CORNERS + len(LARGE.beside)  # with a weight
MEMORY = (WEIGHED + LAYERS) * LAYER + 2 * PAD

WEIGHTS = np.concatenate([np.array([row for part in one for row in part.values()]).T.ravel() for one in SETS])
KINDS = LAYERS + len(NAMES)  # weights of a stage
STAGES = max(STAGE_OF) + 1  # of one size of board; those of the small board follow those of the large one

RINGS = len(set(RING_OF))  # cells by their distance from the middle, the inner ring first
RING = np.zeros((SIDE + 1) * RINGS * SIDE, np.int64)  # for boards of any side
for _side in (DUO_SIDE, SIDE):
    for _row in range(_side):
        for _column in range(_side):
            _far = max(abs(2 * _row - _side + 1), abs(2 * _column - _side + 1)) // 2  # steps from the middle
            _ring = RING_OF[_far * len(RING_OF) // (_side // 2)]
            RING[(_side * RINGS + _ring) * SIDE + _row] |= 1 << _column + PAD

# ---- the cells that a form covers, those off its corners and those beside it, as steps on one of three boards of
# numbers with a margin. Steps count from two rows below the form's reference cell, so that none is negative. Steps to a
# fourth board, of zeros, fill every list up to whole batches
PITCH = SIDE + 2 * PAD
BEFORE = 2
BOARD = PITCH * PITCH
ZEROS = 3 * BOARD
MAPS = 4 * BOARD
BATCH = 4
_lists: list[list[int]] = []
for _form, _cells in enumerate(FORMS):
    _beside = edges(_cells) - set(_cells)
    _corners = corners(_cells) - set(_cells) - _beside
    _lists.append(
        [
            kind * BOARD + (BEFORE + row) * PITCH + column - _cells[0][1]
            for kind, found in enumerate((_cells, sorted(_corners), sorted(_beside)))
            for row, column in found
        ]
    )
MOST_AROUND = -(-max(map(len, _lists)) // BATCH) * BATCH
AROUND = np.full(len(FORMS) * MOST_AROUND, ZEROS, np.uint16)  # narrow words: the table stays in the processor's cache
for _form, _steps in enumerate(_lists):
    AROUND[_form * MOST_AROUND : _form * MOST_AROUND + len(_steps)] = _steps
BATCHES = np.array([-(-len(_steps) // BATCH) for _steps in _lists])

# What the rings add to a cell that a piece covers (first board) or touches by a corner (second), by stage and size of
# the board. The rings are the last layers of either kind; all others have few cells.
_boards = np.zeros((len(WEIGHTS) // KINDS, 2, 2, PITCH, PITCH), np.float32)
for _stage, _of_stage in enumerate(WEIGHTS.reshape(-1, KINDS)):
    for _size, _side in enumerate((DUO_SIDE, SIDE)):
        for _kind, _end in enumerate((UNDERS, TO_CORNERS)):
            for _ring in range(RINGS - 1):
                for _row in range(SIDE):
                    _cells_of = RING[(_side * RINGS + _ring) * SIDE + _row] >> np.arange(PITCH) & 1
                    _boards[_stage, _size, _kind, _row + PAD] += _cells_of * _of_stage[_end - RINGS + 1 + _ring]
RING_BOARDS = _boards.ravel()
OPENED = UNDERS  # the first of the layers that a corner touches; all others of them are parts of it


@jit
def first_row(layer: int) -> int:
    return PAD + layer * LAYER


@jit
def in_pairs(state: Words) -> bool:
    """Whether two sides play two colours each."""
    return state[VARIANT] == TWO or state[VARIANT] == TEAMS


@jit
def friendly(state: Words, own: int, other: int) -> bool:
    """Whether two colours are on the same side (BK-10, BK-11); the shared one is on the side of its player (BK-12)."""
    if in_pairs(state):
        return (own ^ other) & 1 == 0
    return state[VARIANT] == THREE and own == GREEN and other == state[SHARED]


@jit
def survey(state: Words, colour: int, memory: Words, free: int, points: int, beside: int) -> None:
    """The free cells of a colour and its attach points; cells beside its own are added to a layer."""
    own = CELLS + (colour & 3) * LAYER
    f, p, b = first_row(free), first_row(points), first_row(beside)
    board = (1 << side(state)) - 1
    for row in range(side(state)):
        cells, below, above = state[own + row], state[own + row - 1], state[own + row + 1]
        taken = state[CELLS + row] | state[CELLS + LAYER + row]
        taken |= state[CELLS + 2 * LAYER + row] | state[CELLS + 3 * LAYER + row]
        beside_own = edge_row(cells, below, above)
        memory[f + row] = board << PAD & ~(taken | beside_own)
        memory[p + row] = corner_row(below, above) & memory[f + row]
        memory[b + row] |= beside_own


@jit
def grow(memory: Words, source: int, within: int, target: int) -> None:
    """The cells of a layer and those beside them that also belong to another layer."""
    s, w, t = first_row(source), first_row(within), first_row(target)
    for row in range(SIDE):
        cells = memory[s + row]
        beside = edge_row(cells, memory[s + row - 1], memory[s + row + 1])
        memory[t + row] = (cells | beside) & memory[w + row]


@jit
def reach(memory: Words, free: int) -> None:
    """From the free cells of a colour and its attach points (the next layer): the cells within one to three steps."""
    for step in range(1, 4):
        grow(memory, free + step, free, free + step + 1)


@jit
def add(memory: Words, source: int, target: int) -> None:
    s, t = first_row(source), first_row(target)
    for row in range(SIDE):
        memory[t + row] |= memory[s + row]


@jit
def survey_them(state: Words, colour: int, other: int, memory: Words) -> None:
    """Add the layers of another colour to those of its side."""
    if friendly(state, colour, other):
        survey(state, other, memory, ALLY_FREE, ALLY_POINTS, BESIDE_ALLY)
        return
    survey(state, other, memory, FREE_1, POINTS_1, BESIDE_THEM)
    reach(memory, FREE_1)
    for row in range(SIDE):
        both = memory[first_row(THEIR_POINTS) + row] & memory[first_row(POINTS_1) + row]
        memory[first_row(SHARED_POINTS) + row] |= both
    add(memory, FREE_1, THEIR_FREE)
    add(memory, POINTS_1, THEIR_POINTS)
    add(memory, NEAR_1, THEIR_NEAR)
    add(memory, MIDDLE_1, THEIR_MIDDLE)
    add(memory, FAR_1, THEIR_FAR)


@jit
def survey_last(state: Words, colour: int, memory: Words) -> None:
    """The last piece of the other side and the cells around it."""
    last = state[LAST_ACTION]
    if last < 0 or friendly(state, colour, state[LAST_COLOUR]):
        return
    low = first_row(LAST_MOVE) + last // SIDE % SIDE
    for i in range(5):
        memory[low + i] |= FORM_ROWS[last // (SIDE * SIDE) * 5 + i] << last % SIDE
    for row in range(SIDE):
        at = first_row(LAST_MOVE) + row
        cells = memory[at - 1] | memory[at] | memory[at + 1]
        memory[first_row(AROUND_LAST) + row] = cells << 1 | cells | cells >> 1


@jit
def weighed_rows(state: Words, memory: Words, row: int) -> None:
    """One row of all layers that have a weight."""
    free, points = state[FREE + row], state[ATTACH + row]
    opened = free & ~points  # an attach point if a piece touches it by a corner
    theirs, ally = memory[first_row(THEIR_POINTS) + row], memory[first_row(ALLY_POINTS) + row]
    near, middle = memory[first_row(THEIR_NEAR) + row], memory[first_row(THEIR_MIDDLE) + row]
    far, own_far = memory[first_row(THEIR_FAR) + row], memory[first_row(OWN_FAR) + row]
    sideways, upright = free << 1 & free >> 1, state[FREE + row - 1] & state[FREE + row + 1]
    any_sideways, any_upright = free << 1 | free >> 1, state[FREE + row - 1] | state[FREE + row + 1]
    roomy = sideways & upright
    rings = side(state) * RINGS * SIDE + row

    at = first_row(WEIGHED) + row
    memory[at] = theirs
    memory[at + LAYER] = memory[first_row(SHARED_POINTS) + row]
    memory[at + 2 * LAYER] = near & ~theirs
    memory[at + 3 * LAYER] = middle & ~near
    memory[at + 4 * LAYER] = far & ~middle
    memory[at + 5 * LAYER] = ally
    memory[at + 6 * LAYER] = points
    memory[at + 7 * LAYER] = memory[first_row(BESIDE_THEM) + row]
    memory[at + 8 * LAYER] = memory[first_row(AROUND_LAST) + row]
    for ring in range(RINGS - 1):
        memory[at + (9 + ring) * LAYER] = RING[rings + ring * SIDE]

    at = first_row(WEIGHED + UNDERS) + row
    memory[at] = opened
    memory[at + LAYER] = opened & ~memory[first_row(THEIR_FREE) + row]
    memory[at + 2 * LAYER] = opened & near
    memory[at + 3 * LAYER] = opened & far & ~near
    memory[at + 4 * LAYER] = opened & ~own_far
    memory[at + 5 * LAYER] = opened & roomy
    memory[at + 6 * LAYER] = opened & (sideways & any_upright | upright & any_sideways) & ~roomy
    memory[at + 7 * LAYER] = opened & memory[first_row(OWN_NEAR) + row]
    memory[at + 8 * LAYER] = opened & memory[first_row(BESIDE_ALLY) + row]
    for ring in range(RINGS - 1):
        memory[at + (9 + ring) * LAYER] = opened & RING[rings + ring * SIDE]

    at = first_row(WEIGHED + TO_CORNERS) + row
    memory[at] = points
    memory[at + LAYER] = opened & own_far
    memory[at + 2 * LAYER] = theirs
    memory[at + 3 * LAYER] = near & ~theirs
    memory[at + 4 * LAYER] = ally
    memory[at + 5 * LAYER] = ~free & (1 << SIDE) - 1 << PAD


@jit
def layers(state: Words, memory: Words) -> None:
    """All layers, for the colour to move."""
    for i in range(MEMORY):
        memory[i] = 0
    colour = state[COLOUR] & 3
    for row in range(SIDE):
        memory[first_row(OWN_FREE) + row] = state[FREE + row]
        memory[first_row(OWN_POINTS) + row] = state[ATTACH + row]
    reach(memory, OWN_FREE)
    for i in range(1, colours(state)):
        other = (colour + i) % colours(state)
        if state[OUT] >> other & 1 == 0:
            survey_them(state, colour, other, memory)
    survey_last(state, colour, memory)
    for row in range(SIDE):
        weighed_rows(state, memory, row)


@jit
def stage(state: Words) -> int:
    """The stage of the game for the colour to move, on this size of board (weights.py)."""
    first = 0 if side(state) == SIDE else STAGES
    return first + STAGE_OF[len(NAMES) - ones(state[HAND + (state[COLOUR] & 3)])]


@jit
def sum_up(state: Words, memory: Words, maps: Floats) -> None:
    """For every cell: the weights of all its layers if a piece covers it, touches it by a corner, or by an edge."""
    weights = stage(state) * KINDS
    rings = (stage(state) * 2 + (side(state) == SIDE)) * 2 * BOARD
    for i in range(BOARD):
        maps[i] = RING_BOARDS[rings + i]
        maps[BOARD + i] = 0.0
        maps[2 * BOARD + i] = 0.0
    for row in range(SIDE):
        cells = memory[first_row(WEIGHED + OPENED) + row]
        at = BOARD + (row + PAD) * PITCH
        while cells:
            maps[at + lowest(cells)] = RING_BOARDS[rings + at + lowest(cells)]
            cells &= cells - 1
    for layer in range(LAYERS):
        if UNDERS - RINGS + 1 <= layer < UNDERS or TO_CORNERS - RINGS + 1 <= layer < TO_CORNERS:
            continue  # a ring
        board = 0 if layer < UNDERS else BOARD if layer < TO_CORNERS else 2 * BOARD
        for row in range(SIDE):
            cells = memory[first_row(WEIGHED + layer) + row]
            at = board + (row + PAD) * PITCH
            while cells:
                maps[at + lowest(cells)] += WEIGHTS[weights + layer]
                cells &= cells - 1


@jit
def weigh(state: Words, count: int, moves: Words, memory: Words, maps: Floats, out: Floats) -> None:
    """The value of every move of the colour to move."""
    layers(state, memory)
    sum_up(state, memory, maps)
    pieces = stage(state) * KINDS + LAYERS
    for i in range(count):
        move = moves[i] & ANY
        form = move // (SIDE * SIDE)
        cell = (move // SIDE % SIDE + PAD - BEFORE) * PITCH + move % SIDE + PAD
        at = form * MOST_AROUND
        a = b = c = d = maps[ZEROS]
        for _ in range(BATCHES[form]):  # four independent sums, which the processor adds in parallel
            a += maps[cell + AROUND[at]]
            b += maps[cell + AROUND[at + 1]]
            c += maps[cell + AROUND[at + 2]]
            d += maps[cell + AROUND[at + 3]]
            at += BATCH
        out[i] = WEIGHTS[pieces + PIECE[form]] + (a + b) + (c + d)
