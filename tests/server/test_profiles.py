"""Rated games, ratings and profiles, and who may see them; with both kinds of store."""

import asyncio
import logging
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import insert, select

from quatuor.cli.admin import compute_ratings
from quatuor.match.ratings import Played, rate
from quatuor.server.settings import Settings
from quatuor.server.store import Store, rating_rows
from quatuor.server.store.database import open_to_write, writing
from quatuor.server.store.rating_rows import Result, count
from quatuor.server.store.schema import accounts, rated_games, ratings, tables
from tests.server.client import Guest, Problem

DUEL = {"game": "plus4", "variant": "elementary"}
RATED = {**DUEL, "seats": [{"kind": "me"}, {"kind": "open"}], "rated": True}
WIN = ["b", "c", "b", "c", "b", "a", "b"]  # the first player wins


async def member(server, name: str = "Ada") -> Guest:
    """A visitor with an account; ``called`` is the account's name."""
    guest = Guest(server.address)
    guest.called = f"{name} {uuid.uuid4().hex[:8]}"
    await guest.post("/account", {"name": guest.called, "password": "correct horse"})
    return guest


async def play(first: Guest, second: Guest, moves=WIN, **setup) -> str:
    """A game between two; if the moves do not end it, the first player resigns."""
    opened = await first.post("/tables", {**RATED, **setup})
    await second.post(f"/tables/{opened['id']}/join", {"token": opened["invites"]["1"]})
    lines = [await first.connect(opened["id"]), await second.connect(opened["id"])]
    for number, move in enumerate(moves):
        await lines[number % 2].caught_up(number + 1)
        await lines[number % 2].move(move)
    if moves != WIN:
        await lines[0].ask("resign", seat=0)
    for line in lines:
        await line.close()
    return opened["id"]


async def profile(of: Guest, reader: Guest | None = None):
    return await (reader or of).get(f"/people/{of.called}")


def stored(server) -> tuple[dict, set]:
    with server.services.store.engine.connect() as connection:
        found = {(row.player, row.game, row.variant): row for row in connection.execute(select(ratings))}
        return found, set(connection.execute(select(rated_games.c.table_id)).scalars())


async def test_a_rated_game_changes_both_ratings_and_a_command_computes_the_same(each_server):
    ada, bob = await member(each_server), await member(each_server, "Bob")
    games = [await play(ada, bob), await play(bob, ada), await play(ada, bob, ["b", "c"]), await play(ada, bob)]
    (own,) = (await profile(ada))["ratings"]
    (other,) = (await profile(bob))["ratings"]
    places = [((1, 2), (0, 1)), ((1, 2), (1, 0)), ((2, 1), (0, 1)), ((1, 2), (0, 1))]
    expected = rate(
        Played("plus4:elementary", tuple(("Ada", "Bob")[seat] for seat in seats), ranking) for ranking, seats in places
    )["plus4:elementary"]
    assert {"Ada": own["rating"], "Bob": other["rating"]} == {row.player: row.rating for row in expected}
    assert own["games"] == 4
    assert own["provisional"]
    before, counted = stored(each_server)
    assert set(games) <= counted
    compute_ratings(each_server.services.settings.store, json=True)
    after, again = stored(each_server)
    assert (before, counted) == (after, again)


async def test_a_game_counts_once_however_often_its_summary_is_written(each_server):
    ada, bob = await member(each_server), await member(each_server, "Bob")
    table = await play(ada, bob)
    (before,) = (await profile(ada))["ratings"]
    ada_there = await ada.connect(table)
    await ada_there.ask("say", phrase="good_game")
    await ada_there.close()
    assert (await profile(ada))["ratings"] == [before]


async def test_two_accounts_that_play_each_other_all_day_gain_no_more_than_a_few_games_bring(each_server):
    ada, bob, eve = [await member(each_server, name) for name in ("Ada", "Bob", "Eve")]
    rated = []
    counted = []
    for _ in range(6):
        counted.append((await ada.get(f"/tables/{await play(ada, bob)}/rated"))["counted"])
        rated.append((await profile(ada))["ratings"][0])
    assert rated[3]["rating"] < rated[4]["rating"] == rated[5]["rating"]
    assert [row["games"] for row in rated] == [1, 2, 3, 4, 5, 5]
    assert counted == [True] * 5 + [False]
    await play(eve, ada)
    own = (await profile(ada))["ratings"][0]
    assert own["games"] == 6, "against another person it counts"
    before = stored(each_server)
    compute_ratings(each_server.services.settings.store, json=True)
    assert stored(each_server) == before
    result = Result("later", rating_rows.DAY * 30_000, Played("plus4:elementary", ("a", "b"), (1, 2)))
    assert result.day == result.ended
    assert result._replace(ended=result.ended - 1).day == result.ended - rating_rows.DAY


