"""Two server processes over one PostgreSQL: players of both sit at the same table."""

import asyncio
import json
import random
from collections.abc import Iterator

import pytest
import websockets

from bench.processes import Process
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from tests.server.client import Connection, Guest


@pytest.fixture(scope="module")
def both(postgres, tmp_path_factory) -> Iterator[tuple[Process, Process]]:
    url, secret = postgres.database(), tmp_path_factory.mktemp("server") / "secret"
    one, two = Process(url, secret), Process(url, secret)
    one.url = url
    yield one, two
    one.kill()
    two.kill()


async def duel(both, game: str = "plus4") -> tuple[Guest, Guest, str]:
    ada, bob = (Guest(process.address) for process in both)
    table = await ada.open(game, "me", "open")
    assert await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]}) == {"seat": 1}
    return ada, bob, table["id"]


def elsewhere(guest: Guest, process: Process) -> Guest:
    """The same cookie at the other process."""
    twin = Guest(process.address)
    twin.http.cookies = guest.http.cookies
    return twin


async def test_a_whole_game_with_a_player_at_each_process(both):
    ada, bob, table = await duel(both)
    lines = [await ada.connect(table), await bob.connect(table)]
    watching = [await Guest(process.address).connect(table) for process in both]
    dice = random.Random(4)
    while not lines[0].table["over"]:
        seat = lines[0].table["to_move"][0]
        answer = await lines[seat].move(dice.choice(lines[seat].table["legal"][str(seat)]))
        assert answer["t"] == "ack", answer
        for line in (*lines, *watching):
            await line.caught_up(answer["version"])
    twin = elsewhere(ada, both[1])
    while True:
        for line in (lines[0], *watching):
            await line.caught_up()
        shown = [await guest.get(f"/tables/{table}") for guest in (ada, twin)]
        if all(seat["online"] for one in (lines[0].table, *shown) for seat in one["seats"]):
            break  # every process knows that both players are there
    assert lines[0].table == shown[0] == shown[1]
    assert watching[0].table == watching[1].table


async def test_a_tournament_with_players_at_both_counts_every_result_once(both):
    players = [Guest(both[i % 2].address) for i in range(4)]
    for number, player in enumerate(players):
        await player.http.put("/api/me", json={"name": f"Player {number}"})
    cup = (await players[0].post("/tournaments", {"title": "Both", "game": "plus4", "format": "round_robin"}))["id"]
    await asyncio.gather(*(player.post(f"/tournaments/{cup}/players", {}) for player in players))
    views = [await player.get(f"/tournaments/{cup}") for player in players]
    assert {view["entered"] for view in views} == {4}
    order = {view["you"]: player for view, player in zip(views, players, strict=True)}
    view = await players[0].post(f"/tournaments/{cup}/rounds", {"after": 0})
    for table in view["rounds"][0]["tables"]:
        line = await order[table["players"][1]].connect(table["id"])
        assert (await line.ask("resign", seat=1))["t"] == "ack"
    for player in players[:2]:  # at either process
        while any(table["points"] is None for table in view["rounds"][0]["tables"]):
            await asyncio.sleep(0.1)
            view = await player.get(f"/tournaments/{cup}")
        assert [table["points"] for table in view["rounds"][0]["tables"]] == [[2, 0], [2, 0]]
        assert view["version"] == 1 + 4 + 1 + 2, "created, entered, paired, played"


async def test_presence_and_names_are_known_at_both_processes(both):
    ada, bob, table = await duel(both)
    a, b = await ada.connect(table), await bob.connect(table)
    while not all(seat["online"] for seat in a.table["seats"]):
        await a.event("presence")
    while not all(seat["online"] for seat in b.table["seats"]):
        await b.event("presence")
    await bob.http.put("/api/me", json={"name": "Bob at the other"})
    while a.table["seats"][1]["name"] != "Bob at the other":
        await a.event("presence")
    await b.close()
    while a.table["seats"][1]["online"]:
        await a.event("presence")


