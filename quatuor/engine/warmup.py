"""Compile whatever is compiled on first use, by using it shortly.

Set-up does this in one process: a dozen that start together on a cold cache would all compile the same.
"""

from collections.abc import Callable, Iterator
from functools import partial

from quatuor.engine import choice
from quatuor.engine.analysis import order
from quatuor.engine.perft import perft
from quatuor.engine.player import Engine
from quatuor.engine.playout import random_games
from quatuor.game import Game, new
from quatuor.games import names

UNITS = 200  # of a search: enough to know something of what follows


def steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """What there is to compile: a name to show, and a function that gets it compiled."""
    for name in names():
        yield f"{name}: rules", partial(_rules, name)
        yield f"{name}: random games", partial(random_games, name, cap=50)
        yield f"{name}: counting", partial(_counting, name)
        yield f"{name}: engine", partial(_engine, name)


def rehearse(game: Game, kind: str) -> None:
    """Search, play what the search expects, and go on from there."""
    game = game.copy()
    (seat, *others) = game.to_move
    searcher = choice.module(game, kind).search(game, seat, 0)
    searcher.run(UNITS)
    found = searcher.found()
    for action in searcher.line(max(found, key=lambda action: order(found[action])))[: game.seats]:
        if game.to_move == (seat, *others):
            game.play_actions({seat: action} | {other: game.actions(other)[0] for other in others})
        elif len(game.to_move) == 1:
            game.play_actions({game.to_move[0]: action})
    if searcher.advance(game):
        searcher.run(1)


def _rules(name: str) -> None:
    game = new(name)
    game.play({seat: game.legal(seat)[0] for seat in game.to_move})
    game.effects()
    game.view()
    _ = game.scores


def _counting(name: str) -> None:
    perft(new(name), 1)


def _engine(name: str) -> None:
    game = new(name)
    rehearse(game, choice.kind(game))
    Engine(level=1, seed=0).choose(game, game.to_move[0])
    Engine(level=1, seed=0).analyse(game, game.to_move[0])
