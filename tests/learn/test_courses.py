"""Every lesson is replayed with the real rules: solutions are accepted, listed wrong answers get the listed reply."""

import re
from dataclasses import astuple

import pytest

from quatuor import learn
from tools import clauses

STEPS = [
    pytest.param(game, lesson, number, id=f"{game}-{lesson.name}-{number}")
    for game in learn.games()
    for lesson in learn.course(game).lessons
    for number in range(len(lesson.steps))
]
CLAUSES = {title: [clause.id for clause in found] for title, found in clauses.read(clauses.ROOT).items()}
TITLES = {"plus4": "Plus 4", "blokus": "Blokus", "plateau_x": "Plateau X", "trois_six": "3/6"}
FEW = 12  # solutions that are all listed
UNTAUGHT = {  # clauses that no lesson teaches, with the reason
    "P4-7",  # the third occurrence of a position: too long to play up to
    "TS-24",  # who picks the colour
    *("PX-24", "PX-40", "PX-41", "PX-44", "PX-45"),  # repetition, more players, matches, who begins
    *("BK-20", "BK-21", "BK-22"),  # the puzzles have separate pages
}


@pytest.mark.parametrize(("game", "lesson", "number"), STEPS)
def test_solutions_are_accepted_and_wrong_tries_are_answered(game, lesson, number):
    step = lesson.steps[number]
    table = learn.table(game, lesson.name, number)
    (seat,) = table["you"]
    assert seat in table["to_move"]
    assert not table["over"]
    for move in step.solutions:
        found = learn.attempt(game, lesson.name, number, move)
        assert (found.verdict, found.says) == ("done", step.done), move
        assert len(found.table["history"]) == len(table["history"]) + 1
    for wrong in step.wrong:
        assert wrong.tries, "a wrong answer lists no move"
        for move in wrong.tries:
            found = learn.attempt(game, lesson.name, number, move)
            assert (found.verdict != "done", found.says, found.clause) == (True, wrong.says, wrong.clause), move
            assert (found.verdict == "refused") == (found.table is None) == ("refused" in wrong.when), move


@pytest.mark.parametrize(("game", "lesson", "number"), STEPS)
def test_no_other_move_reaches_the_goal(game, lesson, number):
    step = lesson.steps[number]
    solved = set(learn.solutions(game, lesson.name, number))
    assert len(solved) > FEW or solved <= set(step.solutions)  # in 3/6, a solution may be an impossible order


@pytest.mark.parametrize(("game", "lesson", "number"), STEPS)
def test_texts_are_complete_in_three_languages(game, lesson, number):
    step = lesson.steps[number]
    texts = [step.text, step.task, step.done, *(wrong.says for wrong in step.wrong)]
    for text in map(astuple, texts):
        assert len(set(text)) == 3, "left in another language"
        for words in text:
            assert re.fullmatch(r"[A-ZÀ-ÜŒ0-9„«“].{8,}[.!?)…]", words), words
    named = [*step.clauses, *(wrong.clause for wrong in step.wrong if wrong.clause)]
    assert step.clauses
    assert set(named) <= set(CLAUSES[TITLES[game]])


@pytest.mark.parametrize("game", learn.games())
def test_every_clause_is_taught_or_excluded_with_a_reason(game):
    taught = {clause for lesson in learn.course(game).lessons for step in lesson.steps for clause in step.clauses}
    assert set(CLAUSES[TITLES[game]]) - taught == UNTAUGHT & set(CLAUSES[TITLES[game]])


def test_names_of_lessons_are_unique():
    for game in learn.games():
        names = [lesson.name for lesson in learn.course(game).lessons]
        assert len(set(names)) == len(names)
        assert all(re.fullmatch(r"[a-z]+", name) for name in names)  # they are part of addresses


def test_the_goal_language():
    from quatuor.learn.goals import check, meets

    outcome = {"move": "a", "refused": None, "effects": {"orders": {0: {"result": "void"}}, "points": [2, 0]}}
    assert meets(outcome, {"move": "a", "effects.orders.0.result": "void", "effects.points.0": {"least": 2}})
    assert not meets(outcome, {"effects.points.1": {"least": 1}})
    assert not meets(outcome, {"effects.points.7": 0})
    assert not meets(outcome, {"refused": {"contains": "edge"}})
    assert meets(outcome, {"effects.points": {"count": 2}, "move": {"in": ["a", "b"], "not": "b"}})
    assert meets({"plateaus": [{"owners": [0]}, {"owners": [0, 1]}]}, {"plateaus": {"some": {"owners": [0, 1]}}})
    assert not meets({"plateaus": [{"owners": [0]}]}, {"plateaus": {"some": {"owners": [0, 1]}}})
    for nonsense in ({}, None, {"move": {"like": "a"}}):
        with pytest.raises(ValueError, match=r"cannot be asked|is not a goal"):
            check(nonsense)
