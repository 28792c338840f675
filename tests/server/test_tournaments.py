"""Tournaments on the server: permissions, results that count automatically and once, restarts without loss."""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
import websockets
from sqlalchemy import delete, select, update

import quatuor as library
from quatuor.match.tournament import Tournament
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.doctor import Damage, Whole, examine
from quatuor.server.store.schema import lines, rounds
from quatuor.server.tournaments import Tournaments
from tests.server.client import Guest, Problem
from tests.server.test_backup import quatuor
from tests.server.test_store import at_new_address


async def named(address: str, *names: str) -> list[Guest]:
    guests = [Guest(address) for _ in names]
    for guest, name in zip(guests, names, strict=True):
        await guest.http.put("/api/me", json={"name": name})
    return guests


async def organised(guest: Guest, **commands: Any) -> str:
    command = {"title": "Club night", "game": "plus4", "format": "round_robin", **commands}
    return (await guest.post("/tournaments", command))["id"]


async def started(server, *names: str, **commands: Any) -> tuple[str, list[Guest]]:
    """A tournament organised by its first player, with the first round paired."""
    guests = await named(server.address, *names)
    cup = await organised(guests[0], **commands)
    for guest in guests:
        await guest.post(f"/tournaments/{cup}/players", {})
    await guests[0].post(f"/tournaments/{cup}/rounds", {"after": 0})
    return cup, guests


async def remove(guest: Guest, cup: str, player: int) -> Any:
    return guest._json(await guest.http.delete(f"/api/tournaments/{cup}/players/{player}"))


async def file_of(guest: Guest, cup: str) -> str:
    return (await guest.http.get(f"/api/tournaments/{cup}/file")).text


async def until(guest: Guest, cup: str, wanted: Callable[[dict], bool]) -> dict[str, Any]:
    """Wait until the tournament is as expected, and return it."""
    for _ in range(1600):  # a count that failed on a busy machine is tried again after 5, 10, 20 s
        view = await guest.get(f"/tournaments/{cup}")
        if wanted(view):
            return view
        await asyncio.sleep(0.05)
    raise AssertionError(view)


async def resign(view: dict, table: int, guests: list[Guest], loser: int = 1) -> None:
    """At a table of the current round, the player in this seat resigns."""
    at = view["rounds"][-1]["tables"][table]
    line = await guests[at["players"][loser]].connect(at["id"])
    assert (await line.ask("resign", seat=loser))["t"] == "ack"
    await line.close()


async def finished(view: dict, guest: Guest, guests: list[Guest], cup: str) -> dict[str, Any]:
    """Every player in the first seat wins this round."""
    for table in range(len(view["rounds"][-1]["tables"])):
        await resign(view, table, guests)
    return await until(guest, cup, lambda v: all(t["ranking"] for t in v["rounds"][-1]["tables"]))


async def test_a_round_robin_from_the_first_entry_to_its_file(start_any_server, tmp_path):
    server = start_any_server()
    cup, guests = await started(server, "Ann", "Ben", "Cem", "Dora")
    ann, watcher = guests[0], Guest(server.address)
    view = await watcher.get(f"/tournaments/{cup}")
    assert (view["status"], view["by"], view["you"], view["organiser"]) == ("running", "Ann", None, False)
    assert [player["name"] for player in view["players"]] == ["Ann", "Ben", "Cem", "Dora"]
    for number in range(3):
        if number:
            await ann.post(f"/tournaments/{cup}/rounds", {"after": number})
        view = await ann.get(f"/tournaments/{cup}")
        assert (view["round"], view["you"], view["organiser"]) == (number + 1, 0, True)
        view = await finished(view, ann, guests, cup)
    assert view["status"] == "over"
    assert sum(row["points"] for row in view["standings"]) == 12
    assert all(len(cells) == 3 for cells in view["cross"]), "all players have met"
    file = tmp_path / "cup.jsonl"
    answer = await watcher.http.get(f"/api/tournaments/{cup}/file")
    assert "attachment" in answer.headers["content-disposition"]
    file.write_text(answer.text, encoding="utf-8")
    read = Tournament.open(file)
    assert [(row.player, float(row.points), row.place) for row in read.standings()] == [
        (view["players"][row["player"]]["name"], row["points"], row["place"]) for row in view["standings"]
    ]
    public_event = quatuor("tournament", "standings", str(file), "--json")
    assert json.loads(public_event.stdout)["over"] is True
    ratings = json.loads(quatuor("ratings", str(file), "--json").stdout)
    assert {row["player"] for row in ratings["plus4:elementary"]} == {"Ann", "Ben", "Cem", "Dora"}


