"""What was acknowledged is there afterwards, whatever happens in between."""

import asyncio
import re
import sqlite3
import subprocess
import sys

import pytest
import websockets
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from quatuor.server.serve import listen
from quatuor.server.settings import Settings
from quatuor.server.store import Conflict, Store
from quatuor.server.store.schema import metadata
from quatuor.table import Event, Seat, Setup
from tests.server.people import Guest, Problem

SETUP = Setup("plus4", "elementary", {}, (Seat("human", "ada"), Seat("open", token="t")), "ada", "2026-11-15")


async def at_new_address(guest: Guest, address: str) -> Guest:
    """The same cookie at a server that was started again."""
    moved = Guest(address)
    moved.http.cookies.set("quatuor", guest.http.cookies["quatuor"])
    return moved


async def test_a_restart_loses_nothing(open_house):
    guest = Guest(open_house().address)
    await guest.http.put("/api/me", json={"name": "Ada"})
    table = (await guest.open("plus4", "me", "me"))["id"]
    line = await guest.line(table)
    for move in "abc":
        await line.move(move)
    await line.ask("undo", ply=3)
    before = line.table
    house = await asyncio.to_thread(open_house)
    guest = await at_new_address(guest, house.address)
    after = await guest.get(f"/tables/{table}")
    passing = ("version", "seats")
    assert {k: v for k, v in after.items() if k not in passing} == {k: v for k, v in before.items() if k not in passing}
    assert after["seats"][0]["name"] == "Ada"
    assert after["version"] >= before["version"]


