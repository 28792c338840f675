"""Solve a game whose positions can be listed: compute the value of every position backwards from the ends.

A game of two seats that move in turn declares the list as ``space`` in its rulebook (``PositionSpace`` in
quatuor/games/hooks.py).
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quatuor.engine.result import Result, Solution
from quatuor.engine.table_files import Table, fingerprint, load_or_build
from quatuor.engine.tree import copy_state
from quatuor.game import Game
from quatuor.games.contract import PositionSpace, State, legal, outcome, play, to_move
from quatuor.kernel import Array, Words, bind, exports, jit, rule_hook, template

WON, DRAWN, LOST, NONE = -1, -2, -3, -4  # instead of a position's number: the game is over, or there is no such move
THREADS = 2  # chosen, not measured


@rule_hook
def index(state: Words) -> int:
    """The number of a position."""
    raise NotImplementedError


@rule_hook
def unindex(i: int, state: Words) -> None:
    """Turn a state that is set up into the position of this number."""
    raise NotImplementedError


class Scratch(NamedTuple):
    """Room to work in."""

    before: Words  # a state that is set up, for the position at hand
    state: Words  # the position after a move
    moves: Words
    scores: Words
    places: Words


@template
def edges(start: int, end: int, scratch: Scratch, out: Any) -> None:
    """For the positions ``start`` to ``end - 1``: where each move leads, or how it ends the game for the mover."""
    before, state, moves = scratch.before, scratch.state, scratch.moves
    scores, places = scratch.scores, scratch.places
    for i in range(start, end):
        unindex(i, before)
        seat = 0 if to_move(before) & 1 else 1
        n = legal(before, seat, moves)
        for k in range(out.shape[1]):
            if k >= n:
                out[i, k] = NONE
                continue
            copy_state(before, state)
            play(state, seat, moves[k])
            if to_move(state):
                out[i, k] = index(state)
                continue
            outcome(state, scores, places)
            ahead = places[1 - seat] - places[seat]
            out[i, k] = WON if ahead > 0 else LOST if ahead < 0 else DRAWN


@jit
def sweep(distance: int, start: int, end: int, edges: Any, results: Any) -> int:
    """Mark the positions decided in ``distance`` turns; return how many.

    A result is the distance of a win, minus that of a loss, 0 if (still) neither. Only results of shorter distance
    are read, so it does not matter in which order, or by how many threads, positions are looked at.
    """
    found = 0
    for i in range(start, end):
        if results[i]:
            continue
        lost = True
        for k in range(edges.shape[1]):
            child = edges[i, k]
            if child == NONE:
                break
            if child >= 0:
                result = results[child]
                known = -distance < result < distance
                if known and result < 0:
                    child = WON
                elif known and result > 0:
                    child = LOST
            if child == WON:
                results[i] = distance
                found += 1
                break
            if child != LOST:
                lost = False
        if lost and results[i] == 0:
            results[i] = -distance
            found += 1
    return found


@jit
def reach(start: int, edges: Any, seen: Any, queue: Any) -> int:
    """Mark every position that can come up from ``start``; return how many."""
    seen[start] = 1
    queue[0] = start
    done = 0
    count = 1
    while done < count:
        here = queue[done]
        done += 1
        for k in range(edges.shape[1]):
            child = edges[here, k]
            if child >= 0 and seen[child] == 0:
                seen[child] = 1
                queue[count] = child
                count += 1
    return count


LINKS = Array("int32", 2)
EXPORTS = exports(
    edges, sweep, reach, out=LINKS, edges=LINKS, results=Array("int16"), seen=Array("uint8"), queue=Array("int32")
)


class TableSolution(Solution):
    """A solution that lists every position."""

    def __init__(self, start: Game, space: PositionSpace, table: Table) -> None:
        super().__init__(start)
        self._space, self._table = space, table

    def probe(self, state: State) -> Result:
        return Result.of(int(self._table.array[self._space.index(state)]))

    def facts(self) -> dict[str, Any]:
        return self._table.facts


def listed(game: Game) -> int:
    """The number of positions in the game's list; 0 if there is no list."""
    space = game.book.space
    return int(space.positions(game.state)) if space else 0


def solve_listed(start: Game) -> TableSolution:
    """Solve the game from its start position, or fetch the solution from disk."""
    space = start.book.space
    if space is None:
        raise ValueError(f"{start.name} declares no list of its positions: give its rulebook a space")
    return TableSolution(start, space, load_or_build(_about(start, space), partial(_build, start, space)))


def _about(start: Game, space: PositionSpace) -> dict[str, Any]:
    """What the table depends on. Repetition does not matter: endless play is a draw either way."""
    options = {name: value for name, value in start.options.items() if name != "repetition"}
    rules = fingerprint(start.book.rules, space, sys.modules[__name__])
    return {"game": start.name, "variant": start.variant.name, "options": options, "rules": rules}


def _build(start: Game, space: PositionSpace) -> Table:
    book, size = start.book, listed(start)
    kernel = bind(sys.modules[__name__], space, book.name)
    links = np.empty((size, book.max_moves), np.int32)
    results = np.zeros(size, np.int16)

    def list_edges(part: slice) -> None:
        room = (np.zeros(n, np.int64) for n in (book.state_size, book.max_moves, 2, 2))
        kernel.edges(part.start, part.stop, Scratch(start.state.copy(), *room), links)

    cuts = np.linspace(0, size, THREADS + 1).astype(int)
    parts = [slice(int(a), int(b)) for a, b in pairwise(cuts)]
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(list_edges, parts))
        distance = 1
        while sum(pool.map(partial(_sweep_part, kernel, distance, links, results), parts)):
            distance += 1
    return Table(results, _facts(kernel, int(space.index(start.state)), links, results))


def _sweep_part(kernel: Any, distance: int, links: Any, results: Any, part: slice) -> int:
    return int(kernel.sweep(distance, part.start, part.stop, links, results))


def _facts(kernel: Any, start: int, links: npt.NDArray[np.int32], results: npt.NDArray[np.int16]) -> dict[str, Any]:
    """Counts over the positions that can come up."""
    seen = np.zeros(len(results), np.uint8)
    kernel.reach(start, links, seen, np.empty(len(results), np.int32))
    reached = results[seen == 1]
    won, lost = int((reached > 0).sum()), int((reached < 0).sum())
    counts = {"win": won, "draw": len(reached) - won - lost, "loss": lost, "total": len(reached)}
    return {"reachable": counts, "longest_win": int(reached.max(initial=0))}