async def test_only_the_organiser_runs_it(server):
    cup, (_, ben, *_) = await started(server, "Ann", "Ben", "Cem", "Dora")
    stranger, eve = Guest(server.address), (await named(server.address, "Eve"))[0]
    for who in (ben, stranger, eve):
        for path, content in (
            ("rounds", {"after": 1}),
            ("forfeit", {"player": 0}),
            ("close", None),
            ("players", {"level": 1}),
            ("players", {"player": 0}),
        ):
            with pytest.raises(Problem, match=r"403.*not_organiser"):
                await who.post(f"/tournaments/{cup}/{path}", content)
        with pytest.raises(Problem, match=r"403.*not_organiser"):
            await remove(who, cup, 0)
    view = await ben.get(f"/tournaments/{cup}")
    assert not any(table["ranking"] for table in view["rounds"][0]["tables"])
    assert not any(player["withdrawn"] for player in view["players"])


async def test_only_paired_players_have_seats_at_tournament_tables(server):
    cup, guests = await started(server, "Ann", "Ben", "Cem", "Dora")
    (eve,) = await named(server.address, "Eve")
    view = await eve.get(f"/tournaments/{cup}")
    for table in view["rounds"][0]["tables"]:
        live = await eve.get(f"/tables/{table['id']}")
        assert [seat["name"] for seat in live["seats"]] == [view["players"][i]["name"] for i in table["players"]]
        assert (live["you"], live["invites"], live["tournament"]) == ([], {}, cup)
        for command in ({}, {"token": ""}, {"seat": 0}):
            with pytest.raises(Problem, match=r"403.*bad_token"):
                await eve.post(f"/tables/{table['id']}/join", command)
        line = await eve.connect(table["id"])
        assert (await line.move("a"))["code"] == "not_your_seat"
        assert (await line.ask("fill", seat=0, level=1))["code"] == "not_owner"
        own = await guests[table["players"][0]].connect(table["id"])
        assert (await own.move("a"))["t"] == "ack"
        assert (await own.ask("undo", ply=1))["code"] == "no_undo"


async def test_tournament_games_against_engines_have_no_undo_hint_or_rematch(server):
    (ann,) = await named(server.address, "Ann")
    cup = await organised(ann)
    await ann.post(f"/tournaments/{cup}/players", {})
    view = await ann.post(f"/tournaments/{cup}/players", {"level": 1})
    assert view["players"][1] == {"name": "Engine 1", "level": 1, "by_name": False, "withdrawn": False, "profile": None}
    assert len((await ann.post(f"/tournaments/{cup}/players", {"level": 1}))["players"]) == 2, "one of each level"
    view = await ann.post(f"/tournaments/{cup}/rounds", {"after": 0})
    table = view["rounds"][0]["tables"][0]
    seat = table["players"].index(0)
    line = await ann.connect(table["id"])
    while seat not in line.table["to_move"]:
        await line.receive()
    assert (await line.ask("hint", ply=len(line.table["history"])))["code"] == "no_hint"
    assert (await line.move("a", seat))["t"] == "ack"
    assert line.table["undo"] is False
    with pytest.raises(Problem, match=r"409.*no_game"):
        await ann.post(f"/tournaments/{cup}/forfeit", {"player": 1})
    await line.ask("resign", seat=seat)
    with pytest.raises(Problem, match=r"409.*no_rematch"):
        await ann.post(f"/tables/{table['id']}/rematch")
    view = await until(ann, cup, lambda v: v["status"] == "over")
    assert view["standings"][0]["player"] == 1


