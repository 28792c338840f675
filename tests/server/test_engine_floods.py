"""A visitor who overloads the engines delays no other visitor, and work without a waiting client stops."""

import asyncio
import json
import os
import signal

import httpx
import pytest

import quatuor
from quatuor.interop import texts
from quatuor.server.visitors import Visitor
from tests.games.blokus.puzzles import solution
from tests.seeded import play
from tests.server.client import PATIENCE, Guest, Problem

CROWD, STRANGER = "127.0.0.2", "127.0.0.3"
ONE = {"engine_workers": 1}  # plus the worker for short work


def hard_puzzle():
    """A position for which the solver uses all of its time."""
    data = solution("pento48", True, 1).data()
    pieces = [*data["pieces"][:1], {"colour": "blue", "cells": ["h8", "h9", "h10", "g9", "i9"]}]
    return {"position": data | {"pieces": pieces}}


def workers_of(server):
    return server.services.engines.workers


async def until(happened) -> None:
    async with asyncio.timeout(PATIENCE):
        while not happened():
            await asyncio.sleep(0.01)


async def engine_table(guest, level=8):
    """A game of Blokus that only engines play, while the guest watches."""
    return await guest.connect((await guest.open("blokus", *[level] * 2, variant="duo"))["id"])


async def answered(line):
    while len(line.table["history"]) < 2:
        await line.receive()


async def test_games_of_engines_do_not_delay_another_visitors_game(start_server):
    server = start_server(**ONE)
    crowd = [await engine_table(Guest(server.address, CROWD)) for _ in range(6)]
    stranger = Guest(server.address, STRANGER)
    line = await stranger.connect((await stranger.open("plus4", "me", 1))["id"])
    await until(lambda: len(workers_of(server).queue) > 3)
    await line.move("a")
    await answered(line)
    for other in crowd:
        await other.caught_up()
    assert sum(len(other.table["history"]) for other in crowd) <= 2, "one was running, another may have begun"


async def test_games_of_engines_pause_without_spectators(start_server):
    server = start_server(**ONE)
    guest = Guest(server.address)
    line = await engine_table(guest)
    await until(lambda: workers_of(server).busy)
    await line.close()
    await until(lambda: not workers_of(server).busy)
    session = server.services.hub.here(line.table["id"])
    assert (session.table.game.ply, len(workers_of(server).queue)) == (len(line.table["history"]), 0)
    nobody = Guest(server.address)  # without a cookie
    await (await nobody.connect(line.table["id"])).caught_up()
    assert not server.services.engines.thinking


async def test_the_move_of_a_worker_that_is_killed_is_still_played(start_server):
    server = start_server(**ONE)
    guest = Guest(server.address)
    line = await guest.connect((await guest.open("blokus", "me", 8, variant="duo"))["id"])
    await line.move(line.table["legal"]["0"][0])
    await until(lambda: workers_of(server).busy)
    os.kill(next(worker.pid for worker in workers_of(server).all if worker.job), signal.SIGKILL)
    await answered(line)
    assert not [message for message in line.received if message["t"] == "error"]
    metrics = (await guest.http.get("/metrics")).text
    assert 'quatuor_worker_restarts_total{cause="exit status -9"} 1.0' in metrics


async def test_a_game_goes_on_after_all_workers_of_a_move_have_died(start_server):
    server = start_server(**ONE)
    guest = Guest(server.address)
    line = await guest.connect((await guest.open("blokus", "me", 8, variant="duo"))["id"])
    await line.move(line.table["legal"]["0"][0])
    killed = set()
    while len(killed) < 2:
        await until(lambda: any(worker.job and worker.pid not in killed for worker in workers_of(server).all))
        pid = next(worker.pid for worker in workers_of(server).all if worker.job and worker.pid not in killed)
        os.kill(pid, signal.SIGKILL)
        killed.add(pid)
    error = await line.until(lambda message: message["t"] == "error")
    assert (error["code"], error["detail"]) == ("engine_failed", {"seat": 1})
    await answered(line)


async def test_a_search_stops_when_the_turn_has_passed(start_server):
    server = start_server(**ONE)
    guest = Guest(server.address)
    line = await guest.connect((await guest.open("blokus", "me", 8, variant="duo"))["id"])
    await line.move(line.table["legal"]["0"][0])
    await until(lambda: workers_of(server).busy)
    assert (await line.ask("undo", ply=1))["t"] == "ack"
    await until(lambda: not workers_of(server).busy)
    assert (len(line.table["history"]), server.services.engines.thinking) == (0, 0)


