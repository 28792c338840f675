"""Playouts: the best of a few large pieces at random attach points.

How a placement is rated differs by the size of the board (docs/measurements/blokus.md): on the large one by its squares
and the attach points that it gains and takes; on the small one of `duo` by the cells that it takes from the other side,
as strong players choose. With the rating of the large board, playouts from the first ten turns of `duo` hardly
showed who would win.
"""

import math

import numpy as np

from quatuor.games.blokus.adjacency import corner_row, corners, edge_row, edges
from quatuor.games.blokus.priors import friendly
from quatuor.games.blokus.rules import (
    ANY,
    ATTACH,
    CELLS,
    COLOUR,
    FREE,
    FULL_HAND,
    HAND,
    LAYER,
    OUT,
    SHAPES,
    colours,
    fitting,
    legal,
    open_sides,
    seat_of,
    side,
)
from quatuor.games.blokus.tables import (
    ACTIONS,
    FORMS,
    PAD,
    PIECE,
    SHAPE_BASE,
    SHAPE_WORDS,
    SHAPES_OF,
    SIDE,
    SINGLE,
    SQUARES,
    WORDS,
)
from quatuor.kernel import Floats, Rng, Words, below, jit, lowest, ones

# ---- what the search learns about a placement holds for the same placement later in the game
KINDS = 4 * ACTIONS


@jit
def alike(state: Words, action: int) -> int:
    return (state[COLOUR] & 3) * ACTIONS + (action & ANY)


# Placements to choose from, on the large board (measured against 2 and 4) and on the small one (against 3 and 6)
TRIES, TRIES_SMALL = 3, 4
NOISE = 1024  # a random part of every rating, twice what a point counts; chosen, not measured
GAIN = 30 * NOISE  # how much a learned gain of 1 in utility counts; measured against none and twice as much
NONE = -1
CELL = 511  # "& CELL" proves the number of a cell non-negative: then indices need no check

POINTS, MOST_POINTS = 0, 512  # in memory: a list of attach points,
THEIRS = MOST_POINTS + PAD  # a layer with those of the other side,
NEAR, MIDDLE, FAR = THEIRS + LAYER, THEIRS + 2 * LAYER, THEIRS + 3 * LAYER  # and what lies one to three steps from them
MEMORY = FAR + LAYER + PAD

# Around a piece: the 7 by 7 cells from the row below it and the column left of it, row by row, one bit each.
BOX, BOX_ROW = 7, 127
LEFT = np.array([form[0][1] for form in FORMS], np.int64)  # from the left-most column to the reference cell
COVERED = np.zeros(len(FORMS), np.int64)
BESIDE = np.zeros(len(FORMS), np.int64)
CORNERS = np.zeros(len(FORMS), np.int64)
for _form, _cells in enumerate(FORMS):
    _corners = corners(_cells) - edges(_cells) - set(_cells)
    COVERED[_form] = sum(1 << (r + 1) * BOX + c + 1 for r, c in _cells)
    BESIDE[_form] = sum(1 << (r + 1) * BOX + c + 1 for r, c in edges(_cells) - set(_cells))
    CORNERS[_form] = sum(1 << (r + 1) * BOX + c + 1 for r, c in _corners)

LARGEST = int(max(SQUARES))
SIZE_SHAPES = np.zeros((LARGEST + 1) * SHAPE_WORDS, np.int64)  # the shapes of all pieces of a size
for _piece, _size in enumerate(SQUARES):
    for _word in range(SHAPE_WORDS):
        SIZE_SHAPES[_size * SHAPE_WORDS + _word] |= SHAPES_OF[_piece * SHAPE_WORDS + _word]


@jit
def box(words: Words, layer: int, row: int, column: int) -> int:
    """The cells of a layer around a piece with this lowest row and left-most column."""
    at = layer + row - 1
    shift = column + PAD - 1
    return (
        (words[at] >> shift & BOX_ROW)
        | (words[at + 1] >> shift & BOX_ROW) << BOX
        | (words[at + 2] >> shift & BOX_ROW) << 2 * BOX
        | (words[at + 3] >> shift & BOX_ROW) << 3 * BOX
        | (words[at + 4] >> shift & BOX_ROW) << 4 * BOX
        | (words[at + 5] >> shift & BOX_ROW) << 5 * BOX
        | (words[at + 6] >> shift & BOX_ROW) << 6 * BOX
    )


@jit
def window(state: Words, row: int, column: int) -> int:
    """The free cells within four steps of an attach point, as in rules.py but with all attach points."""
    f, c = FREE + row, column
    return (
        (state[f - 4] >> c + 4 & 1)
        | (state[f - 3] >> c + 3 & 7) << 1
        | (state[f - 2] >> c + 2 & 31) << 4
        | (state[f - 1] >> c + 1 & 127) << 9
        | (state[f] >> c & 511) << 16
        | (state[f + 1] >> c + 1 & 127) << 25
        | (state[f + 2] >> c + 2 & 31) << 32
        | (state[f + 3] >> c + 3 & 7) << 37
        | (state[f + 4] >> c + 4 & 1) << 40
    )


@jit
def list_points(state: Words, memory: Words) -> int:
    """List the attach points of the colour to move; return their number."""
    n = 0
    for row in range(SIDE):
        points = state[ATTACH + row]
        while points:
            memory[POINTS + (n & MOST_POINTS - 1)] = row * SIDE + lowest(points) - PAD
            points &= points - 1
            n += 1
    return n


@jit
def add_points(state: Words, colour: int, memory: Words) -> None:
    """Add the attach points of another colour to the layer of them; also taken cells, which no piece can cover."""
    own = CELLS + (colour & 3) * LAYER
    for row in range(SIDE):
        cells, lower, upper = state[own + row], state[own + row - 1], state[own + row + 1]
        memory[THEIRS + row] |= corner_row(lower, upper) & ~edge_row(cells, lower, upper)


