"""3/6: both move at once, three in line win. Clause ids (TS-…) refer to docs/rules/trois_six.md.

A *cell* is 0..35, A1 = 0, B1 = 1, A2 = 6; actions speak of cells. A *spot* is the cell's bit on a board 7 wide whose
rim is never set, so that no line and no move wraps around an edge; spot 0 is on the rim and means "out of play".
A pile is named by its top pawn (TS-6): buried pawns never come back, only the height counts.
Action ``number * 36 + cell`` orders a pawn to a cell; number 0 names a cell and no pawn (TS-14), PASS names none.
"""

import numpy as np

from quatuor.kernel import Words, ones, rule

# ---- the state
PAWNS = 0  # two words: the spots of white, of black
SPOT = 2  # twelve words: where pawn 1 to 6 of white, then of black, tops a pile; 0: nowhere
HEIGHT = 14  # twelve words: how high that pile is
ORDER = 26  # two words: NO_ORDER, SEALED, or the action plus one
QUIET = 28  # turns in a row in which nothing was landed on
WINNER = 29  # RUNNING, 0, 1 or DRAW
WHY = 30  # how the game ended, an index into REASONS
OWN_STACKING, JUMP, VOID_BLOCKS, QUIET_TURNS = 31, 32, 33, 34  # the options, as setup got them
SIZE = 35

RUNNING, DRAW = -1, 2
NO_ORDER, SEALED = 0, -1  # sealed: an order has been given, but is hidden from this seat
REASONS = ("", "line", "both_lines", "two_left", "both_two_left", "quiet")
LINE, BOTH_LINES, TWO_LEFT, BOTH_TWO_LEFT, TOO_QUIET = 1, 2, 3, 4, 5

CELLS = 36
PASS = 7 * CELLS
ACTIONS = PASS + 1
MAX_MOVES = 6 * 19 + CELLS + 1 + 5  # 19 cells at most lie straight around one; legal writes some words ahead
NOBODY = -1
LAYOUT_AT = 1  # where the layout stands in the words of setup: six cells of white, six of black
OPTIONS_AT = LAYOUT_AT + 12