async def test_a_restart_loses_nothing_and_counts_what_was_not_counted_yet_once(start_any_server, monkeypatch):
    async def crash(*_: Any) -> None:
        raise RuntimeError("the machine is off")

    server = start_any_server()
    cup, guests = await started(server, "Ann", "Ben", "Cem", "Dora")
    first = await until(guests[0], cup, lambda v: True)
    await resign(first, 0, guests)
    before = await until(guests[0], cup, lambda v: v["rounds"][0]["tables"][0]["ranking"])
    with monkeypatch.context() as patch:
        patch.setattr(Tournaments, "_count", crash)
        await resign(before, 1, guests)
        server = await asyncio.to_thread(start_any_server)  # while results still cannot be counted
        guests = [await at_new_address(guest, server.address) for guest in guests]
        assert await guests[0].get(f"/tournaments/{cup}") == before
    server = await asyncio.to_thread(start_any_server)
    guests = [await at_new_address(guest, server.address) for guest in guests]
    after = await until(guests[0], cup, lambda v: v["rounds"][0]["tables"][1]["ranking"])
    assert after["version"] == before["version"] + 1
    await server.services.tournaments._count(cup, (1, 2), after["rounds"][0]["tables"][1]["id"])
    assert await guests[0].get(f"/tournaments/{cup}") == after, "counting twice has no effect"
    assert (await guests[1].post(f"/tournaments/{cup}/players", {}))["you"] == 1
    await guests[0].post(f"/tournaments/{cup}/rounds", {"after": 1})


async def test_pairing_twice_pairs_once_and_not_before_all_results_are_in(server):
    cup, guests = await started(server, "Ann", "Ben", "Cem", "Dora")
    with pytest.raises(Problem, match=r"409.*stale_round"):
        await guests[0].post(f"/tournaments/{cup}/rounds", {"after": 0})
    with pytest.raises(Problem, match=r"409.*round_running") as caught:
        await guests[0].post(f"/tournaments/{cup}/rounds", {"after": 1})
    assert caught.value.detail == {"tables": [1, 2]}
    await finished(await guests[0].get(f"/tournaments/{cup}"), guests[0], guests, cup)
    commands = [guests[0].post(f"/tournaments/{cup}/rounds", {"after": 1}) for _ in range(5)]
    answers = await asyncio.gather(*commands, return_exceptions=True)
    assert sum(isinstance(answer, dict) for answer in answers) == 1
    assert (await guests[0].get(f"/tournaments/{cup}"))["round"] == 2


async def test_rounds_can_start_automatically_and_the_organiser_can_end_the_tournament(server):
    cup, guests = await started(server, "Ann", "Ben", "Cem", "Dora", auto=True)
    with pytest.raises(Problem, match="round_running"):
        await guests[0].post(f"/tournaments/{cup}/close")
    view = await guests[0].get(f"/tournaments/{cup}")
    for table in range(2):
        await resign(view, table, guests)
    view = await until(guests[0], cup, lambda v: v["round"] == 2)
    for table in view["rounds"][1]["tables"]:
        assert (await guests[0].get(f"/tables/{table['id']}"))["ranking"] is None
    manual, guests = await started(server, "Ann", "Ben", "Cem", "Dora")
    await finished(await guests[0].get(f"/tournaments/{manual}"), guests[0], guests, manual)
    assert (await guests[0].post(f"/tournaments/{manual}/close"))["status"] == "over"
    for path, content in (("rounds", {"after": 1}), ("close", None), ("players", {"level": 2})):
        with pytest.raises(Problem, match=r"409.*tournament_over"):
            await guests[0].post(f"/tournaments/{manual}/{path}", content)


async def test_a_player_who_leaves_loses_and_a_removed_player_cannot_return(server):
    cup, guests = await started(server, "Ann", "Ben", "Cem", "Dora", format="swiss", rounds=3)
    ann, _, cem, _ = guests
    assert (await remove(cem, cup, 2))["players"][2]["withdrawn"]
    view = await until(ann, cup, lambda v: any(t["ranking"] for t in v["rounds"][0]["tables"]))
    lost = next(table for table in view["rounds"][0]["tables"] if 2 in table["players"])
    assert lost["points"][lost["players"].index(2)] == 0
    assert (await cem.post(f"/tournaments/{cup}/players", {}))["players"][2] == {
        "name": "Cem", "level": None, "by_name": False, "withdrawn": False, "profile": None,
    }  # fmt: skip
    await remove(ann, cup, 2)
    with pytest.raises(Problem, match=r"403.*barred"):
        await cem.post(f"/tournaments/{cup}/players", {})
    assert not (await ann.post(f"/tournaments/{cup}/players", {"player": 2}))["players"][2]["withdrawn"]
    with pytest.raises(Problem, match=r"404.*not_found"):
        await remove(ann, cup, 9)


