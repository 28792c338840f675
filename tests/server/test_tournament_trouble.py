"""Tournaments when something goes wrong: games that cannot be counted, crowds, partial organisers, deleted accounts."""

import asyncio
import contextlib
import json
import logging
from typing import Any

import pytest
import websockets
from sqlalchemy import update

from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.schema import events
from quatuor.server.tournaments import Tournaments, service
from quatuor.table import clocks
from tests.server.client import Guest, Problem, ServerThread
from tests.server.test_accounts import SECRET, send, sign_up
from tests.server.test_backup import quatuor
from tests.server.test_store import at_new_address
from tests.server.test_tournaments import named, organised, remove, resign, started, until


async def uncounted(server: ServerThread) -> float:
    text = (await Guest(server.address).http.get("/metrics")).text
    return next(float(line.split()[1]) for line in text.splitlines() if line.startswith("quatuor_results_uncounted "))


async def until_uncounted(server: ServerThread, number: int) -> None:
    async with asyncio.timeout(60):
        while await uncounted(server) != number:
            await asyncio.sleep(0.05)


async def crash(*_: Any) -> None:
    raise RuntimeError("cannot be counted")


def game_of(view: dict, player: int) -> dict:
    return next(table for table in view["rounds"][-1]["tables"] if player in table["players"])


# ---- more watched tournaments than the cache holds


async def test_more_watched_tournaments_than_the_cache_holds_break_nothing(start_server, monkeypatch):
    monkeypatch.setattr(service, "HELD", 3)
    server = start_server()
    (ann,) = await named(server.address, "Ann")
    every = [await organised(ann, title=f"Number {number}") for number in range(8)]
    async with contextlib.AsyncExitStack() as stack:
        for name in every[:6]:
            where = f"ws://{server.address}/api/tournaments/{name}/socket"
            socket = await stack.enter_async_context(websockets.connect(where))
            assert json.loads(await socket.recv())["id"] == name
        for name in every:
            assert (await ann.get(f"/tournaments/{name}"))["id"] == name
            assert (await ann.post(f"/tournaments/{name}/players", {}))["entered"] == 1
        assert set(every[:6]) <= set(server.services.tournaments._held), "watched tournaments stay in the cache"
        assert len(server.services.tournaments._held) <= 7
    async with asyncio.timeout(60):
        while any(held.live.read for held in server.services.tournaments._held.values()):
            await asyncio.sleep(0.01)
    await ann.get(f"/tournaments/{every[0]}")
    assert len(server.services.tournaments._held) == 3


# ---- games that cannot be counted


@pytest.fixture
def over_and_damaged(start_any_server, store_url, monkeypatch):
    """A round whose two games are over and not counted, one of them damaged in the store; the server is restarted."""

    async def prepare(player: int) -> tuple[ServerThread, str, list[Guest], dict]:
        server = start_any_server()
        tournament, guests = await started(server, "Ann", "Ben", "Cem", "Dora")
        view = await guests[0].get(f"/tournaments/{tournament}")
        with monkeypatch.context() as patch:
            patch.setattr(Tournaments, "_count", crash)
            for table in range(2):
                await resign(view, table, guests)
            await until_uncounted(server, 2)
            await asyncio.to_thread(server.close)
        store = Store(Settings(store=store_url).url)
        with store.engine.begin() as connection:
            broken = (events.c.table_id == game_of(view, player)["id"]) & (events.c.kind == "resign")
            connection.execute(update(events).where(broken).values(kind="move", data={"seat": 0, "move": "nonsense"}))
        store.close()
        server = await asyncio.to_thread(start_any_server)
        return server, tournament, [await at_new_address(guest, server.address) for guest in guests], view

    return prepare


async def test_a_game_that_cannot_be_counted_is_shown_logged_and_decided_by_the_organiser(over_and_damaged, caplog):
    caplog.set_level(logging.ERROR)
    server, tournament, guests, view = await over_and_damaged(1)
    loser, winner = game_of(view, 1)["players"]
    await until(guests[0], tournament, lambda v: game_of(v, 0)["ranking"])  # the other game counts
    await until_uncounted(server, 1)
    logged = [record.getMessage() for record in caplog.records if tournament in record.getMessage()]
    assert any(game_of(view, 1)["id"] in line and "unreadable_table" in line for line in logged)
    with pytest.raises(Problem, match="round_running"):
        await guests[0].post(f"/tournaments/{tournament}/rounds", {"after": 1})
    with pytest.raises(Problem, match="not_organiser"):
        await guests[winner].post(f"/tournaments/{tournament}/forfeit", {"player": loser})
    after = await guests[0].post(f"/tournaments/{tournament}/forfeit", {"player": loser})
    assert game_of(after, 1)["ranking"] == [2, 1]
    assert (await guests[0].post(f"/tournaments/{tournament}/rounds", {"after": 1}))["round"] == 2
    await until_uncounted(server, 0)


async def test_a_player_of_a_game_that_cannot_be_counted_can_leave(over_and_damaged):
    _, tournament, guests, view = await over_and_damaged(1)
    leaver = game_of(view, 1)["players"][0]
    after = await remove(guests[leaver], tournament, leaver)
    assert after["players"][leaver]["withdrawn"]
    assert game_of(after, 1)["ranking"] == [2, 1]


async def test_an_organiser_does_not_decide_a_broken_game_of_their_own(over_and_damaged):
    _, tournament, (ann, *_), view = await over_and_damaged(0)
    opponent = next(player for player in game_of(view, 0)["players"] if player)
    with pytest.raises(Problem, match=r"409.*own_game"):
        await ann.post(f"/tournaments/{tournament}/forfeit", {"player": opponent})
    after = await ann.post(f"/tournaments/{tournament}/forfeit", {"player": 0})
    lost = game_of(after, 0)
    assert lost["ranking"][lost["players"].index(0)] == 2


