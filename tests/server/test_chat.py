"""Chat over the websocket: phrases and free text, turned off, muted, reported."""

import uuid

import pytest

from quatuor.cli.reports import listed
from tests.server.client import Guest, Problem
from tests.server.test_play import duel


async def test_chat_reaches_everyone_and_survives_a_reload(ada, bob, eve):
    table = await duel(ada, bob)
    a, b, e = await ada.connect(table), await bob.connect(table), await eve.connect(table)
    assert (await a.ask("say", phrase="hello"))["t"] == "ack"
    nasty = "<img src=x onerror=alert(1)> & \"'"
    assert (await b.ask("say", words=nasty))["t"] == "ack"
    for line in (a, b, e):
        await line.caught_up(b.table["version"])
        assert [(m["seat"], m["phrase"], m["words"]) for m in line.table["chat"]] == [
            (0, "hello", None),
            (1, None, nasty),
        ]
    assert (await eve.get(f"/tables/{table}"))["chat"] == a.table["chat"]


async def test_people_who_share_a_device_write_under_their_own_names(ada, bob):
    seats = [{"kind": "me", "name": "Mia"}, {"kind": "open"}, {"kind": "me", "name": "Tom"}, {"kind": "open"}]
    opened = await ada.post("/tables", {"game": "blokus", "variant": "classic", "seats": seats})
    await bob.post(f"/tables/{opened['id']}/join", {"token": opened["invites"]["1"]})
    a, b = await ada.connect(opened["id"]), await bob.connect(opened["id"])
    assert (await a.ask("say", phrase="hello", seat=2))["t"] == "ack"
    assert (await a.ask("say", words="here, too"))["t"] == "ack"
    for line, seat in ((b, 2), (a, 1), (a, 9)):
        assert (await line.ask("say", phrase="hello", seat=seat))["code"] == "not_your_seat"
    eve = await Guest(ada.address).connect(opened["id"])
    assert (await eve.ask("say", phrase="hello", seat=0))["code"] == "not_your_seat"
    await b.caught_up(a.table["version"])
    named = [(message["seat"], b.table["seats"][message["seat"]]["name"]) for message in b.table["chat"]]
    assert named == [(2, "Tom"), (0, "Mia")]


async def test_spectators_chat_among_themselves_until_the_game_is_over(ada, bob, eve, server):
    await eve.http.put("/api/me", json={"name": "Eve"})
    table = await duel(ada, bob)
    a, e = await ada.connect(table), await eve.connect(table)
    fay = await Guest(server.address).connect(table)
    assert (await fay.ask("say", phrase="hello"))["code"] == "not_your_seat", "without a cookie"
    assert (await e.ask("say", words="Ada will lose"))["t"] == "ack"
    await a.caught_up(e.table["version"])
    await fay.caught_up(e.table["version"])
    assert [(message["name"], message["words"]) for message in fay.table["spectator_chat"]] == [
        ("Eve", "Ada will lose")
    ]
    late = await ada.connect(table, since=0)
    await late.event("presence")
    for got in (
        a.received,
        late.received,
        await ada.get(f"/tables/{table}"),
        await bob.get(f"/tables/{table}/events?wait=0"),
    ):
        assert "Ada will lose" not in str(got)
    again = await eve.connect(table, since=0)
    assert (await again.event("spectator_chat"))["spectator_message"]["words"] == "Ada will lose"
    await a.ask("resign", seat=0)
    assert [message["words"] for message in a.table["spectator_chat"]] == ["Ada will lose"]
    assert (await bob.get(f"/tables/{table}"))["spectator_chat"] == a.table["spectator_chat"]
    await e.ask("say", phrase="good_game")
    await a.caught_up(e.table["version"])
    assert a.table["spectator_chat"][-1]["phrase"] == "good_game"


async def test_a_spectator_with_another_name_has_it_in_all_messages(ada, bob, eve, server):
    await eve.http.put("/api/me", json={"name": "Eve"})
    table = await duel(ada, bob)
    a, e, fay = await ada.connect(table), await eve.connect(table), await Guest(server.address).connect(table)
    await e.ask("say", words="a secret")
    await fay.event("spectator_chat")
    await eve.http.put("/api/me", json={"name": "Evelyn"})
    for line in (e, fay):
        while line.table["spectator_chat"][0]["name"] != "Evelyn":
            await line.event("presence")
    await ada.http.put("/api/me", json={"name": "Countess"})
    while a.table["seats"][0]["name"] != "Countess":
        await a.event("presence")
    assert "a secret" not in str(a.received)


