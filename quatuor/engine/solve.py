"""Solve a game: the value of every position and how long it takes, by working backwards from the ends.

A game of two seats that act in turn can be solved if its folder has a ``space.py`` that offers, besides the functions
of the rules, ``positions(state)`` (how many there are under the state's options), ``index(state)`` and
``unindex(number, state)``. Values are for the side to move. Endless play is a draw; a distance counts the turns to the
end when the winner hurries and the loser delays.

With a repetition rule that ends the game as a draw the same values hold: a winner comes closer to the end with every
move and so never repeats, and who has a draw has it by going round as well. Only a position that has already occurred
twice in the game at hand is different; ``Game`` knows of those.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from quatuor.engine.tables import Table, fingerprint, load_or_build
from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.games.contract import State, legal, outcome, play, to_move
from quatuor.kernel import Words, bind, jit, provided, template

WON, DRAWN, LOST, NONE = -1, -2, -3, -4  # instead of a position's number: the game is over, or there is no such move
THREADS = 2
QUICK = 4_000_000  # so many positions are solved at once when somebody asks


@provided
def index(state: Words) -> int:
    """The number of a position."""
    raise NotImplementedError


@provided
def unindex(i: int, state: Words) -> None:
    """Put the position of a number on a state that is set up."""
    raise NotImplementedError


@template
def edges(
    start: int, end: int, before: Words, state: Words, moves: Words, scores: Words, places: Words, out: Any
) -> None:
    """For the positions ``start`` to ``end - 1``: where each move leads, or how it ends the game for the mover."""
    for i in range(start, end):
        unindex(i, before)
        seat = 0 if to_move(before) & 1 else 1
        n = legal(before, seat, moves)
        for k in range(out.shape[1]):
            if k >= n:
                out[i, k] = NONE
                continue
            for w in range(len(before)):
                state[w] = before[w]
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


@dataclass(frozen=True)
class Result:
    """What a position or a move is worth to the seat to move."""

    outcome: str  # "win", "draw" or "loss"
    distance: int | None  # turns to the end; None for a draw, or where it is not known

    def __neg__(self) -> "Result":
        """The same, seen from the turn before by the other seat."""
        return Result(_OTHER[self.outcome], None if self.distance is None else self.distance + 1)

    @property
    def rank(self) -> tuple[int, int]:
        """The higher, the better: win early, lose late."""
        turns = self.distance or 0
        return {"win": (1, -turns), "draw": (0, 0), "loss": (-1, turns)}[self.outcome]


_OTHER = {"win": "loss", "draw": "draw", "loss": "win"}


class Solution:
    """A solved game. ``probe`` looks a position up."""

    def __init__(self, game: Game, table: Table, space: ModuleType) -> None:
        self.game, self._table, self._space = game, table, space

    def probe(self, state: State) -> Result:
        """The result of a running position for the seat to move."""
        found = int(self._table.array[self._space.index(state)])
        return Result("win" if found > 0 else "loss" if found < 0 else "draw", abs(found) or None)

    def moves(self, game: Game) -> dict[str, Result]:
        """The result of every legal move, for the seat that makes it; the best first."""
        (seat,) = game.to_move
        found = {}
        for move in game.legal():
            after = game.copy()
            after.play(move)
            found[move] = -self.probe(after.state) if not after.over else ended(after, seat)
        return dict(sorted(found.items(), key=lambda item: item[1].rank, reverse=True))

    def summary(self) -> dict[str, Any]:
        """The start and the whole, as plain data: what ``quatuor solve`` prints."""
        start, moves = self.probe(self.game.state), self.moves(self.game)
        top = next(iter(moves.values())).rank
        return {
            "game": self.game.name,
            "variant": self.game.variant.name,
            "options": dict(self.game.options),
            "value": start.outcome,
            "distance": start.distance,
            "best": [move for move, result in moves.items() if result.rank == top],
            **self._table.facts,
        }


def ended(game: Game, seat: int) -> Result:
    """The result of a move that ended the game, for the seat that made it."""
    ahead = game.ranking[1 - seat] - game.ranking[seat]
    return Result("win" if ahead > 0 else "loss" if ahead < 0 else "draw", 1 if ahead else None)


def solve(name: str, variant: str | None = None, **options: Any) -> Solution:
    """Solve a game from its start, or fetch the solution from disk. ValueError if the game cannot be solved.

    >>> solve("plus4", "elementary").summary()["value"]
    'draw'
    """
    return solution(Game(rulebook(name), variant, options))


def solution(game: Game) -> Solution:
    """The solution of the game that this is a position of."""
    start = Game(game.book, game.variant.name, game.options)
    space = space_of(game)
    size = int(space.positions(start.state)) if space else 0
    if space is None or size == 0:
        raise ValueError(f"{game.name}:{game.variant.name} cannot be solved: it has no list of all its positions")
    table = load_or_build(_about(start, space), lambda: _build(start, space, size))
    return Solution(start, table, space)


def at_hand(game: Game) -> Solution | None:
    """The solution, if it is on disk or takes no more than a moment to find."""
    space = space_of(game)
    if space is None or not 0 < int(space.positions(game.state)) <= QUICK:
        return None
    return _remembered(game.name, game.variant.name, tuple(game.options.items()))


@cache
def _remembered(name: str, variant: str, options: tuple[tuple[str, Any], ...]) -> Solution:
    return solve(name, variant, **dict(options))


@cache
def _space(name: str) -> ModuleType | None:
    try:
        return import_module(f"{name}.space")
    except ModuleNotFoundError:
        return None


def space_of(game: Game) -> ModuleType | None:
    """The ``space.py`` beside the game's rules, if it has one."""
    return _space(game.book.rules.__name__.rpartition(".")[0])


