"""The lobby: tables that wait for players, joining them, and the list of a player's own games."""

import asyncio
import json
import sqlite3

import pytest
import websockets

from tests.server.client import Guest, Problem


async def opened(guest: Guest, *seats: str | int, game: str = "plus4", **commands) -> dict:
    kinds = [{"kind": seat} if isinstance(seat, str) else {"kind": "engine", "level": seat} for seat in seats]
    return await guest.post("/tables", {"game": game, "seats": kinds, **commands})


async def lobby(guest: Guest) -> dict[str, dict]:
    return {table["id"]: table for table in (await guest.get("/lobby"))["tables"]}


async def test_a_listed_table_is_found_joined_and_gone(ada, bob, eve):
    hidden = (await opened(ada, "me", "open"))["id"]
    listed = await opened(ada, "me", "open", listed=True, pace={"total": 300, "increment": 5})
    table = listed["id"]
    found = await lobby(bob)
    assert hidden not in found
    shown = found[table]
    assert (shown["game"], shown["variant"], shown["pace"]) == (
        "plus4",
        "elementary",
        {"total": 300, "increment": 5, "days": 0},
    )
    assert [seat["kind"] for seat in shown["seats"]] == ["human", "open"]
    assert listed["invites"]["1"] not in json.dumps(shown), "no token is sent"
    assert await bob.post(f"/tables/{table}/join", {}) == {"seat": 1}
    assert table not in await lobby(bob)
    with pytest.raises(Problem, match=r"409.*seat_taken"):
        await eve.post(f"/tables/{table}/join", {})
    with pytest.raises(Problem, match=r"403.*bad_token"):
        await eve.post(f"/tables/{hidden}/join", {})


async def test_one_table_seats_people_on_one_device_an_engine_a_friend_and_anyone(ada, bob, eve):
    for guest, name in ((ada, "Ada"), (bob, "Bob"), (eve, "Eve")):
        await guest.http.put("/api/me", json={"name": name})
    seats = [{"kind": "me"}, {"kind": "me", "name": "Ben"}, {"kind": "open"}, {"kind": "open", "invited": True}]
    opened = await ada.post("/tables", {"game": "blokus", "seats": seats, "listed": True})
    table, tokens = opened["id"], opened["invites"]
    assert [seat["invited"] for seat in (await lobby(bob))[table]["seats"]] == [False, False, False, True]
    with pytest.raises(Problem, match=r"409.*seat_taken"):
        await eve.post(f"/tables/{table}/join", {"seat": 3})
    assert await bob.post(f"/tables/{table}/join", {"token": tokens["2"]}) == {"seat": 3}, "the friend's seat first"
    assert await eve.post(f"/tables/{table}/join", {}) == {"seat": 2}
    shown = await eve.get(f"/tables/{table}")
    assert [seat["name"] for seat in shown["seats"]] == ["Ada", "Ben", "Eve", "Bob"]
    assert (shown["you"], (await ada.get(f"/tables/{table}"))["you"]) == ([2], [0, 1])


async def test_a_table_with_seats_for_friends_only_is_not_in_the_lobby(ada, bob):
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open", "invited": True}, {"kind": "engine", "level": 1}]
    table = (await ada.post("/tables", {"game": "blokus", "seats": seats, "listed": True}))["id"]
    assert table in await lobby(bob)
    await bob.post(f"/tables/{table}/join", {})
    assert table not in await lobby(ada)


async def test_the_lobby_is_live(ada, bob):
    socket = await websockets.connect(f"ws://{ada.address}/api/lobby/socket")

    async def until(wanted) -> None:
        while not wanted({table["id"] for table in json.loads(await socket.recv())["tables"]}):
            pass

    table = (await opened(ada, "me", "open", listed=True))["id"]
    await until(lambda ids: table in ids)
    await bob.post(f"/tables/{table}/join", {})
    await until(lambda ids: table not in ids)
    await socket.close()


async def test_a_player_chooses_a_seat_and_engines_fill_the_free_ones(ada, bob):
    table = (await opened(ada, "me", "open", "open", "open", game="blokus", listed=True))["id"]
    assert await bob.post(f"/tables/{table}/join", {"seat": 2}) == {"seat": 2}
    a = await ada.connect(table)
    assert (await (await bob.connect(table)).ask("fill", seat=1, level=1))["code"] == "not_owner"
    for seat in (1, 3):
        assert (await a.ask("fill", seat=seat, level=1))["t"] == "ack"
    assert [seat["kind"] for seat in a.table["seats"]] == ["human", "engine", "human", "engine"]
    assert table not in await lobby(bob)