async def test_counting_is_tried_again_at_growing_intervals(start_server, monkeypatch):
    monkeypatch.setattr(service, "LOOK_EVERY", 50.0)
    server = start_server()
    tournament, guests = await started(server, "Ann", "Ben")
    view = await guests[0].get(f"/tournaments/{tournament}")
    live, counting = view["rounds"][0]["tables"][0]["id"], server.services.tournaments
    with monkeypatch.context() as patch:
        patch.setattr(Tournaments, "_count", crash)
        await resign(view, 0, guests)
        await until_uncounted(server, 1)
        waits = []
        for attempt in range(1, 7):
            await counting._try_to_count(tournament, (1, 1), live)
            attempts, due = counting.uncounted[live]
            assert attempts == attempt, "not before it is due"
            waits.append(due - asyncio.get_running_loop().time())
            counting.uncounted[live] = (attempts, 0.0)
            await counting._try_to_count(tournament, (1, 1), live)
    for wait, longest in zip(waits, (50, 100, 200, 400, 600, 600), strict=True):
        assert longest / 2 < wait <= longest
    counting.uncounted[live] = (7, 0.0)
    await counting._try_to_count(tournament, (1, 1), live)
    assert await uncounted(server) == 0
    assert (await guests[0].get(f"/tournaments/{tournament}"))["status"] == "over"


# ---- an organiser who plays


async def test_an_organiser_who_plays_can_do_no_more_to_an_opponent_than_claim(server, monkeypatch):
    tournament, guests = await started(server, "Ann", "Ben")
    ann, ben = guests
    table = game_of(await ann.get(f"/tournaments/{tournament}"), 0)
    seat = table["players"].index(0)
    a, b = await ann.connect(table["id"]), await ben.connect(table["id"])
    if seat == 0:
        await a.move("a", 0)
        await b.caught_up(a.table["version"])

    async def refusals() -> list[dict]:
        found = []
        for attempt in (ann.post(f"/tournaments/{tournament}/forfeit", {"player": 1}), remove(ann, tournament, 1)):
            with pytest.raises(Problem, match=r"409.*own_game") as caught:
                await attempt
            found.append(caught.value.detail)
        return found

    assert await refusals() == [{"at": None}, {"at": None}], "the opponent is present"
    await b.close()
    await a.until(lambda message: message["t"] == "presence" and not message["seats"][1 - seat]["online"])
    assert all(refusal["at"] for refusal in await refusals()), "not away for long enough"
    view = await ann.get(f"/tournaments/{tournament}")
    assert (view["players"][1]["withdrawn"], game_of(view, 0)["ranking"]) == (False, None)
    monkeypatch.setattr(clocks, "LONGEST_WAIT", 0)
    await ann.post(f"/tournaments/{tournament}/forfeit", {"player": 1})
    view = await until(ann, tournament, lambda v: v["status"] == "over")
    assert view["standings"][0]["player"] == 0


async def test_a_player_who_resigned_early_can_leave_the_tournament(server):
    tournament, guests = await started(server, "Ann", "Ben", "Cem", "Dora", game="blokus", variant="classic")
    view = await guests[0].get(f"/tournaments/{tournament}")
    await resign(view, 0, guests, loser=3)
    player = view["rounds"][0]["tables"][0]["players"][3]
    assert (await remove(guests[player], tournament, player))["players"][player]["withdrawn"]


# ---- deleted accounts


async def test_a_deleted_accounts_name_is_gone_from_tournaments_which_go_on(start_any_server, store_url):
    server = start_any_server()
    ann, _, cem, _ = guests = await named(server.address, "Ann", "Ben", "Cem", "Dora")
    await sign_up(cem, "Cemile the First")
    tournament = await organised(ann, format="swiss", rounds=3, listed=True)
    for guest in guests:
        await guest.post(f"/tournaments/{tournament}/players", {})
    view = await ann.post(f"/tournaments/{tournament}/rounds", {"after": 0})
    for table in range(2):
        await resign(view, table, guests)
    await until(ann, tournament, lambda v: all(table["ranking"] for table in v["rounds"][0]["tables"]))
    before = await ann.post(f"/tournaments/{tournament}/rounds", {"after": 1})  # the second game is running
    where = f"ws://{server.address}/api/tournaments/{tournament}/socket"
    async with websockets.connect(where) as socket:
        assert "Cemile" in await socket.recv()
        await send(cem, "DELETE", "/account", {"password": SECRET})
        while "Cemile" in await socket.recv():
            pass

    async def texts(guest: Guest) -> str:
        answers = [await guest.http.get(f"/api/tournaments{path}") for path in ("", *pages)]
        return "\n".join(answer.text for answer in answers)

    pages = (f"/{tournament}", f"/{tournament}/file")
    assert "Cemile" not in await texts(ann)
    after = await until(ann, tournament, lambda v: game_of(v, 2)["ranking"])
    assert after["players"][2]["withdrawn"]
    assert after["players"][2]["name"].startswith("Guest ")
    assert after["rounds"][0] == before["rounds"][0], "results stand"
    (again,) = await named(server.address, "Cemile the First")
    assert (await again.post(f"/tournaments/{tournament}/players", {}))["you"] == 4, "the name is free again"
    assert "1 tournaments are whole" in quatuor("doctor", "--store", store_url).stdout
    shown = await ann.get(f"/tournaments/{tournament}")
    server = await asyncio.to_thread(start_any_server)
    ann = await at_new_address(ann, server.address)
    assert await ann.get(f"/tournaments/{tournament}") == shown, "the log replays"
    await remove(ann, tournament, 4)
    assert (await texts(ann)).count("Cemile") == 1 + 2, "only the player who has that name now"
