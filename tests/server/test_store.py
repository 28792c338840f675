"""Acknowledged moves survive restarts, crashes and failures."""

import asyncio
import threading
from dataclasses import replace

import pytest
import websockets
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, event, insert, inspect, text, update

from quatuor.server.serve import listen
from quatuor.server.settings import Settings
from quatuor.server.store import Conflict, Store
from quatuor.server.store.schema import events, metadata
from quatuor.server.store.table_index import PAGE, TOGETHER, TableIndex
from quatuor.server.store.tournaments import Change, Entrant, TournamentStore
from quatuor.table import Event, Seat, Setup, Table
from tests.server.client import Guest, Problem

SETUP = Setup("plus4", "elementary", {}, (Seat("human", "ada"), Seat("open", token="t")), "ada", "2026-11-15")


async def at_new_address(guest: Guest, address: str) -> Guest:
    """The same cookie at a restarted server."""
    moved = Guest(address)
    moved.http.cookies.set("quatuor", guest.http.cookies["quatuor"])
    return moved


async def test_a_restart_loses_nothing(start_any_server):
    guest = Guest(start_any_server().address)
    await guest.http.put("/api/me", json={"name": "Ada"})
    table = (await guest.open("plus4", "me", "me"))["id"]
    line = await guest.connect(table)
    for move in "abc":
        await line.move(move)
    await line.ask("undo", ply=3)
    before = line.table
    server = await asyncio.to_thread(start_any_server)
    guest = await at_new_address(guest, server.address)
    after = await guest.get(f"/tables/{table}")
    passing = ("version", "seats")
    assert {k: v for k, v in after.items() if k not in passing} == {k: v for k, v in before.items() if k not in passing}
    assert after["seats"][0]["name"] == "Ada"
    assert after["version"] >= before["version"]


