"""Compile whatever is compiled on first use, by using it shortly.

Set-up does this in one process: a dozen that start together on a cold cache would all compile the same.
"""

from collections.abc import Callable, Iterator

from quatuor.engine.perft import perft
from quatuor.engine.playout import random_games
from quatuor.engine.uct import Search
from quatuor.game import Game, new
from quatuor.games import names

Step = tuple[str, Callable[[], object]]


def steps() -> Iterator[Step]:
    """What there is to compile: a name to show, and a function that gets it compiled."""
    for name in names():
        yield f"{name}: rules", lambda name=name: _rules(new(name))
        yield f"{name}: random games", lambda name=name: random_games(name, cap=50)
        yield f"{name}: counting", lambda name=name: perft(new(name), 2)
        yield f"{name}: search", lambda name=name: _search(new(name))


def _rules(game: Game) -> None:
    game.play({seat: game.legal(seat)[0] for seat in game.to_move})
    game.effects()
    game.view()
    _ = game.scores


def _search(game: Game) -> None:
    if len(game.to_move) == 1:  # UCT is for games played in turns
        Search(game).run(10)