async def test_a_forfeit_ends_the_game_for_two_and_counts(server):
    cup, guests = await started(server, "Ann", "Ben", "Cem", "Dora")
    rounds = (await guests[0].get(f"/tournaments/{cup}"))["rounds"]
    loser = next(table for table in rounds[0]["tables"] if 0 not in table["players"])["players"][1]
    view = await guests[0].post(f"/tournaments/{cup}/forfeit", {"player": loser})
    view = await until(guests[0], cup, lambda v: any(t["ranking"] for t in v["rounds"][0]["tables"]))
    table = next(table for table in view["rounds"][0]["tables"] if loser in table["players"])
    assert table["ranking"] == [1, 2]
    assert (await guests[loser].get(f"/tables/{table['id']}"))["ended_by"] == "left"
    with pytest.raises(Problem, match="game_over"):
        await guests[0].post(f"/tournaments/{cup}/forfeit", {"player": loser})


async def test_who_may_enter_and_when(server):
    ann, ben, cem, other = await named(server.address, "Ann", "Ben", "Cem", "ANN")
    cup = await organised(ann, most=3, late=False)
    await ann.post(f"/tournaments/{cup}/players", {})
    with pytest.raises(Problem, match=r"409.*name_taken"):
        await other.post(f"/tournaments/{cup}/players", {})
    with pytest.raises(Problem, match=r"409.*too_few_players"):
        await ann.post(f"/tournaments/{cup}/rounds", {"after": 0})
    with pytest.raises(Problem, match=r"409.*no_round"):
        await ann.post(f"/tournaments/{cup}/close")
    for _ in range(2):
        view = await ben.post(f"/tournaments/{cup}/players", {})
        assert (view["entered"], view["you"], view["entry"]) == (2, 1, None)
    await ann.post(f"/tournaments/{cup}/players", {"level": 2})
    with pytest.raises(Problem, match=r"409.*tournament_full"):
        await cem.post(f"/tournaments/{cup}/players", {})
    await remove(ann, cup, 2)
    await ann.post(f"/tournaments/{cup}/rounds", {"after": 0})
    assert (await cem.get(f"/tournaments/{cup}"))["entry"] == "too_late"
    with pytest.raises(Problem, match=r"409.*too_late"):
        await cem.post(f"/tournaments/{cup}/players", {})
    late, _ = await started(server, "Ann", "Ben")
    assert (await cem.post(f"/tournaments/{late}/players", {}))["you"] == 2
    knockout, _ = await started(server, "Ann", "Ben", format="knockout")
    with pytest.raises(Problem, match="too_late"):
        await cem.post(f"/tournaments/{knockout}/players", {})


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ({"title": ""}, "bad_title"),
        ({"title": "x" * 61}, "bad_title"),
        ({"title": "a\u0000b"}, "bad_title"),
        ({"game": "chess"}, "unknown_game"),
        ({"variant": "large"}, "unknown_variant"),
        ({"options": {"both_lines": "maybe"}}, "bad_option"),
        ({"format": "ladder"}, "bad_request"),
        ({"rounds": 3}, "bad_request"),
        ({"format": "swiss", "rounds": 21}, "bad_request"),
        ({"most": 65}, "bad_request"),
        ({"most": 1}, "bad_request"),
        ({"pace": {"total": 60, "days": 1}}, "bad_pace"),
        ({"organiser": "me"}, "bad_request"),
    ],
)
async def test_invalid_tournaments_are_refused(ada, command, code):
    with pytest.raises(Problem, match=f"400.*{code}"):
        await organised(ada, **command)