# ---- the board as bits
ROW = 7  # from a spot to the one above; TS-4: the 8 directions are UPWARDS and the same back
UPWARDS = np.array([1, ROW - 1, ROW, ROW + 1], np.int64)
SPOTS = np.array([cell + cell // 6 + 8 for cell in range(CELLS)], np.int64)  # cell -> spot
CELL_AT = np.zeros(64, np.int64)  # spot -> cell
NAMED = np.zeros(256, np.int64)  # order -> the spot that it names, 0 if it names none
BOARD = sum(1 << int(spot) for spot in SPOTS)
STRAIGHT = np.zeros(6 * 64, np.int64)  # distance << 6 | spot -> the cells straight around, no farther away, as bits
RAYS = np.zeros(64 * 8, np.int64)  # spot << 3 | direction -> all cells that way, as bits
BETWEEN = np.zeros(64 * 64, np.int64)  # spot << 6 | spot -> the cells between them, if they lie straight, as bits
FARTHEST = 5

# ---- bits as lists: eight places for each set of bits, as many of them valid as bits are set
LISTED = 8
IN_A_ROW = np.zeros(LISTED << 6, np.int64)  # six cells side by side -> the ones set
AROUND = np.zeros(LISTED << 9, np.int64)  # a cell and those around it -> the ones set, 0 for the lowest left
ALL_AROUND = 0b111_101_111  # without the cell itself


def _fill_tables() -> None:
    for cell, spot in enumerate(SPOTS):
        CELL_AT[spot] = cell
        for direction, step in enumerate([*UPWARDS, *-UPWARDS]):
            to = int(spot + step)
            away = 1
            while BOARD >> to & 1:
                BETWEEN[spot << 6 | to] = RAYS[spot << 3 | direction]
                RAYS[spot << 3 | direction] |= 1 << to
                for distance in range(away, FARTHEST + 1):
                    STRAIGHT[distance << 6 | spot] |= 1 << to
                to += int(step)
                away += 1
    for order in range(PASS):
        NAMED[order] = SPOTS[order % CELLS]
    for bits in range(1 << 6):
        for k, place in enumerate(place for place in range(6) if bits >> place & 1):
            IN_A_ROW[LISTED * bits + k] = place
    for bits in range(1 << 9):
        for k, place in enumerate(place for place in range(9) if bits & ALL_AROUND & 1 << place):
            AROUND[LISTED * bits + k] = place // 3 * 6 + place % 3


_fill_tables()


@rule
def setup(state: Words, options: Words) -> None:
    for i in range(SIZE):
        state[i] = 0
    state[WINNER] = RUNNING
    for i in range(12):  # TS-1, TS-2: pawns 1 to 6 in the order of the layout
        spot = SPOTS[options[LAYOUT_AT + i]]
        state[SPOT + i] = spot
        state[HEIGHT + i] = 1
        state[PAWNS + i // 6] |= 1 << spot
    for i in range(4):
        state[OWN_STACKING + i] = options[OPTIONS_AT + i]


@rule
def to_move(state: Words) -> int:
    """TS-3: both act, and their orders may come in any order. TS-24: so neither begins."""
    if state[WINNER] != RUNNING:
        return 0
    return (1 if state[ORDER] <= NO_ORDER else 0) | (2 if state[ORDER + 1] <= NO_ORDER else 0)


@rule
def reach(state: Words, seat: int, spot: int, height: int) -> int:
    """The spots, as bits, that a pile of this height on this spot may be ordered to; none from out of play."""
    mine = state[PAWNS + (seat & 1)]
    straight: int = STRAIGHT[min(height, FARTHEST) << 6 | spot & 63]  # TS-4, TS-5: 1 to height cells, straight
    if state[OWN_STACKING] == 0:  # TS-12
        straight &= ~mine
    if height <= 1 or state[JUMP]:
        return straight
    taken = (mine | state[PAWNS + 1 - (seat & 1)]) & BOARD
    clear = 0
    for i in range(4):  # TS-13: as far as the first piece in the way
        ahead = RAYS[(spot & 63) << 3 | i]
        first = ahead & taken
        clear |= ahead & (first ^ first - 1)  # the lowest bit and those below it; all if none is set
        back = RAYS[(spot & 63) << 3 | i + 4]
        step = UPWARDS[i]
        shade = back & taken
        shade |= shade >> step
        shade |= shade >> 2 * step  # four long: from the nearest cell to the farthest but one
        clear |= back & ~(shade >> step)
    return clear & straight


@rule
def _append_around(out: Words, n: int, cell: int, bits: int) -> int:
    """Write the cells of a list, counted from a cell, to ``out[n]`` and on; return where it ends.

    Always writes eight words, without a branch for each; the next list overwrites the surplus.
    """
    for k in range(LISTED):
        out[(n & 255) + k] = cell + AROUND[LISTED * bits + k]
    return n + ones(bits & ALL_AROUND)


@rule
def _append_row(out: Words, n: int, cell: int, bits: int) -> int:
    """The same for the cells of a row."""
    for k in range(LISTED):
        out[(n & 255) + k] = cell + IN_A_ROW[LISTED * bits + k]
    return n + ones(bits)


@rule
def legal(state: Words, seat: int, out: Words) -> int:
    """Every possible order, and PASS; where a void order can block, also one for each cell. Cells go row by row."""
    if state[WINNER] != RUNNING:
        return 0
    free = BOARD if state[OWN_STACKING] else BOARD & ~state[PAWNS + (seat & 1)]  # TS-12
    n = 0
    for i in range(6):
        pawn = 6 * (seat & 1) + i
        spot = state[SPOT + pawn]
        height = state[HEIGHT + pawn]
        if height <= 1:  # TS-4; a pawn out of play finds nothing around it
            near = free >> (spot - 8 & 63)
            around = near & 7 | near >> 4 & 7 << 3 | near >> 8 & 7 << 6
            n = _append_around(out, n, CELLS * (i + 1) + CELL_AT[spot & 63] - 7, around)
        else:
            spots = reach(state, seat, spot, height) >> 8
            for row in range(6):
                n = _append_row(out, n, CELLS * (i + 1) + 6 * row, spots & 63)
                spots >>= ROW
    if state[VOID_BLOCKS]:  # TS-14
        for cell in range(CELLS):
            out[n] = cell
            n += 1
    out[n] = PASS  # TS-8
    return n + 1


@rule
def mover(state: Words, seat: int, action: int) -> int:
    """The pawn (0..5 white's, 6..11 black's) that an order moves, or NOBODY: an impossible order (TS-8).

    A buried pawn cannot be named (TS-6): it reaches nothing. The same rules as in ``reach``, for one cell.
    """
    number = (action & 255) // CELLS
    if number < 1 or number > 6:
        return NOBODY
    pawn = 6 * (seat & 1) + number - 1
    spot = state[SPOT + pawn] & 63
    to = NAMED[action & 255]
    mine = state[PAWNS + (seat & 1)]
    straight = STRAIGHT[min(state[HEIGHT + pawn], FARTHEST) << 6 | spot]  # TS-4, TS-5
    own = 0 if state[OWN_STACKING] else mine  # TS-12
    passed = 0 if state[JUMP] else BETWEEN[spot << 6 | to] & (mine | state[PAWNS + 1 - (seat & 1)])  # TS-13
    return pawn if straight & ~own & 1 << to and passed == 0 else NOBODY


@rule
def collide(state: Words, white: int, black: int, white_pawn: int, black_pawn: int) -> bool:
    """TS-7: both name the same cell, so neither moves. TS-14: an impossible order counts only by option."""
    to: int = NAMED[white & 255]
    if to == 0 or to != NAMED[black & 255]:
        return False
    return state[VOID_BLOCKS] != 0 or (white_pawn != NOBODY and black_pawn != NOBODY)


@rule
def _leave(state: Words, pawn: int) -> None:
    state[PAWNS + pawn // 6] ^= 1 << state[SPOT + pawn]


@rule
def _bury(state: Words, to: int) -> int:
    """Take the pile that stands on a spot out of play for good (TS-10); return its height."""
    below = 0
    for pawn in range(1, 12):  # always eleven times: processors could not predict an end that depends on the spot
        below += pawn if state[SPOT + pawn] == to else 0
    height = state[HEIGHT + below]
    state[SPOT + below] = 0
    state[HEIGHT + below] = 0
    state[PAWNS + below // 6] ^= 1 << to
    state[QUIET] = 0
    return height


@rule
def _arrive(state: Words, pawn: int, to: int) -> None:
    """TS-10: land on top of the pile that stands there, whose height is added (TS-5)."""
    if (state[PAWNS] | state[PAWNS + 1]) >> to & 1:
        state[HEIGHT + pawn] += _bury(state, to)
    state[SPOT + pawn] = to
    state[PAWNS + pawn // 6] ^= 1 << to


@rule
def line(spots: int) -> bool:
    """TS-20: three in a row, a column or a diagonal, side by side."""
    return (
        spots & spots >> 1 & spots >> 2
        | spots & spots >> 6 & spots >> 12
        | spots & spots >> 7 & spots >> 14
        | spots & spots >> 8 & spots >> 16
    ) != 0


@rule
def _two_left(spots: int) -> bool:
    """TS-21: two piles or fewer."""
    rest = spots & spots - 1
    return rest & rest - 1 == 0


@rule
def _finish(state: Words, winner: int, why: int) -> None:
    state[WINNER] = winner
    state[WHY] = why


@rule
def _decide(state: Words) -> None:
    """TS-22: lines before losses; of the same kind at once, a draw. TS-23 last."""
    white_line = line(state[PAWNS])
    black_line = line(state[PAWNS + 1])
    white_few = _two_left(state[PAWNS])
    black_few = _two_left(state[PAWNS + 1])
    if white_line and black_line:
        _finish(state, DRAW, BOTH_LINES)
    elif white_line or black_line:
        _finish(state, 0 if white_line else 1, LINE)
    elif white_few and black_few:
        _finish(state, DRAW, BOTH_TWO_LEFT)
    elif white_few or black_few:
        _finish(state, 1 if white_few else 0, TWO_LEFT)
    elif state[QUIET_TURNS] and state[QUIET] == state[QUIET_TURNS]:
        _finish(state, DRAW, TOO_QUIET)


@rule
def play(state: Words, seat: int, action: int) -> None:
    """TS-3: the first order waits for the second, then both are carried out together."""
    state[ORDER + (seat & 1)] = action + 1
    if state[ORDER] <= NO_ORDER or state[ORDER + 1] <= NO_ORDER:
        return
    white = state[ORDER] - 1
    black = state[ORDER + 1] - 1
    state[ORDER] = NO_ORDER
    state[ORDER + 1] = NO_ORDER
    state[QUIET] += 1
    white_pawn = mover(state, 0, white)
    black_pawn = mover(state, 1, black)
    if not collide(state, white, black, white_pawn, black_pawn):
        # TS-11: both leave before either arrives
        if white_pawn != NOBODY:
            _leave(state, white_pawn)
        if black_pawn != NOBODY:
            _leave(state, black_pawn)
        if white_pawn != NOBODY:
            _arrive(state, white_pawn, NAMED[white & 255])
        if black_pawn != NOBODY:
            _arrive(state, black_pawn, NAMED[black & 255])
    _decide(state)


@rule
def outcome(state: Words, scores: Words, places: Words) -> None:
    winner = state[WINNER]
    for seat in range(2):
        scores[seat] = 1 if winner == seat else 0
        places[seat] = 2 if winner == 1 - seat else 1


@rule
def key(state: Words, out: Words) -> int:
    return 0  # TS-23: turns in which nothing moves are normal, so no position counts as repeated


@rule
def repeat(state: Words) -> None:
    """TS-23: never called, as no position counts."""
