"""Games to watch: running public tables, live, over one socket."""

import json

import pytest
import websockets

from quatuor.server import watch
from tests.server.client import Guest, Problem
from tests.server.test_tournaments import started

OPEN = {"seats": [{"kind": "me"}, {"kind": "open"}], "listed": True}


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(watch, "PAUSE", 0.0)


class Watcher:
    """A client that keeps what a page would show."""

    def __init__(self, socket) -> None:
        self._socket, self.tables, self.messages = socket, {}, []

    async def until(self, wanted) -> None:
        while not wanted(self.tables):
            message = json.loads(await self._socket.recv())
            self.messages.append(message)
            fresh = {table["id"]: table for table in message["tables"]}
            self.tables = {name: fresh.get(name) or self.tables[name] for name in message["ids"]}


async def _watch(guest: Guest, game: str = "") -> Watcher:
    return Watcher(await websockets.connect(f"ws://{guest.address}/api/watch/socket?game={game}"))


async def test_running_public_games_are_shown_live(start_server):
    server = start_server()
    ada, bob, eve = (Guest(server.address) for _ in range(3))
    hidden = await ada.post("/tables", {"game": "plus4", **OPEN, "listed": False})
    await bob.post(f"/tables/{hidden['id']}/join", {"token": hidden["invites"]["1"]})
    table = (await ada.post("/tables", {"game": "plus4", **OPEN}))["id"]
    other = (await ada.post("/tables", {"game": "trois_six", **OPEN}))["id"]
    assert (await eve.get("/watch"))["tables"] == [], "while a seat is free, the lobby shows it"
    line = await _watch(eve)
    for name in (table, other):
        await bob.post(f"/tables/{name}/join", {})
    await line.until(lambda tables: tables.keys() == {table, other})
    a = await ada.connect(table)
    await a.move("b")
    await line.until(lambda tables: tables[table]["ply"] == 1)
    shown = line.tables[table]
    assert (shown["position"], shown["entry"]) == (a.table["position"], a.table["history"][-1])
    assert [seat["kind"] for seat in shown["seats"]] == ["human", "human"]
    assert [changed["id"] for changed in line.messages[-1]["tables"]] == [table], "only what has changed is sent"
    assert {changed["id"] for changed in (await eve.get("/watch?game=plus4"))["tables"]} == {table}
    await a.ask("resign", seat=0)
    await line.until(lambda tables: tables[table]["over"])
    assert line.tables[table]["ranking"] == [2, 1]


async def test_secret_orders_stay_secret(start_server):
    server = start_server()
    ada, bob = (Guest(server.address) for _ in range(2))
    table = (await ada.post("/tables", {"game": "trois_six", **OPEN}))["id"]
    await bob.post(f"/tables/{table}/join", {})
    a = await ada.connect(table)
    line = await _watch(bob, "trois_six")
    await line.until(lambda tables: table in tables)
    order = a.table["legal"]["0"][3]
    await a.move(order, seat=0)
    await line.until(lambda tables: tables[table]["version"] == 2)
    assert order not in json.dumps(line.messages)
    assert line.tables[table]["ply"] == 0


async def test_a_few_at_a_time_and_a_table_keeps_its_place(start_server, monkeypatch):
    monkeypatch.setattr(watch, "BOARDS", 2)
    server = start_server()
    guests = [Guest(server.address) for _ in range(4)]
    tables = []
    for guest in guests[:3]:
        tables.append((await guest.post("/tables", {"game": "plus4", **OPEN}))["id"])
        await guests[3].post(f"/tables/{tables[-1]}/join", {})
        await guests[3].get("/watch")
    line = await _watch(guests[3])
    await line.until(lambda shown: len(shown) == 2)
    first = list(line.tables)
    for guest, table in zip(guests, tables, strict=False):
        await (await guest.connect(table)).move("a")
    await line.until(lambda shown: all(table["ply"] for table in shown.values()))
    assert list(line.tables) == first


async def test_a_game_that_is_over_gives_its_place_to_one_that_waits(start_server, monkeypatch):
    monkeypatch.setattr(watch, "BOARDS", 2)
    server = start_server()
    guests = [Guest(server.address) for _ in range(4)]
    tables = []
    line = await _watch(guests[3])
    for guest in guests[:3]:
        tables.append((await guest.post("/tables", {"game": "plus4", **OPEN}))["id"])
        await guests[3].post(f"/tables/{tables[-1]}/join", {})
        await line.until(lambda shown: list(shown) == tables[:2])
    await (await guests[0].connect(tables[0])).ask("resign", seat=0)
    await line.until(lambda shown: tables[0] not in shown)
    assert list(line.tables) == [tables[2], tables[1]]
    await (await guests[1].connect(tables[1])).ask("resign", seat=0)
    await line.until(lambda shown: shown[tables[1]]["over"])
    assert list(line.tables) == [tables[2], tables[1]], "nobody waits: its result can be seen"


async def test_an_unknown_game(ada):
    with pytest.raises(Problem, match=r"400.*unknown_game"):
        await ada.get("/watch?game=chess")
    socket = await websockets.connect(f"ws://{ada.address}/api/watch/socket?game=chess")
    assert json.loads(await socket.recv())["code"] == "unknown_game"
    with pytest.raises(websockets.ConnectionClosed):
        await socket.recv()


async def test_games_of_a_public_tournament_are_shown(start_server):
    server = start_server()
    for title, public in (("Open", True), ("Closed", False)):
        _, guests = await started(server, f"Ada {title}", f"Bob {title}", title=title, listed=public)
    eve = Guest(server.address)
    line = await _watch(eve)
    await line.until(len)
    assert [[seat["name"] for seat in table["seats"]] for table in line.tables.values()] in (
        [["Ada Open", "Bob Open"]],
        [["Bob Open", "Ada Open"]],
    )
    assert len((await eve.get("/watch"))["tables"]) == 1
    assert (await eve.get("/lobby"))["tables"] == []
    with pytest.raises(Problem, match="seat_taken"):
        await guests[0].post(f"/tables/{next(iter(line.tables))}/join", {})
