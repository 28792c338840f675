"""A listener to all sockets, all of HTTP and the whole log never learns a secret order early."""

import asyncio
import hashlib
import json

import pytest

from bench.processes import Process
from tests.server.client import Connection, Guest

TURNS = 4


@pytest.fixture
def process(tmp_path):
    server = Process(str(tmp_path / "games.sqlite"), tmp_path / "secret", "--log", "debug", "--json-log")
    yield server
    server.kill()


async def everything(eve: Guest, table: str, lines: list[Connection]) -> str:
    """Everything that eve can read."""
    for line in lines:
        await line.caught_up()
    lines.append(await eve.connect(table))
    lines.append(await eve.connect(table, since=0))
    received_all = [message for line in lines for message in line.received]
    paths = ["", "/record", "/svg", "/svg?ply=0", "/svg?ply=1", "/svg?ply=99", "/socket", "/rematch", "/join"]
    answers = [await eve.http.get(f"/api/tables/{table}{path}") for path in paths]
    answers += [await eve.http.post(f"/api/tables/{table}{path}", json={"token": "x"}) for path in paths]
    answers += [await eve.http.get(path) for path in ("/metrics", "/health", "/api/me", "/api/bots")]
    moves = [await lines[0].ask(what, ply=0, seat=0, move="-") for what in ("move", "undo", "resign", "hint")]
    return json.dumps([received_all, [answer.text for answer in answers], moves])


async def test_a_listener_never_learns_a_secret_order_before_it_is_revealed(process):
    ada, bob, eve = (Guest(process.address) for _ in range(3))
    opened = await ada.open("trois_six", "me", "open")
    table = opened["id"]
    await bob.post(f"/tables/{table}/join", {"token": opened["invites"]["1"]})
    a, b = await ada.connect(table), await bob.connect(table)
    seals = []
    for turn in range(TURNS):
        b.received.clear()
        watching = [await eve.connect(table)]
        known = json.dumps([a.table["history"], b.table])
        order = next(move for move in a.table["legal"]["0"] if move not in known)  # not yet seen in the game
        assert (await a.move(order, seat=0))["t"] == "ack"
        learned = await everything(eve, table, watching) + json.dumps(b.received) + json.dumps(process.log)
        assert order not in learned, f"turn {turn}"
        assert '"kind": "ready"' in learned
        seals.append(watching[0].table["seals"]["0"])
        await b.move(next(m for m in b.table["legal"]["1"]), seat=1)
        await a.until(lambda message: message.get("kind") == "move")
        for line in watching:
            await line.close()
        salt = a.table["history"][turn]["seals"]["0"]["salt"]
        assert salt not in learned
        assert order not in process.log, "a log contains no moves, revealed or not"
    await check_seals(eve, table, seals)
    assert opened["invites"]["1"] not in process.log
    for guest in (ada, bob):
        assert guest.http.cookies["quatuor"] not in process.log
        assert guest.http.cookies["quatuor"].split(".")[0] not in process.log


async def check_seals(eve: Guest, table: str, noted: list[str]) -> None:
    """An independent client, written from the documentation alone, verifies the commitment."""
    history = (await eve.get(f"/tables/{table}"))["history"]
    for ply, (entry, hash_) in enumerate(zip(history, noted, strict=True)):
        move, salt = entry["moves"]["0"], entry["seals"]["0"]["salt"]
        assert hashlib.sha256(f"{ply} 0 {move} {salt}".encode()).hexdigest() == hash_
        assert hashlib.sha256(f"{ply} 0 - {salt}".encode()).hexdigest() != hash_


async def test_an_error_is_logged_without_what_was_sent(process):
    ada = Guest(process.address)
    line = await ada.connect((await ada.open("trois_six", "me", "me"))["id"])
    await line.ask("move", ply=0, seat=0, move="a-secret-that-is-no-move")
    await line.send('{"t": "a-secret-that-is-no-message"}')
    await line.receive()
    await ada.http.post("/api/tables", content=b'{"a-secret-that-is-no-command": 1}')
    await ada.http.get("/api/me?token=a-secret-in-a-query")
    await asyncio.sleep(0)
    assert "a-secret" not in process.log
    assert [json.loads(line)["status"] for line in process.log.splitlines() if '"request"' in line][-2:] == [400, 200]
