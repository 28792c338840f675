"""The puzzles over HTTP."""

import asyncio

import pytest

from quatuor.puzzles import KINDS, check, read
from tests.games.blokus.puzzles import solution
from tests.server.client import Problem

EMPTY = {"puzzle": "tetro20", "pieces": []}


def cut(position, pieces):
    data = position.data()
    return data | {"pieces": data["pieces"][:pieces]}


async def test_the_list_of_puzzles(ada):
    public_event = await ada.get("/puzzles")
    assert [puzzle["name"] for puzzle in public_event["puzzles"]] == list(KINDS)
    assert public_event["difficulties"] == ["easy", "medium", "expert"]
    for puzzle in public_event["puzzles"]:
        assert set(puzzle["title"]) == {"en", "fr", "de"}
        assert set(puzzle["open"]) == set(public_event["difficulties"])
        assert puzzle["boards"][0]["rows"] > 1


async def test_a_graded_puzzle_and_its_solution(ada):
    query = "/puzzles/new?puzzle=tetro20&hard=true&difficulty=medium&seed=5"
    task = await ada.get(query)
    position = read(task["position"])
    assert (task["difficulty"], task["seed"], position.hard, position.given) == ("medium", 5, True, 10)
    assert "solution" not in task
    solved = read((await ada.get(query + "&solution=true"))["solution"])
    assert check(solved).solved
    assert solved.pieces[: position.given] == position.pieces
    board = await ada.get("/puzzles/new?puzzle=pento12&rows=5&columns=12")
    assert (board["position"]["rows"], board["position"]["columns"]) == (5, 12)


async def test_the_daily_puzzle_is_the_same_for_everyone(ada, bob):
    one, other = await ada.get("/puzzles/daily?date=2026-11-16"), await bob.get("/puzzles/daily?date=2026-11-16")
    assert one == other
    assert (one["date"], one["difficulty"]) == ("2026-11-16", "medium")
    assert (await ada.get("/puzzles/daily?difficulty=easy"))["position"]["puzzle"] in KINDS


async def test_check_hint_solvable_and_solution(ada):
    whole = solution("tetro20", True, 1)
    part = {"position": cut(whole, 14)}
    report = await ada.post("/puzzles/check", part)
    assert (report["legal"], report["solved"], sum(map(len, report["left"].values()))) == (True, False, 6)
    answer = await ada.post("/puzzles/solvable", part)
    assert answer["answer"] == "yes"
    assert check(read(answer["completion"])).solved
    hint = await ada.post("/puzzles/hint", part | {"witness": answer["completion"]})
    assert hint["piece"] in answer["completion"]["pieces"]
    assert hint["piece"] not in part["position"]["pieces"]
    solved = await ada.post("/puzzles/solution", part)
    assert check(read(solved["completion"])).solved


async def test_an_unsolvable_position_is_answered_with_the_reason(ada):
    piece = {"colour": "blue", "cells": ["b1", "b2", "b3", "a3"]}
    answer = await ada.post("/puzzles/solvable", {"position": {"puzzle": "tetro20", "pieces": [piece]}})
    assert (answer["answer"], answer["completion"]) == ("no", None)
    assert answer["faults"][0] == {"code": "region", "rule": "BK-21", "pieces": [], "cells": ["a1", "a2"]}


async def test_the_largest_question_fits_into_a_request(ada):
    whole = solution("all84", True, 1).data()
    answer = await ada.post("/puzzles/solvable", {"position": whole, "witness": whole})
    assert answer["answer"] == "yes"


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/puzzles/new?puzzle=tetro21", "unknown puzzle 'tetro21'"),
        ("/puzzles/new", "unknown puzzle ''"),
        ("/puzzles/new?puzzle=tetro20&difficulty=hard", "unknown difficulty"),
        ("/puzzles/new?puzzle=tetro20&seed=-1", "seed='-1': write a whole number"),
        ("/puzzles/new?puzzle=tetro10&rows=3&columns=4", "tetro10 is laid on"),
        ("/puzzles/new?puzzle=tetro10&rows=4", "columns=''"),
        ("/puzzles/daily?date=soon", "isoformat"),
    ],
)
async def test_invalid_puzzles_are_refused(ada, path, message):
    with pytest.raises(Problem) as caught:
        await ada.get(path)
    assert (caught.value.status, caught.value.code) == (400, "bad_puzzle")
    assert message in caught.value.detail["message"]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ({}, "bad_request"),
        ({"position": []}, "bad_request"),
        ({"position": {}}, "bad_puzzle"),
        ({"position": {"puzzle": "tetro20", "pieces": [1]}}, "bad_puzzle"),
        (
            {"position": {"puzzle": "tetro20", "pieces": []}, "witness": {"puzzle": "tetro20", "pieces": []}},
            "bad_puzzle",
        ),
        ({"position": {"puzzle": "tetro20", "pieces": []}, "more": 1}, "bad_request"),
    ],
)
async def test_invalid_positions_are_refused(ada, content, code):
    with pytest.raises(Problem) as caught:
        await ada.post("/puzzles/solvable", content)
    assert (caught.value.status, caught.value.code) == (400, code)


async def test_the_server_stays_awake_while_it_searches(ada, bob):
    hard = {"position": cut(solution("pento48", True, 1), 1)}
    hard["position"]["pieces"].append({"colour": "blue", "cells": ["h8", "h9", "h10", "g9", "i9"]})
    await ada.post("/puzzles/check", hard)
    searching = asyncio.gather(*(ada.post("/puzzles/solvable", hard) for _ in range(3)))
    replies = 0
    while not searching.done():
        await bob.get("/me")
        replies += 1
    assert {answer["answer"] for answer in await searching} <= {"yes", "no", "unknown"}
    assert replies > 5  # an event loop that searched itself would have answered once between two searches
