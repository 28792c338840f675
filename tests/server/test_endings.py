"""Every way a game can end, for every game: record, tournament, ratings, analysis and doctor take it."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import quatuor
from quatuor.cli import program
from quatuor.cli.admin import compute_ratings
from quatuor.games import names, rulebook
from quatuor.match.standings import ranking_of
from quatuor.match.tournament import Tournament
from quatuor.record.endings import ENDINGS, FORMER, TERMINATIONS
from quatuor.server.settings import Settings
from quatuor.table import clocks
from quatuor.table import table as table_module
from tests.seeded import play
from tests.server.client import Guest, ServerThread
from tests.server.conftest import QUICK
from tests.server.test_profiles import RATED, member, profile
from tests.server.test_tournaments import named, organised, remove, until

FOR_TWO = {name: [one.name for one in rulebook(name).variants if one.seats == 2] for name in names()}
VARIANTS = {name: "duo" if "duo" in found else found[0] for name, found in FOR_TWO.items()}


@pytest.fixture
def shared(request):
    """One server for all endings on the kind of store that is asked for."""
    return request.getfixturevalue(f"on_{request.param}")


@pytest.fixture(scope="module")
def on_sqlite(tmp_path_factory):
    folder = tmp_path_factory.mktemp("endings")
    yield from examined(folder, str(folder / "games.sqlite"))


@pytest.fixture(scope="module")
def on_postgresql(tmp_path_factory, postgres):
    yield from examined(tmp_path_factory.mktemp("endings"), postgres.database())


def examined(folder: Path, store: str) -> Iterator[ServerThread]:
    """A server; at the end, the doctor finds all its tables whole."""
    server = ServerThread(Settings(store=store, secret=folder / "secret", **QUICK))
    yield server
    server.close()
    with redirect_stdout(StringIO()) as shown:
        program()(["doctor", "--store", store], standalone_mode=False)
    assert shown.getvalue().startswith("All "), shown.getvalue()


class Played(NamedTuple):
    """A game of two players, perhaps of a tournament; the first to move is in seat 0."""

    table: str
    guests: list[Guest]  # by seat
    tournament: str = ""
    organiser: Guest | None = None
    players: tuple[int, ...] = ()  # by seat


async def turns(at: Played, most: int | None = None) -> None:
    """The first turns, or all until the game is over."""
    lines = [await guest.connect(at.table) for guest in at.guests]
    while not lines[0].table["over"] and len(lines[0].table["history"]) != most:
        for seat in lines[0].table["to_move"]:
            await lines[seat].move(lines[seat].table["legal"][str(seat)][0], seat)
        for line in lines:
            await line.caught_up(max(line.table["version"] for line in lines))
    for line in lines:
        await line.close()


async def rules(at: Played) -> None:
    await turns(at)


async def resign(at: Played) -> None:
    line = await at.guests[1].connect(at.table)
    assert (await line.ask("resign", seat=1))["t"] == "ack"


async def time(at: Played) -> None:
    line = await at.guests[0].connect(at.table)
    assert (await line.event("out"))["why"] == "time"


async def claim(at: Played) -> None:
    line = await at.guests[1].connect(at.table)
    while line.table["seats"][0]["online"]:
        await line.event("presence")
    while (answer := await line.ask("claim", seat=0, win=True)).get("code") in ("try_again", "too_early"):
        await asyncio.sleep(0.05)  # try_again: the process has not yet heard from the database
    assert answer["t"] == "ack", answer


async def agree(at: Played) -> None:
    lines = [await guest.connect(at.table) for guest in at.guests]
    assert (await lines[0].ask("offer", kind="draw"))["t"] == "ack"
    assert (await lines[1].ask("answer", accept=True))["t"] == "ack"


async def call_off(at: Played) -> None:
    line = await at.guests[1].connect(at.table)
    assert (await line.ask("abort"))["t"] == "ack"


async def forfeit(at: Played) -> None:
    await at.organiser.post(f"/tournaments/{at.tournament}/forfeit", {"player": at.players[1]})


async def withdraw(at: Played) -> None:
    await remove(at.guests[0], at.tournament, at.players[0])


WAYS: dict[str, tuple[Any, str | None, list[int] | None]] = {
    "rules": (rules, None, None),
    "resign": (resign, "resign", [1, 2]),
    "time": (time, "time", None),
    "claim": (claim, "left", [2, 1]),
    "forfeit": (forfeit, "left", [1, 2]),
    "withdraw": (withdraw, "left", [2, 1]),
    "length": (rules, "length", [1, 1]),
}
OUTSIDE: dict[str, tuple[Any, str | None, list[int] | None]] = {
    **{way: WAYS[way] for way in ("rules", "resign", "claim", "length")},
    "agree": (agree, "agreed", [1, 1]),
    "call_off": (call_off, "aborted", None),
}  # of tournaments, where the players can also agree on a draw or call the game off


def on_either_store(ways: Any) -> Any:
    """Every game ends in every way, on one kind of store; every game and every way is there on both kinds.

    What a store keeps differs by the way a game ends and by the game, not by the two together.
    """
    cases = [
        (("sqlite", "postgresql")[(row + column) % 2], game, way)
        for row, game in enumerate(names())
        for column, way in enumerate(ways)
    ]
    return pytest.mark.parametrize(("shared", "game", "way"), sorted(cases), indirect=["shared"])


def command(capsys, *words: str) -> str:
    program()(list(words), standalone_mode=False)
    return capsys.readouterr().out


@on_either_store(WAYS)
async def test_every_ending_is_recorded_rated_and_analysed(shared, tmp_path, capsys, monkeypatch, game, way):
    monkeypatch.setattr(clocks, "LONGEST_WAIT", 0.2)
    if way == "length":
        monkeypatch.setattr(table_module, "LONGEST_GAME", 4)
    end, ended_by, places = WAYS[way]
    ann, ben, cem = await named(shared.address, "Ann", "Ben", "Cem")
    pace = {"pace": {"total": 5}} if way == "time" else {}
    tournament = await organised(ann, game=game, variant=VARIANTS[game], **pace)
    for guest in (ben, cem):
        await guest.post(f"/tournaments/{tournament}/players", {})
    (table,) = (await ann.post(f"/tournaments/{tournament}/rounds", {"after": 0}))["rounds"][0]["tables"]
    seats = [(ben, cem)[player] for player in table["players"]]
    await end(Played(table["id"], seats, tournament, ann, tuple(table["players"])))

    view = await until(ann, tournament, lambda view: view["rounds"][0]["tables"][0]["ranking"])
    live = await ann.get(f"/tables/{table['id']}")
    assert (live["over"], live["ended_by"]) == (True, ended_by or "rules")
    assert view["rounds"][0]["tables"][0]["ranking"] == live["ranking"]
    assert places in (None, live["ranking"])
    assert view["status"] == "over"

    record = (await ann.http.get(f"/api/tables/{table['id']}/record")).text
    loaded = quatuor.load(record)
    assert list(ranking_of(loaded)) == live["ranking"]
    assert loaded.headers.get("Termination") == (ENDINGS[ended_by] if ended_by else None)
    shown = await ann.post("/analysis/game", {"text": record})
    assert (shown["over"], shown["ended_by"], shown["ranking"]) == (True, live["ended_by"], live["ranking"])

    file = tmp_path / "club.jsonl"
    file.write_text((await ann.http.get(f"/api/tournaments/{tournament}/file")).text, encoding="utf-8")
    standings = json.loads(command(capsys, "tournament", "standings", str(file), "--json"))
    assert [row["points"] for row in standings["standings"]] == [row["points"] for row in view["standings"]]
    rated = json.loads(command(capsys, "ratings", str(file), "--json"))[f"{game}:{loaded.variant.name}"]
    assert {row["player"] for row in rated} == {"Ben", "Cem"}


@on_either_store(OUTSIDE)
async def test_every_ending_outside_tournaments_is_recorded_rated_and_analysed(
    shared, tmp_path, capsys, monkeypatch, game, way
):
    monkeypatch.setattr(clocks, "LONGEST_WAIT", 0.2)
    if way == "length":
        monkeypatch.setattr(table_module, "LONGEST_GAME", 4)
    end, ended_by, places = OUTSIDE[way]
    ann, ben = await member(shared, "Ann"), await member(shared, "Ben")
    opened = await ann.post("/tables", {**RATED, "game": game, "variant": VARIANTS[game]})
    table = opened["id"]
    await ben.post(f"/tables/{table}/join", {"token": opened["invites"]["1"]})
    at = Played(table, [ann, ben])
    if way != "call_off":
        await turns(at, 2)  # from then on it counts
    await end(at)

    live = await ann.get(f"/tables/{table}")
    assert (live["over"], live["ended_by"]) == (True, ended_by or "rules")
    assert places in (None, live["ranking"])
    (listed,) = (await ann.get("/me/games?over=true"))["games"]
    assert listed["ended_by"] == live["ended_by"]
    counted = (await ann.get(f"/tables/{table}/rated"))["counted"]
    rated = [(await profile(guest))["ratings"] for guest in (ann, ben)]
    compute_ratings(shared.services.settings.store, json=True)
    assert [(await profile(guest))["ratings"] for guest in (ann, ben)] == rated
    capsys.readouterr()

    text = (await ann.http.get(f"/api/tables/{table}/record")).text
    loaded = quatuor.load(text)
    shown = await ann.post("/analysis/game", {"text": text})
    if way == "call_off":  # nobody has lost: its record is that of a game that goes on
        assert (live["ranking"], counted, rated) == (None, None, [[], []])
        assert (loaded.over, "Termination" in loaded.headers, shown["over"]) == (False, False, False)
        return
    assert (counted, [found[0]["games"] for found in rated]) == (True, [1, 1])
    assert list(ranking_of(loaded)) == live["ranking"]
    assert loaded.headers.get("Termination") == (ENDINGS[ended_by] if ended_by else None)
    assert (shown["over"], shown["ended_by"], shown["ranking"]) == (True, live["ended_by"], live["ranking"])

    file, record = tmp_path / "club.jsonl", tmp_path / "game.txt"
    tournament = Tournament.create(game, VARIANTS[game], players=(ann.called, ben.called), path=file)
    record.write_text(text, encoding="utf-8")
    assert tournament.pair().tables == [(ann.called, ben.called)]
    assert "complete" in command(capsys, "tournament", "report", str(file), "1", str(record))
    assert list(Tournament.open(file).rounds[0].results[0].ranking) == live["ranking"]


@pytest.mark.parametrize("termination", [*TERMINATIONS, *FORMER])
@pytest.mark.parametrize("game", names())
async def test_every_termination_of_a_record_counts_in_a_file_and_is_analysed(ada, tmp_path, capsys, game, termination):
    file, record = tmp_path / "club.jsonl", tmp_path / "game.txt"
    tournament = Tournament.create(game, VARIANTS[game], players=("Ann", "Ben"), path=file)
    (table,) = tournament.pair().tables
    unfinished = play(game, tournament.events[0]["variant"], {}, seed=3, cap=4)
    places = "1-1" if termination == "agreed" else "2-1"
    unfinished.headers |= {"Termination": termination, "Result": places}
    record.write_text(unfinished.record(seats=table), encoding="utf-8")
    assert "complete" in command(capsys, "tournament", "report", str(file), "1", str(record))
    again = Tournament.open(file)
    assert "-".join(map(str, again.rounds[0].results[0].ranking)) == places
    assert len(json.loads(command(capsys, "ratings", str(file), "--json"))[f"{game}:{unfinished.variant.name}"]) == 2
    shown = await ada.post("/analysis/game", {"text": record.read_text(encoding="utf-8")})
    ended_by = next(why for why, word in ENDINGS.items() if word == FORMER.get(termination, termination))
    assert (shown["ended_by"], shown["ranking"]) == (ended_by, [int(place) for place in places.split("-")])