def _about(start: Game, space: ModuleType) -> dict[str, Any]:
    """What the table depends on. Repetition does not matter: endless play is a draw either way."""
    options = {name: value for name, value in start.options.items() if name != "repetition"}
    rules = fingerprint(start.book.rules, space, sys.modules[__name__])
    return {"game": start.name, "variant": start.variant.name, "options": options, "rules": rules}


def _build(start: Game, space: ModuleType, size: int) -> Table:
    book = start.book
    kernel = bind(sys.modules[__name__], space, book.name)
    links = np.empty((size, book.max_moves), np.int32)
    results = np.zeros(size, np.int16)

    def list_edges(part: slice) -> None:
        scratch = (np.zeros(n, np.int64) for n in (book.state_size, book.max_moves, 2, 2))
        kernel.edges(part.start, part.stop, start.state.copy(), *scratch, links)

    cuts = np.linspace(0, size, THREADS + 1).astype(int)
    parts = [slice(int(a), int(b)) for a, b in pairwise(cuts)]
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(list_edges, parts))
        distance = 1
        while sum(pool.map(partial(_sweep_part, distance, links, results), parts)):
            distance += 1
    return Table(results, _facts(int(space.index(start.state)), links, results))


def _sweep_part(distance: int, links: npt.NDArray[np.int32], results: npt.NDArray[np.int16], part: slice) -> int:
    return sweep(distance, part.start, part.stop, links, results)


def _facts(start: int, links: npt.NDArray[np.int32], results: npt.NDArray[np.int16]) -> dict[str, Any]:
    """Counts over the positions that can come up."""
    seen = np.zeros(len(results), np.uint8)
    reach(start, links, seen, np.empty(len(results), np.int32))
    reached = results[seen == 1]
    won, lost = int((reached > 0).sum()), int((reached < 0).sum())
    counts = {"win": won, "draw": len(reached) - won - lost, "loss": lost, "total": len(reached)}
    return {"reachable": counts, "longest_win": int(reached.max(initial=0))}
