"""Export, import and doctor: every game goes from any store into any other, and damage is found."""

import contextlib
import gzip
import hashlib
import io
import json
import sqlite3
import stat
import sys
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import pytest
from sqlalchemy import create_engine, func, inspect, select

from bench import old_stores
from quatuor.cli import main
from quatuor.server.settings import Settings
from quatuor.server.store import Store, backup
from quatuor.server.store.relations import Relations
from quatuor.server.store.schema import events, guests, tables, tokens
from quatuor.table import Seat, Setup
from tests.server.client import Guest


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


def quatuor(*arguments: str) -> Done:
    """A command as the terminal would run it, in this process."""
    out, err = io.StringIO(), io.StringIO()
    with patch.object(sys, "argv", ["quatuor", *arguments]), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            return Done(int(end.code or 0), out.getvalue(), " ".join(err.getvalue().split()))


def counts(url: str) -> list[int]:
    store = Store(Settings(store=url).url)
    with store.engine.connect() as connection:
        relations = (guests, tables, events, tokens)
        found = [connection.execute(select(func.count()).select_from(relation)).scalar() for relation in relations]
    store.close()
    return found


async def played(server) -> list[str]:
    """A store with rows in every relation; returns the ids of its tables."""
    ada, bob = Guest(server.address), Guest(server.address)
    await ada.http.put("/api/me", json={"name": "Ada Élan"})
    await ada.post("/bots", {"name": "Bot"})
    ids = []
    for game, seats in (("blokus", 4), ("plateau_x", 4), ("trois_six", 2), ("plus4", 2)):
        table = await ada.open(game, *["me"] * (seats - 1), "open")
        await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"][str(seats - 1)]})
        line = await ada.connect(table["id"])
        seat, moves = next(iter(line.table["legal"].items()))
        await line.move(moves[0], seat=int(seat))
        ids.append(table["id"])
    await line.ask("resign", seat=0)
    for guest in (ada, bob):
        await guest.post(f"/tables/{ids[-1]}/rematch")
    await ada.get("/me/games")  # she has a seat at all of them: by now every summary is written
    return ids


async def test_backups_move_between_all_kinds_of_store(start_any_server, store_url, postgres, tmp_path):
    server = start_any_server()
    await played(server)
    plain, packed = tmp_path / "games.jsonl", tmp_path / "games.jsonl.gz"
    for file in (plain, packed):  # while the server runs
        done = quatuor("export", str(file), "--store", store_url)
        assert done.returncode == 0, done.stderr
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    texts = (gzip.decompress(packed.read_bytes()), plain.read_bytes())
    rows = [[line for line in text.splitlines()[1:-1] if not line.startswith(b'["pulse"')] for text in texts]
    assert rows[0] == rows[1], "all but the heartbeat of the running server"
    for target in (str(tmp_path / "other.sqlite"), postgres.database()):
        done = quatuor("import", str(packed), "--store", target)
        assert done.returncode == 0, done.stderr
        assert counts(target) == counts(store_url)
        assert "All 5 games are whole." in quatuor("doctor", "--store", target).stdout
        again = quatuor("import", str(plain), "--store", target)
        assert again.stdout.startswith("0 rows imported"), again.stderr
        back = tmp_path / "back.jsonl"
        quatuor("export", str(back), "--store", target)
        assert sorted(back.read_bytes().splitlines()[1:-1]) == sorted(texts[0].splitlines()[1:-1])


