"""Plateau X: lay bricks, climb with pawns. Clause ids (PX-…) refer to docs/rules/plateau_x.md.

Sets of cells are words of bits; tables.py says which bit is which cell and how actions are numbered. Levels are five
words, bit k of a cell's level in word k: 49 bricks reach level 26 at most, because below the top three levels every
level needs two bricks (a level of one brick carries only one smaller brick).
"""

from quatuor.games.plateau_x.tables import (
    ACROSS,
    ANCHOR,
    BIT,
    BOARDS,
    CELLS,
    COVER,
    DE_BRUIJN,
    END,
    ENTER,
    FIRST,
    IN_HAND,
    KIND,
    KINDS,
    MOVE,
    NO_LOWER_LEFT,
    NO_LOWER_RIGHT,
    NO_UPPER_LEFT,
    NO_UPPER_RIGHT,
    PAWNS,
    PLACE,
    RIGHT,
    SEATS,
    SINGLE,
    SINGLES,
    UP,
    UPRIGHT,
    WIDTH,
)
from quatuor.kernel import Words, ones, rule

# ---- the state
LEVEL = 0  # five words: the cells' levels, PX-2
SAME = 5  # two words: cells whose right, upper neighbour is on the same level
STEP = 7  # two words: cells whose right, upper neighbour is exactly one level away
OPEN = 9  # a word for each kind: the anchors of uncovered bricks, which are all that PX-13 needs
LAID = 16  # nine words: the bricks in the order they were laid, as action ids, six a word (for pictures only)
BRICKS = 25  # how many have been laid
PAWN = 26  # two words a seat: the pawn's cell or IN_HAND
SINCE = 34  # two words a seat: the ply of the pawn's last move, PX-33
OCCUPIED = 42  # all cells with a pawn
SINGLES_LEFT, DOUBLES_LEFT = 43, 47  # one word a seat
TRIPLES_LEFT = 51
TURN, PLY = 52, 53
WHY = 54  # how the game ended, an index into REASONS; 0 while it runs
VARIANT, EDITION, REPETITION = 55, 56, 57  # the options, as setup got them
SIZE = 58

PLANES, TRIPLES = 5, 37
EDITION_DE, REPETITION_END = 0, 0
REASONS = ("", "no_brick_declared", "no_move", "repetition")
DECLARED, NO_MOVE, REPEATED = 1, 2, 3
PER_WORD, ID_BITS = 6, 9  # of LAID
SIZE_SHIFT, LEVEL_SHIFT = 40, 46  # of a pawn's worth: seniority in the lowest bits


@rule
def setup(state: Words, options: Words) -> None:
    for i in range(SIZE):
        state[i] = 0
    variant = options[0] & 3
    for i in range(3):
        state[VARIANT + i] = options[i]
    for i in range(8):
        state[PAWN + i] = IN_HAND
    for seat in range(SEATS[variant]):  # PX-40, PX-41, PX-42, PX-43
        state[SINGLES_LEFT + seat] = SINGLES[variant]
        state[DOUBLES_LEFT + seat] = 1
    state[TRIPLES_LEFT] = TRIPLES  # PX-4: all of them in every variant
    _compare(state, SAME, RIGHT)
    _compare(state, SAME + 1, UP)


@rule
def to_move(state: Words) -> int:
    return 0 if state[WHY] else 1 << state[TURN]


# ---- terrain


@rule
def _compare(state: Words, edge: int, shift: int) -> None:
    """Compare every cell with its right or upper neighbour, all at once: the same level, or one level apart?"""
    board = BOARDS[state[VARIANT] & 3]  # PX-1
    differ = higher = lower = 0
    carry = board
    for plane in range(PLANES):
        level = state[LEVEL + plane]
        above = level ^ carry  # this plane of level + 1
        carry &= level
        differ |= level ^ level >> shift
        higher |= above ^ level >> shift  # the neighbour is not exactly one higher
        lower |= level ^ above >> shift  # nor one lower
    inside = board & board >> shift
    state[edge] = inside & ~differ
    state[edge + 2] = inside & ~(higher & lower)


@rule
def _neighbours(cells: int, right: int, up: int) -> int:
    """The cells joined to these by an edge of the two sets."""
    return (cells & right) << RIGHT | cells >> RIGHT & right | (cells & up) << UP | cells >> UP & up


@rule
def _raised(state: Words) -> int:
    """The cells at level 1 or higher: those that make plateaus (PX-3)."""
    return state[LEVEL] | state[LEVEL + 1] | state[LEVEL + 2] | state[LEVEL + 3] | state[LEVEL + 4]


@rule
def plateaus(state: Words, cells: int) -> int:
    """PX-3: all cells of the plateaus that these cells are part of. The bare board makes none."""
    found = cells & _raised(state)
    while True:
        grown = found | _neighbours(found, state[SAME], state[SAME + 1])
        if grown == found:
            return found
        found = grown


@rule
def level_of(state: Words, cells: int) -> int:
    """The level of one cell."""
    level = 0
    for plane in range(PLANES):
        if state[LEVEL + plane] & cells:
            level |= 1 << plane
    return level


