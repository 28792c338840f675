"""Elo ratings: unbiased, with errors that cover the truth."""

import math
import random

import pytest

from quatuor.match.elo import fit


def expected(gap):
    return 1 / (1 + 10 ** (-gap / 400))


def test_two_engines_by_the_formula():
    games = [[(0, 1, 1.0)]] * 59 + [[(0, 1, 0.5)]] * 20 + [[(0, 1, 0.0)]] * 20  # and one more draw
    gap = fit(2, games).difference(0, 1)
    share = (59 + 21 / 2) / 100
    assert gap.elo == pytest.approx(400 * math.log10(share / (1 - share)))
    assert 50 < gap.error < 90


def test_a_player_who_wins_every_game_has_a_finite_rating_with_a_wide_error():
    gap = fit(2, [[(0, 1, 1.0)]] * 20).difference(0, 1)
    assert 300 < gap.elo < 1000
    assert gap.error > 200


def test_ratings_are_found_from_results_and_errors_cover_the_truth():
    truth, dice, inside = [0, 100, 250], random.Random(1), 0
    for _ in range(100):
        games = []
        for a, b in ((0, 1), (1, 2), (0, 2)):
            games += [[(a, b, float(dice.random() < expected(truth[a] - truth[b])))] for _ in range(60)]
        gap = fit(3, games).difference(2, 0)
        inside += abs(gap.elo - 250) < gap.error
    assert 88 <= inside <= 100  # 95 of 100 are expected


def test_pairs_of_one_game_do_not_count_as_games():
    """Four equal results of one game count no more than one."""
    dice = random.Random(2)
    wins = [float(dice.random() < 0.6) for _ in range(200)]
    one = fit(2, [[(0, 1, win)] for win in wins]).difference(0, 1)
    four = fit(2, [[(0, 1, win)] * 4 for win in wins]).difference(0, 1)
    assert four.elo == pytest.approx(one.elo, abs=2)
    assert four.error == pytest.approx(one.error, rel=0.05)


def test_many_games_of_many_engines_leave_a_small_error():
    dice = random.Random(3)
    pairs = [(a, b) for a in range(11) for b in (a + 1, a + 2) if b < 11]
    games = [[(a, b, float(dice.random() < expected(30 * (a - b))))] for a, b in pairs for _ in range(200)]
    assert all(rating.error < 60 for rating in fit(11, games).each)


def test_no_games_give_no_ratings():
    found = fit(2, [])
    assert [rating.elo for rating in found.each] == [0, 0]
