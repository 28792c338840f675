"""Engines at a table: they answer, stop when the position changes, and give hints."""

import asyncio
import gc
import threading

import pytest

from quatuor.server.engines import Engines
from quatuor.server.workers import WorkerError
from quatuor.table import Refused
from quatuor.table.commands import EngineMove
from tests.server.client import Guest


async def own_turn(line) -> None:
    """Wait until it is the player's turn or the game is over."""
    while not line.table["legal"] and not line.table["over"]:
        await line.receive()


async def test_a_whole_game_against_an_engine(ada):
    table = (await ada.open("plus4", "me", 2))["id"]
    line = await ada.connect(table)
    while not line.table["over"]:
        assert (await line.move(line.table["legal"]["0"][0]))["t"] == "ack"
        await own_turn(line)
    moves = [set(entry["moves"]) for entry in line.table["history"]]
    assert moves == [{"0"} if ply % 2 == 0 else {"1"} for ply in range(len(moves))]


async def test_an_engine_begins_and_engines_play_each_other_while_a_spectator_watches(ada):
    table = (await ada.open("plus4", 1, 1))["id"]
    await asyncio.sleep(0.3)
    assert (await ada.get(f"/tables/{table}"))["history"] == [], "nobody watches"
    line = await ada.connect(table)
    while not line.table["over"]:
        await line.receive()
    assert line.table["history"]


async def test_an_engine_orders_at_the_same_time(ada):
    table = (await ada.open("trois_six", "me", 1))["id"]
    line = await ada.connect(table)
    for turn in range(2):
        assert (await line.move("-", seat=0))["t"] == "ack"
        while len(line.table["history"]) == turn:
            await line.receive()
    assert all(set(entry["moves"]) == {"0", "1"} for entry in line.table["history"])


async def test_undo_returns_to_the_players_own_turn(ada):
    line = await ada.connect((await ada.open("plus4", "me", 1))["id"])
    for _ in range(2):
        await line.move(line.table["legal"]["0"][0])
        await own_turn(line)
    assert (await line.ask("undo", ply=4))["t"] == "ack"
    assert (len(line.table["history"]), line.table["to_move"]) == (2, [0])


@pytest.fixture
def held(monkeypatch):
    """Engines whose answers wait until the gate opens, to test what happens in between."""
    gate = threading.Event()
    answers: list[str] = []
    choose = Engines.choose

    async def wait(self, *question):
        move = await choose(self, *question)
        while not gate.is_set():
            await asyncio.sleep(0.01)
        answers.append(move)
        return move

    monkeypatch.setattr(Engines, "choose", wait)
    yield gate, answers
    gate.set()


async def test_an_answer_to_an_old_position_is_dropped(ada, held):
    gate, answers = held
    line = await ada.connect((await ada.open("plus4", "me", 1))["id"])
    await line.move("a")
    assert (await line.ask("undo", ply=1))["t"] == "ack"
    await line.move("b")  # the same ply again
    gate.set()
    while len(line.table["history"]) < 2:
        await line.receive()
    await line.caught_up()
    assert len(answers) == 1
    assert [list(entry["moves"]) for entry in line.table["history"]] == [["0"], ["1"]]
    assert line.table["history"][0]["moves"] == {"0": "b"}


async def test_resigning_while_the_engine_thinks(ada, held):
    gate, _ = held
    line = await ada.connect((await ada.open("plus4", "me", 1))["id"])
    await line.move("a")
    assert (await line.ask("resign", seat=0))["t"] == "ack"
    gate.set()
    await asyncio.sleep(0.2)
    snapshot = await ada.get(f"/tables/{line.table['id']}")
    assert (len(snapshot["history"]), snapshot["ended_by"]) == (1, "resign")


async def test_a_refused_answer_of_an_engine_that_was_stopped_is_no_error_in_the_log(start_server, caplog):
    server = start_server()
    live = server.services.hub.here((await Guest(server.address).open("plus4", "me", 1))["id"])

    async def stopped_while_it_waits() -> None:
        async with live._lock:
            playing = asyncio.ensure_future(live.handle(EngineMove(turn=7, seat=1, move="a")))
            while not live._lock._waiters:
                await asyncio.sleep(0)
            playing.cancel()
            await asyncio.wait([playing])
        async with live._lock:
            pass  # the command has been refused
        gc.collect()  # which is when asyncio complains

    loop = server._server.servers[0].get_loop()
    await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(stopped_while_it_waits(), loop))
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []


async def test_the_server_answers_while_engines_think(ada, held):
    line = await ada.connect((await ada.open("plus4", "me", 1))["id"])
    await line.move("a")
    await line.send({"t": "ping"})
    assert await asyncio.wait_for(line.until(lambda m: m["t"] == "pong"), 1)