@pytest.mark.parametrize("name", ["nowhere", "' OR 1=1 --", "x" * 300])
async def test_unknown_tournaments_are_not_found(ada, name):
    await ada.get("/me")
    for method, path, content in (
        ("GET", "", None),
        ("GET", "/file", None),
        ("POST", "/players", {}),
        ("POST", "/rounds", {"after": 0}),
        ("POST", "/forfeit", {"player": 0}),
        ("POST", "/results", {"round": 1, "table": 1, "ranking": [1, 2]}),
        ("PUT", "/start", {"starts": None}),
        ("DELETE", "/players/0", None),
    ):
        answer = await ada.http.request(method, f"/api/tournaments/{name}{path}", json=content)
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "unknown_tournament"), path
    async with websockets.connect(f"ws://{ada.address}/api/tournaments/nowhere/socket") as socket:
        assert json.loads(await socket.recv()) == {"t": "error", "code": "unknown_tournament"}


async def test_lists_show_own_and_public_tournaments(server):
    ann, ben, eve = await named(server.address, "Ann", "Ben", "Eve")
    hidden, open_ = await organised(ann), await organised(ann, listed=True, title="Open cup")
    await ben.post(f"/tournaments/{hidden}/players", {})

    async def seen(guest: Guest, which: str) -> list[str]:
        return [card["id"] for card in (await guest.get("/tournaments"))[which]]

    assert await seen(ann, "mine") == [hidden, open_], "the last changed first"
    assert await seen(ben, "mine") == [hidden]
    assert open_ in await seen(ben, "listed")
    assert (await seen(eve, "mine"), hidden in await seen(eve, "listed")) == ([], False)
    card = (await ben.get("/tournaments"))["mine"][0]
    assert (card["title"], card["entered"], card["status"]) == ("Club night", 1, "open")
    assert await Guest(server.address).get("/tournaments")


async def test_standings_are_live(server):
    cup, guests = await started(server, "Ann", "Ben", "Cem", "Dora")
    cookie = {"Cookie": f"quatuor={guests[1].http.cookies['quatuor']}"}
    where = f"ws://{server.address}/api/tournaments/{cup}/socket"
    async with websockets.connect(where, additional_headers=cookie) as mine, websockets.connect(where) as anybodys:
        first = [json.loads(await socket.recv()) for socket in (mine, anybodys)]
        assert [(view["t"], view["you"]) for view in first] == [("tournament", 1), ("tournament", None)]
        await resign(first[0], 0, guests)
        for socket in (mine, anybodys):
            view = first[0]
            while not any(row["points"] for row in view["standings"]):
                view = json.loads(await socket.recv())
            assert view["rounds"][0]["tables"][0]["points"] == [2, 0]


async def test_a_new_account_keeps_the_guests_tournaments(server):
    cup, guests = await started(server, "Ann", "Ben")
    for number, guest in enumerate(guests):
        await guest.post("/account", {"name": f"Account {cup} {number}"[:24], "password": "correct horse"})
        view = await guest.get(f"/tournaments/{cup}")
        assert (view["you"], view["organiser"]) == (number, number == 0)
    assert view["players"][1]["name"] == "Ben", "under the name at entry"
    await resign(view, 0, guests)
    assert (await until(guests[0], cup, lambda v: v["status"] == "over"))["standings"][0]["points"] == 2


