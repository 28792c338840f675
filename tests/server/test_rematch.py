"""A rematch is an offer: a new table opens only when every person at the old one has agreed."""

import asyncio

import pytest

from tests.server.client import Guest, Problem
from tests.server.test_play import duel


async def send(guest: Guest, method: str, table: str) -> tuple[int, dict]:
    response = await guest.http.request(method, f"/api/tables/{table}/rematch")
    return response.status_code, guest._json(response)


async def over(ada: Guest, bob: Guest, **setup) -> str:
    """A table of two people whose game is over."""
    table = await duel(ada, bob, **setup)
    line = await ada.connect(table)
    await line.ask("resign", seat=0)
    await line.close()
    return table


async def test_an_offer_opens_nothing_until_the_other_accepts(start_any_server):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    table = await over(ada, bob)
    a, b = await ada.connect(table), await bob.connect(table)
    for _ in range(3):  # asking again is the same offer
        assert await send(ada, "POST", table) == (202, {"id": None, "offered": [0]})
    assert (await b.event("rematch_offer"))["rematch_offer"] == [0]
    assert b.table["rematch"] is None
    assert [game["id"] for game in (await bob.get("/me/games"))["games"]] == []
    status, answer = await send(bob, "POST", table)
    assert status == 201
    assert (await a.event("rematch"))["rematch"] == answer["id"]
    assert await send(ada, "POST", table) == (201, {"id": answer["id"], "offered": []})
    snapshot = await ada.get(f"/tables/{table}")
    assert (snapshot["rematch"], snapshot["rematch_offer"]) == (answer["id"], [])
    assert (await ada.get(f"/tables/{answer['id']}"))["you"] == [1]


async def test_one_player_alone_never_costs_the_other_a_game(ada, bob):
    table = await ada.post(
        "/tables", {"game": "plus4", "seats": [{"kind": "me"}, {"kind": "open"}], "pace": {"total": 5}}
    )
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    await (await ada.connect(table["id"])).ask("resign", seat=0)
    for _ in range(25):
        await ada.http.post(f"/api/tables/{table['id']}/rematch")
    assert [game["id"] for game in (await bob.get("/me/games"))["games"]] == []


async def test_a_rematch_offer_is_declined_or_withdrawn(ada, bob, eve):
    table = await over(ada, bob)
    a = await ada.connect(table)
    await send(ada, "POST", table)
    with pytest.raises(Problem, match=r"403.*not_your_seat"):
        await send(eve, "DELETE", table)
    assert await send(ada, "DELETE", table) == (200, {"id": None, "offered": []})
    assert (await a.event("rematch_declined"))["seat"] == 0
    await send(ada, "POST", table)
    assert await send(bob, "DELETE", table) == (200, {"id": None, "offered": []})
    declined = await a.until(lambda message: message.get("kind") == "rematch_declined")
    assert (declined["seat"], declined["rematch_offer"]) == (1, [])
    with pytest.raises(Problem, match=r"409.*rematch_declined"):
        await send(ada, "POST", table)
    assert await send(bob, "POST", table) == (202, {"id": None, "offered": [1]}), "who declined may still accept"
    assert (await send(ada, "POST", table))[0] == 201
    with pytest.raises(Problem, match=r"409.*no_offer"):
        await send(bob, "DELETE", table)


async def test_offers_and_withdrawals_are_limited(ada, bob):
    table = await over(ada, bob)
    for _ in range(3):
        await send(ada, "POST", table)
        await send(ada, "DELETE", table)
    with pytest.raises(Problem, match=r"429.*rate_limited"):
        await send(ada, "POST", table)


async def test_at_a_table_of_four_every_person_agrees_and_engines_at_once(ada, bob, eve):
    table = await ada.open("blokus", "me", "open", "open", 1)
    for guest, seat in ((bob, "1"), (eve, "2")):
        await guest.post(f"/tables/{table['id']}/join", {"token": table["invites"][seat]})
    for guest, seat in ((ada, 0), (bob, 1), (eve, 2)):
        line = await guest.connect(table["id"])
        if not line.table["over"]:
            await line.ask("resign", seat=seat)
    assert (await send(eve, "POST", table["id"]))[1]["offered"] == [2]
    assert (await send(ada, "POST", table["id"]))[1]["offered"] == [0, 2]
    status, answer = await send(bob, "POST", table["id"])
    assert status == 201
    seats = (await ada.get(f"/tables/{answer['id']}"))["seats"]
    assert [seat["kind"] for seat in seats] == ["human", "human", "engine", "human"]


async def test_against_engines_a_rematch_opens_at_once(ada):
    table = (await ada.open("plus4", "me", 1))["id"]
    await (await ada.connect(table)).ask("resign", seat=0)
    status, answer = await send(ada, "POST", table)
    assert (status, answer["offered"]) == (201, [])
    assert (await ada.get(f"/tables/{answer['id']}"))["you"] == [1]


async def test_a_bot_accepts_by_joining_and_no_clock_runs_before(ada, bob, eve):
    owner = await eve.post("/bots", {"name": "Rematcher"})
    bot = Guest(ada.address)
    bot.http.headers["authorization"] = f"Bearer {owner['token']}"
    kinds = [{"kind": "me"}, {"kind": "open"}]
    table = await ada.post("/tables", {"game": "plus4", "seats": kinds, "pace": {"total": 60}, "listed": True})
    await bot.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    await (await ada.connect(table["id"])).ask("resign", seat=0)
    again = (await send(ada, "POST", table["id"]))[1]["id"]
    waiting = await ada.get(f"/tables/{again}")
    kept = waiting["seats"][0]
    assert (kept["kind"], kept["name"], kept["until"]) == ("open", "Rematcher", None)
    assert waiting["seats"][1]["until"] is None, "no clock runs while the bot is awaited"
    assert again not in [card["id"] for card in (await bob.get("/lobby"))["tables"]]
    with pytest.raises(Problem, match=r"403.*bad_token"):
        await bob.post(f"/tables/{again}/join", {})
    assert await bot.post(f"/tables/{again}/join", {}) == {"seat": 0}
    line = await bot.connect(again, authorization=f"Bearer {owner['token']}")
    await ada.connect(again)
    await line.event("gathered")
    assert line.table["seats"][0]["until"] is not None


async def test_a_rematch_offer_survives_a_restart(start_any_server):
    server = start_any_server()
    ada, bob = Guest(server.address), Guest(server.address)
    table = await over(ada, bob)
    await send(ada, "POST", table)
    server = await asyncio.to_thread(start_any_server)
    for guest in (ada, bob):
        guest.address, guest.http.base_url = server.address, f"http://{server.address}"
    assert (await bob.get(f"/tables/{table}"))["rematch_offer"] == [0]
    assert (await send(bob, "POST", table))[0] == 201