async def test_messages_of_a_spectator_who_signs_up_have_the_new_name(ada, bob, eve, server):
    table = await duel(ada, bob)
    await eve.get("/me")
    e, fay = await eve.connect(table), await Guest(server.address).connect(table)
    await e.ask("say", phrase="hello")
    name = f"Eve {uuid.uuid4().hex[:8]}"
    await eve.post("/account", {"name": name, "password": "correct horse"})
    await fay.event("adopt")
    assert [message["name"] for message in fay.table["spectator_chat"]] == [name]
    a = await ada.connect(table)
    await a.ask("resign", seat=0)
    assert [message["name"] for message in a.table["spectator_chat"]] == [name]


async def test_a_spectator_is_muted_and_reported_by_a_message(ada, bob, eve):
    table = await duel(ada, bob)
    await eve.get("/me")
    e = await eve.connect(table)
    assert (await e.ask("say", words="rude"))["t"] == "ack"
    fay = Guest(ada.address)
    assert await mute(fay, table, number=0) == {"seats": [], "numbers": [0]}
    assert await mute(fay, table, number=0, on=False) == {"seats": []}
    with pytest.raises(Problem, match="404"):
        await mute(eve, table, number=0)
    with pytest.raises(Problem, match="404"):
        await mute(fay, table, number=7)
    await fay.post(f"/tables/{table}/report", {"number": 0})


async def test_a_message_sent_twice_is_stored_once(ada, bob):
    table = await duel(ada, bob)
    a = await ada.connect(table)
    answers = [await a.ask("say", "once", words="hi") for _ in range(2)]
    assert answers[0] == answers[1]
    assert len((await bob.get(f"/tables/{table}"))["chat"]) == 1


async def test_free_words_are_turned_off_by_the_owner_alone(ada, bob):
    table = await duel(ada, bob)
    a, b = await ada.connect(table), await bob.connect(table)
    assert (await b.ask("words", on=False))["code"] == "not_owner"
    assert (await a.ask("words", on=False))["t"] == "ack"
    await b.event("words")
    assert b.table["words"] is False
    assert (await b.ask("say", words="hi"))["code"] == "no_words"
    assert (await b.ask("say", phrase="thanks"))["t"] == "ack"


async def test_a_flood_is_refused(ada, bob):
    a = await ada.connect(await duel(ada, bob))
    answers = [await a.ask("say", words=f"message {n}") for n in range(7)]
    assert [answer["t"] for answer in answers] == ["ack"] * 5 + ["error"] * 2
    assert answers[-1]["code"] == "rate_limited"
    assert (await a.ask("say", words="x" * 1001))["code"] == "bad_message"


async def mute(guest, table, **command):
    return guest._json(await guest.http.put(f"/api/tables/{table}/muted", json=command))


async def test_a_muted_player_stays_muted_at_the_next_table(ada, bob, eve):
    first, second = await duel(ada, bob), await duel(ada, bob)
    assert await ada.get(f"/tables/{first}/muted") == {"seats": []}
    assert await mute(ada, first, seat=1) == {"seats": [1]}
    assert await ada.get(f"/tables/{second}/muted") == {"seats": [1]}
    assert await eve.get(f"/tables/{second}/muted") == {"seats": []}
    assert await bob.get(f"/tables/{second}/muted") == {"seats": []}
    assert await mute(ada, second, seat=1, on=False) == {"seats": []}
    for seat in (0, 5):
        with pytest.raises(Problem, match="404"):
            await mute(ada, first, seat=seat)


async def test_reports_are_kept_for_the_operator(server, ada, bob, eve):
    table = await duel(ada, bob)
    await (await bob.connect(table)).ask("say", words="something nasty\\x1b")
    for _ in range(2):
        await ada.post(f"/tables/{table}/report", {"number": 0})
    await eve.post(f"/tables/{table}/report", {"number": 0})
    with pytest.raises(Problem, match="404"):
        await ada.post(f"/tables/{table}/report", {"number": 1})
    mine = [report for report in await server.services.relations.reports(10) if report.table_id == table]
    assert [report.said for report in mine] == ["something nasty\\x1b"] * 2
    assert table in str(listed(mine))