async def test_export_import_and_doctor_know_tournaments(start_any_server, store_url, tmp_path):
    server = start_any_server()
    cup, guests = await started(server, "Ann", "Ben", "Cem", "Dora")
    view = await finished(await guests[0].get(f"/tournaments/{cup}"), guests[0], guests, cup)
    file, other = tmp_path / "all.jsonl", str(tmp_path / "other.sqlite")
    assert quatuor("export", str(file), "--store", store_url).returncode == 0
    assert quatuor("import", str(file), "--store", other).returncode == 0
    assert "All 2 games and 1 tournaments are whole." in quatuor("doctor", "--store", other).stdout
    store = Store(Settings(store=other).url)
    assert Whole(cup, tournament=True) in list(examine(store.engine))
    record = select(lines.c.line).where(lines.c.line["kind"].as_string() == "played")
    with store.engine.begin() as connection:
        line = connection.execute(record).scalars().first()
        damaged = {**line, "record": line["record"].replace("1-2", "2-1")}
        connection.execute(update(rounds).values(counted=False))
    assert [one.what for one in examine(store.engine) if isinstance(one, Damage)] == [
        "its tables are not those of its rounds"
    ]
    with store.engine.begin() as connection:
        connection.execute(update(lines).where(lines.c.number == view["version"]).values(line={**damaged, "table": 9}))
    assert [one.version for one in examine(store.engine) if isinstance(one, Damage)] == [view["version"]]
    with store.engine.begin() as connection:
        connection.execute(delete(lines).where(lines.c.number == 2))
    found = [one for one in examine(store.engine) if isinstance(one, Damage)]
    assert [(one.tournament, "missing" in one.what) for one in found] == [(cup, True)]
    assert f"tournament {cup}, line 2: a line is missing" in quatuor("doctor", "--store", other).stdout
    store.close()


async def test_people_by_name_play_over_the_board_beside_those_online(start_any_server, store_url, tmp_path):
    server = start_any_server()
    ann, ben = await named(server.address, "Ann", "Ben")
    cup = await organised(ann)
    await ann.post(f"/tournaments/{cup}/players", {})
    await ben.post(f"/tournaments/{cup}/players", {})
    for names, code in (
        (["Cem", "ANN"], "name_taken"),
        (["Cem", "Engine 3"], "bad_name"),
        (["Cem", "cem"], "name_taken"),
    ):
        with pytest.raises(Problem, match=f"{code}.*{names[1]}"):
            await ann.post(f"/tournaments/{cup}/players", {"names": names})
    with pytest.raises(Problem, match=r"403.*not_organiser"):
        await ben.post(f"/tournaments/{cup}/players", {"names": ["Eve"]})
    view = await ann.post(f"/tournaments/{cup}/players", {"names": ["Cem", " Dora  Dee "]})
    assert [(one["name"], one["by_name"]) for one in view["players"]] == [
        ("Ann", False), ("Ben", False), ("Cem", True), ("Dora Dee", True),
    ]  # fmt: skip
    for number in range(3):
        view = await ann.post(f"/tournaments/{cup}/rounds", {"after": number})
        for table, at in enumerate(view["rounds"][-1]["tables"], 1):
            assert (at["id"] is None) == any(view["players"][i]["by_name"] for i in at["players"])
            result = {"round": number + 1, "table": table, "ranking": [1, 2]}
            if at["id"]:
                with pytest.raises(Problem, match=r"409.*not_over"):
                    await ann.post(f"/tournaments/{cup}/results", result)
                await resign(view, table - 1, [ann, ben])
            else:
                with pytest.raises(Problem, match=r"403.*not_organiser"):
                    await Guest(server.address).post(f"/tournaments/{cup}/results", result)
                await ann.post(f"/tournaments/{cup}/results", result)
        view = await until(ann, cup, lambda v: all(t["ranking"] for t in v["rounds"][-1]["tables"]))
    assert view["status"] == "over"
    assert sum(row["points"] for row in view["standings"]) == 12
    checked = quatuor("doctor", "--store", store_url).stdout
    assert "1 tournaments are whole" in checked, checked


