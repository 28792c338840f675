"""Solve a game that is played in rounds, each beginning anew: solve rounds, and go backwards over the standings.

A game declares how to do so as ``rounds`` in its rulebook (``Rounds`` in quatuor/games/hooks.py). The stakes of a round
follow from what later rounds are worth; rounds with equal stakes share a table. The tables know the outcome of the
game and the turns to the end of the round, not those to the end of the game: a winner wins round by round.

Tables are computed in waves: all those whose stakes are known, here one after the other on all cores, or each on a
machine of a cluster; then the stakes of further ones are known.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any

from quatuor.engine.machines import Cluster
from quatuor.engine.result import Result, Solution
from quatuor.engine.table_files import Table, load, save, version
from quatuor.game import Game
from quatuor.games.contract import Rounds, State
from quatuor.games.hooks import Stakes, Uint8s

Find = Callable[[Stakes], Table | None]  # the table for stakes, if there is one


class RoundsSolution(Solution):
    """A solution that looks positions up in the table of their round."""

    def __init__(self, start: Game, rounds: Rounds, find: Find) -> None:
        super().__init__(start)
        self._rounds, self._find = rounds, cache(find)
        self._worth = cache(self._solve)

    def probe(self, state: State) -> Result:
        layer, place = self._rounds.place(state)
        table = self.table(state)
        if table is None:
            raise LookupError("the table of this round has not been computed")
        found = Result.of(self._rounds.result(int(table.array[layer, place])))
        return Result(found.outcome, None, found.distance)

    def after(self, before: Game, after: Game, seat: int) -> Result:
        found = super().after(before, after, seat)
        if after.over or self._rounds.same(before.state, after.state) or found.outcome == "draw":
            return found
        return Result(found.outcome, None, 1)  # the round ends here, the next is another count

    def table(self, state: State) -> Table | None:
        """The table of the round under way, if that and all it depends on are there."""
        return self._table(self._rounds.standing(state))

    def _table(self, standing: Any) -> Table | None:
        stakes = self._stakes(standing)
        return self._find(stakes) if stakes else None

    def _stakes(self, standing: Any) -> Stakes | None:
        """For every score of a round: whether it wins, draws or loses the game for the seat that began."""
        found = []
        for own, other in self._rounds.SCORES:
            then, same = self._rounds.after(standing, own, other)
            outcome = then if isinstance(then, int) else self._worth(then)
            if outcome is not None:  # else go on, to find everything that is missing
                found.append(outcome if same else -outcome)
        return tuple(found) if len(found) == len(self._rounds.SCORES) else None

    def facts(self) -> dict[str, Any]:
        """Which positions can come up is not known: they are too many to be followed."""
        return {"reachable": None, "longest_win": None}

    def _solve(self, standing: Any) -> int | None:
        table = self._table(standing)
        return int(self._rounds.begin(table.array)) if table else None


def solve_rounds(
    start: Game, progress: Callable[[int, int], None] | None, threads: int | None, cluster: Cluster | None = None
) -> Solution | None:
    """Compute what is missing on disk; None if the game has no rounds. How many tables it takes shows on the way."""
    rounds = _rounds(start)
    if rounds is None:
        return None
    done = 0
    while True:
        missing: dict[Stakes, None] = {}
        solution = RoundsSolution(start, rounds, partial(_load, start, rounds, missing))
        if solution.table(start.state) is not None:
            return solution
        wave = list(missing)
        solved = _on_cluster(rounds, wave, cluster, threads) if cluster else _here(rounds, wave, threads)
        for stakes, array in solved:
            save(_about(start, rounds, stakes), Table(array, {}))
            missing.pop(stakes)
            done += 1
            if progress:
                progress(done, done + len(missing))


def rounded(game: Game) -> Solution | None:
    """The solution from this position on, if its tables have been computed."""
    rounds = _rounds(game)
    if rounds is None:
        return None
    solution = RoundsSolution(game, rounds, partial(_load, game, rounds, {}))
    return solution if solution.table(game.state) is not None else None


def extent(game: Game) -> int:
    """How many tables are on disk; 0 if the game has no rounds."""
    rounds = _rounds(game)
    if rounds is None:
        return 0
    found: set[Stakes] = set()

    def find(stakes: Stakes) -> Table | None:
        table = load(_about(game, rounds, stakes))
        found.update([stakes] if table else [])
        return table

    RoundsSolution(game, rounds, find).table(game.state)
    return len(found)


def _load(game: Game, rounds: Rounds, missing: dict[Stakes, None], stakes: Stakes) -> Table | None:
    table = load(_about(game, rounds, stakes))
    if table is None:
        missing[stakes] = None
    return table


def _here(rounds: Rounds, wave: list[Stakes], threads: int | None) -> Iterator[tuple[Stakes, Uint8s]]:
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        for stakes in wave:
            yield stakes, rounds.solve(stakes, pool)


def _on_cluster(
    rounds: Rounds, wave: list[Stakes], cluster: Cluster, threads: int | None
) -> Iterator[tuple[Stakes, Uint8s]]:
    cluster.cores = threads or cluster.smallest()
    pieces = {str(stakes): (type(rounds), stakes, cluster.cores) for stakes in wave}
    for name, array in cluster.map(_round, pieces):
        yield pieces[name][1], array


def _round(make: Callable[[], Rounds], stakes: Stakes, threads: int) -> Uint8s:
    """Compute the table of one round. Runs on a machine of the cluster."""
    with ThreadPoolExecutor(threads) as pool:
        return _made(make).solve(stakes, pool)


def _about(game: Game, rounds: Rounds, stakes: tuple[int, ...]) -> dict[str, Any]:
    rules = version(game.book.rules, rounds)
    return {"game": game.name, "variant": game.variant.name, "stakes": list(stakes), "rules": rules}


def _rounds(game: Game) -> Rounds | None:
    rounds = _made(game.book.rounds) if game.book.rounds else None
    return rounds if rounds and rounds.standing(game.state) is not None else None


@cache
def _made(make: Callable[[], Rounds]) -> Rounds:
    """One object for all uses, since it computes large tables once."""
    return make()
