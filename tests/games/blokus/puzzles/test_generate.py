"""Graded and daily puzzles: always solvable, always the same."""

import datetime
import hashlib

import pytest

from quatuor.puzzles import DIFFICULTIES, KINDS, check, daily, new, solvable
from tests.games.blokus.puzzles import FORMS as PUZZLES

MONDAY = datetime.date(2026, 11, 16)


@pytest.mark.parametrize(("name", "hard"), PUZZLES)
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_a_graded_puzzle_has_a_solution(name, hard, difficulty):
    task = new(name, difficulty, 11, hard)
    left = check(task.position).left
    assert check(task.position).legal
    assert len(left) == KINDS[name].open[difficulty]
    assert task.position.given == len(task.position.pieces)
    assert check(task.solution).solved
    assert task.solution.pieces[: task.position.given] == task.position.pieces
    assert solvable(task.position, 60).value == "yes"


def test_difficulties_differ_in_what_is_left():
    for kind in KINDS.values():
        assert kind.open["easy"] < kind.open["medium"] < kind.open["expert"]


def test_seeds_differ_and_repeat():
    assert new("tetro20", "medium", 1) == new("tetro20", "medium", 1)
    assert new("tetro20", "medium", 1).position != new("tetro20", "medium", 2).position


def test_the_solution_is_not_revealed():
    assert set(new("tetro10").data()) == {"difficulty", "seed", "position"}


def test_unknown_names_are_refused_with_the_choices():
    with pytest.raises(ValueError, match="unknown difficulty 'hard'; choose easy, medium, expert"):
        new("tetro20", "hard")
    with pytest.raises(ValueError, match="unknown puzzle 'tetro21'; the puzzles are all84, tetro20"):
        new("tetro21")
    with pytest.raises(ValueError, match="pento12 has no hard form; these have: all84, tetro20, pento48"):
        new("pento12", hard=True)
    with pytest.raises(ValueError, match="laid on 5 rows and 8 columns or 4 rows and 10 columns, not on 8"):
        new("tetro10", rows=8, columns=5)


def test_every_puzzle_comes_within_a_week():
    week = [daily(MONDAY + datetime.timedelta(days), "easy").position for days in range(7)]
    assert {position.puzzle for position in week} == set(KINDS)
    assert {position.hard for position in week} == {False, True}


GOLDEN = [
    "f9dbb0959933",
    "d7d3916cd78d",
    "a832636d6bf2",
    "66d07b822cd1",
    "43ee1550b451",
    "83ab50b9c2b5",
    "3eac0a3d744a",
]


def test_the_puzzle_of_a_day_is_the_same_everywhere():
    """Fixed here: a change of the solver must not change the puzzle that others got on the same day."""
    days = [daily(MONDAY + datetime.timedelta(days), "medium").position.dump() for days in range(7)]
    assert [hashlib.sha256(day.encode()).hexdigest()[:12] for day in days] == GOLDEN


def test_today_is_the_default():
    assert daily(difficulty="easy") in (
        daily(datetime.date.today(), "easy"),
        daily(datetime.date.today() - datetime.timedelta(1), "easy"),  # just after midnight
    )
