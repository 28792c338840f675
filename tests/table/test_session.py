"""The session without a server: commands in, JSON out, with a list as its store."""

import ast
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import quatuor.table
from quatuor.table import (
    Accepted,
    AlreadyDone,
    Context,
    Event,
    Refused,
    Seat,
    Session,
    Setup,
    Table,
    commands,
    decide,
    tries,
)  # fmt: skip
from quatuor.table import snapshot as seen
from quatuor.table.session import restore
from tests.table.gathering import ADA, BOB, EVE, NOON, human
from tests.table.list_log import SETUP, ListLog


class Page:
    def __init__(self, guest):
        self.guest, self.received = guest, []

    def send(self, frame):
        self.received.append(json.loads(frame))


@pytest.fixture
def log():
    return ListLog()


@pytest.fixture
def at(log):
    return Session("t", Table(SETUP), log, lambda: NOON)


async def test_a_move_is_stored_applied_and_sent_as_each_viewer_may_see_it(at, log):
    pages = [Page(ADA), Page(BOB), Page(EVE), Page(None)]
    at.listeners.update(pages)
    assert await at.reply(commands.Move(0, 0, "a", ack="m1"), ADA) == {"t": "ack", "ack": "m1", "version": 1}
    assert [event.kind for event in log.events] == ["move"]
    ada, bob, eve, nobody = (page.received[-1] for page in pages)
    assert ada["entry"] == bob["entry"] == at.table.entries[-1]
    assert (ada["legal"], bob["legal"], eve["legal"]) == ({}, {"1": ["a", "b", "c", "d"]}, {})
    assert (ada["you"], bob["you"]) == ([0], [1])
    assert eve == nobody
    full = seen(at.table, BOB, at.presence)
    assert {key: full[key] for key in bob if key in full} == {key: bob[key] for key in bob if key in full}


async def test_an_event_of_a_later_release_is_carried_on_and_nothing_is_decided_after_it(log):
    log.events += [Event("move", {"seat": 0, "move": "a"}, ADA), Event("sung", {"song": "x"}, BOB, "s1")]
    table, recent = restore(SETUP, log.events)
    at = Session("t", table, log, lambda: NOON, recent)
    page = Page(BOB)
    at.listeners.add(page)
    assert json.loads(at.snapshot(BOB))["version"] == 2
    for command in (commands.Move(1, 1, "b", ack="m"), commands.Resign(1, ack="r"), commands.CallFlag()):
        assert (await at.reply(command, BOB))["code"] == "try_again"
    assert len(log.events) == 2
    log.events.append(Event("move", {"seat": 1, "move": "b"}, BOB))  # by a process that knows what happened
    await at.catch_up()
    assert page.received[-1]["version"] == 3
    assert page.received[-1]["entry"]["moves"] == {"1": "b"}
    assert at.table.answers[BOB, "s1"] == 2


async def test_the_same_ack_is_carried_out_once_and_a_refusal_is_an_answer(at, log):
    for _ in range(3):
        assert (await at.reply(commands.Move(0, 0, "a", ack="once"), ADA))["version"] == 1
    assert len(log.events) == 1
    refused = await at.reply(commands.Move(1, 0, "a", ack="again"), ADA)
    assert refused == {"t": "error", "ack": "again", "code": "not_your_turn", "detail": {"to_move": [1]}}


async def test_a_command_is_decided_again_when_another_process_was_first():
    log = ListLog(shared=True)
    at = Session("t", Table(SETUP), log, lambda: NOON)
    other = Table(SETUP)
    decision = decide(other, commands.Move(0, 0, "a", ack="m"), Context(ADA, NOON))
    assert isinstance(decision, Accepted)
    log.first = decision.event
    assert await at.handle(commands.Say("hello"), BOB) == 2
    assert [event.kind for event in log.events] == ["move", "chat"]
    log.first = None
    assert await at.handle(commands.Move(0, 0, "a", ack="m"), ADA) == 1, "the other process carried it out"


async def test_a_refused_command_is_decided_again_after_catching_up():
    log = ListLog(shared=True)
    at = Session("t", Table(SETUP), log, lambda: NOON)
    log.events.append(decide(Table(SETUP), commands.Move(0, 0, "a"), Context(ADA, NOON)).event)
    assert await at.handle(commands.Move(1, 1, "b"), BOB) == 2


async def test_clients_that_come_back_get_what_they_missed_even_of_moves_taken_back(log):
    alone = Setup("plus4", "elementary", {}, (human(ADA), human(ADA)), ADA, opened=NOON)
    at = Session("t", Table(alone), log, lambda: NOON)
    page = Page(ADA)
    at.listeners.add(page)
    for ply, move in enumerate("abc"):
        await at.handle(commands.Move(ply, ply % 2, move), ADA)
    await at.handle(commands.Undo(3), ADA)
    table, recent = restore(alone, log.events)
    again = Session("t", table, log, lambda: NOON, recent)
    for session in (at, again):
        frames = [json.loads(frame) for frame in session.frames_since(ADA, 0)]
        assert [frame.get("kind", frame["t"]) for frame in frames] == ["move", "move", "move", "undo", "presence"]
        assert [frame["entry"] for frame in frames[:3]] == [frame["entry"] for frame in page.received[:3]]
        assert frames[3] == page.received[3]
        (state,) = (json.loads(frame) for frame in session.frames_since(ADA, 99))
        assert state == {"t": "state", "id": "t", **json.loads(json.dumps(seen(table, ADA)))}


