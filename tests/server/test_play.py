"""Playing over the websocket: two people, spectators, engines, reconnecting."""

import asyncio

import pytest

import quatuor
from tests.server.client import Problem


async def duel(ada, bob, game="plus4", **options):
    """A table with both players seated; returns its id."""
    table = await ada.open(game, "me", "open", **options)
    assert await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]}) == {"seat": 1}
    return table["id"]


async def test_a_whole_game_between_two(ada, bob, eve):
    table = await duel(ada, bob)
    lines = [await ada.connect(table), await bob.connect(table)]
    spectator = await eve.connect(table)
    game = quatuor.new("plus4")
    while not game.over:
        seat, move = game.to_move[0], game.legal()[game.ply % len(game.legal())]
        assert lines[seat].table["legal"] == {str(seat): game.legal()}
        answer = await lines[seat].move(move)
        assert answer["t"] == "ack"
        game.play(move)
        for line in (*lines, spectator):
            await line.caught_up(answer["version"])
            assert line.table["position"] == game.view()
            assert line.table["to_move"] == list(game.to_move)
    assert lines[0].table["over"]
    assert lines[0].table["ranking"] == list(game.ranking)
    assert lines[0].table["reason"] == game.reason
    assert lines[0].table["ended_by"] == "rules"
    assert (await lines[0].move("a", seat=0))["code"] == "game_over"
    record = (await eve.http.get(f"/api/tables/{table}/record")).text
    assert quatuor.load(record).moves == game.moves
    for line, guest in zip((*lines, spectator), (ada, bob, eve), strict=True):
        assert line.table == await guest.get(f"/tables/{table}")


async def test_a_spectator_has_no_moves_and_cannot_move(ada, bob, eve):
    table = await duel(ada, bob)
    stranger = await eve.connect(table)  # eve has no cookie
    assert (stranger.table["you"], stranger.table["legal"], stranger.table["undo"]) == ([], {}, False)
    assert (await stranger.move("a"))["code"] == "not_your_seat"
    for command in ({"t": "undo", "ply": 0}, {"t": "resign", "seat": 0}):
        assert (await stranger.ask(**command))["code"] == "not_your_seat"
    assert (await stranger.ask("hint", ply=0))["code"] == "no_hint"
    await eve.get("/me")
    assert (await (await eve.connect(table)).move("a"))["code"] == "not_your_seat"


async def test_moves_that_are_refused(ada, bob):
    table = await duel(ada, bob)
    a, b = await ada.connect(table), await bob.connect(table)
    assert (await b.move("a", seat=1))["code"] == "not_your_turn"
    assert (await b.move("a", seat=0))["code"] == "not_your_seat"
    answer = await a.move("q")
    assert (answer["code"], answer["detail"]["legal"]) == ("illegal_move", ["a", "b", "c", "d"])
    assert (await a.move("a"))["t"] == "ack"
    stale = await b.ask("move", ply=0, seat=1, move="b")
    assert (stale["code"], stale["detail"]) == ("stale_ply", {"ply": 1})
    assert (await b.receive())["t"] == "state"  # what was missed
    assert (await b.move("b"))["t"] == "ack"


async def test_a_reconnecting_client_gets_what_it_missed(ada, bob):
    table = await duel(ada, bob)
    a, b = await ada.connect(table), await bob.connect(table)
    await a.move("a")
    await b.event("move")
    drawn = b.table
    await b.close()
    await a.until(lambda m: m["t"] == "presence" and not m["seats"][1]["online"])
    again = await bob.connect(table, since=drawn["version"])
    again.table = drawn
    await again.caught_up(a.table["version"])
    assert [message["t"] for message in again.received] == ["presence", "pong"]
    assert again.table["seats"][1]["online"]
    await again.close()
    await a.until(lambda m: m["t"] == "presence" and not m["seats"][1]["online"])
    snapshot = await bob.get(f"/tables/{table}")
    assert snapshot["legal"] == {"1": ["a", "b", "c", "d"]}
    seen = await ada.get(f"/tables/{table}")
    assert seen["legal"] == {}


