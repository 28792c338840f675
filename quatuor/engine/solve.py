"""Solved games: the value of every position and how long it takes.

Values are for the side to move. Endless play is a draw; a distance counts the turns to the end when the winner hurries
and the loser delays (in games of rounds it is not known, only the turns to the end of the round).

The same values hold with a repetition rule that makes the game a draw: a winner comes closer to the end with every move
and so never repeats a position, and a draw by endless play is a draw by repetition. Only positions that have already
occurred in the current game may differ: moves that end it at once are seen, later ones are not.
"""

import sys
from functools import cache
from socket import gethostname
from typing import Any

from quatuor.engine import solve_race, solve_rounds
from quatuor.engine.arguments import WHOLE, check_numbers
from quatuor.engine.machines import Cluster
from quatuor.engine.result import Result, Solution
from quatuor.engine.retrograde import listed, solve_listed
from quatuor.engine.solve_race import Progress, layered
from quatuor.engine.solve_rounds import rounded
from quatuor.engine.table_files import data_root
from quatuor.game import Game
from quatuor.games import rulebook

__all__ = ["Progress", "Result", "Solution", "at_hand", "solve"]

QUICK = 4_000_000  # up to this many positions are solved on request; chosen, not measured


def solve(
    name: str,
    variant: str | None = None,
    progress: Progress | None = None,
    threads: int | None = None,
    cluster: Cluster | None = None,
    **options: Any,
) -> Solution:
    """Solve a game from its start, or load the solution from disk.

    >>> solve("plus4", "elementary").summary()["value"]
    'draw'

    Args:
        name: The game.
        variant: The game's first variant by default.
        progress: Called after every step with the steps done and the steps in all.
        threads: All cores by default.
        cluster: Compute independent tables on the machines of a Ray cluster.
        options: Options of the game's rules.

    Raises:
        ValueError: The game cannot be solved: it has too many positions, or does not list them.
    """
    check_numbers(WHOLE | None, threads=threads)
    if threads is not None and threads < 1:
        raise ValueError(f"threads={threads}: choose a whole number from 1")
    start = Game(rulebook(name), variant, options)
    if listed(start):
        return solve_listed(start)
    work = progress, threads, cluster
    solution = solve_race.solve_race(start, *work) or solve_rounds.solve_rounds(start, *work)
    if solution is None:
        raise ValueError(
            f"{start.name}:{start.variant.name} cannot be solved: its rulebook lists no positions. A small game gives "
            "them by `space` of its Rulebook (see docs/adding.md)"
        )
    return solution


def at_hand(game: Game) -> Solution | None:
    """The solution from this position on, if it is on disk or small enough to compute now; never in a browser."""
    if sys.platform == "emscripten":  # neither a disk nor threads
        return None
    if 0 < listed(game) <= QUICK:
        return _remembered(game.name, game.variant.name, tuple(game.options.items()))
    return layered(game) or rounded(game)


def extent(game: Game) -> int:
    """How many tables of the larger kind are on disk: engines play alike on machines that have the same ones."""
    start = Game(game.book, game.variant.name, game.options)
    return solve_race.extent(start) + solve_rounds.extent(start)


def differs(name: str) -> ValueError:
    """The error for machines with different tables."""
    folder = data_root() / name
    return ValueError(f"{gethostname()} has other solved tables than the machine that asks: copy its {folder} there")


@cache
def _remembered(name: str, variant: str, options: tuple[tuple[str, Any], ...]) -> Solution:
    return solve(name, variant, **dict(options))
