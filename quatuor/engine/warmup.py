"""Compile whatever is compiled on first use, by using it shortly.

Set-up does this in one process: a dozen that start together on a cold cache would all compile the same.
"""

from collections.abc import Callable, Iterator
from functools import partial

from quatuor.engine.perft import perft
from quatuor.engine.player import Engine
from quatuor.engine.playout import random_games
from quatuor.game import new
from quatuor.games import names


def steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """What there is to compile: a name to show, and a function that gets it compiled."""
    for name in names():
        yield f"{name}: rules", partial(_rules, name)
        yield f"{name}: random games", partial(random_games, name, cap=50)
        yield f"{name}: counting", partial(_counting, name)
        yield f"{name}: engine", partial(_engine, name)


def _rules(name: str) -> None:
    game = new(name)
    game.play({seat: game.legal(seat)[0] for seat in game.to_move})
    game.effects()
    game.view()
    _ = game.scores


def _counting(name: str) -> None:
    perft(new(name), 1)


def _engine(name: str) -> None:
    game, engine = new(name), Engine(level=1, seed=0)
    for _ in range(game.seats + 1):
        if 0 in game.to_move:  # the second time from what is known by the first
            engine.analyse(game, 0)
        game.play({seat: game.legal(seat)[0] for seat in game.to_move})
