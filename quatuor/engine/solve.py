"""Solved games: the value of every position and how long it takes.

Values are for the side to move. Endless play is a draw; a distance counts the turns to the end when the winner hurries
and the loser delays (in games of rounds it is not known, only the turns to the end of the round).

With a repetition rule that ends the game as a draw the same values hold: a winner comes closer to the end with every
move and so never repeats, and who has a draw has it by going round as well. Only positions that have already occurred
in the game at hand may differ: the moves that end it at once are seen, those further ahead are not.
"""

from functools import cache
from socket import gethostname
from typing import TYPE_CHECKING, Any

from quatuor.engine import layers, rounds
from quatuor.engine.layers import Progress, layered, solve_layers
from quatuor.engine.result import Result, Solution
from quatuor.engine.retrograde import listed, solve_listed
from quatuor.engine.rounds import rounded, solve_rounds
from quatuor.engine.table_files import data_root
from quatuor.game import Game
from quatuor.games import rulebook

if TYPE_CHECKING:
    from quatuor.work.cluster import Cluster

__all__ = ["Progress", "Result", "Solution", "at_hand", "solve"]

QUICK = 4_000_000  # so many positions are solved at once when somebody asks


def solve(
    name: str,
    variant: str | None = None,
    progress: Progress | None = None,
    threads: int | None = None,
    cluster: "Cluster | None" = None,
    **options: Any,
) -> Solution:
    """Solve a game from its start, or fetch the solution from disk. ValueError if it cannot be solved.

    ``progress`` is told after every step how many of how many are done; ``threads``: all cores unless told. With a
    ``cluster``, tables that do not need each other are computed on its machines at the same time, and kept here.

    >>> solve("plus4", "elementary").summary()["value"]
    'draw'
    """
    start = Game(rulebook(name), variant, options)
    if listed(start):
        return solve_listed(start)
    solution = solve_layers(start, progress, threads, cluster) or solve_rounds(start, progress, threads, cluster)
    if solution is None:
        raise ValueError(f"{start.name}:{start.variant.name} cannot be solved: too many positions, or none listed")
    return solution


def at_hand(game: Game) -> Solution | None:
    """The solution from this position on, if it is on disk or takes no more than a moment to find."""
    if 0 < listed(game) <= QUICK:
        return _remembered(game.name, game.variant.name, tuple(game.options.items()))
    return layered(game) or rounded(game)


def extent(game: Game) -> int:
    """How many tables there are that take longer to find: engines play alike on machines that have the same."""
    start = Game(game.book, game.variant.name, game.options)
    return layers.extent(start) + rounds.extent(start)


def differs(name: str) -> ValueError:
    """What to say where there are not the same."""
    folder = data_root() / name
    return ValueError(f"{gethostname()} has other solved tables than the machine that asks: copy its {folder} there")


@cache
def _remembered(name: str, variant: str, options: tuple[tuple[str, Any], ...]) -> Solution:
    return solve(name, variant, **dict(options))
