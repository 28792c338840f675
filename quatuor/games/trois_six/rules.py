"""3/6: both move at once, three in line win. Clause ids (TS-…) refer to docs/rules/trois_six.md.

A *cell* is 0..35, A1 = 0, B1 = 1, A2 = 6; actions speak of cells. A *spot* is the cell's bit on a board 7 wide whose
rim is never set, so that no line and no move wraps around an edge; spot 0 lies on the rim and means "out of play".
A pile is known by its top pawn (TS-6): what is buried never comes back, only the height counts.
Action ``number * 36 + cell`` orders a pawn to a cell; number 0 names a cell and no pawn (TS-14), PASS names none.
"""

import numpy as np

from quatuor.kernel import Words, jit

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
NO_ORDER, SEALED = 0, -1  # sealed: an order is in, but not for these eyes
REASONS = ("", "line", "both_lines", "two_left", "both_two_left", "quiet")
LINE, BOTH_LINES, TWO_LEFT, BOTH_TWO_LEFT, TOO_QUIET = 1, 2, 3, 4, 5

CELLS = 36
PASS = 7 * CELLS
ACTIONS = PASS + 1
MAX_MOVES = 6 * 19 + CELLS + 1 + 5  # 19 cells at most lie straight around one; 5 for the places legal writes ahead
NOBODY = -1
LAYOUT_AT = 1  # where the layout stands in the words of setup: six cells of white, six of black
OPTIONS_AT = LAYOUT_AT + 12

