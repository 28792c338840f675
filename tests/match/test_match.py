"""Matches: seats, points, standing, and what is refused."""

import functools
import itertools

import pytest

import quatuor
from quatuor.games import names
from quatuor.games.contract import win_points
from quatuor.match import Result, Row
from tests.seeded import play


@functools.cache
def finished(variant, ranking, name="plateau_x"):
    """A random game that ended with this ranking, seat by seat."""
    options = quatuor.new(name, variant).options
    games = (play(name, variant, options, seed) for seed in itertools.count())
    return next(game for game in games if game.over and game.ranking == ranking)


def report(match, ranking):
    match.next()
    match.report(finished(match.game.variant.name, ranking))


def standing(match):
    return [(row.player, row.points, row.firsts, row.place) for row in match.standing]


def test_PX_40_a_match_of_four():
    match = quatuor.Match("plateau_x", games=2, players=("Ann", "Ben", "Cleo", "Dan"))
    report(match, (2, 1, 4, 3))
    assert standing(match) == [("Ben", 4, 1, 1), ("Ann", 2, 0, 2), ("Dan", 1, 0, 3), ("Cleo", 0, 0, 4)]
    assert not match.over
    report(match, (1, 2, 3, 4))  # Ben sits first now
    assert standing(match) == [("Ben", 8, 2, 1), ("Ann", 2, 0, 2), ("Cleo", 2, 0, 2), ("Dan", 2, 0, 2)]
    assert match.over


def test_PX_41_a_match_of_three():
    match = quatuor.Match("plateau_x", "trio", games=1)
    report(match, (3, 1, 2))
    assert standing(match) == [("Player 2", 3, 1, 1), ("Player 3", 1, 0, 2), ("Player 1", 0, 0, 3)]


def test_PX_44_equal_points_go_to_most_first_places():
    match = quatuor.Match("plateau_x", "trio", games=3, players=("Ann", "Ben", "Cleo"))
    report(match, (1, 2, 3))  # Ann, Ben, Cleo
    report(match, (2, 1, 3))  # Ben, Cleo, Ann
    report(match, (1, 3, 2))  # Cleo, Ann, Ben
    assert standing(match) == [("Cleo", 6, 2, 1), ("Ann", 3, 1, 2), ("Ben", 3, 0, 3)]


@pytest.mark.parametrize("variant", ["mini", "double"])
def test_PX_44_a_win_for_two_is_a_point_and_an_equal_match_is_shared(variant):
    match = quatuor.Match("plateau_x", variant, games=2, players=("Ann", "Ben"))
    report(match, (1, 2))
    report(match, (1, 2))  # Ben sits first now
    assert match.standing == [Row("Ann", 1, 1, 1), Row("Ben", 1, 1, 1)]


def test_PX_45_the_first_seat_rotates():
    match = quatuor.Match("plateau_x", "trio", games=4, players=("Ann", "Ben", "Cleo"))
    seats = []
    while not match.over:
        report(match, (1, 2, 3))
        seats.append(match.results[-1].players)
    assert seats == [("Ann", "Ben", "Cleo"), ("Ben", "Cleo", "Ann"), ("Cleo", "Ann", "Ben"), ("Ann", "Ben", "Cleo")]
    assert match.results[1] == Result(seats[1], finished("trio", (1, 2, 3)).scores, (1, 2, 3), (3, 1, 0))


def test_a_game_played_in_place_counts():
    match = quatuor.Match("plateau_x", "mini", games=1, edition="fr")
    game = match.next()
    assert (game.name, game.variant.name, game.options["edition"]) == ("plateau_x", "mini", "fr")
    assert match.game is game
    while not game.over:
        game.play(game.legal()[0])
    match.report(game)
    assert match.over
    assert sum(row.points for row in match.standing) == 1


def test_without_match_points_in_the_rulebook_a_win_is_two_and_a_shared_win_one():
    assert win_points("", (7, 5), (1, 2)) == (2, 0)
    assert win_points("", (5, 5), (1, 1)) == (1, 1)
    assert win_points("", (9, 9, 4), (1, 1, 3)) == (1, 1, 0)
    match = quatuor.Match("plus4", games=1)
    match.next()
    match.report(finished("elementary", (2, 1), "plus4"))
    assert standing(match) == [("Player 2", 2, 1, 1), ("Player 1", 0, 0, 2)]


@pytest.mark.parametrize("name", names())
def test_every_game_gives_points_for_a_match(name):
    match = quatuor.Match(name, games=1)
    game = match.next()
    match.report(play(name, game.variant.name, game.options, seed=1, cap=2000))
    [result] = match.results
    assert [type(points) for points in result.points] == [int] * game.seats
    best = [points for points, place in zip(result.points, result.ranking, strict=True) if place == 1]
    assert best == [max(result.points)] * len(best)
    if name == "blokus":
        assert result.points == result.scores


def test_invalid_input_is_refused():
    for wrong in (0, -1, "two", 1.5):
        with pytest.raises(ValueError, match="at least 1"):
            quatuor.Match("plateau_x", games=wrong)
    with pytest.raises(ValueError, match="needs 2 different names"):
        quatuor.Match("plateau_x", "mini", players=("Ann", "Ann"))
    with pytest.raises(ValueError, match="needs 4 different names"):
        quatuor.Match("plateau_x", players=("Ann", "Ben"))
    with pytest.raises(ValueError, match="unknown game"):
        quatuor.Match("chess")
    with pytest.raises(ValueError, match="choose one of de, fr"):
        quatuor.Match("plateau_x", edition="es")


def test_only_a_finished_game_of_the_match_counts_and_only_once():
    match = quatuor.Match("plateau_x", "mini", games=1)
    won = finished("mini", (1, 2))
    with pytest.raises(ValueError, match=r"start one with next\(\)"):
        match.report(won)
    game = match.next()
    with pytest.raises(ValueError, match="game 1 has not been reported"):
        match.next()
    with pytest.raises(ValueError, match="not over"):
        match.report(game)
    with pytest.raises(ValueError, match=r"plateau_x:double .* is not a game of this match"):
        match.report(finished("double", (1, 2)))
    with pytest.raises(ValueError, match="is not a game of this match"):
        match.report(quatuor.new("plateau_x", "mini", edition="fr"))
    assert match.results == []
    match.report(quatuor.load(won.record()))  # the same game, from its record
    with pytest.raises(ValueError, match="start one"):
        match.report(won)
    with pytest.raises(ValueError, match="the match is over"):
        match.next()
