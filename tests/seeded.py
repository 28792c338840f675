"""Random games from a seed, through the Python API; as a program, their fingerprints.

``python -m tests.seeded GAME`` runs in separate processes with other compiler settings: its output must not
depend on them.
"""

import functools
import hashlib
import json
import random
import sys
from typing import Any

import quatuor
from quatuor.engine.playout import random_games
from quatuor.games import rulebook
from quatuor.kernel import below, seeded
from tests.oracle.compare import random_options


def play(name: str, variant: str, options: dict[str, Any], seed: int, cap: int = 300) -> quatuor.Game:
    """A uniformly random game, the same as number 0 of ``random_games`` with this seed."""
    game, rng = quatuor.new(name, variant, **options), seeded(seed)
    while not game.over and game.ply < cap:
        for seat in game.to_move:
            actions = game.actions(seat)
            game.play_actions({seat: actions[below(rng, len(actions))]})
    return game


@functools.cache
def sample(name: str, variant: str, seed: int) -> quatuor.Game:
    """A game with options drawn from the seed; tests that share it must not change it."""
    return play(name, variant, random_options(name, variant, random.Random(seed)), seed)


def at(game: quatuor.Game, ply: int) -> quatuor.Game:
    """The game after this number of turns."""
    earlier = game.copy()
    while earlier.ply > ply:
        earlier.undo()
    return earlier


def fingerprint(name: str, variant: str, seed: int) -> list[Any]:
    """A fingerprint of a game: of all cells of all its states."""
    game = sample(name, variant, seed)
    states = hashlib.sha256()
    for ply in range(0, game.ply + 1, 10):
        states.update(at(game, ply).state.tobytes())
    states.update(game.state.tobytes())
    many = random_games(name, variant, seed=seed, count=2, cap=100, **game.options)
    return [variant, seed, game.ply, states.hexdigest(), many.plies.tolist(), many.places.tolist()]


def main(name: str) -> None:
    print(json.dumps([fingerprint(name, variant.name, seed) for variant in rulebook(name).variants for seed in (1, 2)]))


if __name__ == "__main__":
    main(sys.argv[1])