async def test_players_by_name_state_the_result_of_their_own_game_and_it_counts_once_both_say_the_same(
    start_any_server, store_url
):
    server = start_any_server()
    ann, eve, phone = await named(server.address, "Ann", "Eve", "A phone")
    cup = await organised(ann)
    await ann.post(f"/tournaments/{cup}/players", {"names": ["Bea", "Cem"]})
    view = await ann.post(f"/tournaments/{cup}/rounds", {"after": 0})
    assert view["links"].keys() == {"0", "1"}
    assert "links" not in await eve.get(f"/tournaments/{cup}")
    bea, cem = view["links"].values()
    seen = await phone.get(f"/tournaments/{cup}?link={bea}")
    assert (seen["you"], seen["by_link"], seen["organiser"], "links" in seen) == (0, True, False, False)
    other = await organised(ann, title="Other")
    await ann.post(f"/tournaments/{other}/players", {"names": ["Zoe"]})
    assert (await phone.get(f"/tournaments/{other}?link={bea}"))["you"] is None, "a link of another tournament"

    async def state(link: str, *ranking: int) -> dict:
        command = {"round": 1, "table": 1, "ranking": ranking, "link": link}
        return (await phone.post(f"/tournaments/{cup}/results", command))["rounds"][0]["tables"][0]

    for wrong in ("", "0", bea[:-1] + "~", view["links"]["0"].replace("0.", "1.", 1)):
        with pytest.raises(Problem, match=r"403.*not_organiser"):
            await state(wrong, 1, 2)
    with pytest.raises(Problem, match="bad_result"):
        await state(bea, 1, 3)
    table = await state(bea, 1, 2)
    assert (table["ranking"], table["stated"]) == (None, [{"player": 0, "ranking": [1, 2], "scores": []}])
    table = await state(cem, 2, 1)
    assert table["ranking"] is None, "they disagree"
    assert (await ann.get(f"/tournaments/{cup}"))["rounds"][0]["tables"][0]["stated"] == table["stated"]
    table = await state(cem, 1, 2)
    assert (table["ranking"], table["points"]) == ([1, 2], [2, 0])
    with pytest.raises(Problem, match="game_over"):
        await state(cem, 2, 1)
    kinds = [json.loads(line)["kind"] for line in (await file_of(ann, cup)).splitlines()]
    assert kinds[-5:] == ["paired", "stated", "stated", "stated", "decided"]
    assert "tournaments are whole" in quatuor("doctor", "--store", store_url).stdout


async def test_an_online_game_is_played_over_the_board_if_the_organiser_says_so_in_time(start_any_server, store_url):
    server = start_any_server()
    ann, bob, eve = await named(server.address, "Ann", "Bob", "Eve")
    cup = await organised(ann)
    for one in (bob, eve):
        await one.post(f"/tournaments/{cup}/players", {})
    view = await ann.post(f"/tournaments/{cup}/rounds", {"after": 0})
    table = view["rounds"][0]["tables"][0]
    order = [[bob, eve][number] for number in table["players"]]
    line = await order[0].connect(table["id"])
    await line.move("a")
    command = {"round": 1, "table": 1, "note": "Both are at the club"}
    with pytest.raises(Problem, match="not_organiser"):
        await bob.post(f"/tournaments/{cup}/board", command)
    for wrong, code in (({"note": " "}, "note_missing"), ({"table": 2}, "no_game"), ({"round": 2}, "no_game")):
        with pytest.raises(Problem, match=code):
            await ann.post(f"/tournaments/{cup}/board", command | wrong)
    assert (await order[0].get(f"/tables/{table['id']}"))["ended_by"] is None
    view = await ann.post(f"/tournaments/{cup}/board", command)
    assert view["rounds"][0]["tables"][0]["id"] is None
    await line.event("abort")
    for one in order:
        view = await one.post(f"/tournaments/{cup}/results", {"round": 1, "table": 1, "ranking": [2, 1]})
    assert view["rounds"][0]["tables"][0]["points"] == [0, 2]
    lines = [json.loads(line) for line in (await file_of(ann, cup)).splitlines()]
    assert {"kind": "moved", "round": 1, "table": 1, "note": "Both are at the club"} in lines
    assert "tournaments are whole" in quatuor("doctor", "--store", store_url).stdout

    cup = await organised(ann)
    for one in (bob, eve):
        await one.post(f"/tournaments/{cup}/players", {})
    table = (await ann.post(f"/tournaments/{cup}/rounds", {"after": 0}))["rounds"][0]["tables"][0]
    for number, move in zip(table["players"], "ab", strict=True):
        line = await [bob, eve][number].connect(table["id"])
        await line.move(move)
    with pytest.raises(Problem, match="has_begun"):
        await ann.post(f"/tournaments/{cup}/board", command)


