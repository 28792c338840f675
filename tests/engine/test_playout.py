import os
import subprocess
import sys

import pytest

import quatuor
from quatuor.engine.playout import random_games
from quatuor.kernel import below, seeds

VARIANTS = ["plus4:elementary", "plus4:endless", "plus4:rounds", "blokus", "plateau_x", "trois_six", "ring"]


def by_hand(name, variant, rng, cap):
    """The same game through the public API, move by move."""
    game = quatuor.new(name, variant)
    while not game.over and game.ply < cap:
        orders = {}
        for seat in game.to_move:
            actions = game.actions(seat)
            orders[seat] = actions[below(rng, len(actions))]
        game.play_actions(orders)
    return game


@pytest.mark.parametrize("which", VARIANTS)
def test_random_games_are_those_the_api_plays(which):
    name, _, variant = which.partition(":")
    found = random_games(name, variant or None, seed=11, count=8, cap=120)
    for i, rng in enumerate(seeds(11, 8)):
        game = by_hand(name, variant or None, rng, cap=120)
        assert found.plies[i] == game.ply
        assert tuple(found.scores[i]) == game.scores
        assert tuple(found.places[i]) == game.ranking


def test_a_game_depends_on_its_seed_alone():
    many = random_games("plus4", "endless", seed=5, count=20)
    later = random_games("plus4", "endless", seed=12, count=4)
    assert (many.plies[7:11] == later.plies).all()
    assert (many.scores[7:11] == later.scores).all()


def test_a_capped_game_is_left_unfinished():
    assert (random_games("plus4", "rounds", seed=1, count=30, cap=10).plies == 10).all()


def test_the_third_occurrence_ends_a_random_game():
    found = random_games("ring", seed=3, count=400)
    drawn = (found.places == 1).all(axis=1)
    assert drawn.any()
    assert not drawn.all()
    assert found.plies.max() <= 4 * 7  # 7 cells, 2 sides to move, at most twice each before a third time


def test_interpreted_games_are_the_same():
    program = (
        "from quatuor.engine.playout import random_games;"
        "found = random_games('plus4', 'endless', seed=2, count=5);"
        "print(found.plies.tolist(), found.scores.tolist())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", program],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in "01"
    ]
    assert runs[0] == runs[1]
    assert runs[0].startswith("[")