async def test_analyses_of_many_cookies_leave_a_place_for_another_visitor(start_server):
    server = start_server(analyses=3)
    text = play("blokus", "classic", {}, seed=1, cap=60).record()
    crowd = [Guest(server.address, CROWD) for _ in range(4)]
    for guest in crowd:
        await guest.get("/me")
    running = [asyncio.ensure_future(guest.http.post("/api/analysis", json={"text": text})) for guest in crowd[:3]]
    await until(lambda: len(server.services.streams) == 3)
    with pytest.raises(Problem) as refused:
        await crowd[3].post("/analysis", {"text": text})
    assert (refused.value.status, refused.value.code) == (503, "busy")
    stranger = Guest(server.address, STRANGER)
    answer = await stranger.http.post("/api/analysis", json={"text": quatuor.new("plus4").record()})
    assert answer.text.endswith("event: end\ndata: {}\n\n")
    (ended,) = (await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED))[0]
    assert ended.result().text.endswith('event: error\ndata: {"code":"busy"}\n\n')
    for task in running:
        task.cancel()
    await until(lambda: not len(server.services.streams) and not server.services.engines.thinking)


async def test_a_puzzle_is_checked_while_others_are_solved(start_server):
    server = start_server(**ONE)
    crowd, stranger = Guest(server.address, CROWD), Guest(server.address, STRANGER)
    solving = [asyncio.ensure_future(crowd.post("/puzzles/solution", hard_puzzle())) for _ in range(4)]
    await until(lambda: len(workers_of(server).queue) == 3)
    assert (await stranger.post("/puzzles/check", hard_puzzle()))["legal"]
    assert not all(task.done() for task in solving)
    for task in solving:
        task.cancel()
    await until(lambda: not workers_of(server).busy and not len(workers_of(server).queue))


async def test_a_flood_of_puzzles_is_refused_with_a_time_to_retry(start_server):
    server = start_server(**ONE)
    crowd = Guest(server.address, CROWD)
    await crowd.get("/me")
    waiting = workers_of(server).queue.bounds.person
    flood = [
        asyncio.ensure_future(crowd.http.post("/api/puzzles/solution", json=hard_puzzle())) for _ in range(waiting + 2)
    ]
    await until(lambda: any(task.done() for task in flood))
    answer: httpx.Response = next(task for task in flood if task.done()).result()
    assert (answer.status_code, json.loads(answer.text)["error"]["code"]) == (429, "rate_limited")
    assert int(answer.headers["retry-after"]) > 0
    assert (await Guest(server.address, STRANGER).post("/puzzles/check", hard_puzzle()))["legal"]
    for task in flood:
        task.cancel()
    await until(lambda: not len(workers_of(server).queue))


async def test_a_network_has_a_limit_of_analyses_and_long_puzzles(start_server):
    server = start_server(budgets={"analyses": 1, "puzzles": 2})
    text = play("blokus", "classic", {}, seed=1, cap=60).record()
    crowd = [Guest(server.address, CROWD) for _ in range(2)]
    for guest in crowd:
        await guest.get("/me")
    held = [asyncio.ensure_future(crowd[0].http.post("/api/analysis", json={"text": text}))]
    await until(lambda: len(server.services.streams) == 1)
    held.append(asyncio.ensure_future(crowd[0].http.post("/api/puzzles/solution", json=hard_puzzle())))
    visitor = Visitor(CROWD)
    await until(lambda: server.services.budgets.held("puzzles", visitor) == 1)
    for path, question in (("/analysis", {"text": text}), ("/puzzles/solution", hard_puzzle())):
        guest = crowd[1] if path == "/analysis" else crowd[0]
        with pytest.raises(Problem) as refused:
            await guest.post(path, question)
        assert (refused.value.status, refused.value.code) == (429, "over_budget")
    assert (await crowd[0].post("/puzzles/check", hard_puzzle()))["legal"]
    for task in held:
        task.cancel()
    await until(lambda: not len(server.services.streams) and not server.services.budgets.held("puzzles", visitor))


async def test_texts_to_analyse_are_read_in_a_worker_and_a_flood_of_them_is_refused(start_server, monkeypatch):
    def read(_text):
        raise AssertionError("the web server reads it itself")

    monkeypatch.setattr(texts, "read", read)
    server = start_server(**ONE)
    crowd, stranger = Guest(server.address, CROWD), Guest(server.address, STRANGER)
    await crowd.get("/me")
    long = {"text": "(;GM[Blokus]" + "(;1[a20])" * 6000 + ")"}
    most = workers_of(server).queue.bounds.person
    flood = [asyncio.ensure_future(crowd.http.post("/api/analysis/game", json=long)) for _ in range(most + 3)]
    await until(lambda: any(task.done() and task.result().status_code == 429 for task in flood))
    assert not all(task.done() for task in flood)
    for task in flood:
        task.cancel()
    await until(lambda: not len(workers_of(server).queue))
    record = {"text": '[Game "plus4"]\n\n1. a\n2. b'}
    assert len((await stranger.post("/analysis/game", record))["history"]) == 2
    assert (await stranger.http.post("/api/analysis/picture", json=record)).text.startswith("<svg")
    with pytest.raises(Problem, match=r"400.*bad_record.*line 3"):
        await stranger.post("/analysis/game", {"text": record["text"].replace("1. a", "1. zz")})