async def test_an_ack_sent_again_after_a_restart_is_not_played_twice(start_any_server):
    guest = Guest(start_any_server().address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    first = await (await guest.connect(table)).move("a", ack="once")
    guest = await at_new_address(guest, (await asyncio.to_thread(start_any_server)).address)
    line = await guest.connect(table)
    again = await line.ask("move", "once", ply=0, seat=0, move="a")
    assert again == first
    assert len((await guest.get(f"/tables/{table}"))["history"]) == 1


async def test_after_a_restart_a_client_gets_only_what_it_missed(start_any_server):
    guest = Guest(start_any_server().address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    line = await guest.connect(table)
    await line.move("a")
    drawn = line.table
    await line.move("b")
    guest = await at_new_address(guest, (await asyncio.to_thread(start_any_server)).address)
    again = await guest.connect(table, since=drawn["version"])
    again.table = drawn
    await again.caught_up()
    assert [message.get("kind", message["t"]) for message in again.received] == ["move", "presence", "pong"]
    assert again.table == await guest.get(f"/tables/{table}")


async def test_an_open_seat_and_a_secret_order_survive(start_any_server):
    ada = Guest(start_any_server().address)
    table = await ada.open("trois_six", "me", "open")
    line = await ada.connect(table["id"])
    order = line.table["legal"]["0"][0]
    await line.move(order, seat=0)
    server = await asyncio.to_thread(start_any_server)
    ada, bob = await at_new_address(ada, server.address), Guest(server.address)
    assert (await ada.get(f"/tables/{table['id']}"))["orders"] == {"0": order}
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    b = await bob.connect(table["id"])
    assert b.table["ready"] == [0]
    await b.move("-", seat=1)
    assert b.table["history"][0]["moves"] == {"0": order, "1": "-"}


async def test_of_two_writers_of_one_version_only_one_succeeds(store_url):
    one, two = (Store(Settings(store=store_url).url) for _ in range(2))
    await one.open("t", SETUP)
    await one.append("t", 1, Event("move", {"seat": 0, "move": "a"}, "ada", "1"))
    with pytest.raises(Conflict) as caught:
        await two.append("t", 1, Event("move", {"seat": 0, "move": "secret"}, "ada", "2"))
    assert "secret" not in f"{caught.value} {caught.value.__cause__}"  # the log will contain it
    with pytest.raises(Conflict):
        await two.append("t", 2, Event("move", {"seat": 1, "move": "b"}, "ada", "1"))  # an ack counts once
    kept = await two.load("t")
    assert kept.setup == SETUP
    assert [event.data["move"] for event in kept.events] == ["a"]
    assert await two.load("u") is None
    one.close()
    two.close()


async def test_one_bad_write_in_a_batch_does_not_spoil_the_others(store_url):
    store = Store(Settings(store=store_url).url)
    await store.open("t", SETUP)
    versions = [1, 2, 2, 3, 4]
    done = await asyncio.gather(
        *(store.append("t", n, Event("move", {"n": n})) for n in versions), return_exceptions=True
    )
    assert [isinstance(result, Conflict) for result in done] == [False, False, True, False, False]
    assert [event.data["n"] for event in (await store.load("t")).events] == [1, 2, 3, 4]
    assert [event.data["n"] for event in await store.since("t", 2)] == [3, 4]
    store.close()


async def test_a_cancelled_write_does_not_stop_the_others(store_url):
    store, held = Store(Settings(store=store_url).url), threading.Event()
    await store.open("t", SETUP)
    busy = asyncio.ensure_future(store.write(lambda _: held.wait(10)))
    gone = asyncio.ensure_future(store.append("t", 1, Event("move", {"seat": 0, "move": "a"})))
    await asyncio.sleep(0.1)
    gone.cancel()
    await asyncio.sleep(0)
    held.set()
    await busy
    async with asyncio.timeout(10):
        await store.append("t", 2, Event("move", {"seat": 1, "move": "b"}))
    assert [event.data["move"] for event in (await store.load("t")).events] == ["a", "b"]
    store.close()


async def test_a_database_that_was_away_for_a_moment_is_written_to_again(postgres):
    url = postgres.database()
    store = Store(Settings(store=url).url)
    await store.open("t", SETUP)
    with create_engine(store.url).begin() as other:
        other.execute(text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"))
    await asyncio.gather(*(store.append("t", n, Event("move", {"n": n})) for n in (1, 2, 3)))
    assert [event.data["n"] for event in (await store.load("t")).events] == [1, 2, 3]
    store.close()


async def test_all_notifications_of_one_commit_are_received(postgres):
    url = Settings(store=postgres.database()).url
    one, two = Store(url), Store(url)
    notes, ready = [], asyncio.Event()
    listening = asyncio.ensure_future(two.pubsub.listen(lambda process, note: notes.append((process, note)), ready.set))
    await ready.wait()
    wide = [{"at": f"table{n}", "here": ["g" * 32] * 4} for n in range(90)]
    await asyncio.gather(*(one.note(note) for note in wide))
    async with asyncio.timeout(10):
        while len(notes) < len(wide):
            await asyncio.sleep(0.01)
    assert sorted(map(str, notes)) == sorted(str((one.pubsub.process, note)) for note in wide)
    listening.cancel()
    one.close()
    two.close()


async def test_under_load_summaries_are_written_in_small_batches_lobby_first(store_url):
    store = Store(Settings(store=store_url).url)
    table_index = TableIndex(store)
    names = [f"t{n}" for n in range(2 * TOGETHER)]
    for name in names:
        setup = replace(SETUP, listed=name == names[-1])
        await store.open(name, setup)
        table_index.update(name, Table(setup))
    await table_index.flush_some()
    left = set(await table_index.stale())
    assert len(left) == TOGETHER
    assert names[-1] not in left
    assert (
        len((await table_index.games("ada", over=False, page=0))[0]) == PAGE
    )  # the summaries of a reader are written first
    assert await table_index.stale() == []
    store.close()


async def test_a_reader_waits_for_summaries_being_written(store_url):
    store = Store(Settings(store=store_url).url)
    table_index, go_on = TableIndex(store), threading.Event()
    await store.open("t", SETUP)
    table_index.update("t", Table(SETUP))
    busy = asyncio.create_task(store.write(lambda _: go_on.wait() and None))
    writing = asyncio.create_task(table_index.flush_some())
    await asyncio.sleep(0)
    reading = asyncio.create_task(table_index.games("ada", over=False, page=0))
    await asyncio.wait([reading], timeout=0.3)
    go_on.set()
    assert [found.table for found in (await reading)[0]] == ["t"]
    await asyncio.gather(busy, writing)
    store.close()


async def test_events_of_another_process_are_sent_before_the_next_move(start_any_server, store_url):
    server = start_any_server()
    guest = Guest(server.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    line = await guest.connect(table)
    await line.move("a")
    with Store(Settings(store=store_url).url).engine.begin() as other:  # without a notification to the server
        row = {"table_id": table, "version": 2, "kind": "move", "data": {"seat": 1, "move": "d"}, "at": ""}
        other.execute(insert(events).values(row))
    assert (await line.ask("move", "late", ply=1, seat=1, move="b"))["code"] == "stale_ply"
    await line.until(lambda message: message["t"] == "state")
    assert [entry["moves"] for entry in line.table["history"]] == [{"0": "a"}, {"1": "d"}]
    assert (await line.move("c"))["version"] == 3


async def test_a_store_that_fails_acknowledges_nothing_and_the_table_comes_back(start_any_server):
    server = start_any_server()
    guest = Guest(server.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    line = await guest.connect(table)
    await line.move("a")
    with server.services.store.engine.begin() as other:
        other.execute(text("ALTER TABLE events RENAME TO lost"))
    await line.send({"t": "move", "ack": "late", "ply": 1, "seat": 1, "move": "b"})
    assert await line.receive() == {"t": "bye", "code": "store_failed"}
    with pytest.raises(websockets.ConnectionClosed, match="1012"):
        await line.receive()
    with server.services.store.engine.begin() as other:
        other.execute(text("ALTER TABLE lost RENAME TO events"))
    again = await guest.connect(table)
    assert [entry["moves"] for entry in again.table["history"]] == [{"0": "a"}]
    assert (await again.ask("move", "late", ply=1, seat=1, move="b"))["t"] == "ack"


async def test_a_table_with_a_damaged_log_is_answered_as_unreadable(start_any_server):
    server = start_any_server()
    guest = Guest(server.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    await (await guest.connect(table)).move("a")
    with server.services.store.engine.begin() as other:
        other.execute(update(events).values(data={"seat": 0, "move": "z"}))
    guest = await at_new_address(guest, (await asyncio.to_thread(start_any_server)).address)
    with pytest.raises(Problem, match=r"500.*unreadable_table"):
        await guest.get(f"/tables/{table}")


async def test_idle_tables_leave_memory_and_are_loaded_again(start_server):
    server = start_server(forget_after=0.1)
    guest = Guest(server.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    line = await guest.connect(table)
    await line.move("a")
    await asyncio.sleep(0.4)
    assert table in server.services.hub._tables, "someone is listening"
    await line.close()
    for _ in range(50):
        await asyncio.sleep(0.1)
        if table not in server.services.hub._tables:
            break
    assert table not in server.services.hub._tables
    assert len((await guest.connect(table)).table["history"]) == 1


def test_the_migrations_give_the_schema(store_url):
    store = Store(Settings(store=store_url).url)
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    store.close()


def test_sqlite_keeps_what_it_has_acknowledged_even_if_the_power_fails(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'games.sqlite'}")
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    store.close()


def test_a_store_of_the_first_release_is_brought_up_to_date(store_url):
    """Marks among the events are removed, and the others are numbered from 1."""
    engine = create_engine(Settings(store=store_url).url)
    config = Config()
    config.set_main_option("script_location", "quatuor.server.store:migrations")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(text("INSERT INTO tables VALUES ('t', '{}')"))
        for number, (version, kind) in enumerate([(1000, "mark"), (2, "move"), (3, "move"), (2000, "mark")]):
            row = {"number": number, "version": version, "kind": kind, "data": f'{{"n": {number}}}'}
            columns = "('t', :number, :version, :kind, :data, 'ada', NULL, '')"
            connection.execute(text(f"INSERT INTO events VALUES {columns}"), row)
    store = Store(Settings(store=store_url).url)
    assert [event.data["n"] for event in store._since("t", 0)] == [1, 2]
    store.close()
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.downgrade(config, "base")
        assert set(inspect(connection).get_table_names()) == {"alembic_version"}
    engine.dispose()


def test_a_free_port_is_chosen_only_if_none_is_given():
    first = listen("127.0.0.1", 0)
    taken = first.getsockname()[1]
    with pytest.raises(OSError, match=str(taken)):
        listen("127.0.0.1", taken)
    one, two = listen("127.0.0.1", None), listen("127.0.0.1", None)
    assert 8000 <= one.getsockname()[1] < two.getsockname()[1]
    for socket in (first, one, two):
        socket.close()


async def test_a_tournament_is_read_as_it_was_at_one_moment(store_url):
    store, other = Store(Settings(store=store_url).url), Store(Settings(store=store_url).url)
    card = {"status": "open"}
    await TournamentStore(store).open("t1", "ada", {"listed": False}, {"kind": "tournament"}, card, 1)
    loop, entered = asyncio.get_running_loop(), []

    def enter(_connection, _cursor, statement, *_):
        if "FROM tournament_lines" in statement and not entered:  # between two statements of the reader
            entered.append("Bob")
            entering = TournamentStore(other).append("t1", 2, [{"kind": "enter"}], Change([Entrant("Bob")]), card, 2)
            asyncio.run_coroutine_threadsafe(entering, loop).result(20)

    event.listen(store.engine, "before_cursor_execute", enter)
    found = await TournamentStore(store).load("t1", 0)
    assert len(found.lines) - 1 == len(found.entrants)
    assert len((await TournamentStore(store).load("t1", 0)).lines) == 2, "the player has entered"
    store.close()
    other.close()
