"""Compile all that is compiled on first use, by using it briefly.

Set-up does this with one process for each game: several processes that start with a cold cache would all compile the
same functions.
"""

from quatuor.engine import search_registry
from quatuor.engine.analysis import order
from quatuor.engine.levels import TOP
from quatuor.engine.perft import perft
from quatuor.engine.player import Engine
from quatuor.engine.playout import random_games
from quatuor.game import Game, new

UNITS = 200  # of a search: enough for a line of several moves


def precompile(name: str) -> None:
    """Compile a game: its rules, random games, perft and engine."""
    _rules(name)
    random_games(name, cap=50)
    perft(new(name), 1)
    _engine(name)


def precompile_search(game: Game, kind: str) -> None:
    """Compile a search for a game: search, play what the search expects, and go on from there."""
    game = game.copy()
    (seat, *others) = game.to_move
    searcher = search_registry.module(game, kind).search(game, seat, 0)
    searcher.run(UNITS)
    found = searcher.found()
    for action in searcher.line(max(found, key=lambda action: order(found[action])))[: game.seats]:
        if game.to_move == (seat, *others):
            game._advance({seat: action} | {other: game.actions(other)[0] for other in others})
        elif len(game.to_move) == 1:
            game._advance({game.to_move[0]: action})
    if searcher.advance(game):
        searcher.run(1)


def _rules(name: str) -> None:
    game = new(name)
    game.play({seat: game.legal(seat)[0] for seat in game.to_move})
    game.effects()
    game.view()
    _ = game.scores


def _engine(name: str) -> None:
    game = new(name)
    for kind in {Engine(level).kind(game) for level in (1, TOP)}:
        precompile_search(game, kind)
    Engine(level=1, seed=0).choose(game, game.to_move[0])
    Engine(level=1, seed=0).analyse(game, game.to_move[0])