async def test_missed_moves_come_with_the_current_state(ada):
    table = (await ada.open("plus4", "me", "me"))["id"]
    a = await ada.connect(table)
    other = await ada.connect(table)
    drawn = other.table
    await other.close()
    for move in "abcd":
        await a.move(move)
    await a.ask("undo", ply=4)
    again = await ada.connect(table, since=drawn["version"])
    again.table = drawn
    await again.caught_up(a.table["version"])
    assert again.table == a.table == await ada.get(f"/tables/{table}")
    kinds = [message["kind"] for message in again.received if message["t"] == "event"]
    assert kinds == ["move"] * 4 + ["undo"]


@pytest.mark.parametrize("since", [-1, 999, "x", "99999999999999999999"])
async def test_an_invalid_since_gets_the_whole_table(ada, since):
    table = (await ada.open("plus4", "me", "me"))["id"]
    line = await ada.connect(table, since=since)
    assert (await line.receive())["t"] == "state"


async def test_a_client_away_for_long_gets_the_whole_table(ada):
    table = (await ada.open("plus4", "me", "me"))["id"]
    a = await ada.connect(table)
    for _ in range(51):
        await a.move("a")
        await a.ask("undo", ply=1)
    recent = await ada.connect(table, since=a.table["version"] - 100)
    assert (await recent.receive())["t"] == "event"
    late = await ada.connect(table, since=a.table["version"] - 101)
    assert (await late.receive())["t"] == "state"


async def test_the_same_ack_is_carried_out_once(ada):
    table = (await ada.open("plus4", "me", "me"))["id"]
    a = await ada.connect(table)
    command = {"t": "move", "ack": "once", "ply": 0, "seat": 0, "move": "a"}
    for _ in range(3):
        await a.send(command)
    answers = [await a.until(lambda m: m.get("ack") == "once") for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0]["t"] == "ack"
    assert len((await ada.get(f"/tables/{table}"))["history"]) == 1
    refused = {"t": "move", "ack": "twice", "ply": 1, "seat": 1, "move": "q"}
    await a.send(refused)
    await a.send({**refused, "move": "a"})  # a refused command changed nothing: its ack may be used again
    answers = [await a.until(lambda m: m.get("ack") == "twice") for _ in range(2)]
    assert (answers[0]["code"], answers[1]["t"]) == ("illegal_move", "ack")


async def test_two_guests_may_use_the_same_ack(ada, bob):
    table = await duel(ada, bob)
    a, b = await ada.connect(table), await bob.connect(table)
    assert (await a.move("a", ack="1"))["t"] == "ack"
    await b.event("move")
    assert (await b.move("b", ack="1"))["t"] == "ack"
    assert len((await ada.get(f"/tables/{table}"))["history"]) == 2


async def test_undo_and_resign(ada, bob):
    alone = await ada.connect((await ada.open("plus4", "me", "me"))["id"])
    assert not alone.table["undo"]
    await alone.move("a")
    assert alone.table["undo"]
    assert (await alone.ask("undo", ply=1))["t"] == "ack"
    assert (alone.table["history"], alone.table["to_move"]) == ([], [0])
    assert (await alone.ask("undo", ply=0))["code"] == "no_undo"
    table = await duel(ada, bob)
    a, b = await ada.connect(table), await bob.connect(table)
    await a.move("a")
    assert (await a.ask("undo", ply=1))["code"] == "no_undo"
    assert (await b.ask("resign", seat=1))["t"] == "ack"
    await a.event("resign")
    for line in (a, b):
        assert (line.table["over"], line.table["ended_by"], line.table["ranking"]) == (True, "resign", [1, 2])
        assert line.table["seats"][1]["out"] == "resign"
    assert (await a.ask("resign", seat=0))["code"] == "game_over"


async def test_rematch(ada, bob, eve):
    table = await duel(ada, bob, both_lines="draw")
    with pytest.raises(Problem, match="409"):
        await ada.post(f"/tables/{table}/rematch")
    a, b = await ada.connect(table), await bob.connect(table)
    await a.ask("resign", seat=0)
    with pytest.raises(Problem, match="not_your_seat"):
        await eve.post(f"/tables/{table}/rematch")
    first, second = await asyncio.gather(ada.post(f"/tables/{table}/rematch"), bob.post(f"/tables/{table}/rematch"))
    first = first if first["id"] else second  # the second request accepts the offer
    assert (await b.event("rematch"))["rematch"] == first["id"]
    assert (await ada.get(f"/tables/{table}"))["rematch"] == first["id"]
    again = await bob.get(f"/tables/{first['id']}")
    assert (again["you"], again["options"]) == ([0], a.table["options"])
    assert (await ada.get(f"/tables/{first['id']}"))["you"] == [1]
    await (await bob.connect(first["id"])).move("a")