async def test_secret_orders_reach_the_other_process_only_as_ready(both):
    ada, bob, table = await duel(both, "trois_six")
    a, b = await ada.connect(table), await bob.connect(table)
    order = next(move for move in a.table["legal"]["0"] if move not in b.table["legal"]["1"])
    await a.move(order, seat=0)
    assert order not in str(await b.event("ready"))
    assert order not in str(await bob.get(f"/tables/{table}"))
    await b.move("-", seat=1)
    await a.event("move")
    assert a.table["history"][0]["moves"] == b.table["history"][0]["moves"] == {"0": order, "1": "-"}


async def test_the_same_command_at_both_processes_is_carried_out_once(both):
    ada = Guest(both[0].address)
    for _ in range(10):
        table = (await ada.open("plus4", "me", "me"))["id"]
        lines = [await guest.connect(table) for guest in (ada, elsewhere(ada, both[1]))]
        command = {"t": "move", "ack": "once", "ply": 0, "seat": 0, "move": "a"}
        answers = await asyncio.gather(*(line.ask(**command) for line in lines))
        assert answers == [{"t": "ack", "ack": "once", "version": 1}] * 2
        for line in lines:
            await line.caught_up(1)
            assert len(line.table["history"]) == 1


async def rush(guest: Guest, table: str, dice: random.Random) -> list[int]:
    """Play both seats as fast as possible, while another client does the same; returns the acknowledged versions."""
    line = await guest.connect(table)
    versions = []
    for _ in range(25):  # below the limit of messages of one connection
        if line.table["over"]:
            break
        seat = line.table["to_move"][0]
        answer = await line.move(dice.choice(line.table["legal"][str(seat)]))
        if answer["t"] == "ack":
            versions.append(answer["version"])
        else:
            assert answer["code"] in ("stale_ply", "game_over", "not_your_turn"), answer
            if answer["code"] == "stale_ply":
                await line.until(lambda message: message["t"] == "state")
    await settled(line, guest, table)
    return versions


async def settled(line: Connection, guest: Guest, table: str) -> None:
    await line.caught_up((await guest.get(f"/tables/{table}"))["version"])


async def test_no_move_is_lost_or_doubled_when_both_write_at_once(both):
    ada = Guest(both[0].address)
    tables = [(await ada.open("trois_six", "me", "me"))["id"] for _ in range(3)]
    twins = (ada, elsewhere(ada, both[1]))
    store = await asyncio.to_thread(Store, Settings(store=both[0].url).url)
    for number, table in enumerate(tables):
        rushes = (rush(twin, table, random.Random(10 * number + n)) for n, twin in enumerate(twins))
        first, second = await asyncio.gather(*rushes)
        kept = await store.load(table)
        assert sorted(first + second) == list(range(1, len(kept.events) + 1)), "each version was acknowledged once"
        assert await twins[0].get(f"/tables/{table}") == await twins[1].get(f"/tables/{table}")
    store.close()


async def test_an_engine_answers_players_at_either_process(both):
    ada = Guest(both[0].address)
    table = (await ada.open("plus4", "me", 1))["id"]
    a, twin = await ada.connect(table), await elsewhere(ada, both[1]).connect(table)
    for line, other in ((a, twin), (twin, a)):
        await line.move(line.table["legal"]["0"][0], seat=0)
        for listener in (line, other):
            while len(listener.table["history"]) % 2 or not listener.table["history"]:
                await listener.receive()
        await other.caught_up(line.table["version"])
    assert a.table["history"] == twin.table["history"]
    assert len(a.table["history"]) == 4


async def test_a_rematch_offered_at_both_processes_is_one_table(both):
    ada, bob, table = await duel(both)
    a = await ada.connect(table)
    await a.ask("resign", seat=0)
    answers = await asyncio.gather(ada.post(f"/tables/{table}/rematch"), bob.post(f"/tables/{table}/rematch"))
    (opened,) = {answer["id"] for answer in answers} - {None}
    for guest in (ada, bob):
        assert (await guest.post(f"/tables/{table}/rematch"))["id"] == opened