async def test_engines_are_rated_on_the_same_scale(each_server):
    ada = await member(each_server)
    seats = [{"kind": "me"}, {"kind": "engine", "level": 1}]
    opened = await ada.post("/tables", {**RATED, "seats": seats})
    line = await ada.connect(opened["id"])
    assert line.table["rated"]
    assert (await line.ask("hint", ply=0))["code"] == "no_hint"
    assert not line.table["undo"]
    await line.move("b")
    await line.until(lambda message: message.get("kind") == "move" and message["version"] == 2)
    assert (await line.ask("undo", ply=2))["code"] == "no_undo"
    await line.ask("resign", seat=0)
    await line.close()
    (own,) = (await profile(ada))["ratings"]
    (engine,) = [row for row in own["engines"] if row["level"] == 1]
    assert engine["rating"] > own["rating"]
    assert engine["games"] >= 1


async def test_who_and_what_can_be_rated(each_server):
    ada, guest = await member(each_server), Guest(each_server.address)
    with pytest.raises(Problem, match="account_needed"):
        await guest.post("/tables", RATED)
    wrong = [
        {"takeback": True},
        {"opening": [{"0": "b"}]},
        {"seats": [{"kind": "me"}, {"kind": "me"}]},
        {"seats": [{"kind": "engine", "level": 1}, {"kind": "open"}]},
        {"game": "blokus", "variant": "two", "options": {"corners": "free"}},
    ]
    for change in wrong:
        with pytest.raises(Problem, match="bad_rated"):
            await ada.post("/tables", {**RATED, **change})
    opened = await ada.post("/tables", RATED)
    with pytest.raises(Problem, match="account_needed"):
        await guest.post(f"/tables/{opened['id']}/join", {"token": opened["invites"]["1"]})
    listed = await ada.post("/tables", {**RATED, "listed": True})
    found = await guest.post("/lobby/pairing", DUEL)
    assert found["id"] != listed["id"]


async def test_a_game_that_was_called_off_or_was_not_rated_changes_nothing(each_server):
    ada, bob = await member(each_server), await member(each_server, "Bob")
    usual = await play(ada, bob, rated=False)
    opened = await ada.post("/tables", RATED)
    assert (await ada.get(f"/tables/{opened['id']}/rated"))["counted"] is None
    line = await ada.connect(opened["id"])
    await line.ask("abort")
    await line.close()
    found = await profile(ada)
    assert found["ratings"] == []
    assert found["games"]["counted"] == 1
    for table in (usual, opened["id"]):
        assert (await ada.get(f"/tables/{table}/rated"))["counted"] is None


async def test_the_owner_decides_who_sees_the_profile(each_server):
    ada, bob, eve = [await member(each_server, name) for name in ("Ada", "Bob", "Eve")]
    await play(ada, bob)
    await play(ada, eve)
    await play(bob, ada)
    for reader in (bob, Guest(each_server.address)):
        shown = await profile(ada, reader)
        assert [shown[part] for part in ("ratings", "games", "puzzles")] == [None, None, None]
        assert "shows" not in shown
    own = await profile(ada)
    assert own["shows"] == {"ratings": "me", "games": "me", "puzzles": "me"}
    assert own["games"]["streak"] == {"result": "lost", "length": 1}
    assert own["games"]["best"] == 2
    assert {(row["name"], row["won"], row["lost"]) for row in own["games"]["opponents"]} == {
        (bob.called, 1, 1),
        (eve.called, 1, 0),
    }
    chosen = {"ratings": "everybody", "games": "everybody", "puzzles": "me"}
    for one in (ada, bob):
        assert (await one.http.put("/api/account/profile", json=chosen)).json() == chosen
    shown = await profile(ada, eve)
    assert shown["puzzles"] is None
    assert shown["ratings"][0]["rating"] == own["ratings"][0]["rating"]
    # Eve hides her games: her name is in no other profile
    assert {(row["name"], row["won"], row["lost"]) for row in shown["games"]["opponents"]} == {
        (bob.called, 1, 1),
        (None, 1, 0),
    }
    with pytest.raises(Problem, match="not_found"):
        await eve.get("/people/Nobody at all")
    wrong = await ada.http.put("/api/account/profile", json={**chosen, "games": "friends"})
    assert wrong.status_code == 400
    assert (await Guest(each_server.address).http.put("/api/account/profile", json=chosen)).status_code == 401