async def test_seats_are_taken_once_and_every_client_is_informed(ada, bob, eve):
    table = await ada.open("plus4", "me", "open")
    a = await ada.connect(table["id"])
    watching = await bob.connect(table["id"])
    await a.move("a")
    assert a.table["undo"]
    join = f"/tables/{table['id']}/join"
    for _ in range(2):
        assert await bob.post(join, {"token": table["invites"]["1"]}) == {"seat": 1}
    assert await ada.post(join, {"token": table["invites"]["1"]}) == {"seat": 0}
    with pytest.raises(Problem, match=r"409.*seat_taken"):
        await eve.post(join, {"token": table["invites"]["1"]})
    with pytest.raises(Problem, match=r"403.*bad_token"):
        await eve.post(join, {"token": "guess"})
    await a.event("join")
    assert (a.table["invites"], a.table["undo"]) == ({}, False)
    await watching.event("join")  # bob had no cookie then: on that socket he is still a spectator
    assert watching.table["you"] == []
    assert (await bob.connect(table["id"])).table["legal"] == {"1": ["a", "b", "c", "d"]}


async def test_a_spectator_who_joins_may_move_at_once(ada, bob):
    table = await ada.open("plus4", "open", "me")
    await bob.get("/me")
    b = await bob.connect(table["id"])
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["0"]})
    await b.event("presence")
    assert (b.table["you"], b.table["seats"][0]["online"]) == ([0], True)
    assert (await b.move("a"))["t"] == "ack"


async def test_presence(ada, bob):
    table = await duel(ada, bob)
    a = await ada.connect(table)
    assert [seat["online"] for seat in a.table["seats"]] == [True, False]
    one, two = await bob.connect(table), await bob.connect(table)
    await a.event("presence")
    assert a.table["seats"][1]["online"]
    await one.close()
    await two.ask("move", ply=0, seat=1, move="a")
    await two.close()
    await a.event("presence")
    assert not a.table["seats"][1]["online"]


async def test_a_new_name_is_sent_to_the_table(ada, bob):
    table = await duel(ada, bob)
    a = await ada.connect(table)
    response = await bob.http.put("/api/me", json={"name": "  Bob \t the  Builder "})
    assert response.json()["name"] == "Bob the Builder"
    await a.event("presence")
    assert a.table["seats"][1]["name"] == "Bob the Builder"
    assert (await bob.get("/me"))["name"] == "Bob the Builder"


async def test_secret_orders_are_sent_to_no_one_before_the_turn_is_complete(ada, bob, eve):
    table = await duel(ada, bob, "trois_six")
    a, b, e = await ada.connect(table), await bob.connect(table), await eve.connect(table)
    order = next(move for move in a.table["legal"]["0"] if move not in b.table["legal"]["1"])
    assert (await a.move(order, seat=0))["t"] == "ack"
    assert a.table["orders"] == {"0": order}
    assert a.table["legal"] == {}
    outsiders = [await b.event("ready"), await e.event("ready"), await bob.get(f"/tables/{table}")]
    outsiders += [await eve.get(f"/tables/{table}"), (await eve.http.get(f"/api/tables/{table}/record")).text]
    outsiders += [(await eve.connect(table, since=0)).table, (await eve.connect(table)).table]
    for message in outsiders:
        assert order not in str(message)
    assert b.table["ready"] == e.table["ready"] == [0]
    assert (await a.move(order, seat=0))["code"] == "not_your_turn"
    answer = await b.move("-", seat=1)
    for line in (a, b, e):
        await line.caught_up(answer["version"])
        assert line.table["history"][0]["moves"] == {"0": order, "1": "-"}
        assert (line.table["ready"], line.table["orders"]) == ([], {})


async def test_pictures_of_positions(ada):
    table = (await ada.open("plus4", "me", "me"))["id"]
    a = await ada.connect(table)
    await a.move("a")
    now = await ada.http.get(f"/api/tables/{table}/svg")
    assert now.headers["content-type"].startswith("image/svg+xml")
    assert now.text == (await ada.http.get(f"/api/tables/{table}/svg?ply=1")).text
    assert now.text != (await ada.http.get(f"/api/tables/{table}/svg?ply=0")).text
    assert (await ada.http.get(f"/api/tables/{table}/svg?ply=2")).status_code == 404
