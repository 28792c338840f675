"""Blokus: place pieces corner to corner, never edge to edge. Clause ids (BK-…) refer to docs/rules/blokus.md.

The state begins with six layers of 20 rows, one word a row (row 0 at the bottom, column c at bit c + PAD), with PAD
empty rows before, between and after them: the cells of each colour; the cells that the colour to move may cover; and
its attach points, the cells of which a placement must cover one (BK-3, BK-4). The last two and the shapes in hand
follow from the rest and are kept because everything needs them.

An action places one piece of the colour to move; tables.py says how actions are numbered and what a shape is.
"""

from quatuor.games.blokus.adjacency import corner_row, edge_row
from quatuor.games.blokus.tables import (
    ACTIONS,
    BIT_NUMBER,
    DOWN_BIT,
    FITS,
    FITS_FIRST,
    FORM_ROWS,
    LEFT_BIT,
    NAMES,
    PAD,
    PIECE,
    RIGHT_BIT,
    SHAPE_BASE,
    SHAPE_WORDS,
    SHAPES_OF,
    SIDE,
    SINGLE,
    SQUARES,
    UP_BIT,
    WORDS,
)
from quatuor.kernel import Words, rule

# ---- the state
LAYER = SIDE + PAD  # words from one layer to the next
CELLS = PAD  # four layers: blue, yellow, red, green
FREE = CELLS + 4 * LAYER  # the cells that the colour to move may cover
ATTACH = FREE + LAYER  # its attach points
HAND = ATTACH + LAYER  # four words: the pieces left, one bit each
SHAPES = HAND + 4  # four times eight words: the shapes of the pieces left
LAST_PIECE = SHAPES + 4 * SHAPE_WORDS  # four words: the piece a colour placed last, or NONE
COLOUR = LAST_PIECE + 4  # to move
OUT = COLOUR + 1  # the colours that can place no more, one bit each
SHARED = OUT + 1  # the seat that plays green next, in `three`
LAST_COLOUR, LAST_ACTION = SHARED + 1, SHARED + 2  # the last placement, or NONE
VARIANT, CORNERS = SHARED + 3, SHARED + 4  # the options, as setup got them
SIZE = SHARED + 5

NONE = -1
CLASSIC, TEAMS, TWO, THREE, DUO = 0, 1, 2, 3, 4
FIXED_CORNERS, FREE_CORNERS = 0, 1
GREEN = 3
PIECES = len(NAMES)
FULL_HAND = (1 << PIECES) - 1
DUO_SIDE = 14
MOST_MOVES = 4096  # a search for positions with many moves found no more than 1,831
ANY = (1 << ACTIONS.bit_length()) - 1  # "& ANY" proves an action non-negative, so that indices need no check
POSITIVE = (1 << 62) - 1  # "& POSITIVE" proves a word non-negative, so that % compiles to a multiplication


@rule
def colours(state: Words) -> int:
    return 2 if state[VARIANT] == DUO else 4


@rule
def side(state: Words) -> int:
    """Cells along one side of the board."""
    return DUO_SIDE if state[VARIANT] == DUO else SIDE


@rule
def seat_of(state: Words, colour: int) -> int:
    """The seat that places the next piece of a colour."""
    if state[VARIANT] == TWO:
        return colour & 1  # BK-11
    if state[VARIANT] == THREE and colour == GREEN:
        return state[SHARED]  # BK-12
    return colour


@rule
def setup(state: Words, options: Words) -> None:
    for i in range(SIZE):
        state[i] = 0
    state[VARIANT] = options[0]
    state[CORNERS] = options[1]
    state[LAST_COLOUR] = NONE
    state[LAST_ACTION] = NONE
    for colour in range(4):
        state[HAND + colour] = FULL_HAND  # BK-1
        state[LAST_PIECE + colour] = NONE
        for i in range(PIECES * SHAPE_WORDS):
            state[SHAPES + colour * SHAPE_WORDS + i % SHAPE_WORDS] |= SHAPES_OF[i]
    give_turn(state, 0)  # BK-2: blue, yellow, red, green


@rule
def to_move(state: Words) -> int:
    if state[OUT] == (1 << colours(state)) - 1:  # BK-6: no colour can place a piece
        return 0
    return 1 << seat_of(state, state[COLOUR])


