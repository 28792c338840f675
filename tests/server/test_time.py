"""Clocks and absent players over the websocket, in real time with short clocks."""

import asyncio
import sqlite3

import pytest

import quatuor
from bench.proxy import proxied
from quatuor.server import clock
from quatuor.server.settings import Settings
from quatuor.table import clocks
from tests.server.client import Guest, ServerThread
from tests.server.conftest import QUICK
from tests.server.test_lobby import opened
from tests.server.test_store import at_new_address


async def duel(ada: Guest, bob: Guest, *more: int, **commands) -> str:
    table = await opened(ada, "me", "open", *more, **commands)
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    return table["id"]


async def gather(table: str, *guests: Guest) -> None:
    """Connect every player for a moment, so that the clocks run."""
    lines = [await guest.connect(table) for guest in guests]
    await lines[-1].event("gathered")
    for line in lines:
        await line.close()


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Start the engine workers before a test waits for them."""
    for game, levels in (("plus4", (3,)), ("blokus", (1, 3))):
        for level in levels:
            quatuor.engine(level=level).choose(quatuor.new(game))


@pytest.fixture
def short(monkeypatch):
    """Short waits for absent players and for messages."""
    monkeypatch.setattr(clocks, "WAITS", ((180, 0.2),))
    monkeypatch.setattr(clocks, "LONGEST_WAIT", 0.2)


async def test_a_flag_falls_without_a_command(ada, bob, eve):
    table = await duel(ada, bob, pace={"total": 5})
    a, b = await ada.connect(table), await bob.connect(table)
    await b.event("gathered")
    e = await eve.connect(table)
    assert e.table["pace"] == {"total": 5, "increment": 0, "days": 0}
    first = e.table["seats"]
    assert (first[0]["left"], first[0]["until"] > clock.now(), first[1]["until"]) == (5000, True, None)
    await a.move("a")
    await b.event("move")
    assert b.table["seats"][0]["until"] is None
    await b.move("b")
    for line in (a, b, e):
        out = await line.event("out")
        assert (out["seat"], out["why"], out["ended_by"], out["ranking"]) == (0, "time", "time", [2, 1])
        assert line.table["reason"] == {"code": "time", "seat": 0}
        ticks = [message for message in line.received if message["t"] == "event"]
        assert len(ticks) <= 4, "the server sends no ticks"
    assert (await a.move("b", seat=0))["code"] == "game_over"


async def test_no_clock_runs_before_all_players_are_there(ada, bob):
    table = await duel(ada, bob, pace={"total": 60})
    a = await ada.connect(table)
    await a.move("a")
    assert [(seat["until"], seat["free"]) for seat in a.table["seats"]] == [(None, False), (None, True)]
    b = await bob.connect(table)
    await b.event("gathered")
    until = b.table["seats"][1]["until"]
    assert abs(until - clock.now() - 60_000) < 5000
    await b.move("b")
    assert [(seat["left"], seat["free"]) for seat in b.table["seats"]] == [(60_000, False)] * 2


async def test_a_game_whose_player_does_not_come_back_is_called_off(ada, bob):
    table = await duel(ada, bob, pace={"total": 5})
    b = await bob.connect(table)
    await (await ada.connect(table)).close()
    off = await b.event("abort")
    assert (off["ended_by"], off["ranking"]) == ("aborted", None)


async def test_in_a_game_of_four_the_others_continue(ada, bob):
    table = await opened(ada, "me", "open", 1, 1, game="blokus", pace={"total": 5})
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    a, b = await ada.connect(table["id"]), await bob.connect(table["id"])
    await a.move(a.table["legal"]["0"][0])
    await b.event("move")
    await b.move(b.table["legal"]["1"][0])
    await a.event("out")
    assert (a.table["over"], a.table["seats"][0]["out"], a.table["legal"]) == (False, "time", {})
    while b.table["to_move"] != [1] or not b.table["seats"][0]["out"]:
        await b.receive()  # an engine plays on
    assert (await b.ask("resign", seat=1))["t"] == "ack"
    assert b.table["ranking"][0] == 4


async def test_a_flag_falls_even_if_the_table_is_not_in_memory(start_server, monkeypatch):
    monkeypatch.setattr("quatuor.server.scheduler.FLAGS_EVERY", 0.05)
    monkeypatch.setattr(clocks, "DAY", 500)
    server = start_server(forget_after=0.1)
    ada, bob = Guest(server.address), Guest(server.address)
    table = await duel(ada, bob, pace={"days": 14})
    for guest, move in ((ada, "a"), (bob, "b")):
        line = await guest.connect(table)
        await line.move(move)
        await line.close()
    for _ in range(400):
        if table not in server.services.hub._tables:
            break
        await asyncio.sleep(0.05)
    assert table not in server.services.hub._tables
    for _ in range(400):
        if (await ada.get("/me/games?over=true"))["games"]:
            break
        await asyncio.sleep(0.05)
    assert (await ada.get(f"/tables/{table}"))["ended_by"] == "time"


async def test_a_restart_costs_no_player_time(start_server, monkeypatch):
    monkeypatch.setattr("quatuor.server.scheduler.BEAT_EVERY", 0.05)
    monkeypatch.setattr("quatuor.server.store.outages.DOWN_AFTER", 500)
    server = start_server()
    ada, bob = Guest(server.address), Guest(server.address)
    table = await duel(ada, bob, pace={"total": 60})
    a, b = await ada.connect(table), await bob.connect(table)
    await a.move("a")
    await b.event("move")
    await b.move("b")
    before = b.table["seats"][0]["until"]
    await asyncio.sleep(0.2)
    await asyncio.to_thread(server.close)
    await asyncio.sleep(1)
    server = await asyncio.to_thread(start_server)
    after = (await (await at_new_address(ada, server.address)).get(f"/tables/{table}"))["seats"][0]["until"]
    assert after - before >= 1000
    assert after <= clock.now() + 60_000
    again = (await (await at_new_address(bob, server.address)).get(f"/tables/{table}"))["seats"][0]["until"]
    assert again == after, "given back once"


async def test_the_win_is_claimed_against_an_absent_player(ada, bob, eve, short):
    table = await duel(ada, bob)
    b, e = await bob.connect(table), await eve.connect(table)
    await asyncio.sleep(max(0, b.table["seats"][0]["claim"] - clock.now()) / 1000)
    assert (await b.ask("claim", seat=0, win=True))["code"] == "no_claim", "no claim before the second move"
    a = await ada.connect(table)
    await a.move("a")
    await b.event("move")
    await b.move("b")
    await a.close()
    gone = await b.until(lambda message: message["t"] == "presence" and message["seats"][0]["claim"])
    since = gone["seats"][0]["claim"]
    assert (await e.ask("claim", seat=0, win=True))["code"] == "not_your_seat"
    await asyncio.sleep(max(0, since - clock.now()) / 1000)
    assert (await b.ask("claim", seat=0, win=True))["t"] == "ack"
    assert (b.table["ended_by"], b.table["ranking"]) == ("left", [2, 1])


async def test_an_engine_plays_on_until_the_player_is_back(ada, bob, short):
    table = await duel(ada, bob)
    b = await bob.connect(table)
    await asyncio.sleep(0.25)
    assert (await b.ask("claim", seat=0, win=False))["t"] == "ack"
    await b.event("move")
    assert b.table["seats"][0]["stand_in"]
    a = await ada.connect(table)
    await b.event("back")
    assert not b.table["seats"][0]["stand_in"]
    await b.move("b", seat=1)
    await a.caught_up(b.table["version"])
    assert (await a.move("c", seat=0))["t"] == "ack"


async def test_no_win_is_claimed_against_a_player_who_is_present_or_back(ada, bob, short):
    table = await duel(ada, bob)
    a, b = await ada.connect(table), await bob.connect(table)
    assert b.table["seats"][0]["claim"] is None
    await a.close()
    await b.until(lambda message: message["t"] == "presence" and message["seats"][0]["claim"])
    await ada.connect(table)
    await b.until(lambda message: message["t"] == "presence" and not message["seats"][0]["claim"])
    await asyncio.sleep(0.3)
    assert (await b.ask("claim", seat=0, win=True))["code"] == "no_claim"


async def test_lag_is_measured_by_the_server_and_given_back(ada, bob, server):
    table = await duel(ada, bob, pace={"total": 60})
    a, b = await ada.connect(table), await bob.connect(table)
    await a.move("a")
    await b.event("move")
    await b.move("b")
    await a.caught_up(b.table["version"])
    for forged in (0, 10**9):
        await a.send({"t": "heard", "now": forged})
    await a.send({"t": "ping"})
    pong = await a.until(lambda message: message["t"] == "pong")
    await asyncio.sleep(0.3)  # a long lag
    await a.send({"t": "heard", "now": pong["now"]})
    await a.send({"t": "heard", "now": pong["now"]})
    started = a.table["seats"][0]["until"] - 60_000
    await a.move("a", seat=0)
    took = clock.now() - started
    assert 60_000 - took + 300 <= a.table["seats"][0]["left"] <= 60_000


async def test_engines_answer_in_games_of_several_people_without_an_open_socket(ada, bob):
    table = await duel(ada, bob, 1, 1, game="blokus", pace={"days": 1})
    for guest, seat in ((ada, 0), (bob, 1)):
        line = await guest.connect(table)
        await line.move(line.table["legal"][str(seat)][0], seat=seat)
        await line.close()
    for _ in range(400):
        snapshot = await ada.get(f"/tables/{table}")
        if len(snapshot["history"]) == 4:
            break
        await asyncio.sleep(0.05)
    assert snapshot["to_move"] == [0]


async def test_undo_where_the_table_allows_it(ada, bob):
    table = await duel(ada, bob, takeback=True)
    a, b = await ada.connect(table), await bob.connect(table)
    await a.move("a")
    await b.event("move")
    assert (a.table["undo"], b.table["undo"], b.table["takeback"]) == (True, False, True)
    assert (await a.ask("undo", ply=1))["t"] == "ack"
    await b.event("undo")
    assert b.table["history"] == []


@pytest.fixture
def quick_pulse(monkeypatch):
    monkeypatch.setattr("quatuor.server.scheduler.BEAT_EVERY", 0.05)
    monkeypatch.setattr("quatuor.server.store.outages.DOWN_AFTER", 3000)


async def until(guest: Guest, table: str, seat: int = 0) -> int:
    return (await guest.get(f"/tables/{table}"))["seats"][seat]["until"]


async def test_a_restart_gives_no_time_back_to_a_clock_by_the_day(start_any_server, quick_pulse):
    server = await asyncio.to_thread(start_any_server)
    ada, bob = Guest(server.address), Guest(server.address)
    fast, slow = await duel(ada, bob, pace={"total": 600}), await duel(ada, bob, pace={"days": 2})
    await gather(fast, ada, bob)
    before = await until(ada, slow), await until(ada, fast)
    await asyncio.sleep(0.2)  # while the fast clock runs, the server writes its heartbeat
    await asyncio.to_thread(server.close)
    await asyncio.sleep(4)
    server = await asyncio.to_thread(start_any_server)
    ada = await at_new_address(ada, server.address)
    assert await until(ada, slow) == before[0]
    assert await until(ada, fast) >= before[1] + 4000


async def test_a_process_that_starts_beside_another_changes_no_clock(several, quick_pulse):
    one = await asyncio.to_thread(several)
    ada, bob = Guest(one.address), Guest(one.address)
    tables = [await duel(ada, bob, pace=pace) for pace in ({"days": 2}, {"total": 600})]
    await gather(tables[1], ada, bob)
    before = [await until(ada, table) for table in tables]
    await asyncio.sleep(4)
    two = await asyncio.to_thread(several)
    assert [await until(await at_new_address(ada, two.address), table) for table in tables] == before


async def test_after_a_restart_of_all_processes_each_knows_how_long_the_server_was_down(several, quick_pulse):
    one = await asyncio.to_thread(several)
    ada, bob = Guest(one.address), Guest(one.address)
    tables = [await duel(ada, bob, pace={"total": 600}) for _ in range(2)]
    for table in tables:
        await gather(table, ada, bob)
    before = [await until(ada, table) for table in tables]
    await asyncio.to_thread(one.close)
    await asyncio.sleep(4)
    both = [await asyncio.to_thread(several) for _ in range(2)]
    first, second = [await at_new_address(ada, server.address) for server in both]
    after = [await until(second, table) for table in tables]
    assert all(later >= earlier + 4000 for earlier, later in zip(before, after, strict=True))
    assert [await until(first, table) for table in tables] == after, "given back once"


async def test_an_outage_of_the_store_costs_no_player_time(postgres, tmp_path, quick_pulse):
    async with proxied(postgres.database()) as network:
        server = await asyncio.to_thread(ServerThread, Settings(store=network.url, secret=tmp_path / "secret", **QUICK))
        try:
            ada, bob = Guest(server.address), Guest(server.address)
            fast, slow = await duel(ada, bob, pace={"total": 5}), await duel(ada, bob, pace={"days": 1})
            before = await until(ada, slow)
            await gather(fast, ada, bob)
            a = await ada.connect(fast)
            await a.move("a")  # now the other clock runs, with five seconds
            network.silence()
            await asyncio.sleep(8)
            network.heal()
            while (await bob.http.get("/ready")).status_code != 200:
                await asyncio.sleep(0.1)
            b = await bob.connect(fast)
            assert b.table["ended_by"] is None
            assert (await b.move("b", seat=1))["t"] == "ack"
            assert await until(ada, slow) >= before + 7000
        finally:
            network.heal()
            await asyncio.to_thread(server.close)


async def test_a_locked_sqlite_costs_no_player_time(start_server, tmp_path, quick_pulse):
    server = start_server()
    ada, bob = Guest(server.address), Guest(server.address)
    table = await duel(ada, bob, pace={"total": 5})
    a = await ada.connect(table)
    await a.move("a")
    lock = sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    await asyncio.sleep(7)
    lock.execute("ROLLBACK")
    while (await bob.http.get("/ready")).status_code != 200:
        await asyncio.sleep(0.1)
    b = await bob.connect(table)
    assert b.table["ended_by"] is None
    assert (await b.move("b", seat=1))["t"] == "ack"