@pytest.mark.parametrize("pace", [{}, {"total": 60, "days": 1}, {"days": 2, "increment": 3}])
async def test_invalid_paces_are_refused(ada, pace):
    with pytest.raises(Problem, match=r"400.*bad_pace"):
        await opened(ada, "me", "open", pace=pace)


@pytest.mark.parametrize("pace", [{"total": 4}, {"total": 99_999}, {"days": 15}, {"days": 0}, {"total": "1"}])
async def test_paces_out_of_range(ada, pace):
    with pytest.raises(Problem, match=r"400.*bad_request"):
        await opened(ada, "me", "open", pace=pace)


async def test_own_games_list_first_those_that_wait_for_the_player(ada, bob, eve):
    async def mine(guest: Guest, over: bool = False) -> list[dict]:
        return (await guest.get(f"/me/games?over={over}"))["games"]

    ids = []
    for _ in range(3):
        table = await opened(ada, "me", "open", pace={"days": 3})
        await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
        ids.append(table["id"])
    assert [(game["id"], game["your_turn"]) for game in await mine(ada)] == [(id, True) for id in reversed(ids)]
    line = await ada.connect(ids[1])
    await line.move("a")
    assert [game["id"] for game in await mine(ada)] == [ids[2], ids[0], ids[1]]
    assert (await mine(bob))[0]["id"] == ids[1]
    assert (await mine(bob))[0]["until"] == line.table["seats"][1]["until"]
    assert (await mine(ada))[2]["you"] == [0]
    await line.ask("resign", seat=0)
    assert ids[1] not in [game["id"] for game in await mine(ada)]
    over = (await mine(bob, over=True))[0]
    assert (over["id"], over["ranking"], over["ended_by"]) == (ids[1], [2, 1], "resign")
    assert await mine(eve) == []
    assert await eve.get("/me/games?page=x&over=perhaps") == {"games": [], "more": False}


async def test_own_games_come_in_pages(ada):
    ids = [(await opened(ada, "me", "me"))["id"] for _ in range(23)]
    first, second = await ada.get("/me/games"), await ada.get("/me/games?page=1")
    assert (len(first["games"]), first["more"], len(second["games"]), second["more"]) == (20, True, 3, False)
    assert [game["id"] for game in first["games"] + second["games"]] == ids[::-1]


async def test_a_rematch_is_among_ones_games(ada, bob):
    table = await opened(ada, "me", "open", pace={"total": 60})
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    await (await ada.connect(table["id"])).ask("resign", seat=0)
    await ada.post(f"/tables/{table['id']}/rematch")
    again = (await bob.post(f"/tables/{table['id']}/rematch"))["id"]
    games = (await ada.get("/me/games"))["games"]
    assert (games[0]["id"], games[0]["pace"]["total"]) == (again, 60)


