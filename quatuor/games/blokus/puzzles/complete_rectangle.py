"""Complete a puzzle that fills a rectangle: restarts of `rectangle.fill`, and repairs of a known completion."""

import copy
import random
import time
from collections.abc import Iterator

import numpy as np

from quatuor.games.blokus.puzzles.check import name_of
from quatuor.games.blokus.puzzles.kinds import COLOURS
from quatuor.games.blokus.puzzles.position import Cells, Piece, Position, empty
from quatuor.games.blokus.puzzles.rectangle import (
    EFFORT,
    LIMIT,
    MOST_DEPTH,
    MOST_PIECES,
    NODES,
    STRIDE,
    Board,
    Conflicts,
    Task,
    fill,
    join,
    new_scratch,
)
from quatuor.games.blokus.puzzles.shapes import CELLS, GAVE_UP, PAUSED, ROWS, SOLVED, board_of
from quatuor.games.blokus.tables import NAMES, PIECE, SQUARES, action_of, cells_of
from quatuor.games.steps import Steps, finished
from quatuor.kernel import Words, seeded

# Chosen, not measured one by one; tests/games/blokus/puzzles/test_solve.py solves many seeds with them
NOISE, LITTLE_NOISE = 8.0, 2.0  # how far the order of trial is left to chance; pento48 gains from less
HUNT = {(4, False): 1000, (4, True): 1000, (5, False): 1000, (5, True): 300}  # nodes before a new start
GROWTH = 1.05  # of that number, from start to start
PROOF = 4000  # nodes of the first attempt to prove that there is no solution; each further one has twice as many
REPAIR_STEPS, PROOF_STEPS = 20, 5000  # to repair a colouring: in a short attempt, and in a proof
REPAIRS = (6, 10, 14, 18, 22)  # pieces of a known completion around a change that are placed again
REPAIR_NODES = 2000
PACE = 30_000  # nodes a second, until it is measured
NODES_AT_ONCE = 25  # between two pauses: 1 ms at that pace, several where colours have to be repaired