async def test_what_cannot_be_imported_leaves_the_store_as_it_was(start_server, tmp_path):
    await played(start_server())
    file, other = tmp_path / "games.jsonl", str(tmp_path / "other.sqlite")
    quatuor("export", str(file), "--store", str(tmp_path / "games.sqlite"))
    lines = file.read_text().splitlines()
    for number, damage in enumerate(([*lines[:-1], lines[-1][:-9]], [*lines, '["events", {}]'], [*lines, '["x", {}]'])):
        broken = tmp_path / f"broken{number}.jsonl"
        broken.write_text("\n".join(damage))
        done = quatuor("import", str(broken), "--store", other)
        assert (done.returncode, "Nothing was imported" in done.stderr) == (2, True), done.stderr
        assert counts(other) == [0, 0, 0, 0]
    for number, head in enumerate(("{}", "no json", '{"format": "quatuor-games-1", "quatuor": "0", "schema": "old"}')):
        broken = tmp_path / f"head{number}.jsonl"
        broken.write_text("\n".join([head, *lines[1:]]))
        done = quatuor("import", str(broken), "--store", other)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
    rewritten(file, [line.replace('"Ada Élan"', '"Mallory"') for line in lines])
    done = quatuor("import", str(file), "--store", str(tmp_path / "games.sqlite"))
    assert (done.returncode, "nothing was imported" in done.stderr) == (2, True)