async def test_when_one_process_dies_its_players_continue_at_the_other(postgres, tmp_path):
    url = postgres.database()
    one, two = (Process(url, tmp_path / "secret") for _ in range(2))
    try:
        ada, bob, table = await duel((one, two))
        a, b = await ada.connect(table), await bob.connect(table)
        assert (await a.move("a"))["t"] == "ack"
        await b.event("move")
        one.kill()
        moved = elsewhere(ada, two)
        a = await moved.connect(table)
        assert (await b.move("b"))["t"] == "ack"
        await a.event("move")
        assert (await a.move("c"))["t"] == "ack"
    finally:
        two.kill()


async def test_sockets_count_at_all_processes_together(postgres, tmp_path):
    url = postgres.database()
    first, second = (Process(url, tmp_path / "secret", "--budgets", "sockets=8") for _ in range(2))
    guest, elsewhere, other = Guest(first.address), Guest(second.address), Guest(second.address)
    try:
        table = (await guest.open("plus4", "me", "me"))["id"]
        lines = [await Guest(first.address).connect(table) for _ in range(8)]
        while True:  # until the second process has the first one's report
            line = await elsewhere.connect(table)
            if line.received[0]["t"] == "error":
                break
            await line.close()
            await asyncio.sleep(0.2)
        assert line.received[0]["detail"]["budget"] == "sockets"
        assert (await other.connect(table, **{"X-Forwarded-For": "192.0.2.7"})).table["id"] == table
        for line in lines:
            await line.close()
    finally:
        first.stop()
        second.stop()


async def test_two_visitors_of_two_processes_are_paired(both):
    for total in range(100, 110):
        wanted = {"game": "trois_six", "pace": {"total": total}}
        guests = [Guest(process.address) for process in both]
        one, two = await asyncio.gather(*(guest.post("/lobby/pairing", wanted) for guest in guests))
        assert one["id"] == two["id"]
        assert {one["seat"], two["seat"]} == {0, 1}
        while any(table["pace"]["total"] == total for table in (await guests[0].get("/lobby"))["tables"]):
            await asyncio.sleep(0.1)  # the other process writes its summaries a moment later


async def test_a_game_is_watched_at_the_other_process(both):
    """Messages of spectators there do not reach a player here before the game is over."""
    ada, bob = (Guest(process.address) for process in both)
    seats = [{"kind": "me"}, {"kind": "open"}]
    table = (await ada.post("/tables", {"game": "plus4", "variant": "rounds", "seats": seats, "listed": True}))["id"]
    while (await bob.http.post(f"/api/tables/{table}/join", json={})).status_code != 200:
        await asyncio.sleep(0.1)
    eve = Guest(both[1].address)
    await eve.get("/me")
    a, e = await ada.connect(table), await eve.connect(table)

    async def shown(wanted) -> None:
        tables: dict = {}
        async with (
            asyncio.timeout(60),
            websockets.connect(f"ws://{both[1].address}/api/watch/socket?game=plus4") as one,
        ):
            while not (table in tables and wanted(tables[table])):
                message = json.loads(await one.recv())
                tables |= {found["id"]: found for found in message["tables"]}

    await a.move("a")
    await shown(lambda found: found["ply"] == 1)
    answer = await e.ask("say", words="a secret")
    await a.caught_up(answer["version"])
    assert "a secret" not in str(a.received)
    fay = await Guest(both[0].address).connect(table)
    assert [message["words"] for message in fay.table["spectator_chat"]] == ["a secret"]
    await eve.http.put("/api/me", json={"name": "Eve there"})
    while fay.table["spectator_chat"][0]["name"] != "Eve there":
        await fay.event("presence")
    await a.ask("resign", seat=0)
    assert [message["words"] for message in a.table["spectator_chat"]] == ["a secret"]
    assert a.table["spectator_chat"][0]["name"] == "Eve there"
    await shown(lambda found: found["over"])