class Search:
    """One position to complete. The longer side of the board is the number of rows: then regions close earlier."""

    def __init__(self, position: Position, pieces: tuple[Piece, ...], seed: int) -> None:
        self.position, self.pieces = position, pieces
        self._turned = position.columns > position.rows
        self._rng, self._random = seeded(seed), random.Random(seed)
        (self._size,) = position.kind.sizes
        self._noise = LITTLE_NOISE if position.puzzle == "pento48" else NOISE
        colours = len(position.kind.colours)
        long, short = max(position.rows, position.columns), min(position.rows, position.columns)
        self._board = board_of(long, short, tuple(c for piece in pieces for c in self._turn(piece.cells)))
        self._left = np.array([colours if size == self._size else 0 for size in SQUARES], np.int64)
        conflicts, classes, copies = (np.zeros(size, np.int64) for size in (MOST_PIECES, len(COLOURS), len(NAMES)))
        self._graph = Conflicts(conflicts, classes, copies, np.full((ROWS, ROWS), -1, np.int64))
        self._scratch = new_scratch()
        for v, piece in enumerate(pieces):
            action = action_of(self._turn(piece.cells))
            assert action is not None, "only legal positions are searched"
            self._left[PIECE[action // CELLS]] -= 1
            self._graph.classes[COLOURS.index(piece.colour)] |= 1 << v
            join(self._graph, v, action)

    def _turn(self, cells: Cells) -> Cells:
        return tuple(sorted((c, r) for r, c in cells)) if self._turned else cells

    def attempt(self, limit: int, exact: bool = False) -> Steps[tuple[int, tuple[Piece, ...], int]]:
        """One attempt: its result, the pieces placed, the nodes used."""
        hard = self.position.hard
        task = Task(self._size, len(self.pieces), hard, self._noise, PROOF_STEPS if exact else REPAIR_STEPS)
        board = Board(self._board.copy(), self._left.copy())
        graph = copy.deepcopy(self._graph)
        effort, found = np.zeros(EFFORT, np.int64), np.zeros(MOST_DEPTH, np.int64)
        effort[LIMIT], effort[STRIDE] = limit, NODES_AT_ONCE
        while (result := fill(task, board, graph, self._scratch, self._rng, effort, found)) == PAUSED:
            yield
        if result != SOLVED:
            return result, (), int(effort[NODES])
        placed = [self._turn(cells_of(int(action))) for action in found[: self._left.sum()]]
        colours = self._kept_colours(graph.classes) if hard else self._any_colours(placed)
        return SOLVED, tuple(map(Piece, colours, placed)), int(effort[NODES])

    def _kept_colours(self, classes: Words) -> list[str]:
        """The colours from the search, which kept them proper."""
        laid = range(len(self.pieces), len(self.pieces) + int(self._left.sum()))
        return [next(colour for k, colour in enumerate(COLOURS) if classes[k] >> v & 1) for v in laid]

    def _any_colours(self, placed: list[Cells]) -> list[str]:
        """Where colours do not matter: the colours that are left, at random."""
        left = {name: list(self.position.kind.colours) for name in NAMES}
        for piece in self.pieces:
            left[str(name_of(piece.cells))].remove(piece.colour)
        for colours in left.values():
            self._random.shuffle(colours)
        return [left[str(name_of(cells))].pop() for cells in placed]


def complete(
    position: Position, seed: int, until: float | None = None, witness: tuple[Piece, ...] | None = None
) -> tuple[int, tuple[Piece, ...]]:
    """Place the missing pieces: the result, and the pieces. Without ``until`` the search runs until it is certain."""
    return finished(completing(position, seed, until, witness))


def completing(
    position: Position, seed: int, until: float | None = None, witness: tuple[Piece, ...] | None = None
) -> Steps[tuple[int, tuple[Piece, ...]]]:
    """``complete`` in steps."""
    if witness is not None:
        for search in _repairs(position, witness, seed):
            result, pieces, _ = yield from search.attempt(REPAIR_NODES)
            if result == SOLVED:
                return SOLVED, (*search.pieces[len(position.pieces) :], *pieces)
            if until is not None and time.monotonic() > until:
                return GAVE_UP, ()
    return (yield from _hunt(Search(position, position.pieces, seed), until))


def precompile() -> None:
    """Compile the search, if it is compiled at all."""
    position = empty("tetro20", hard=True)
    finished(Search(position, position.pieces, seed=0).attempt(limit=1))


def _hunt(search: Search, until: float | None) -> Steps[tuple[int, tuple[Piece, ...]]]:
    """Many short attempts. Under a time limit every fourth is long, to prove that there is no solution."""
    (size,) = search.position.kind.sizes
    spent, nodes, start = 0.01, int(0.01 * PACE), 0
    while True:
        exact = until is not None and start % 4 == 3
        limit = PROOF << start // 4 if exact else int(HUNT[size, search.position.hard] * GROWTH**start)
        began = time.monotonic()
        if until is not None:
            if began >= until:
                return GAVE_UP, ()
            limit = min(limit, max(100, int((until - began) * nodes / spent)))
        result, pieces, used = yield from search.attempt(limit, exact)
        if result != GAVE_UP:
            return result, pieces
        spent, nodes, start = spent + time.monotonic() - began, nodes + used, start + 1
        yield


def _repairs(position: Position, witness: tuple[Piece, ...], seed: int) -> Iterator[Search]:
    """Searches that keep less and less of a known completion: first all that a new piece leaves intact."""
    if not position.hard:
        witness = _recoloured(position, witness)
    new = [piece for piece in position.pieces if piece not in witness]
    taken = {cell for piece in new for cell in piece.cells}
    used = {(piece.colour, name_of(piece.cells)) for piece in new}
    kept = [
        piece
        for piece in witness
        if piece not in position.pieces
        and not taken & set(piece.cells)
        and (piece.colour, name_of(piece.cells)) not in used
    ]
    kept.sort(key=lambda piece: -_distance(piece, new))
    for again in (0, *REPAIRS) if new else (0,):
        rest = kept[: max(0, len(kept) - again)]
        yield Search(position, (*position.pieces, *rest), seed)
        if not rest:
            return


def _recoloured(position: Position, witness: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """The witness with the colours of the position where both have the same piece: copies of a shape swap colours."""
    colours = {piece.cells: piece.colour for piece in witness}
    for piece in position.pieces:
        if piece.cells in colours and colours[piece.cells] != piece.colour:
            name = name_of(piece.cells)
            twin = next(c for c, colour in colours.items() if colour == piece.colour and name_of(c) == name)
            colours[twin], colours[piece.cells] = colours[piece.cells], piece.colour
    return tuple(Piece(colour, cells) for cells, colour in colours.items())


def _distance(piece: Piece, others: list[Piece]) -> int:
    """The number of steps from a piece to the nearest of others."""
    return min((abs(r - y) + abs(c - x) for o in others for y, x in o.cells for r, c in piece.cells), default=0)