def rewritten(file: Path, lines: list[str]) -> None:
    """A file with other lines, and an end that fits them."""
    content = "".join(f"{line}\n" for line in lines[:-1])
    rows = Counter(json.loads(line)[0] for line in lines[1:-1])
    end = ["end", {"rows": rows, "sha256": hashlib.sha256(content.encode()).hexdigest()}]
    file.write_text(content + json.dumps(end) + "\n")


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz"])
async def test_a_backup_that_was_cut_or_altered_is_refused(start_any_server, store_url, tmp_path, suffix):
    await played(start_any_server())
    file, other = tmp_path / f"games.{suffix}", str(tmp_path / "other.sqlite")
    assert quatuor("export", str(file), "--store", store_url).returncode == 0
    unpack, pack = (gzip.decompress, gzip.compress) if suffix.endswith("gz") else (bytes, bytes)
    packed = file.read_bytes()
    lines = unpack(packed).splitlines(keepends=True)
    altered = [line.replace("Ada Élan".encode(), b"Ada") for line in lines]
    assert altered != lines
    damaged = [pack(b"".join(lines[:count])) for count in (len(lines) - 1, len(lines) // 2, 2)]
    damaged += [packed[: len(packed) // 2], packed[:-9], pack(b"".join(altered))]
    damaged += [pack(b"".join([*lines[:5], *lines[6:]])), pack(b"".join([*lines, lines[5]]))]
    for content in damaged:
        file.write_bytes(content)
        done = quatuor("import", str(file), "--store", other)
        assert (done.returncode, "Traceback" in done.stderr) == (2, False), done.stderr
        assert "Nothing was imported" in done.stderr
        assert counts(other) == [0, 0, 0, 0]
    file.write_bytes(packed)
    assert quatuor("import", str(file), "--store", other).returncode == 0


@pytest.mark.parametrize("number", [2**63, 2**31, -(2**31) - 1])
def test_a_number_that_a_column_cannot_hold_is_refused(store_url, tmp_path, number):
    file = tmp_path / "games.jsonl"
    store = Store(Settings(store=store_url).url)
    backup.save(store.engine, file)
    row = {"table_id": "t", "version": number, "kind": "chat", "data": {}, "guest": None, "ack": None, "at": ""}
    table = ["tables", {"id": "t", "setup": {}}]
    *lines, end = file.read_text().splitlines()
    rewritten(file, [*lines, json.dumps(table), json.dumps(["events", row]), end])
    with pytest.raises(ValueError, match="too large"):
        backup.restore(store.engine, file)
    store.close()
    assert counts(store_url) == [0, 0, 0, 0]


def test_rows_may_lack_what_others_have(store_url, tmp_path):
    file = tmp_path / "games.jsonl"
    store = Store(Settings(store=store_url).url)
    backup.save(store.engine, file)
    *lines, end = file.read_text().splitlines()
    row = {"table_id": "t", "kind": "chat", "data": {}, "at": ""}
    rows = [["tables", {"id": "t", "setup": {}}], ["events", row | {"version": 1, "ack": "1"}]]
    rewritten(file, [*lines, *map(json.dumps, [*rows, ["events", row | {"version": 2}]]), end])
    assert backup.restore(store.engine, file).new == 3
    store.close()


async def test_a_file_of_the_previous_release_is_imported_unverified(start_any_server, store_url, tmp_path):
    """It has no last line, no hashes and no head of each log."""
    await played(start_any_server())
    file, other = tmp_path / "games.jsonl", str(tmp_path / "other.sqlite")
    quatuor("export", str(file), "--store", store_url)
    head, *rows = (json.loads(line) for line in file.read_text().splitlines()[:-1])
    old = [head | {"format": "quatuor-games-1", "schema": "0004"}]
    old += [
        [name, {k: v for k, v in row.items() if (name, k) != ("events", "hash")}]
        for name, row in rows
        if name != "heads"
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in old))
    done = quatuor("import", str(file), "--store", other)
    assert (done.returncode, "--unverified" in done.stderr) == (2, True), done.stderr
    done = quatuor("import", str(file), "--store", other, "--unverified", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verified"] is False
    assert counts(other) == counts(store_url)
    assert "All 5 games are whole." in quatuor("doctor", "--store", other).stdout


def test_characters_that_postgresql_cannot_store_are_replaced(tmp_path, postgres):
    """Earlier releases let NUL into SQLite."""
    source, file, other = str(tmp_path / "games.sqlite"), tmp_path / "games.jsonl", postgres.database()
    old_stores.make(source, "0004")
    with contextlib.closing(sqlite3.connect(source)) as connection:
        connection.execute("UPDATE events SET ack = 'a' || char(0) WHERE version = 1")
        connection.execute(
            """UPDATE events SET kind = 'chat', data = '{"seat": 0, "words": "a\\u0000b\\ud800"}' WHERE version = 4"""
        )
        connection.commit()
    done = quatuor("export", str(file), "--store", source)
    assert (done.returncode, "2 rows had characters" in done.stderr) == (0, True), done.stderr
    assert json.loads(quatuor("export", str(file), "--store", source, "--json").stdout)["replaced"] == 2
    assert quatuor("import", str(file), "--store", other).returncode == 0
    store = Store(Settings(store=other).url)
    kept = store.read("t").events
    assert (kept[0].ack, kept[3].data["words"]) == ("a\ufffd", "a\ufffdb\ufffd")
    store.close()


def test_a_part_left_by_a_crash_does_not_give_its_mode_to_the_next_backup(tmp_path):
    source, file = str(tmp_path / "games.sqlite"), tmp_path / "games.jsonl"
    old_stores.make(source, "0004")
    part = tmp_path / "games.jsonl.part"
    part.write_text("stale")
    part.chmod(0o644)
    assert quatuor("export", str(file), "--store", source).returncode == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert not part.exists()


def test_a_backup_that_fails_leaves_nothing_behind(tmp_path):
    source = tmp_path / "games.sqlite"
    old_stores.make(str(source), "0003")
    done = quatuor("export", str(tmp_path / "games.jsonl"), "--store", str(source))
    assert (done.returncode, "upgrades it" in done.stderr) == (2, True), done.stderr
    assert not list(tmp_path.glob("games.jsonl*"))


def test_backups_are_dated_and_only_their_own_oldest_are_deleted(store_url, tmp_path):
    old_stores.make(store_url, "0004")
    folder = tmp_path / "backups"
    folder.mkdir()
    ours = [f"quatuor-2026-01-{day:02}T030000Z.jsonl.gz" for day in range(1, 6)]
    others = ["quatuor-2026-01-01.jsonl.gz", "games.jsonl.gz", "quatuor-2026-01-01T030000Z.jsonl.gz.asc", "notes"]
    for name in (*ours, *others, "quatuor-2026-01-05T030000Z.jsonl.gz.part"):
        (folder / name).write_text("x")
    done = quatuor("backup", str(folder), "--keep", "3", "--store", store_url, "--json")
    assert done.returncode == 0, done.stderr
    made = Path(json.loads(done.stdout)["file"])
    assert {file.name for file in folder.iterdir()} == {*others, *ours[3:], made.name}
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    other = str(tmp_path / "other.sqlite")
    assert quatuor("import", str(made), "--store", other).returncode == 0


async def test_reports_go_on_after_an_import(store_url, tmp_path, postgres):
    """PostgreSQL numbers them, and its sequence does not include imported numbers."""
    for target in (postgres.database(), str(tmp_path / "target.sqlite")):
        source = Store(Settings(store=store_url).url)
        if await source.load("t") is None:
            await source.open("t", Setup("plus4", "elementary", {}, (Seat("open"), Seat("open")), "ada"))
        report = {"table_id": "t", "author": "a", "said": "x", "at": 1, "reporter": "r"}
        await Relations(source).report(number=1, **report)
        source.close()
        file = tmp_path / "games.jsonl"
        assert quatuor("export", str(file), "--store", store_url).returncode == 0
        assert quatuor("import", str(file), "--store", target).returncode == 0
        there = Store(Settings(store=target).url)
        await Relations(there).report(number=2, **report)
        assert sorted(found.number for found in await Relations(there).reports(9)) == [1, 2]
        there.close()


@pytest.mark.parametrize(
    "command", [("export", "x.jsonl"), ("doctor",), ("reports",), ("backup", "b"), ("prune", "--days", "90")]
)
@pytest.mark.parametrize("how", ["option", "variable"])
def test_a_missing_store_is_an_error_and_not_created(tmp_path, monkeypatch, command, how):
    monkeypatch.chdir(tmp_path)
    missing = str(tmp_path / "nowhere.sqlite")
    if how == "variable":
        monkeypatch.setenv("QUATUOR_STORE", missing)
    done = quatuor(*command, *(["--store", missing] if how == "option" else []))
    assert done.returncode == 2
    assert "there are no games" in done.stderr
    assert missing in done.stderr
    assert not list(tmp_path.glob("nowhere*"))


@pytest.mark.parametrize("command", [("export", "x.jsonl"), ("doctor",), ("reports",), ("backup", "b")])
def test_a_database_without_a_store_is_an_error_and_stays_empty(tmp_path, monkeypatch, postgres, command):
    monkeypatch.chdir(tmp_path)
    url = postgres.database()
    done = quatuor(*command, "--store", url)
    assert (done.returncode, "no store of Quatuor" in done.stderr) == (2, True), done.stderr
    with create_engine(Settings(store=url).url).connect() as connection:
        assert inspect(connection).get_table_names() == []
    done = quatuor(*command, "--store", url.replace(url.rpartition("/")[2], "missing"))
    assert (done.returncode, "cannot be read" in done.stderr, "Traceback" in done.stderr) == (2, True, False)


async def test_every_command_finds_the_store_by_the_variable(start_any_server, store_url, tmp_path, monkeypatch):
    server = start_any_server()
    ada = Guest(server.address)
    line = await ada.connect((await ada.open("plus4", "me", "me"))["id"])
    await line.ask("say", words="rude words")
    await ada.post(f"/tables/{line.table['id']}/report", {"number": 0})
    monkeypatch.setenv("QUATUOR_STORE", store_url)
    assert "rude words" in quatuor("reports").stdout
    assert json.loads(quatuor("reports", "--json").stdout)[0]["said"] == "rude words"
    assert "All 1 games are whole" in quatuor("doctor").stdout
    assert json.loads(quatuor("export", str(tmp_path / "a.jsonl"), "--json").stdout)["rows"] > 3
    done = quatuor("import", str(tmp_path / "a.jsonl"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["new"] == 0