async def test_a_result_is_corrected_with_a_note_that_the_file_keeps(start_any_server):
    server = start_any_server()
    cup, guests = await started(server, "Ann", "Ben", "Cem", "Dora")
    ann = guests[0]
    view = await finished(await ann.get(f"/tournaments/{cup}"), ann, guests, cup)
    mine = next(n for n, table in enumerate(view["rounds"][0]["tables"], 1) if 0 in table["players"])
    other = 3 - mine
    change = {"round": 1, "table": other, "ranking": [2, 1]}
    for wrong, code in (
        (change, "note_missing"),
        (change | {"note": "x", "ranking": [2, 2]}, "bad_result"),
        (change | {"note": "x", "table": 3}, "no_game"),
        (change | {"note": "x", "table": mine}, "own_game"),
    ):
        with pytest.raises(Problem, match=code):
            await ann.post(f"/tournaments/{cup}/results", wrong)
    view = await ann.post(f"/tournaments/{cup}/results", change | {"note": "The seats were mixed up"})
    table = view["rounds"][0]["tables"][other - 1]
    assert (table["points"], table["note"]) == ([0, 2], "The seats were mixed up")
    file = (await ann.http.get(f"/api/tournaments/{cup}/file")).text
    kinds = [(line["kind"], line.get("note")) for line in map(json.loads, file.splitlines())]
    assert kinds[-1] == ("corrected", "The seats were mixed up")
    assert [kind for kind, _ in kinds].count("played") == 2, "the games stay"


async def test_a_record_with_moves_counts_over_the_board_and_a_player_by_name_can_be_absent(server):
    (ann,) = await named(server.address, "Ann")
    cup = await organised(ann)
    view = await ann.post(f"/tournaments/{cup}/players", {"names": ["Cem", "Dora", "Emil", "Finn"]})
    view = await ann.post(f"/tournaments/{cup}/rounds", {"after": 0})
    game = library.new("plus4")
    for move in ["a", "b", "a", "b", "a", "b", "a"]:
        game.play(move)
    result = {"round": 1, "table": 1}
    with pytest.raises(Problem, match="bad_result"):
        await ann.post(f"/tournaments/{cup}/results", result | {"record": "no game"})
    view = await ann.post(f"/tournaments/{cup}/results", result | {"record": game.record()})
    assert view["rounds"][0]["tables"][0]["ranking"] == [1, 2]
    absent = view["rounds"][0]["tables"][1]["players"][0]
    view = await ann.post(f"/tournaments/{cup}/forfeit", {"player": absent})
    assert view["rounds"][0]["tables"][1]["ranking"] == [2, 1]
    view = await ann.post(f"/tournaments/{cup}/rounds", {"after": 1})
    gone = view["rounds"][1]["tables"][0]["players"][0]
    view = await remove(ann, cup, gone)
    view = await until(ann, cup, lambda v: v["rounds"][1]["tables"][0]["ranking"])
    assert view["rounds"][1]["tables"][0]["ranking"] == [2, 1]


async def test_a_scheduled_tournament_starts_if_enough_players_have_joined(start_any_server):
    server = start_any_server()
    ann, ben = await named(server.address, "Ann", "Ben")
    soon = int(time.time() * 1000) + 3_600_000
    full, empty = await organised(ann, starts=soon), await organised(ann, starts=soon)
    await ben.post(f"/tournaments/{full}/players", {})
    view = await ann.post(f"/tournaments/{full}/players", {})
    assert (view["starts"] // 1000, view["status"]) == (soon // 1000, "open")

    async def reschedule(who: Guest, cup: str, starts: int | None) -> dict[str, Any]:
        return who._json(await who.http.put(f"/api/tournaments/{cup}/start", json={"starts": starts}))

    with pytest.raises(Problem, match=r"403.*not_organiser"):
        await reschedule(ben, full, None)
    past = int(time.time() * 1000) - 1000
    for cup in (full, empty):
        await reschedule(ann, cup, past)
    server.services.table_index.ended.set()  # run the periodic check now
    view = await until(ann, full, lambda v: v["round"] == 1)
    assert (view["status"], view["starts"]) == ("running", None)
    view = await until(ann, empty, lambda v: v["starts"] is None)
    assert (view["status"], view["round"]) == ("open", 0), "too few: the organiser starts it"
    with pytest.raises(Problem, match=r"409.*stale_round"):
        await reschedule(ann, full, soon)
