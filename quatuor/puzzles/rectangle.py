"""Fill a rectangle with polyominoes of one size: exact cover by depth-first search, and a colouring kept alive.

The search takes the empty cell that fewest placements can cover, tries those placements with the awkward shapes first
(they are hard to use up later), and turns back when the size of an empty region is no multiple of a piece's. In the
hard puzzles pieces of one colour must not touch: pieces that touch are in conflict, and so are the copies of a shape,
which have different colours. One proper colouring of what lies is carried along as a witness; only where it cannot be
mended a placement is refused. Without colours, positions that failed are remembered.
"""

from typing import Any

import numpy as np

from quatuor.games.blokus.tables import FORM_ROWS, FORMS, NAMES, PAD, PIECE, SIDE, SQUARES, Cells
from quatuor.kernel import Floats, Rng, Words, below, jit
from quatuor.puzzles.colouring import COLOURS, colour
from quatuor.puzzles.shapes import (
    ACTION,
    CELLS,
    GAVE_UP,
    IMPOSSIBLE,
    MASK,
    ROWS,
    SHAPES,
    SKIP,
    SOLVED,
    count,
    flip,
    window,
)

FULL = (1 << ROWS) - 1
MOST_PIECES = 48
LOOK = 40  # empty cells among which the tightest is sought
MEMORY = 1 << 14  # failed positions remembered
NODES = 1  # in `effort`: nodes used
LIMIT = 0  # in `effort`: nodes allowed


def _awkward(cells: Cells) -> float:
    """How hard a shape is to fit in: dead ends and a wide box count, a 2 by 2 block helps."""
    links = [sum(abs(r - y) + abs(c - x) == 1 for y, x in cells) for r, c in cells]
    box = (max(r for r, _ in cells) + 1) * (max(c for _, c in cells) + 1)
    return links.count(1) + 0.3 * (box - len(cells)) - 2 * (sum(links) // 2 - len(cells) + 1)


AWKWARD = np.array([_awkward(FORMS[list(PIECE).index(piece)]) for piece in range(len(NAMES))])
ROW_KEY = np.random.default_rng(20).integers(1 << 31, 1 << 32, ROWS)


@jit
def _options(board: Words, row: int, column: int, size: int, left: Words, most: int, out: Words) -> int:
    """The placements that cover a cell; stops counting at ``most``."""
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
    """Grow the region from its lowest row and take it out of what is empty; its size."""
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
        cells += count(region[i])
        empty[i] &= ~region[i]
        region[i] = 0
    return cells


@jit
def join(v: int, action: int, owner: Any, conflicts: Words, copies: Words) -> None:
    """Enter a placed piece into the conflict graph. ``owner`` is the piece on every cell, or -1."""
    form = action // CELLS
    near = copies[PIECE[form]]
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
    copies[PIECE[form]] |= 1 << v
    for u in range(v):
        if near >> u & 1:
            conflicts[u] |= 1 << v


@jit
def _leave(v: int, action: int, owner: Any, conflicts: Words, classes: Words, copies: Words) -> None:
    """Take the latest piece out of the conflict graph and of the colouring."""
    form = action // CELLS
    for i in range(5):
        cells = FORM_ROWS[form * 5 + i]
        r = action % CELLS // SIDE + PAD + i
        c = action % SIDE
        while cells:
            if cells & 1:
                owner[r, c] = -1
            cells >>= 1
            c += 1
    copies[PIECE[form]] &= ~(1 << v)
    for u in range(MOST_PIECES):
        conflicts[u] &= ~(1 << v)
    for k in range(COLOURS):
        classes[k] &= ~(1 << v)


@jit
def _tightest(board: Words, size: int, left: Words, out: Words) -> int:
    """The empty cell, among the first few, that fewest placements cover, as row * ROWS + column."""
    fewest = SHAPES
    found = 0
    seen = 0
    for row in range(PAD, ROWS - PAD):
        empty = ~board[row] & FULL
        while empty:
            bit = empty & -empty
            empty ^= bit
            column = count(bit - 1)
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
    """Sort the options so that the last one, tried first, is an awkward one, more or less at random."""
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
    """A number that tells positions apart: what is empty and what is left to fill it. Never 0."""
    key = 1
    for i in range(PAD, ROWS - PAD):
        key = (key ^ key >> 23) + (board[i] + 1) * ROW_KEY[i] & (1 << 56) - 1
    for piece in range(len(left)):
        key = (key ^ key >> 19) * 37 + left[piece] & (1 << 56) - 1
    return key | 1


@jit
def fill(
    board: Words,  # ROWS words, a set bit is taken
    size: int,
    left: Words,  # copies left of every piece
    laid: int,  # pieces that lie already; their colours are fixed
    conflicts: Words,
    classes: Words,
    copies: Words,
    owner: Any,
    hard: bool,
    noise: float,  # how far the order of trial is left to chance
    budget: int,  # steps to mend a colouring; too few of them cost a proof, not a solution
    rng: Rng,
    effort: Words,  # LIMIT in, NODES out
    failed: Words,  # MEMORY words, kept from one call to the next
    found: Words,  # out: the placements
) -> int:
    """Fill what is empty. IMPOSSIBLE is a proof; GAVE_UP only means that the limit was reached."""
    options = np.empty((64, SHAPES), np.int64)
    untried = np.empty(64, np.int64)
    keys = np.empty(SHAPES, np.float64)
    empty = np.empty(ROWS, np.int64)
    region = np.empty(ROWS, np.int64)
    stack = np.empty((64, 2), np.int64)
    fixed = (1 << laid) - 1
    goal = 0
    for piece in range(len(left)):
        goal += left[piece]
    effort[NODES] = 0
    if not _regions_fit(board, size, empty, region):
        return IMPOSSIBLE
    depth = 0
    unsure = False
    untried[0] = -1
    while depth < goal:
        if untried[depth] < 0:  # a new node: choose the cell to cover
            effort[NODES] += 1
            if effort[NODES] > effort[LIMIT]:
                return GAVE_UP
            key = _key(board, left)
            if not hard and failed[key & MEMORY - 1] == key:
                untried[depth] = 0
            else:
                at = _tightest(board, size, left, options[depth])
                untried[depth] = _options(board, at // ROWS, at % ROWS, size, left, SHAPES, options[depth])
                _order(options[depth], untried[depth], keys, noise, rng)
        if untried[depth] == 0:  # turn back
            if not hard:
                key = _key(board, left)
                failed[key & MEMORY - 1] = key
            depth -= 1
            if depth < 0:
                return GAVE_UP if unsure else IMPOSSIBLE
            action = found[depth]
            flip(board, action)
            left[PIECE[action // CELLS]] += 1
            if hard:
                _leave(laid + depth, action, owner, conflicts, classes, copies)
            continue
        untried[depth] -= 1
        action = options[depth, untried[depth]]
        flip(board, action)
        if not _regions_fit(board, size, empty, region):
            flip(board, action)
            continue
        if hard:
            join(laid + depth, action, owner, conflicts, copies)
            coloured = colour(laid + depth, conflicts, classes, fixed, budget, rng, stack)
            if coloured != SOLVED:
                unsure = unsure or coloured == GAVE_UP
                _leave(laid + depth, action, owner, conflicts, classes, copies)
                flip(board, action)
                continue
        left[PIECE[action // CELLS]] -= 1
        found[depth] = action
        depth += 1
        untried[depth] = -1
    return SOLVED