async def test_an_ack_sent_again_after_a_restart_is_not_played_twice(open_house):
    guest = Guest(open_house().address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    first = await (await guest.line(table)).move("a", ack="once")
    guest = await at_new_address(guest, (await asyncio.to_thread(open_house)).address)
    line = await guest.line(table)
    again = await line.ask("move", "once", ply=0, seat=0, move="a")
    assert again == first
    assert len((await guest.get(f"/tables/{table}"))["history"]) == 1


async def test_versions_are_never_used_twice_not_even_for_passing_events(open_house):
    """Presence is not kept; were its versions used again, somebody coming back would miss a move."""
    guest = Guest(open_house().address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    told = (await guest.line(table)).table["version"]
    for _ in range(3):
        guest = await at_new_address(guest, (await asyncio.to_thread(open_house)).address)
        line = await guest.line(table, since=told)
        assert (await line.hear())["t"] == "state", "a new life begins with the whole table"
        assert line.table["version"] > told
        told = (await line.ask("move", ply=len(line.table["history"]), seat=line.table["to_move"][0], move="a"))[
            "version"
        ]


async def test_an_open_seat_and_a_secret_order_survive(open_house):
    ada = Guest(open_house().address)
    table = await ada.open("trois_six", "me", "open")
    line = await ada.line(table["id"])
    order = line.table["legal"]["0"][0]
    await line.move(order, seat=0)
    house = await asyncio.to_thread(open_house)
    ada, bob = await at_new_address(ada, house.address), Guest(house.address)
    assert (await ada.get(f"/tables/{table['id']}"))["orders"] == {"0": order}
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    b = await bob.line(table["id"])
    assert b.table["ready"] == [0]
    await b.move("-", seat=1)
    assert b.table["history"][0]["moves"] == {"0": order, "1": "-"}


async def test_killed_in_the_middle_of_play(tmp_path):
    """kill -9 while moves are under way: every acknowledged one is there, and the game goes on."""
    program = f"import quatuor.server as s; s.run(port=0, store={str(tmp_path / 'games.sqlite')!r})"

    def start() -> tuple[subprocess.Popen, str]:
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
        return process, re.search(r"http://([\d.:]+)/", process.stdout.readline())[1]

    process, address = await asyncio.to_thread(start)
    guest = Guest(address)
    table = (await guest.open("trois_six", "me", "me"))["id"]
    line = await guest.line(table)
    acknowledged = 0

    async def play() -> None:
        nonlocal acknowledged
        while (await line.move("-"))["t"] == "ack":
            acknowledged += 1
            if acknowledged == 15:
                asyncio.get_running_loop().call_later(0.003, process.kill)  # while the next one is under way

    with pytest.raises(websockets.ConnectionClosedError, match="no close frame"):
        await play()
    process.wait()
    assert acknowledged >= 15
    process, address = await asyncio.to_thread(start)
    try:
        guest = await at_new_address(guest, address)
        line = await guest.line(table)
        played = 2 * len(line.table["history"]) + len(line.table["ready"])
        assert acknowledged <= played <= acknowledged + 1
        assert (await line.move("-"))["t"] == "ack"
    finally:
        process.terminate()
        process.wait()


async def test_of_two_writers_of_one_event_only_one_succeeds(tmp_path):
    one, two = (Store(Settings(store=str(tmp_path / "games.sqlite")).url) for _ in range(2))
    await one.open("t", SETUP)
    await one.append("t", 0, 1, Event("move", {"seat": 0, "move": "a"}, "ada", "1"))
    with pytest.raises(Conflict) as caught:
        await two.append("t", 0, 1, Event("move", {"seat": 0, "move": "secret"}, "ada", "2"))
    assert "secret" not in f"{caught.value} {caught.value.__cause__}"  # it will stand in a log
    with pytest.raises(Conflict):
        await two.append("t", 1, 2, Event("move", {"seat": 1, "move": "b"}, "ada", "1"))  # an ack counts once
    kept = await two.load("t")
    assert kept.setup == SETUP
    assert [(version, event.data["move"]) for version, event in kept.events] == [(1, "a")]
    assert await two.load("u") is None
    one.close()
    two.close()


async def test_one_bad_write_in_a_batch_does_not_spoil_the_others(tmp_path):
    store = Store(Settings(store=str(tmp_path / "games.sqlite")).url)
    await store.open("t", SETUP)
    numbers = [0, 1, 1, 2, 3]
    done = await asyncio.gather(
        *(store.append("t", n, n + 1, Event("move", {"n": n})) for n in numbers), return_exceptions=True
    )
    assert [isinstance(result, Conflict) for result in done] == [False, False, True, False, False]
    assert [event.data["n"] for _, event in (await store.load("t")).events] == [0, 1, 2, 3]
    store.close()


async def test_a_store_that_fails_acknowledges_nothing_and_the_table_comes_back(open_house, tmp_path):
    house = open_house()
    guest = Guest(house.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    line = await guest.line(table)
    await line.move("a")
    # somebody else writes into the same table behind the server's back
    with sqlite3.connect(tmp_path / "games.sqlite") as other:
        (number,) = other.execute("SELECT max(number) FROM events").fetchone()
        other.execute(
            "INSERT INTO events VALUES (?, ?, 5000, 'move', ?, NULL, NULL, '')",
            (table, number + 1, '{"seat": 1, "move": "d"}'),
        )
    await line.say({"t": "move", "ack": "late", "ply": 1, "seat": 1, "move": "b"})
    assert await line.hear() == {"t": "bye", "code": "store_failed"}
    with pytest.raises(websockets.ConnectionClosed, match="1012"):
        await line.hear()
    again = await guest.line(table)
    assert [entry["moves"] for entry in again.table["history"]] == [{"0": "a"}, {"1": "d"}]
    assert (await again.ask("move", "late", ply=1, seat=1, move="b"))["code"] == "stale_ply"
    assert (await again.move("c"))["t"] == "ack"


async def test_a_table_whose_log_makes_no_sense_is_unreadable_and_says_so(open_house, tmp_path):
    house = open_house()
    guest = Guest(house.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    await (await guest.line(table)).move("a")
    with sqlite3.connect(tmp_path / "games.sqlite") as other:
        other.execute('UPDATE events SET data = \'{"seat": 0, "move": "z"}\' WHERE kind = \'move\'')
    guest = await at_new_address(guest, (await asyncio.to_thread(open_house)).address)
    with pytest.raises(Problem, match=r"500.*unreadable_table"):
        await guest.get(f"/tables/{table}")


async def test_tables_nobody_looks_at_leave_memory_and_come_back(open_house):
    house = open_house(forget_after=0.1)
    guest = Guest(house.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    line = await guest.line(table)
    await line.move("a")
    await asyncio.sleep(0.4)
    assert table in house.desk.hub._tables, "somebody listens"
    await line.close()
    for _ in range(50):
        await asyncio.sleep(0.1)
        if table not in house.desk.hub._tables:
            break
    assert table not in house.desk.hub._tables
    assert len((await guest.line(table)).table["history"]) == 1


def test_the_migrations_give_the_schema(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    store.close()


def test_without_a_port_the_next_free_one_is_taken_but_never_instead_of_the_one_asked_for():
    first = listen("127.0.0.1", 0)
    taken = first.getsockname()[1]
    with pytest.raises(OSError, match=str(taken)):
        listen("127.0.0.1", taken)
    one, two = listen("127.0.0.1", None), listen("127.0.0.1", None)
    assert 8000 <= one.getsockname()[1] < two.getsockname()[1]
    for socket in (first, one, two):
        socket.close()