@rule
def _start(state: Words, colour: int) -> None:
    """BK-3, BK-13: the attach points of a first piece."""
    for row in range(SIDE):
        state[ATTACH + row] = 0
    left, right, top = 1 << PAD, 1 << PAD + SIDE - 1, SIDE - 1
    if state[VARIANT] == DUO:
        if colour == 0:
            state[ATTACH + 9] = left << 4  # e10
        else:
            state[ATTACH + 4] = left << 9  # j5
    elif state[CORNERS] == FREE_CORNERS:
        state[ATTACH] = left | right
        state[ATTACH + top] = left | right
    elif colour < 2:
        state[ATTACH + top] = left if colour == 0 else right  # blue a20, yellow t20
    else:
        state[ATTACH] = right if colour == 2 else left  # red t1, green a1
    for row in range(SIDE):
        state[ATTACH + row] &= state[FREE + row]  # not yet covered


@rule
def _survey(state: Words, colour: int) -> None:
    """Find out where a colour may go: its free cells and its attach points."""
    own = CELLS + (colour & 3) * LAYER  # non-negative for sure, so the loop compiles to vectors
    height = side(state)
    board = (1 << height) - 1 << PAD
    for row in range(height):
        cells, below, above = state[own + row], state[own + row - 1], state[own + row + 1]
        taken = state[CELLS + row] | state[CELLS + LAYER + row]
        taken |= state[CELLS + 2 * LAYER + row] | state[CELLS + 3 * LAYER + row]
        free = board & ~(taken | edge_row(cells, below, above))  # BK-4: never its own colour by an edge; others may be
        state[FREE + row] = free
        state[ATTACH + row] = corner_row(below, above) & free  # BK-4: its own colour by a corner
    if state[HAND + colour] == FULL_HAND:
        _start(state, colour)


@rule
def _window(state: Words, row: int, column: int) -> int:
    """The free cells within four steps of an attach point, one bit each, row by row from the lowest.

    Attach points that come earlier (in lower rows, or left of it) count as taken: placements that cover them too
    have been found there.
    """
    f, a = FREE + row, ATTACH + row
    below4 = state[f - 4] & ~state[a - 4]
    below3 = state[f - 3] & ~state[a - 3]
    below2 = state[f - 2] & ~state[a - 2]
    below1 = state[f - 1] & ~state[a - 1]
    level = state[f] & ~(state[a] & (1 << column + PAD) - 1)
    c = column  # the bit of the cell PAD columns to the left
    return (
        (below4 >> c + 4 & 1)
        | (below3 >> c + 3 & 7) << 1
        | (below2 >> c + 2 & 31) << 4
        | (below1 >> c + 1 & 127) << 9
        | (level >> c & 511) << 16
        | (state[f + 1] >> c + 1 & 127) << 25
        | (state[f + 2] >> c + 2 & 31) << 32
        | (state[f + 3] >> c + 3 & 7) << 37
        | (state[f + 4] >> c + 4 & 1) << 40
    )


@rule
def open_sides(window: int) -> int:
    up, right, down, left = window >> UP_BIT, window >> RIGHT_BIT, window >> DOWN_BIT, window >> LEFT_BIT
    return up & 1 | (right & 1) << 1 | (down & 1) << 2 | (left & 1) << 3


@rule
def fitting(window: int, word: int) -> int:
    """The shapes of a word that fit into the free cells: one look-up for each stretch of the window."""
    return (  # type: ignore[no-any-return]
        FITS[(window & 15) * SHAPE_WORDS + word]
        & FITS[FITS_FIRST[1] + (window >> 4 & 31) * SHAPE_WORDS + word]
        & FITS[FITS_FIRST[2] + (window >> 9 & 127) * SHAPE_WORDS + word]
        & FITS[FITS_FIRST[3] + (window >> 16 & 15) * SHAPE_WORDS + word]
        & FITS[FITS_FIRST[4] + (window >> 21 & 15) * SHAPE_WORDS + word]
        & FITS[FITS_FIRST[5] + (window >> 25 & 127) * SHAPE_WORDS + word]
        & FITS[FITS_FIRST[6] + (window >> 32 & 31) * SHAPE_WORDS + word]
        & FITS[FITS_FIRST[7] + (window >> 37 & 15) * SHAPE_WORDS + word]
    )