@pytest.mark.parametrize(
    "command",
    [
        commands.Move(0, 0, "a"),
        commands.Move(0, 0, "z"),
        commands.Undo(0),
        commands.Resign(0),
        commands.Claim(1, True),
        commands.Fill(1, 2),
        commands.Say("hello"),
        commands.AllowWords(False),
        commands.Join("token"),
        commands.Offer("draw"),
        commands.Answer(True),
        commands.Abort(),
        commands.OfferRematch("t2"),
        commands.DeclineRematch(),
        commands.EngineMove(0, 0, "a"),
        commands.ComeBack(),
        commands.Gather(),
        commands.CallFlag(),
        commands.HoldClocks(1, 2),
        commands.Forfeit(1),
        commands.CallOff(),
        commands.Adopt(ADA, "account"),
        commands.RemoveMessage(0),
    ],
)
def test_a_decision_changes_nothing_and_is_the_same_the_next_time(command):
    table = Table(SETUP)
    before = seen(table, ADA)
    first, second = (decide(table, command, Context(ADA, NOON)) for _ in range(2))
    assert seen(table, ADA) == before
    if isinstance(first, Refused):
        assert (first.code, first.detail) == (second.code, second.detail)
    else:
        assert first == second
        assert isinstance(first, Accepted | AlreadyDone)


def test_every_command_is_answered_for():
    tested = {
        type(mark) for mark in test_a_decision_changes_nothing_and_is_the_same_the_next_time.pytestmark[0].args[1]
    }
    assert tested == set(commands.Command.__args__)


def test_a_table_needs_no_server_and_no_compiled_json():
    """As in a browser: web framework, database and msgspec are missing."""
    missing = ("fastapi", "starlette", "sqlalchemy", "uvicorn", "msgspec", "websockets")
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({missing!r}))\n"
        "import asyncio, quatuor.table\n"
        "from quatuor.table import Session, Table, commands\n"
        "from tests.table.list_log import SETUP, ListLog\n"
        "session = Session('t', Table(SETUP), ListLog(), lambda: 0)\n"
        "print(asyncio.run(session.handle(commands.Move(0, 0, 'a'), 'ada')), len(session.snapshot('ada')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("1 ")


@pytest.mark.parametrize("package", ["table", "server"])
def test_no_class_has_more_than_fifteen_public_methods(package):
    for file in (Path(quatuor.table.__file__).parents[1] / package).rglob("*.py"):
        for found in ast.walk(ast.parse(file.read_text())):
            if isinstance(found, ast.ClassDef):
                functions = [each for each in found.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
                public = [each.name for each in functions if not each.name.startswith("_")]
                assert len(public) <= 15, f"{file.name}: {found.name} has {public}"


async def test_the_table_counts_illegal_moves_and_time_for_the_judge(at, log):
    """Whatever the client: refused moves of a turn are stored with the move that ends it, and no one sees them."""
    page = Page(BOB)
    at.listeners.add(page)
    for text in ("z", "y"):
        assert (await at.reply(commands.Move(0, 0, text, ack=text), ADA))["code"] == "illegal_move"
    at._clock = lambda: NOON + 2_500
    await at.reply(commands.Move(0, 0, "a", ack="a"), ADA)
    await at.reply(commands.Move(1, 1, "b", ack="b"), BOB)
    expected = [
        {"ply": 0, "seat": 0, "move": "a", "seconds": 2.5, "illegal": ["z", "y"]},
        {"ply": 1, "seat": 1, "move": "b", "seconds": 0.0, "illegal": []},
    ]
    assert tries.lines(at.table) == expected
    assert "illegal" not in json.dumps(page.received)
    again, _ = restore(SETUP, log.events)
    assert tries.lines(again) == expected
    after = Session("t", again, log, lambda: NOON)
    await after.reply(commands.Move(2, 0, "c", ack="c"), ADA)
    assert tries.lines(after.table)[2]["illegal"] is None, "nobody knows what was refused before a restart"
    await after.reply(commands.Move(3, 1, "c", ack="d"), BOB)
    assert tries.lines(after.table)[3]["illegal"] == []
    for _ in range(tries.MOST + 5):
        await after.reply(commands.Move(4, 0, "z"), ADA)
    await after.reply(commands.Move(4, 0, "d"), ADA)
    assert len(tries.lines(after.table)[4]["illegal"]) == tries.MOST


async def test_illegal_moves_are_not_known_where_other_processes_refuse_some():
    at = Session("t", Table(SETUP), ListLog(shared=True), lambda: NOON)
    await at.reply(commands.Move(0, 0, "z"), ADA)
    await at.reply(commands.Move(0, 0, "a"), ADA)
    assert tries.lines(at.table)[0]["illegal"] is None


async def test_what_is_taken_back_is_not_judged(log):
    at = Session("t", Table(replace(SETUP, seats=(Seat("human", ADA), Seat("human", ADA)))), log, lambda: NOON)
    await at.reply(commands.Move(0, 0, "a"), ADA)
    await at.reply(commands.Undo(1), ADA)
    assert tries.lines(at.table) == []
    await at.reply(commands.Move(0, 0, "z"), ADA)
    await at.reply(commands.Move(0, 0, "b"), ADA)
    assert [(line["move"], line["illegal"]) for line in tries.lines(at.table)] == [("b", ["z"])]