async def test_missing_summaries_are_rebuilt(start_server, tmp_path):
    guest = Guest(start_server().address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    await guest.get("/me/games")
    with sqlite3.connect(tmp_path / "games.sqlite") as other:
        other.execute("DELETE FROM cards")
        other.execute("DELETE FROM seated")
    server = await asyncio.to_thread(start_server)
    again = Guest(server.address)
    again.http.cookies.set("quatuor", guest.http.cookies["quatuor"])
    for _ in range(100):
        if games := (await again.get("/me/games"))["games"]:
            break
        await asyncio.sleep(0.05)
    assert [game["id"] for game in games] == [table]


async def test_a_table_counts_its_spectators(ada, bob, eve):
    table = (await ada.open("plus4", "me", "me"))["id"]
    a = await ada.connect(table)
    assert a.table["watching"] == 0
    one, two = await bob.connect(table), await eve.connect(table)
    await a.until(lambda message: message.get("watching") == 2)
    assert two.table["watching"] == 2
    await one.close()
    await a.until(lambda message: message.get("watching") == 1)


async def test_lists_accounts_mutes_and_pulses_in_both_kinds_of_store(start_any_server):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    table = (await opened(ada, "me", "open", listed=True, pace={"total": 60}))["id"]
    assert list(await lobby(bob)) == [table]
    await bob.post(f"/tables/{table}/join", {})
    assert [game["your_turn"] for game in (await ada.get("/me/games"))["games"]] == [True]
    assert [game["your_turn"] for game in (await bob.get("/me/games"))["games"]] == [False]
    await ada.post("/account", {"name": "Ada", "password": "correct horse"})
    with pytest.raises(Problem, match="name_taken"):
        await bob.post("/account", {"name": "ada", "password": "correct horse"})
    line, other = await ada.connect(table), await bob.connect(table)
    await other.event("gathered")
    assert (line.table["you"], line.table["seats"][0]["name"]) == ([0], "Ada")
    assert (await line.ask("say", words="hello"))["t"] == "ack"
    await bob.http.put(f"/api/tables/{table}/muted", json={"seat": 0})
    assert await bob.get(f"/tables/{table}/muted") == {"seats": [0]}
    for _ in range(2):
        await bob.post(f"/tables/{table}/report", {"number": 0})
    assert len(await server.services.relations.reports(5)) == 1
    await server.services.table_index.flush()
    assert await server.services.table_index.due(2**50) == [table]
    await line.ask("resign", seat=0)
    assert [game["id"] for game in (await bob.get("/me/games?over=true"))["games"]] == [table]
    assert await server.services.table_index.due(2**50) == []
    assert await server.services.table_index.stale() == []


async def test_one_person_and_one_network_list_only_some_tables(start_server):
    server = start_server(budgets={"listed": 8})  # and 2 of one person
    guest, other = Guest(server.address), Guest(server.address)
    other.http.headers["x-forwarded-for"] = "192.0.2.7"
    for _ in range(2):
        await opened(guest, "me", "open", listed=True)
    with pytest.raises(Problem) as caught:
        await opened(guest, "me", "open", listed=True)
    assert (caught.value.status, caught.value.code) == (429, "over_budget")
    assert (caught.value.detail["budget"], caught.value.detail["of"]) == ("listed", "person")
    await opened(guest, "me", "open", listed=False)
    crowd = [Guest(server.address) for _ in range(10)]  # each by a new guest, all of one network
    answers = await asyncio.gather(*(opened(one, "me", "open", listed=True) for one in crowd), return_exceptions=True)
    assert sum(isinstance(answer, dict) for answer in answers) == 6
    refused = next(answer for answer in answers if isinstance(answer, Problem))
    assert (refused.detail["budget"], refused.detail["of"]) == ("listed", "network")
    assert (await opened(other, "me", "open", listed=True))["id"] in await lobby(guest)


async def test_the_lobby_limits_tables_for_each_network(start_any_server):
    server = start_any_server()
    calm, flood = Guest(server.address), Guest(server.address)
    calm.http.headers["x-forwarded-for"] = "192.0.2.7"
    first = (await opened(calm, "me", "open", listed=True))["id"]
    for _ in range(6):
        await opened(flood, "me", "open", listed=True)
    for _ in range(20):
        await opened(Guest(server.address), "me", "open", listed=True)
    shown = await lobby(calm)
    assert first in shown
    assert len(shown) == 1 + 10, "ten of a network"
    assert "192.0.2.7" not in json.dumps(list(shown.values()))
    assert "network" not in shown[first]
    assert "owner" not in shown[first]


async def test_the_search_covers_all_own_games(each_server):
    ada, bob = Guest(each_server.address), Guest(each_server.address)
    for guest, name in ((ada, "Ada"), (bob, "Bob the Second")):
        await guest.http.put("/api/me", json={"name": name})
    opened = await ada.open("plus4", "me", "open", variant="rounds")
    await bob.post(f"/tables/{opened['id']}/join", {"token": opened["invites"]["1"]})
    for level in (1, 2) * 11:  # more than a page, all of them later
        await ada.open("plus4", "me", level)

    async def found(query: str) -> list[str]:
        return [game["id"] for game in (await ada.get(f"/me/games?{query}"))["games"]]

    for query in ("text=bOB", "text=Manches", "against=people", "game=plus4&against=people&text=second"):
        assert await found(query) == [opened["id"]], query
    assert [len(await found(f"text=niveau 2&page={page}")) for page in (0, 1)] == [11, 0]
    assert len(await found("against=engine")) == 20
    assert (await ada.get("/me/games?against=engine"))["more"]
    for query in ("text=Ada", "game=blokus", "text=%00", "game=%00", "game=%F0%9F%98%80"):
        assert await found(query) == []
