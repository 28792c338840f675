"""The games of this package, each measured in the unit that its players would use."""

import itertools

from bench.measure import Rate, rate
from quatuor.engine import search_registry
from quatuor.engine.playout import random_games
from quatuor.engine.uct import Search
from quatuor.game import new

BATCH = {"plus4": 20_000, "blokus": 200, "plateau_x": 500, "trois_six": 2_000}
SIMULATIONS = {"plus4": 2_000, "blokus": 500, "plateau_x": 500, "trois_six": 2_000}  # as many as the peer makes


def random_plies(name: str, unit: str = "random plies", **how: float) -> Rate:
    """Turns of uniformly random games; a simultaneous turn counts once."""
    seeds = itertools.count(0, BATCH[name])

    def work() -> float:
        return float(random_games(name, seed=next(seeds), count=BATCH[name]).plies.sum())

    return rate(_label(name), unit, work, **how)


def whole_games(name: str, **how: float) -> Rate:
    """Uniformly random games from the first ply to the last."""
    seeds = itertools.count(0, BATCH[name])

    def work() -> float:
        return float(len(random_games(name, seed=next(seeds), count=BATCH[name]).plies))

    return rate(_label(name), "random games", work, **how)


def uct(name: str, **how: float) -> Rate:
    """Simulations of the tree search, from the start position."""
    game = new(name)
    nodes = 40 * SIMULATIONS[name]

    def work() -> float:
        Search(game, seed=7, nodes=nodes).run(SIMULATIONS[name])
        return SIMULATIONS[name]

    return rate(f"{_label(name)}, UCT", "simulations", work, **how)


def engine(name: str, **how: float) -> Rate:
    """The search that the engine plays with, in its own units of work, from the start position."""
    game = new(name)
    search = search_registry.module(game, search_registry.kind(game)).search

    def work() -> float:
        searcher = search(game, game.to_move[0], 7)
        searcher.run(SIMULATIONS[name])
        return float(searcher.done)

    return rate(f"{_label(name)}, engine ({search_registry.kind(game)})", "units", work, **how)


def _label(name: str) -> str:
    return f"{name}:{new(name).variant.name}"