async def test_after_a_restart_the_engine_moves_when_a_player_is_back(start_server, held):
    gate, _ = held
    guest = Guest(start_server().address)
    table = (await guest.open("plus4", "me", 1))["id"]
    await (await guest.connect(table)).move("a")
    gate.set()
    server = await asyncio.to_thread(start_server)
    again = Guest(server.address)
    again.http.cookies.set("quatuor", guest.http.cookies["quatuor"])
    line = await again.connect(table)
    await own_turn(line)
    assert len(line.table["history"]) == 2


async def test_an_engine_takes_its_time(start_server):
    guest = Guest(start_server(engine_pace=0.5).address)
    line = await guest.connect((await guest.open("plus4", "me", 1))["id"])
    began = asyncio.get_running_loop().time()
    await line.move("a")
    await line.event("move")
    assert asyncio.get_running_loop().time() - began > 0.4


async def test_an_engine_that_fails_tries_again_while_the_table_waits(ada, monkeypatch):
    choose, failures = Engines.choose, iter([WorkerError("failed"), Refused("busy", retry_after=5)])

    async def broken(self, *question):
        if failure := next(failures, None):
            raise failure
        return await choose(self, *question)

    monkeypatch.setattr(Engines, "choose", broken)
    line = await ada.connect((await ada.open("plus4", "me", 1))["id"])
    await line.move("a")
    await own_turn(line)
    assert len(line.table["history"]) == 2
    errors = [message for message in line.received if message["t"] == "error"]
    assert [(error["code"], error["detail"]) for error in errors] == [
        ("engine_failed", {"seat": 1}),
        ("engine_busy", {"seat": 1}),
    ]


async def test_hints(ada, bob):
    table = await ada.open("plus4", "me", 3)
    line = await ada.connect(table["id"])
    hint = await line.ask("hint", ply=0)
    assert hint["t"] == "hint"
    assert 1 <= len(hint["moves"]) <= 5
    best = hint["moves"][0]
    assert best["move"] in line.table["legal"]["0"]
    assert {"move", "value", "outcome", "distance", "visits"} <= set(best)
    assert (await line.ask("hint", ply=3))["code"] == "stale_ply"
    open_table = await ada.open("plus4", "me", "open")
    await bob.post(f"/tables/{open_table['id']}/join", {"token": open_table["invites"]["1"]})
    assert (await (await ada.connect(open_table["id"])).ask("hint", ply=0))["code"] == "no_hint"


async def test_there_is_no_hint_in_the_opponents_turn(ada):
    line = await ada.connect((await ada.open("plus4", "me", "open"))["id"])
    assert (await line.ask("hint", ply=0))["code"] == "no_hint"


@pytest.mark.parametrize(
    ("failure", "code"), [(WorkerError("failed"), "engine_failed"), (Refused("busy", retry_after=5), "engine_busy")]
)
async def test_a_hint_that_fails_is_answered(ada, monkeypatch, failure, code):
    async def broken(self, *question):
        raise failure

    line = await ada.connect((await ada.open("plus4", "me", "me"))["id"])
    with monkeypatch.context() as patch:
        patch.setattr(Engines, "hint", broken)
        assert (await line.ask("hint", ply=0))["code"] == code
    assert (await line.ask("hint", ply=0))["t"] == "hint"


async def test_one_hint_at_a_time_and_a_repeated_request_gets_the_same_hint(ada):
    line = await ada.connect((await ada.open("trois_six", "me", "me"))["id"])
    for ack in ("h", "h", "other"):
        await line.send({"t": "hint", "ack": ack, "ply": 0})
    answers = [await line.until(lambda m: m.get("ack") in ("h", "other")) for _ in range(3)]
    assert (answers[0]["ack"], answers[0]["code"]) == ("other", "rate_limited")
    assert answers[1] == answers[2]
    assert answers[1]["t"] == "hint"


async def test_a_hint_search_stops_when_its_client_leaves_and_can_be_repeated(server, ada):
    table = (await ada.open("trois_six", "me", 1))["id"]
    line = await ada.connect(table)
    await line.send({"t": "hint", "ack": "mine", "ply": 0})
    await line.caught_up()  # the request has arrived
    await line.close()
    while server.services.engines.thinking:
        await asyncio.sleep(0.01)
    session = server.services.hub.here(table)
    assert not any(ack == "mine" for _, ack in session.hints._found)
    assert (await (await ada.connect(table)).ask("hint", "mine", ply=0))["t"] == "hint"
