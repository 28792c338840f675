"""Lessons over HTTP."""

import pytest

from quatuor import learn
from tests.server.client import Problem


async def test_the_courses_and_their_texts(ada):
    public_event = (await ada.get("/learn"))["courses"]
    assert [course["game"] for course in public_event] == list(learn.games())
    for course in public_event:
        whole = await ada.get(f"/learn/{course['game']}")
        assert [(lesson["name"], len(lesson["steps"])) for lesson in whole["lessons"]] == [
            (lesson["name"], lesson["steps"]) for lesson in course["lessons"]
        ]
        step = whole["lessons"][0]["steps"][0]
        assert set(step) == {"clauses", "show", "text", "task", "done"}
        assert set(step["task"]) == {"en", "fr", "de"}


async def test_a_step_is_a_table_and_a_try_is_judged(ada):
    table = await ada.get("/learn/plus4/push/1")
    assert (table["you"], table["to_move"], len(table["history"])) == ([0], [0], 2)
    assert table["legal"]["0"] == ["a", "b", "c", "d"]
    right = await ada.post("/learn/plus4/push/1", {"move": "b"})
    assert (right["verdict"], len(right["table"]["history"])) == ("done", 3)
    wrong = await ada.post("/learn/plus4/push/1", {"move": "c"})
    assert (wrong["verdict"], wrong["clause"]) == ("wrong", "P4-2")
    refused = await ada.post("/learn/plus4/push/1", {"move": "e"})
    assert (refused["verdict"], refused["table"], refused["says"]) == ("refused", None, None)
    assert len((await ada.get("/learn/plus4/push/1"))["history"]) == 2  # nothing is stored


@pytest.mark.parametrize("path", ["chess", "plus4/push/99", "plus4/push/-1", "plus4/push/x", "plus4/nothing/0"])
async def test_unknown_names_are_not_found(ada, path):
    with pytest.raises(Problem) as problem:
        await ada.get(f"/learn/{path}")
    assert (problem.value.status, problem.value.code) == (404, "not_found")


@pytest.mark.parametrize("content", [None, {}, {"move": 1}, {"move": "b" * 201}, {"move": "b", "more": 1}])
async def test_unreadable_text_is_refused(ada, content):
    with pytest.raises(Problem) as problem:
        await ada.post("/learn/plus4/push/0", content)
    assert (problem.value.status, problem.value.code) == (400, "bad_request")
