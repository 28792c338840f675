"""Fill a rectangle with polyominoes of one size: exact cover by depth-first search, with a colouring beside it.

The search takes the empty cell that the fewest placements can cover, tries those placements with the awkward shapes
first (they are hard to place later), and backtracks when the size of an empty region is not a multiple of a piece's. In
the hard puzzles pieces of one colour must not touch: pieces that touch are in conflict, and so are the copies of a
shape, which have different colours. The search keeps one proper colouring of the pieces on the board; a placement is
refused only if the colouring cannot be repaired. In the plain puzzles it remembers positions that failed.
"""

from typing import NamedTuple

import numpy as np

from quatuor.games.blokus.puzzles.colouring import COLOURS, colour
from quatuor.games.blokus.puzzles.shapes import (
    ACTION,
    CELLS,
    GAVE_UP,
    IMPOSSIBLE,
    MASK,
    PAUSED,
    ROWS,
    SHAPES,
    SKIP,
    SOLVED,
    flip,
    window,
)
from quatuor.games.blokus.tables import FORM_ROWS, FORMS, NAMES, PAD, PIECE, SIDE, SQUARES, Cells
from quatuor.kernel import Floats, Rng, Words, Words2, below, exports, jit, lowest, ones

FULL = (1 << ROWS) - 1
MOST_PIECES = 48  # of any puzzle that is completed here: pento48
MOST_DEPTH = 64  # pieces placed one below the other: more than there are
LOOK = 40  # empty cells among which the one with the fewest placements is chosen; chosen, not measured
MEMORY = 1 << 14  # failed positions that are remembered; chosen, not measured
LIMIT, STRIDE, NODES, DEPTH, UNSURE = range(5)  # in `effort`: nodes allowed, allowed in one call, used; where it paused
EFFORT = 5
NEW = -1  # in `untried`: the node has not been expanded


class Task(NamedTuple):
    """What is to be filled, and how."""

    size: int  # squares of every piece
    laid: int  # pieces on the board at the start; their colours are fixed
    hard: bool  # pieces of one colour must not touch
    noise: float  # how far the order of trial is left to chance
    budget: int  # steps to repair a colouring; too few may cost a proof, but not a solution


class Board(NamedTuple):
    """The cells that are taken, and the pieces that are left."""

    cells: Words  # ROWS words, a set bit is taken
    left: Words  # copies left of every piece


class Conflicts(NamedTuple):
    """The pieces on the board as a graph, and one proper colouring of it (colouring.py)."""

    conflicts: Words  # of every piece, the pieces that must have another colour, as bits
    classes: Words  # of every colour, its pieces, as bits
    copies: Words  # of every shape, the pieces of that shape, as bits
    owner: Words2  # the piece on every cell, or -1


class Scratch(NamedTuple):
    """Working memory of a search, and the positions that failed."""

    options: Words2  # the placements to try at every depth
    untried: Words  # how many of them are left, or NEW
    keys: Floats
    empty: Words
    region: Words
    stack: Words2
    failed: Words  # MEMORY words; later attempts at the same puzzle use them too