@rule
def _can_place(state: Words, colour: int) -> bool:
    """Whether a colour that has just been surveyed has any placement."""
    for row in range(SIDE):
        points = state[ATTACH + row]
        while points:
            if state[HAND + colour] >> SINGLE & 1:
                return True  # an attach point is free: the single square fits
            point = points & -points
            points ^= point
            window = _window(state, row, BIT_NUMBER[(point & POSITIVE) % 67] - PAD)
            words = WORDS[open_sides(window)]
            while words:
                word = words & 7
                words >>= 4
                if fitting(window, word) & state[SHAPES + colour * SHAPE_WORDS + word]:
                    return True
    return False


@rule
def give_turn(state: Words, colour: int) -> None:
    """BK-6: this colour moves next, or the first one after it that can place a piece."""
    count = colours(state)
    for i in range(count):
        candidate = colour + i & count - 1
        if state[OUT] >> candidate & 1 == 0:
            _survey(state, candidate)
            if _can_place(state, candidate):
                state[COLOUR] = candidate
                return
            state[OUT] |= 1 << candidate  # its options only shrink: out for good


@rule
def legal(state: Words, seat: int, out: Words) -> int:
    if to_move(state) != 1 << seat:
        return 0
    colour = state[COLOUR] & 3
    single = state[HAND + colour] >> SINGLE & 1
    n = 0
    for row in range(SIDE):
        points = state[ATTACH + row]
        while points:
            point = points & -points
            points ^= point
            column = BIT_NUMBER[(point & POSITIVE) % 67] - PAD
            window = _window(state, row, column)
            words = WORDS[open_sides(window)]
            cell = row * SIDE + column
            out[n & MOST_MOVES - 1] = cell  # the single square is form 0
            n += single
            while words:
                word = words & 7
                words >>= 4
                shapes = fitting(window, word) & state[SHAPES + colour * SHAPE_WORDS + word]
                while shapes:
                    shape = shapes & -shapes
                    shapes ^= shape
                    number = BIT_NUMBER[(shape & POSITIVE) % 67] & 63
                    out[n & MOST_MOVES - 1] = SHAPE_BASE[word * 64 + number] + cell
                    n += 1
    return n


@rule
def put(state: Words, colour: int, action: int) -> None:
    """Place a piece on the board, unchecked; the turn does not change."""
    action &= ANY  # non-negative for sure
    form = action // (SIDE * SIDE)
    row = action // SIDE % SIDE
    column = action % SIDE
    for i in range(5):  # BK-5: nothing ever takes it away again
        state[CELLS + colour * LAYER + row + i] |= FORM_ROWS[form * 5 + i] << column
    piece = PIECE[form]
    state[HAND + colour] &= ~(1 << piece)
    state[LAST_PIECE + colour] = piece
    for word in range(SHAPE_WORDS):
        state[SHAPES + colour * SHAPE_WORDS + word] &= ~SHAPES_OF[piece * SHAPE_WORDS + word]
    if colour == GREEN:
        state[SHARED] = (state[SHARED] + 1) % 3  # BK-12: the three play it in turn
    state[LAST_COLOUR] = colour
    state[LAST_ACTION] = action


@rule
def play(state: Words, seat: int, action: int) -> None:
    colour = state[COLOUR] & 3
    put(state, colour, action)
    give_turn(state, colour + 1)


@rule
def score(state: Words, colour: int) -> int:
    """BK-7, BK-8: minus one a square in hand; all placed 15, and 5 more if the single square was last."""
    if state[HAND + colour] == 0:
        return 20 if state[LAST_PIECE + colour] == SINGLE else 15
    points = 0
    for piece in range(PIECES):
        if state[HAND + colour] >> piece & 1:
            points -= SQUARES[piece]
    return points


@rule
def outcome(state: Words, scores: Words, places: Words) -> None:
    variant = state[VARIANT]
    seats = 2 if variant in (TWO, DUO) else 3 if variant == THREE else 4
    for seat in range(seats):
        scores[seat] = score(state, seat)  # BK-12: the shared colour does not count
        if variant == TWO:  # BK-11
            scores[seat] += score(state, seat + 2)
        elif variant == TEAMS:  # BK-10
            scores[seat] += score(state, (seat + 2) % 4)
    for seat in range(seats):  # BK-7: the highest score wins, equal scores share the place
        places[seat] = 1
        for other in range(seats):
            if scores[other] > scores[seat]:
                places[seat] += 1


@rule
def key(state: Words, out: Words) -> int:
    return 0  # every action fills cells: no position comes again


@rule
def repeat(state: Words) -> None:
    return
