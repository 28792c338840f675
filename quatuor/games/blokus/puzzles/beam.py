"""Place all pieces on the Blokus board: a beam search, all colours in turn, large pieces before small ones.

Each step expands every position of the beam into its best few continuations and keeps the best of all of them. A
position is good if few cells are dead for all colours, if every colour may still cover many cells for the squares it
has to place, and if it has many open corners. All of this is updated from what one placement changes.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from quatuor.games.blokus.puzzles.shapes import (
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
    PAUSED,
    ROWS,
    SHAPES,
    SKIP,
    SOLVED,
    window,
)
from quatuor.games.blokus.tables import FORMS, NAMES, PAD, PIECE, SIDE, SQUARES
from quatuor.kernel import Floats, Rng, Words, Words2, Words3, below, exports, jit, lowest, ones, seeds

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

# Random words below 2**60, to distinguish positions
FORM_KEY = (seeds(84, COLOURS * len(FORMS)) >> np.uint64(4)).astype(np.int64).reshape(COLOURS, len(FORMS))
CELL_KEY = (seeds(1 << 32, CELLS) >> np.uint64(4)).astype(np.int64).ravel()

# ---- weights, found by trying many on small beams
SPACIOUS, TIGHT, OPEN_CORNERS = 52.6, 1300.0, 2.4
WASTE, SNUG, NOISE = 1.0, 0.54, 0.54
CHANCE = 60.0  # noise that leaves a placement to chance, except the worst ones


class Limits(NamedTuple):
    """How large a beam is, and in which order it places pieces."""

    width: int  # positions of the beam
    children: int  # continuations of one position that are kept at most
    by_size: bool  # large pieces first
    loose: int  # this many first placements are left to chance, for variety


class Log(NamedTuple):
    """What a beam did: placement k of a step followed placement ``parents[step, k]`` of the step before."""

    parents: Words2
    placements: Words2


class Turn(NamedTuple):
    """Whose placements are listed, and how they are valued."""

    colour: int
    size: int  # of the pieces to place; 0: any
    noise: float


class Candidates(NamedTuple):
    """Continuations of all positions of the beam, those of one position sorted from worst to best."""

    values: Floats
    actions: Words
    parent: Words  # the position of the beam that each continues


class Scratch(NamedTuple):
    """Working memory."""

    free: Words  # the cells that a colour may cover
    seen: Words  # a hash table of positions


class Beam(NamedTuple):
    """A search between two calls."""

    positions: Words3  # those of the even steps, and those of the odd ones
    found: Candidates
    scratch: Scratch
    progress: Words


STEP, COLOUR, SQUARES_NOW, KEPT, EXPANDED, LISTED, CUT = range(7)  # in `progress`; CUT counts placements dropped
PROGRESS = 7


@jit
def _worth(room: int, need: int, corners: int) -> float:
    """The value of a colour's room and open corners, given the squares that it still has to place."""
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
        room1 += ones(free1 & beside)
        room2 += ones(free2 & body)
        room3 += ones(free3 & body)
        room4 += ones(free4 & body)
        open1 += ones(corners & ~beside & free1 & ~attach) - ones(attach & beside)
        open2 += ones(state[ATTACH + second * ROWS + row] & body)
        open3 += ones(state[ATTACH + third * ROWS + row] & body)
        open4 += ones(state[ATTACH + fourth * ROWS + row] & body)
        waste += ones(free1 & beside & ~body & ~others)
        snug += ones(beside & ~body & ~(free1 | others))
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
    """Place a piece and update everything."""
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
        state[DEAD] += ones(state[mine * ROWS + row] & beside & ~body & ~others)
        for colour in range(COLOURS):
            free = state[colour * ROWS + row]
            attach = state[ATTACH + colour * ROWS + row]
            now_free = free & ~(beside if colour == mine else body)
            now_attach = (attach | (corners if colour == mine else 0)) & now_free
            state[colour * ROWS + row] = now_free
            state[ATTACH + colour * ROWS + row] = now_attach
            state[ROOM + colour] += ones(now_free) - ones(free)
            state[OPEN + colour] += ones(now_attach) - ones(attach)
    state[HASH] = _hash(state, mine, action)
    state[HAND + mine] &= ~(1 << PIECE[form])
    state[NEED + mine] -= SQUARES[PIECE[form]]


