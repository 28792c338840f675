"""Solve a game that is played in rounds, each beginning anew: solve rounds, and go backwards over the standings.

A game offers this by a ``rounds.py`` beside its rules with a class ``Rounds`` (see plus4's). The stakes of a round
follow from what later rounds are worth; rounds with equal stakes share a table. The tables know the outcome of the
game and the turns to the end of the round, not those to the end of the game: a winner wins round by round.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from types import ModuleType
from typing import Any

from quatuor.engine.result import Result, Solution
from quatuor.engine.tables import Table, beside, fingerprint, load, save
from quatuor.game import Game
from quatuor.games.contract import State

Find = Callable[[tuple[int, ...]], Table]  # the table for stakes


class Missing(Exception):
    """A table that has not been computed."""


class RoundsSolution(Solution):
    """A solution that looks positions up in the table of their round."""

    def __init__(self, start: Game, rounds: Any, find: Find) -> None:
        super().__init__(start)
        self._rounds, self._find = rounds, cache(find)
        self._worth = cache(self._solve)

    def probe(self, state: State) -> Result:
        layer, place = self._rounds.place(state)
        table = self._find(self.stakes(self._rounds.standing(state)))
        found = Result.of(self._rounds.result(int(table.array[layer, place])))
        return Result(found.outcome, None, found.distance)

    def after(self, before: Game, after: Game, seat: int) -> Result:
        found = super().after(before, after, seat)
        if after.over or self._rounds.same(before.state, after.state) or found.outcome == "draw":
            return found
        return Result(found.outcome, None, 1)  # the round ends here, the next is another count

    def stakes(self, standing: Any) -> tuple[int, ...]:
        """For every score of a round: whether it wins, draws or loses the game for the seat that began."""
        found = []
        for own, other in self._rounds.SCORES:
            then, same = self._rounds.after(standing, own, other)
            outcome = then if isinstance(then, int) else self._worth(then)
            found.append(outcome if same else -outcome)
        return tuple(found)

    def facts(self) -> dict[str, Any]:
        """Which positions can come up is not known: they are too many to be followed."""
        return {"reachable": None, "longest_win": None}

    def _solve(self, standing: Any) -> int:
        return int(self._rounds.begin(self._find(self.stakes(standing)).array))


def solve_rounds(start: Game, progress: Callable[[int, int], None] | None, threads: int | None) -> Solution | None:
    """Compute what is missing on disk; None if the game has no rounds. How many tables it takes shows on the way."""
    rounds = _rounds(start)
    if rounds is None:
        return None
    done = 0
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:

        def find(stakes: tuple[int, ...]) -> Table:
            nonlocal done
            about = _about(start, rounds, stakes)
            table = load(about)
            if table is None:
                table = Table(rounds.solve(stakes, pool), {})
                save(about, table)
                table = load(about) or table
            done += 1
            if progress:
                progress(done, done + 1)
            return table

        solution = RoundsSolution(start, rounds, find)
        solution.probe(start.state)
    if progress:
        progress(done, done)
    return solution


def rounded(game: Game) -> Solution | None:
    """The solution from this position on, if its tables have been computed."""
    rounds = _rounds(game)
    if rounds is None:
        return None

    def find(stakes: tuple[int, ...]) -> Table:
        table = load(_about(game, rounds, stakes))
        if table is None:
            raise Missing
        return table

    solution = RoundsSolution(game, rounds, find)
    try:
        solution.probe(game.state)
    except Missing:
        return None
    return solution


def _about(game: Game, rounds: Any, stakes: tuple[int, ...]) -> dict[str, Any]:
    modules = [beside(game.book.rules, name) for name in rounds.MODULES]
    rules = fingerprint(game.book.rules, *(module for module in modules if module))
    return {"game": game.name, "variant": game.variant.name, "stakes": list(stakes), "rules": rules}


def _rounds(game: Game) -> Any:
    module = beside(game.book.rules, "rounds")
    rounds = _the(module) if module else None
    return rounds if rounds and rounds.standing(game.state) is not None else None


@cache
def _the(module: ModuleType) -> Any:
    return module.Rounds()
