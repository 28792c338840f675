"""Complete the puzzle of all 84 pieces: restarts of `beam.advance` with wider and wider beams."""

import time

import numpy as np

from quatuor.games.blokus.adjacency import corners
from quatuor.games.blokus.puzzles.beam import COLOURS as COLOUR_COUNT
from quatuor.games.blokus.puzzles.beam import Limits, Log, advance, begin, lay
from quatuor.games.blokus.puzzles.beam import position as empty_board
from quatuor.games.blokus.puzzles.check import STARTS
from quatuor.games.blokus.puzzles.kinds import COLOURS
from quatuor.games.blokus.puzzles.position import Cell, Piece, Position, cell_at
from quatuor.games.blokus.puzzles.shapes import GAVE_UP, IMPOSSIBLE, PAUSED, SOLVED
from quatuor.games.blokus.tables import action_of, cells_of
from quatuor.games.steps import Steps, finished
from quatuor.kernel import seeded

PIECES = 84
# Chosen, not measured one by one; tests/games/blokus/puzzles/test_solve.py solves many seeds with them
WIDTH, WIDEST = 50, 4000  # of the first beam, and of the widest
CHILDREN, MOST_CHILDREN = 8, 64  # continuations of a position that are kept
GROWTH = 1.1  # of both, from beam to beam, for an empty board; faster if few pieces are left
OPENING = 8  # first placements that are left to chance, so that every seed gives another solution
FEW = 20  # if no more pieces are left, other orders than by size are tried too
PACE = 50_000  # positions a second, until it is measured
POSITIONS_AT_ONCE = 200  # between two pauses: 4 ms at that pace


def complete(
    position: Position, seed: int, until: float | None = None, witness: tuple[Piece, ...] | None = None
) -> tuple[int, tuple[Piece, ...]]:
    """Place the missing pieces in a legal order, large ones first: the result of the search, and the pieces."""
    return finished(completing(position, seed, until, witness))


def completing(
    position: Position, seed: int, until: float | None = None, witness: tuple[Piece, ...] | None = None
) -> Steps[tuple[int, tuple[Piece, ...]]]:
    """``complete`` in steps."""
    if witness is not None and set(position.pieces) <= set(witness):
        return SOLVED, placing_order(position, witness)
    start = empty_board()
    for piece in position.pieces:
        action = action_of(piece.cells)
        assert action is not None, "only legal positions are searched"
        lay(start, COLOURS.index(piece.colour), action)
    left = PIECES - len(position.pieces)
    rng, tries, spent, done = seeded(seed), 0, 0.01, int(0.01 * PACE)
    loose = 0 if position.pieces else OPENING
    growth = GROWTH + 0.5 * len(position.pieces) / PIECES
    while True:
        width, children = min(WIDTH * growth**tries, WIDEST), min(CHILDREN * growth**tries, MOST_CHILDREN)
        by_size = position.hard or left > FEW or tries % 2 == 0  # BK-20: hard goes by size; else it is a good idea
        began = time.monotonic()
        if until is not None:
            if began >= until:
                return GAVE_UP, ()
            width = min(width, max(4, (until - began) * done / spent / left))
        result, pieces = yield from _attempt(start, left, Limits(int(width), int(children), by_size, loose), rng)
        if result == SOLVED or (result == IMPOSSIBLE and (position.hard or not by_size)):
            return result, pieces
        spent, done, tries = spent + time.monotonic() - began, done + int(width) * left, tries + 1


def precompile() -> None:
    """Compile the search, if it is compiled at all."""
    finished(_attempt(empty_board(), PIECES, Limits(width=1, children=1, by_size=True, loose=0), seeded(0)))


def _attempt(
    start: "np.typing.NDArray[np.int64]", left: int, limits: Limits, rng: "np.typing.NDArray[np.uint64]"
) -> Steps[tuple[int, tuple[Piece, ...]]]:
    log = Log(*(np.zeros((left, limits.width), np.int64) for _ in range(2)))
    beam = begin(start, limits)
    while (result := advance(beam, limits, rng, log, POSITIONS_AT_ONCE)) == PAUSED:
        yield
    if result != SOLVED:
        return result, ()
    pieces, at = [], 0
    for step in reversed(range(left)):
        action, colour = divmod(int(log.placements[step, at]), COLOUR_COUNT)
        pieces.append(Piece(COLOURS[colour], cells_of(action)))
        at = int(log.parents[step, at])
    return SOLVED, tuple(reversed(pieces))


def placing_order(position: Position, solution: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The missing pieces in an order in which every step is legal, large ones first where possible."""
    reached: dict[str, set[Cell]] = {colour: {cell_at(start)} for colour, start in STARTS.items()}
    for piece in position.pieces:
        reached[piece.colour] |= corners(piece.cells)
    rest = sorted((p for p in solution if p not in position.pieces), key=lambda piece: -len(piece.cells))
    order: list[Piece] = []
    while rest:
        piece = next(p for p in rest if reached[p.colour] & set(p.cells))
        rest.remove(piece)
        order.append(piece)
        reached[piece.colour] |= corners(piece.cells)
    return tuple(order)