# ---- the board as bits
ROW = 7  # from a spot to the one above; TS-4: the 8 directions are UPWARDS and the same back
UPWARDS = np.array([1, ROW - 1, ROW, ROW + 1], np.int64)
SPOTS = np.array([cell + cell // 6 + 8 for cell in range(CELLS)], np.int64)  # cell -> spot
CELL_AT = np.zeros(64, np.int64)  # spot -> cell
BOARD = sum(1 << int(spot) for spot in SPOTS)
RAYS = np.zeros(8 * 64, np.int64)  # direction << 6 | spot -> all cells that way, as bits
WITHIN = np.zeros(6 * 64, np.int64)  # distance << 6 | spot -> the cells no farther away, as bits
LISTS = np.zeros(64 * 8, np.int64)  # six bits << 3 | k -> which is the k-th one set
COUNTS = np.array([bits.bit_count() for bits in range(64)], np.int64)
FARTHEST = 5


def _fill_tables() -> None:
    for cell, spot in enumerate(SPOTS):
        CELL_AT[spot] = cell
        for direction, step in enumerate([*UPWARDS, *-UPWARDS]):
            to = int(spot + step)
            while BOARD >> to & 1:
                RAYS[direction << 6 | spot] |= 1 << to
                to += int(step)
        for other in set(range(CELLS)) - {cell}:
            away = max(abs(cell % 6 - other % 6), abs(cell // 6 - other // 6))
            for distance in range(away, FARTHEST + 1):
                WITHIN[distance << 6 | spot] |= 1 << int(SPOTS[other])
    for bits in range(64):
        for k, place in enumerate(place for place in range(6) if bits >> place & 1):
            LISTS[bits << 3 | k] = place


_fill_tables()


@jit
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


@jit
def to_move(state: Words) -> int:
    """TS-3: both act, in whatever order their orders come in. TS-24: so nobody begins."""
    if state[WINNER] != RUNNING:
        return 0
    return (1 if state[ORDER] <= NO_ORDER else 0) | (2 if state[ORDER + 1] <= NO_ORDER else 0)


@jit
def reach(state: Words, seat: int, spot: int, height: int) -> int:
    """The spots, as bits, that a pile of this height on this spot may be ordered to."""
    mine = state[PAWNS + (seat & 1)]
    within: int = WITHIN[min(height, FARTHEST) << 6 | spot & 63]
    if state[OWN_STACKING] == 0:  # TS-12
        within &= ~mine
    if height == 1:
        return within  # TS-4
    taken = 0 if state[JUMP] else mine | state[PAWNS + 1 - (seat & 1)]
    found = 0
    for i in range(4):  # TS-5: 1 to height cells, straight; TS-13: as far as the first piece in the way
        ahead = RAYS[i << 6 | spot & 63]
        first = ahead & taken & -(ahead & taken)
        found |= ahead & (first | first - 1)
        back = RAYS[i + 4 << 6 | spot & 63]
        step = UPWARDS[i]
        shade = back & taken
        shade |= shade >> step
        shade |= shade >> 2 * step
        shade |= shade >> 4 * step
        found |= back & ~(shade >> step)
    return found & within


@jit
def legal(state: Words, seat: int, out: Words) -> int:
    """Every possible order, and PASS; where a void order can block, also one for each cell.

    Cells are listed row by row and without a branch for each: all places are written, only the free ones counted.
    """
    if state[WINNER] != RUNNING:
        return 0
    around = BOARD if state[OWN_STACKING] else BOARD & ~state[PAWNS + (seat & 1)]  # TS-12
    n = 0
    for i in range(6):
        pawn = 6 * (seat & 1) + i
        spot = state[SPOT + pawn]
        height = state[HEIGHT + pawn]
        if height <= 1:  # TS-4; a pawn out of play finds nothing around it
            cell = CELLS * (i + 1) + CELL_AT[spot & 63] - 7
            near = around >> (spot - 8 & 63)
            for row in range(3):
                free = near & (5 if row == 1 else 7)
                for k in range(3):
                    out[(n & 255) + k] = cell + LISTS[free << 3 | k]
                n += COUNTS[free]
                cell += 6
                near >>= ROW
        else:
            cell = CELLS * (i + 1)
            spots = reach(state, seat, spot, height) >> 8
            for _ in range(6):
                free = spots & 63
                for k in range(6):
                    out[(n & 255) + k] = cell + LISTS[free << 3 | k]
                n += COUNTS[free]
                cell += 6
                spots >>= ROW
    if state[VOID_BLOCKS]:  # TS-14
        for cell in range(CELLS):
            out[n] = cell
            n += 1
    out[n] = PASS  # TS-8
    return n + 1


@jit
def target(action: int) -> int:
    """The spot that an order names, 0 if it names none."""
    spot: int = SPOTS[(action & 255) % CELLS]
    return spot if action < PASS else 0


@jit
def mover(state: Words, seat: int, action: int) -> int:
    """The pawn (0..5 white's, 6..11 black's) that an order moves, or NOBODY: an impossible order (TS-8)."""
    number = (action & 255) // CELLS
    if number < 1 or number > 6:
        return NOBODY
    pawn = 6 * (seat & 1) + number - 1
    spot = state[SPOT + pawn]
    if spot == 0:  # a buried pawn cannot be named (TS-6)
        return NOBODY
    return pawn if reach(state, seat, spot, state[HEIGHT + pawn]) >> target(action) & 1 else NOBODY


@jit
def collide(state: Words, white: int, black: int, white_pawn: int, black_pawn: int) -> bool:
    """TS-7: both name the same cell, so nobody moves. TS-14: an impossible order counts only by option."""
    if target(white) == 0 or target(white) != target(black):
        return False
    return state[VOID_BLOCKS] != 0 or (white_pawn != NOBODY and black_pawn != NOBODY)


@jit
def _arrive(state: Words, pawn: int, to: int) -> None:
    """TS-10: on top of whatever stands there, which is out of play for good but adds its height (TS-5)."""
    bit = 1 << to
    if (state[PAWNS] | state[PAWNS + 1]) & bit:
        height = state[HEIGHT + pawn]
        for i in range(12):
            below = state[SPOT + i] == to
            height += state[HEIGHT + i] if below else 0
            state[SPOT + i] = 0 if below else state[SPOT + i]
            state[HEIGHT + i] = 0 if below else state[HEIGHT + i]
        state[HEIGHT + pawn] = height
        state[PAWNS] &= ~bit
        state[PAWNS + 1] &= ~bit
        state[QUIET] = 0
    state[SPOT + pawn] = to
    state[PAWNS + pawn // 6] |= bit


@jit
def line(spots: int) -> bool:
    """TS-20: three in a row, a column or a diagonal, side by side."""
    return (
        spots & spots >> 1 & spots >> 2
        | spots & spots >> 6 & spots >> 12
        | spots & spots >> 7 & spots >> 14
        | spots & spots >> 8 & spots >> 16
    ) != 0


@jit
def _two_left(spots: int) -> bool:
    """TS-21: two piles or fewer."""
    rest = spots & spots - 1
    return rest & rest - 1 == 0


@jit
def _finish(state: Words, winner: int, why: int) -> None:
    state[WINNER] = winner
    state[WHY] = why


@jit
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


@jit
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
            state[PAWNS] ^= 1 << state[SPOT + white_pawn]
            state[SPOT + white_pawn] = 0
        if black_pawn != NOBODY:
            state[PAWNS + 1] ^= 1 << state[SPOT + black_pawn]
            state[SPOT + black_pawn] = 0
        if white_pawn != NOBODY:
            _arrive(state, white_pawn, target(white))
        if black_pawn != NOBODY:
            _arrive(state, black_pawn, target(black))
    _decide(state)


@jit
def outcome(state: Words, scores: Words, places: Words) -> None:
    winner = state[WINNER]
    for seat in range(2):
        scores[seat] = 1 if winner == seat else 0
        places[seat] = 2 if winner == 1 - seat else 1


@jit
def key(state: Words, out: Words) -> int:
    return 0  # TS-23: turns in which nothing moves are normal, so no position counts as repeated


@jit
def repeat(state: Words) -> None:
    """TS-23: never called, as no position counts."""