@jit
def _hash(state: Words, mine: int, action: int) -> int:
    """A hash of the position after a placement: the same for any order of the same placements; never 0."""
    key: int = FORM_KEY[mine, action // CELLS] ^ CELL_KEY[action % CELLS]
    return (state[HASH] + key & (1 << 60) - 1) | 1


@jit
def _keep(found: Candidates, first: int, n: int, most: int, value: float, action: int) -> int:
    """Insert a placement into the ``n`` best ones from ``first`` on, at most ``most`` of them; return their number."""
    values, actions = found.values, found.actions
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
def _best(state: Words, turn: Turn, most: int, beam: Beam, rng: Rng) -> int:
    """Add the best placements of a colour to the candidates; return their number."""
    mine, free, first = turn.colour, beam.scratch.free, beam.progress[LISTED]
    n = 0
    for row in range(ROWS):
        free[row] = state[FREE + mine * ROWS + row]
    for row in range(PAD, ROWS - PAD):
        attach = state[ATTACH + mine * ROWS + row]
        while attach:
            bit = attach & -attach
            attach ^= bit
            column = lowest(bit)
            taken = ~window(free, row, column)
            shape = 0
            while shape < SHAPES:
                if MASK[shape] & taken:
                    shape = SKIP[shape]
                    continue
                action = ACTION[shape] + row * SIDE + column
                piece = PIECE[action // CELLS]
                if state[HAND + mine] >> piece & 1 and (turn.size == 0 or SQUARES[piece] == turn.size):
                    beam.progress[CUT] += n == most
                    value = _judge(state, mine, action) + turn.noise * below(rng, 1024) / 1024
                    n = _keep(beam.found, first, n, most, value, action)
                shape += 1
            free[row] ^= bit  # every placement that covers this attach point has been listed
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
    """Whether a key is in a hash table; adds it if not. The length of the table is a power of two."""
    at = key >> 7 & len(table) - 1
    while table[at]:
        if table[at] == key:
            return True
        at = at + 1 & len(table) - 1
    table[at] = key
    return False


@jit
def _expand(beam: Beam, kept: Any, last: int, turn: Turn, children: int, rng: Rng) -> None:
    """Add the best continuations of the next positions, up to ``last``, to the candidates."""
    progress = beam.progress
    for b in range(progress[EXPANDED], last):
        n = _best(kept[b], turn, children, beam, rng)
        for i in range(progress[LISTED], progress[LISTED] + n):
            beam.found.parent[i] = b
        progress[LISTED] += n
    progress[EXPANDED] = last


@jit
def _select(beam: Beam, kept: Any, after: Any, turn: Turn) -> Any:
    """Put the best different positions into ``after``; return the candidates that led to them."""
    found, seen, total = beam.found, beam.scratch.seen, beam.progress[LISTED]
    width = len(kept)
    chosen = np.zeros(width, np.int64)
    for i in range(len(seen)):
        seen[i] = 0
    values: Any = found.values
    order = np.argsort(values[:total], kind="mergesort")
    n = 0
    for i in range(total - 1, -1, -1):
        k = order[i]
        parent = kept[found.parent[k]]
        if _seen(_hash(parent, turn.colour, found.actions[k]), seen):
            continue
        if n == width:
            beam.progress[CUT] += 1
            break
        after[n] = parent
        lay(after[n], turn.colour, found.actions[k])
        chosen[n] = k
        n += 1
    return chosen[:n]


@jit
def _choose_colour(beam: Beam, kept: Any) -> bool:
    """Set whose piece of which size is placed next; False if none is left."""
    progress = beam.progress
    size = progress[SQUARES_NOW]
    mine = _next(kept[0], progress[COLOUR], size)
    while mine < 0 and size > 1:
        size -= 1
        mine = _next(kept[0], progress[COLOUR], size)
    progress[COLOUR] = max(mine, 0)
    progress[SQUARES_NOW] = size
    return mine >= 0


@jit
def advance(beam: Beam, limits: Limits, rng: Rng, log: Log, count: int) -> int:
    """Expand the next ``count`` positions, and log what is placed: PAUSED, or the result. ``count`` does not change it.

    IMPOSSIBLE means that no continuation was dropped: there is no solution, with ``by_size`` none in that order.
    """
    progress = beam.progress
    while count > 0:
        step = progress[STEP]
        kept, after = beam.positions[step & 1], beam.positions[step + 1 & 1]
        if progress[EXPANDED] == 0 and not _choose_colour(beam, kept):
            return SOLVED
        mine = progress[COLOUR]
        turn = Turn(mine, progress[SQUARES_NOW], CHANCE if step < limits.loose else NOISE)
        last = min(progress[KEPT], progress[EXPANDED] + count)
        count -= last - progress[EXPANDED]
        _expand(beam, kept, last, turn, limits.children, rng)
        if last < progress[KEPT]:
            return PAUSED
        chosen = _select(beam, kept, after, turn)
        n = len(chosen)
        if n == 0:
            return GAVE_UP if progress[CUT] else IMPOSSIBLE
        for i in range(n):
            log.parents[step, i] = beam.found.parent[chosen[i]]
            log.placements[step, i] = beam.found.actions[chosen[i]] * COLOURS + mine
        progress[STEP] = step + 1
        progress[COLOUR] = mine + 1 & 3
        progress[KEPT] = n
        progress[EXPANDED] = 0
        progress[LISTED] = 0
    return PAUSED


EXPORTS = exports(advance, lay)


def begin(start: "np.typing.NDArray[np.int64]", limits: Limits) -> Beam:
    """A search from one position."""
    most, slots = limits.width * limits.children, 4
    while slots < 4 * limits.width:
        slots *= 2
    positions, progress = np.zeros((2, limits.width, SIZE), np.int64), np.zeros(PROGRESS, np.int64)
    positions[0, 0] = start
    progress[SQUARES_NOW], progress[KEPT] = 5 if limits.by_size else 0, 1
    found = Candidates(np.zeros(most), np.zeros(most, np.int64), np.zeros(most, np.int64))
    return Beam(positions, found, Scratch(np.zeros(ROWS, np.int64), np.zeros(slots, np.int64)), progress)


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