@jit
def sample(rng: Rng, state: Words, colour: int, cell: int) -> int:
    """A random placement among the largest that cover an attach point; NONE if there is none.

    After the first piece an attach point needs at most three words of shapes (tables.py).
    """
    seen = window(state, cell // SIDE, cell % SIDE)
    words = WORDS[open_sides(seen)]
    hand = SHAPES + colour * SHAPE_WORDS
    a, b, c = words & 7, words >> 4 & 7, words >> 8 & 7
    in_a = fitting(seen, a) & state[hand + a] if words else 0
    in_b = fitting(seen, b) & state[hand + b] if words >> 4 else 0
    in_c = fitting(seen, c) & state[hand + c] if words >> 8 else 0
    if in_a | in_b | in_c == 0:
        return cell if state[HAND + colour] >> SINGLE & 1 else NONE  # the single square is form 0
    size = LARGEST * SHAPE_WORDS
    while (in_a & SIZE_SHAPES[size + a]) | (in_b & SIZE_SHAPES[size + b]) | (in_c & SIZE_SHAPES[size + c]) == 0:
        size -= SHAPE_WORDS
    in_a &= SIZE_SHAPES[size + a]
    in_b &= SIZE_SHAPES[size + b]
    in_c &= SIZE_SHAPES[size + c]
    to_a, to_b = ones(in_a), ones(in_a) + ones(in_b)
    skip = below(rng, to_b + ones(in_c))
    word, shapes = a, in_a
    if skip >= to_b:
        word, shapes, skip = c, in_c, skip - to_b
    elif skip >= to_a:
        word, shapes, skip = b, in_b, skip - to_a
    for _ in range(skip):
        shapes &= shapes - 1
    return SHAPE_BASE[word * 64 + (lowest(shapes) & 63)] + cell  # type: ignore[no-any-return]


@jit
def rate(state: Words, memory: Words, action: int) -> int:
    """Twice the rating of a placement on the large board: its squares, attach points gained and taken."""
    action &= ANY
    form = action // (SIDE * SIDE)
    row, column = action // SIDE % SIDE, action % SIDE - LEFT[form]
    made = box(state, FREE, row, column) & ~box(state, ATTACH, row, column) & CORNERS[form]
    took = box(memory, THEIRS, row, column) & COVERED[form]
    return 2 * (ones(made) + 2 * ones(took) + SQUARES[PIECE[form]])  # type: ignore[no-any-return]


@jit
def rate_small(state: Words, memory: Words, action: int) -> int:
    """Twice the rating on the small board: squares, cells taken from the other side, own attach points lost."""
    action &= ANY
    form = action // (SIDE * SIDE)
    row, column = action // SIDE % SIDE, action % SIDE - LEFT[form]
    covered = COVERED[form]
    points, near = box(state, ATTACH, row, column), box(memory, NEAR, row, column)
    further = box(memory, MIDDLE, row, column) | box(memory, FAR, row, column)
    contested = box(state, FREE, row, column) & ~points & near & CORNERS[form]  # attach points gained
    return (  # type: ignore[no-any-return]
        2 * (SQUARES[PIECE[form]] + ones(near & covered) + ones(points & covered))
        + ones(further & covered)
        - ones(contested)
        - ones(points & BESIDE[form])
    )


@jit
def survey_small(state: Words, memory: Words) -> None:
    """The layers one to three steps from the attach points of the other side, over cells that are free to the mover."""
    for layer in range(THEIRS, FAR, LAYER):
        memory[layer - 1] = memory[layer + side(state)] = 0  # beyond the edges of the board
    for row in range(side(state)):
        cells = memory[THEIRS + row]
        beside = edge_row(cells, memory[THEIRS + row - 1], memory[THEIRS + row + 1])
        memory[NEAR + row] = (cells | beside) & state[FREE + row]
    for row in range(side(state)):
        cells = memory[NEAR + row]
        beside = edge_row(cells, memory[NEAR + row - 1], memory[NEAR + row + 1])
        memory[MIDDLE + row] = beside & ~cells & state[FREE + row]
    for row in range(side(state)):
        cells = memory[MIDDLE + row]
        beside = edge_row(cells, memory[MIDDLE + row - 1], memory[MIDDLE + row + 1])
        memory[FAR + row] = beside & ~cells & ~memory[NEAR + row] & state[FREE + row]


@jit
def choose(rng: Rng, state: Words, memory: Words, gains: Floats, moves: Words) -> int:
    colour = state[COLOUR] & 3
    if state[HAND + colour] == FULL_HAND:
        return moves[below(rng, legal(state, seat_of(state, colour), moves))]
    for row in range(SIDE):
        memory[THEIRS + row] = 0
    for i in range(1, colours(state)):
        other = colour + i & colours(state) - 1
        if state[OUT] >> other & 1 == 0 and not friendly(state, colour, other):
            add_points(state, other, memory)
    small = side(state) < SIDE
    if small:
        survey_small(state, memory)
    n = list_points(state, memory)
    best = NONE
    top = -math.inf
    tries = TRIES_SMALL if small else TRIES
    while tries and n:
        at = POINTS + (below(rng, n) & MOST_POINTS - 1)
        action = sample(rng, state, colour, memory[at] & CELL)
        if action == NONE:
            n -= 1
            memory[at] = memory[POINTS + (n & MOST_POINTS - 1)]
            continue
        tries -= 1
        points = rate_small(state, memory, action) if small else rate(state, memory, action)
        rating = points * (NOISE // 2) + below(rng, NOISE) + GAIN * gains[alike(state, action)]
        if rating > top:
            top = rating
            best = action
    return best