def _awkward(cells: Cells) -> float:
    """How hard a shape is to place: dead ends and a large box make it harder, a 2 by 2 block easier."""
    links = [sum(abs(r - y) + abs(c - x) == 1 for y, x in cells) for r, c in cells]
    box = (max(r for r, _ in cells) + 1) * (max(c for _, c in cells) + 1)
    return links.count(1) + 0.3 * (box - len(cells)) - 2 * (sum(links) // 2 - len(cells) + 1)


AWKWARD = np.array([_awkward(FORMS[list(PIECE).index(piece)]) for piece in range(len(NAMES))])
ROW_KEY = np.array([
    4063581373, 2748942197, 2709349711, 3137788666, 4069464376, 2408874697, 2682809679, 3269776537, 2666250302,
    3026166115, 2886828433, 2301328404, 2221417636, 2360012966, 3570240666, 4265521781, 4144236243, 3637983075,
    4128946755, 3111034779, 3330059651, 3522252876, 3016150798, 2728354044, 3653539520, 2795753055, 3339995606,
    2304984538,
], np.int64)  # random words from 2**31 to 2**32, one for each row  # fmt: skip


@jit
def _options(board: Words, row: int, column: int, size: int, left: Words, most: int, out: Words) -> int:
    """The placements that cover a cell, up to ``most`` of them; return their number."""
    taken = window(board, row, column)
    at = row * SIDE + column
    shape = 0
    n = 0
    while shape < SHAPES:
        if MASK[shape] & taken:
            shape = SKIP[shape]
            continue
        action = ACTION[shape] + at
        piece = PIECE[action // CELLS]
        if SQUARES[piece] == size and left[piece]:
            out[n] = action
            n += 1
            if n == most:
                return n
        shape += 1
    return n


@jit
def _regions_fit(board: Words, size: int, empty: Words, region: Words) -> bool:
    """Whether every connected empty region is a multiple of a piece's size."""
    for i in range(ROWS):
        empty[i] = ~board[i] & FULL
        region[i] = 0
    for first in range(PAD, ROWS - PAD):
        while empty[first]:
            region[first] = empty[first] & -empty[first]
            if _flood(empty, region, first) % size:
                return False
    return True


@jit
def _flood(empty: Words, region: Words, first: int) -> int:
    """Grow the region from its lowest row, remove it from the empty cells, and return its size."""
    low = first
    high = first
    grown = True
    while grown:
        grown = False
        for i in range(low, high + 1):
            cells = (region[i] | region[i - 1] | region[i + 1]) & empty[i]
            wider = cells | (cells << 1 | cells >> 1) & empty[i]
            while wider != cells:
                cells = wider
                wider = cells | (cells << 1 | cells >> 1) & empty[i]
            if cells != region[i]:
                region[i] = cells
                grown = True
        if region[high] & empty[high + 1]:
            high += 1
            grown = True
        if region[low] & empty[low - 1]:
            low -= 1
            grown = True
    cells = 0
    for i in range(low, high + 1):
        cells += ones(region[i])
        empty[i] &= ~region[i]
        region[i] = 0
    return cells


@jit
def join(graph: Conflicts, v: int, action: int) -> None:
    """Add a piece to the conflict graph."""
    owner, conflicts = graph.owner, graph.conflicts
    form = action // CELLS
    near = graph.copies[PIECE[form]]
    for i in range(5):
        cells = FORM_ROWS[form * 5 + i]
        r = action % CELLS // SIDE + PAD + i
        c = action % SIDE
        while cells:
            if cells & 1:
                owner[r, c] = v
                for other in (owner[r - 1, c], owner[r + 1, c], owner[r, c - 1], owner[r, c + 1]):
                    if other >= 0:
                        near |= 1 << other
            cells >>= 1
            c += 1
    near &= ~(1 << v)
    conflicts[v] = near
    graph.copies[PIECE[form]] |= 1 << v
    for u in range(v):
        if near >> u & 1:
            conflicts[u] |= 1 << v


@jit
def _leave(graph: Conflicts, v: int, action: int) -> None:
    """Remove the latest piece from the conflict graph and from the colouring."""
    form = action // CELLS
    for i in range(5):
        cells = FORM_ROWS[form * 5 + i]
        r = action % CELLS // SIDE + PAD + i
        c = action % SIDE
        while cells:
            if cells & 1:
                graph.owner[r, c] = -1
            cells >>= 1
            c += 1
    graph.copies[PIECE[form]] &= ~(1 << v)
    for u in range(MOST_PIECES):
        graph.conflicts[u] &= ~(1 << v)
    for k in range(COLOURS):
        graph.classes[k] &= ~(1 << v)


@jit
def _tightest(board: Words, size: int, left: Words, out: Words) -> int:
    """The empty cell, among the first few, that the fewest placements cover, as row * ROWS + column."""
    fewest = SHAPES
    found = 0
    seen = 0
    for row in range(PAD, ROWS - PAD):
        empty = ~board[row] & FULL
        while empty:
            bit = empty & -empty
            empty ^= bit
            column = lowest(bit)
            n = _options(board, row, column, size, left, fewest, out)
            if n < fewest:
                fewest = n
                found = row * ROWS + column
            seen += 1
            if seen == LOOK or n == 0:
                return found
    return found


@jit
def _order(options: Words, n: int, keys: Floats, noise: float, rng: Rng) -> None:
    """Sort the options: the last one, which is tried first, is an awkward one, up to noise."""
    for i in range(n):
        key = AWKWARD[PIECE[options[i] // CELLS]] + noise * below(rng, 1000) / 1000
        option = options[i]
        j = i - 1
        while j >= 0 and keys[j] > key:
            keys[j + 1] = keys[j]
            options[j + 1] = options[j]
            j -= 1
        keys[j + 1] = key
        options[j + 1] = option


@jit
def _key(board: Words, left: Words) -> int:
    """A hash of a position: the empty cells and the pieces left. Never 0."""
    key = 1
    for i in range(PAD, ROWS - PAD):
        key = (key ^ key >> 23) + (board[i] + 1) * ROW_KEY[i] & (1 << 56) - 1
    for piece in range(len(left)):
        key = (key ^ key >> 19) * 37 + left[piece] & (1 << 56) - 1
    return key | 1


@jit
def _expand(task: Task, board: Board, scratch: Scratch, depth: int, rng: Rng) -> None:
    """List the placements to try at a new node; none if the position has failed before."""
    key = _key(board.cells, board.left)
    if not task.hard and scratch.failed[key & MEMORY - 1] == key:
        scratch.untried[depth] = 0
        return
    options = scratch.options[depth]
    at = _tightest(board.cells, task.size, board.left, options)
    n = _options(board.cells, at // ROWS, at % ROWS, task.size, board.left, SHAPES, options)
    _order(options, n, scratch.keys, task.noise, rng)
    scratch.untried[depth] = n


@jit
def _place_next(task: Task, board: Board, graph: Conflicts, scratch: Scratch, depth: int, rng: Rng) -> int:
    """Place the next option of a node: SOLVED, or why it cannot be: IMPOSSIBLE, or GAVE_UP if that is not certain."""
    scratch.untried[depth] -= 1
    action = scratch.options[depth, scratch.untried[depth]]
    flip(board.cells, action)
    if not _regions_fit(board.cells, task.size, scratch.empty, scratch.region):
        flip(board.cells, action)
        return IMPOSSIBLE
    if task.hard:
        v = task.laid + depth
        join(graph, v, action)
        fixed = (1 << task.laid) - 1
        coloured = colour(v, graph.conflicts, graph.classes, fixed, task.budget, rng, scratch.stack)
        if coloured != SOLVED:
            _leave(graph, v, action)
            flip(board.cells, action)
            return coloured
    board.left[PIECE[action // CELLS]] -= 1
    return SOLVED


@jit
def _take_back(task: Task, board: Board, graph: Conflicts, depth: int, action: int) -> None:
    """Undo the placement at a depth."""
    flip(board.cells, action)
    board.left[PIECE[action // CELLS]] += 1
    if task.hard:
        _leave(graph, task.laid + depth, action)


@jit
def fill(task: Task, board: Board, graph: Conflicts, scratch: Scratch, rng: Rng, effort: Words, found: Words) -> int:
    """Fill the empty cells; ``found`` gets the placements.

    PAUSED means that the stride of this call is used up: the same call again goes on, and the result does not depend on
    the stride. IMPOSSIBLE is a proof; GAVE_UP only means that the limit was reached.
    """
    depth = effort[DEPTH]
    unsure = effort[UNSURE] != 0
    pause = effort[NODES] + effort[STRIDE]
    goal = depth
    for piece in range(len(board.left)):
        goal += board.left[piece]
    if effort[NODES] == 0:
        if not _regions_fit(board.cells, task.size, scratch.empty, scratch.region):
            return IMPOSSIBLE
        scratch.untried[0] = NEW
    while depth < goal:
        if scratch.untried[depth] == NEW:
            if effort[NODES] == effort[LIMIT]:
                return GAVE_UP
            if effort[NODES] == pause:
                effort[DEPTH] = depth
                effort[UNSURE] = int(unsure)
                return PAUSED
            effort[NODES] += 1
            _expand(task, board, scratch, depth, rng)
        if scratch.untried[depth] == 0:  # backtrack
            if not task.hard:
                key = _key(board.cells, board.left)
                scratch.failed[key & MEMORY - 1] = key
            depth -= 1
            if depth < 0:
                return GAVE_UP if unsure else IMPOSSIBLE
            _take_back(task, board, graph, depth, found[depth])
            continue
        placed = _place_next(task, board, graph, scratch, depth, rng)
        unsure = unsure or placed == GAVE_UP
        if placed == SOLVED:
            found[depth] = scratch.options[depth, scratch.untried[depth]]
            depth += 1
            scratch.untried[depth] = NEW
    return SOLVED


def new_scratch() -> Scratch:
    """Working memory for all attempts at a puzzle."""
    return Scratch(
        np.zeros((MOST_DEPTH, SHAPES), np.int64),
        np.zeros(MOST_DEPTH, np.int64),
        np.zeros(SHAPES, np.float64),
        np.zeros(ROWS, np.int64),
        np.zeros(ROWS, np.int64),
        np.zeros((MOST_DEPTH, 2), np.int64),
        np.zeros(MEMORY, np.int64),
    )


EXPORTS = exports(fill, join)
