from itertools import product

import pytest

import quatuor
from quatuor.engine.perft import perft


def naive(game, depth):
    """The same count through the public API."""
    if depth == 0:
        return 1
    total = 0
    for orders in product(*[[(seat, a) for a in game.actions(seat)] for seat in game.to_move]):
        if orders:
            after = game.copy()
            after.play_actions(dict(orders))
            total += naive(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("name", "variant", "depth"),
    [
        ("plus4", "elementary", 4),
        ("plus4", "rounds", 3),
        ("blokus", None, 1),
        ("plateau_x", "mini", 1),
        ("trois_six", None, 1),
        ("ring", None, 9),
    ],
)
def test_perft_counts_equal_those_of_the_api(name, variant, depth):
    game = quatuor.new(name, variant)
    for d in range(depth + 1):
        assert perft(game, d) == naive(game, d)


def test_perft_counts_earlier_positions_for_repetition():
    game = quatuor.new("ring")
    for move in "+-+":
        game.play(move)
    assert not game.over  # the start has occurred twice: going back there is a draw, going on wins for the other
    assert perft(game, 2) == naive(game, 2) == 2


def test_perft_ends_where_the_game_does():
    game = quatuor.new("plus4")
    for move in "abababa":
        game.play(move)
    assert game.over
    assert perft(game, 0) == 1
    assert perft(game, 1) == 0


def test_perft_refuses_a_negative_depth():
    with pytest.raises(ValueError, match="from 0"):
        perft(quatuor.new("plus4"), -1)