async def test_a_name_leads_to_a_profile_that_shows_something(each_server):
    ada, bob, guest = await member(each_server), await member(each_server, "Bob"), Guest(each_server.address)
    seats = [{"kind": "me"}, {"kind": "open"}]
    opened = await ada.post("/tables", {**DUEL, "seats": seats, "listed": True})
    line = await bob.connect(opened["id"])
    assert line.table["seats"][0]["profile"] is None
    for chosen, address in (("everybody", ada.called), ("me", None)):
        shows = {"ratings": "me", "games": "me", "puzzles": chosen}
        assert (await ada.http.put("/api/account/profile", json=shows)).status_code == 200
        while line.table["seats"][0]["profile"] != address:
            await line.event("presence")
        assert line.table["host_profile"] == address
        assert (await guest.get(f"/tables/{opened['id']}"))["host_profile"] == address
        (card,) = [card for card in (await guest.get("/lobby"))["tables"] if card["id"] == opened["id"]]
        assert card["seats"][0]["profile"] == address
    await ada.http.put("/api/account/profile", json={**shows, "games": "everybody"})
    await bob.http.put("/api/account/profile", json={**shows, "games": "everybody"})
    await bob.post(f"/tables/{opened['id']}/join", {})
    eve = await member(each_server, "Eve")
    watching = await eve.connect(opened["id"])
    await eve.http.put("/api/account/profile", json={**shows, "games": "everybody"})
    await watching.ask("say", phrase="hello")
    assert watching.table["spectator_chat"][0]["profile"] == eve.called
    assert [seat["profile"] for seat in watching.table["seats"]] == [ada.called, bob.called]
    shared = [{"kind": "me"}, {"kind": "me", "name": "A friend"}]
    table = (await ada.post("/tables", {**DUEL, "seats": shared}))["id"]
    assert [seat["profile"] for seat in (await ada.get(f"/tables/{table}"))["seats"]] == [ada.called, None]
    cup = (await ada.post("/tournaments", {"title": "Cup", "game": "plus4"}))["id"]
    await ada.post(f"/tournaments/{cup}/players", {"names": ["Mia"]})
    view = await ada.post(f"/tournaments/{cup}/players", {})
    await ada.http.put("/api/me", json={"name": f"Countess {ada.called[-8:]}"})
    view = await guest.get(f"/tournaments/{cup}")
    assert [player["profile"] for player in view["players"]] == [None, f"Countess {ada.called[-8:]}"]
    assert view["by_profile"] == f"Countess {ada.called[-8:]}"


async def test_a_deleted_account_leaves_no_rating(each_server):
    ada, bob = await member(each_server), await member(each_server, "Bob")
    await play(ada, bob)
    guest = (await ada.get("/me/export"))["id"]
    assert (await ada.get("/me/export"))["ratings"]
    await ada.http.request("DELETE", "/api/account", json={"password": "correct horse"})
    compute_ratings(each_server.services.settings.store, json=True)
    assert guest not in {player for player, _, _ in stored(each_server)[0]}
    assert (await profile(bob))["ratings"][0]["games"] == 1
    with pytest.raises(Problem, match="not_found"):
        await bob.get(f"/people/{ada.called}")


async def test_solved_puzzles_count_once_and_only_if_they_are_solved(each_server):
    ada = await member(each_server)
    made = await ada.get("/puzzles/new?puzzle=tetro10&difficulty=easy&seed=1&solution=true")
    solved = {"position": made["solution"], "seconds": 12}
    with pytest.raises(Problem, match="not_solved"):
        await ada.post("/me/puzzles", {"position": made["position"], "seconds": 12})
    await asyncio.gather(*(ada.post("/me/puzzles", solved) for _ in range(2)))
    assert (await profile(ada))["puzzles"] == {"solved": 1, "alone": 1, "days": 1}
    with pytest.raises(Problem, match="not_signed_in"):
        await Guest(each_server.address).post("/me/puzzles", solved)


async def test_no_log_holds_the_name_of_a_person(each_server, caplog):
    caplog.set_level(logging.INFO, "quatuor.server")
    ada = await member(each_server)
    await profile(ada)
    await ada.http.get(f"/@{ada.called}")
    paths = [record.path for record in caplog.records if hasattr(record, "path")]
    assert {"/api/people/…", "/@…"} <= set(paths)
    assert "Ada" not in caplog.text + "".join(paths)


def test_processes_that_count_the_same_games_at_the_same_time_count_each_once(store_url):
    store = Store(Settings(store=store_url).url)
    setup = {"game": "plus4", "variant": "elementary", "options": {}, "seats": [], "creator": "u1"}
    people = [{"guest": f"u{n}", "name": f"P{n}", "key": f"p{n}", "password": "", "created": n} for n in (1, 2)]
    with store.engine.begin() as connection:
        connection.execute(insert(accounts), people)
        connection.execute(insert(tables), [{"id": f"t{number}", "setup": setup} for number in range(12)])
    played = Played("plus4:elementary", ("u1", "u2"), (1, 2))
    results = [Result(f"t{number}", number, played) for number in range(12)]

    def process(_: int) -> None:
        engine = open_to_write(store.url)
        for result in results:
            with writing(engine) as connection:
                count(connection, [result])
        engine.dispose()

    with ThreadPoolExecutor(3) as processes:
        list(processes.map(process, range(3)))
    with store.engine.connect() as connection:
        rows = {row.player: row for row in connection.execute(select(ratings))}
    (expected,) = [row for row in rate([played] * 12)["plus4:elementary"] if row.player == "u1"]
    assert (rows["u1"].games, rows["u1"].mu) == (12, pytest.approx(expected.mu))
    store.close()