# ---- what a player can do


@rule
def fitting(state: Words, seat: int, kind: int) -> int:
    """PX-10: where the player can lay a brick of this kind, as anchors."""
    free = BOARDS[state[VARIANT] & 3] & ~state[OCCUPIED]  # PX-12
    if kind == SINGLE:
        return free & ~state[OPEN] if state[SINGLES_LEFT + (seat & 3)] else 0  # PX-13: never onto a single
    across = state[SAME] & free & free >> RIGHT  # PX-11: pairs of free cells on one level
    upright = state[SAME + 1] & free & free >> UP
    if kind <= UPRIGHT:
        if state[DOUBLES_LEFT + (seat & 3)] == 0:
            return 0
        return (across if kind == ACROSS else upright) & ~state[OPEN + (kind & 3)]
    if state[TRIPLES_LEFT] == 0:
        return 0
    lower = kind == NO_LOWER_LEFT or kind == NO_LOWER_RIGHT  # the pair across is the upper one then
    left = kind == NO_LOWER_LEFT or kind == NO_UPPER_LEFT  # the upright pair is the right one then
    pair = across >> UP if lower else across
    post = upright >> RIGHT if left else upright
    # PX-13: all its cells are on one level, so an uncovered brick of the same kind there is exactly beneath it
    return pair & post & ~state[OPEN + (kind & 7)]


@rule
def can_lay(state: Words, seat: int) -> bool:
    """Whether any brick is left for the player that fits somewhere (PX-20)."""
    kind = KINDS - 1  # triples first: most often one fits
    while kind >= 0 and fitting(state, seat, kind) == 0:
        kind -= 1
    return kind >= 0


@rule
def entries(state: Words, seat: int) -> int:
    """PX-14: where the player can bring a pawn in: bare cells without a pawn, while one is in hand."""
    for i in range(PAWNS[state[VARIANT] & 3]):
        if state[PAWN + 2 * (seat & 3) + i] == IN_HAND:
            return BOARDS[state[VARIANT] & 3] & ~_raised(state) & ~state[OCCUPIED]
    return 0


@rule
def barred(state: Words, seat: int) -> int:
    """PX-15: the plateaus that the player's pawns may not step on: those with an enemy pawn (PX-16, PX-43).

    PX-17 follows: a pawn that leaves a plateau shared with an enemy cannot return to it in the same move.
    """
    own = BIT[state[PAWN + 2 * (seat & 3)]] | BIT[state[PAWN + 2 * (seat & 3) + 1]]
    return plateaus(state, state[OCCUPIED] & ~own)


@rule
def targets(state: Words, seat: int, pawn: int) -> int:
    """PX-15: the cells where a pawn can end its move; its own cell if there is a way out and back (PX-18)."""
    free = ~barred(state, seat) & ~(state[OCCUPIED] & ~pawn)  # PX-16: no cell ever holds two pawns
    reached = _neighbours(pawn, state[STEP], state[STEP + 1]) & free
    while True:
        grown = reached | _neighbours(reached, state[STEP], state[STEP + 1]) & free
        if grown == reached:
            return reached
        reached = grown


@rule
def _can_go(state: Words, seat: int) -> bool:
    """Whether the player can move a pawn or bring one in (PX-23)."""
    cells = entries(state, seat)
    for i in range(PAWNS[state[VARIANT] & 3]):
        cells |= targets(state, seat, BIT[state[PAWN + 2 * (seat & 3) + i]])
    return cells != 0


@rule
def _list(cells: int, first: int, width: int, out: Words, n: int) -> int:
    """Append the action ids of a set of cells or anchors, ``width`` of them a row, counted from ``first``."""
    gap = UP - width
    for half in range(0, 64, 32):
        part = cells >> half & 0xFFFFFFFF
        while part:
            lowest = part & -part
            i = half + PLACE[lowest * DE_BRUIJN >> 27 & 31]
            out[n] = first + i - gap * (i >> 3)
            n += 1
            part ^= lowest
    return n


@rule
def legal(state: Words, seat: int, out: Words) -> int:
    if state[WHY]:
        return 0
    n = 0
    for kind in range(KINDS):
        anchors = fitting(state, seat, kind)
        if anchors:
            n = _list(anchors, FIRST[kind], WIDTH[kind], out, n)
    stuck = n == 0
    bare = entries(state, seat)
    if bare:
        n = _list(bare, ENTER, 7, out, n)
    for i in range(PAWNS[state[VARIANT] & 3]):
        cell = state[PAWN + 2 * (seat & 3) + i]
        if cell != IN_HAND:
            n = _list(targets(state, seat, BIT[cell]), MOVE + CELLS * cell, 7, out, n)
    if stuck and state[EDITION] == EDITION_DE:  # PX-21; PX-19: there is no other way to pass
        out[n] = END
        n += 1
    return n


# ---- doing it


@rule
def _lay(state: Words, seat: int, action: int) -> None:
    cells = COVER[action]
    kind = KIND[action] & 7
    carry = cells
    for plane in range(PLANES):  # PX-2: one level higher
        level = state[LEVEL + plane]
        state[LEVEL + plane] = level ^ carry
        carry &= level
    _compare(state, SAME, RIGHT)
    _compare(state, SAME + 1, UP)
    right = cells >> RIGHT  # the anchors from which the new brick's cells are one to the right, and so on
    up = cells >> UP
    both = cells >> UP + RIGHT
    state[OPEN + SINGLE] &= ~cells  # bricks that the new one touches are no longer open
    state[OPEN + ACROSS] &= ~(cells | right)
    state[OPEN + UPRIGHT] &= ~(cells | up)
    state[OPEN + NO_LOWER_LEFT] &= ~(right | up | both)
    state[OPEN + NO_LOWER_RIGHT] &= ~(cells | up | both)
    state[OPEN + NO_UPPER_LEFT] &= ~(cells | right | both)
    state[OPEN + NO_UPPER_RIGHT] &= ~(cells | right | up)
    state[OPEN + kind] |= ANCHOR[action]
    if kind == SINGLE:
        state[SINGLES_LEFT + seat] -= 1
    elif kind <= UPRIGHT:
        state[DOUBLES_LEFT + seat] -= 1
    else:
        state[TRIPLES_LEFT] -= 1
    laid = state[BRICKS]
    state[LAID + laid // PER_WORD] |= action << laid % PER_WORD * ID_BITS
    state[BRICKS] = laid + 1


@rule
def _put(state: Words, seat: int, origin: int, target: int) -> None:
    """Move a pawn, or bring it in from the hand."""
    i = PAWN + 2 * seat
    if state[i] != origin:
        i += 1
    state[i] = target
    state[i + SINCE - PAWN] = state[PLY]  # PX-33: every move counts afresh
    state[OCCUPIED] ^= BIT[origin] ^ BIT[target]


@rule
def play(state: Words, seat: int, action: int) -> None:
    mover = state[TURN] & 3
    state[PLY] += 1
    if action == END:
        state[WHY] = DECLARED  # PX-21, PX-22
        return
    if action < ENTER:
        _lay(state, mover, action)
    elif action < MOVE:
        _put(state, mover, IN_HAND, action - ENTER)
    else:
        _put(state, mover, (action - MOVE) // CELLS, (action - MOVE) % CELLS)
    state[TURN] = (mover + 1) % SEATS[state[VARIANT] & 3]  # PX-45: seats are in turn order
    if not can_lay(state, state[TURN]) and not _can_go(state, state[TURN]):
        state[WHY] = NO_MOVE  # PX-20 to PX-22, in both editions


# ---- the ranking


@rule
def worth(state: Words, seat: int, i: int) -> int:
    """A pawn's standing as one number, higher is better: level, size of its plateau, seniority; 0 in hand."""
    cell = state[PAWN + 2 * (seat & 3) + (i & 1)]
    if cell == IN_HAND:
        return 0  # PX-31: below level 0
    level = level_of(state, BIT[cell])
    size = ones(plateaus(state, BIT[cell]))  # PX-31: none at level 0
    since = state[SINCE + 2 * (seat & 3) + (i & 1)]
    return (level + 1) << LEVEL_SHIFT | size << SIZE_SHIFT | (1 << SIZE_SHIFT) - since  # PX-30, PX-31, PX-32


@rule
def best(state: Words, seat: int) -> int:
    """PX-34: the number of the player's better pawn."""
    return 1 if worth(state, seat, 1) > worth(state, seat, 0) else 0


@rule
def outcome(state: Words, scores: Words, places: Words) -> None:
    """A seat's score is the level of its better pawn, -1 if none was brought in."""
    seats = SEATS[state[VARIANT] & 3]
    for seat in range(seats):
        scores[seat] = worth(state, seat, best(state, seat))
    for seat in range(seats):
        places[seat] = 1
        for other in range(seats):
            if scores[other] > scores[seat]:
                places[seat] += 1
    for seat in range(seats):
        scores[seat] = (scores[seat] >> LEVEL_SHIFT) - 1


@rule
def key(state: Words, out: Words) -> int:
    """PX-24: bricks (their levels and the open ones), stocks, pawns, player to move.

    A seat's two pawns are written in the order of their cells, because they are interchangeable. Covered bricks need no
    words: bricks are never taken away, so between two equal positions of one game none was laid.
    """
    if state[REPETITION] != REPETITION_END:
        return 0
    for i in range(PLANES):
        out[i] = state[LEVEL + i]
    for kind in range(KINDS):
        out[PLANES + kind] = state[OPEN + kind]
    stocks = state[TRIPLES_LEFT]
    pawns = state[TURN]
    for seat in range(4):
        stocks = stocks << 3 | state[SINGLES_LEFT + seat] << 1 | state[DOUBLES_LEFT + seat]
        one = state[PAWN + 2 * seat]
        two = state[PAWN + 2 * seat + 1]
        pawns = pawns << 12 | min(one, two) << 6 | max(one, two)
    out[PLANES + KINDS] = stocks
    out[PLANES + KINDS + 1] = pawns
    return PLANES + KINDS + 2


@rule
def repeat(state: Words) -> None:
    state[WHY] = REPEATED  # PX-24: ranked as it stands
