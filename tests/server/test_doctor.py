"""The doctor names what is damaged in a store, which it only reads."""

import contextlib
import hashlib
import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import create_engine, delete, select, text, update

from bench import old_stores
from quatuor.server.settings import Settings
from quatuor.server.store import chain
from quatuor.server.store.chain import event_hash
from quatuor.server.store.database import known_revisions
from quatuor.server.store.schema import cards, events, heads, tables
from tests.server.client import Guest
from tests.server.test_backup import played, quatuor


def damages(store: str) -> dict[str | None, dict]:
    """The doctor's findings, by table."""
    done = quatuor("doctor", "--store", store, "--json")
    assert done.returncode in (0, 1), done.stderr
    found = json.loads(done.stdout)["damaged"]
    assert done.returncode == bool(found)
    return {damage["table"]: damage for damage in found}


async def game(server) -> str:
    """A game of four moves."""
    ada = Guest(server.address)
    table = (await ada.open("plus4", "me", "me"))["id"]
    line = await ada.connect(table)
    for move in "abcd":
        await line.move(move)
    await ada.get("/me/games")  # her summaries are written
    return table


async def test_a_chain_goes_on_after_its_end_was_forgotten(start_any_server, store_url, monkeypatch):
    monkeypatch.setattr(chain, "UNUSED", -1.0)
    server = start_any_server()
    table = await game(server)
    assert not server.services.store.writer._chain._last
    assert damages(store_url) == {}
    with server.services.store.engine.connect() as reader:
        assert reader.execute(select(heads.c.version).where(heads.c.table_id == table)).scalar() == 4


async def test_the_doctor_finds_what_is_damaged(start_any_server, store_url):
    server = start_any_server()
    ids = await played(server)
    store = server.services.store
    with store.engine.begin() as other:
        first = events.c.version == 1
        move = (events.c.table_id == ids[0]) & (events.c.kind == "move")
        other.execute(update(events).where(move).values(data={"seat": 0, "move": "zz"}))
        other.execute(delete(events).where((events.c.table_id == ids[1]) & first))
        move = (events.c.table_id == ids[2]) & (events.c.kind == "move")
        other.execute(update(events).where(move).values(guest="mallory"))
    done = quatuor("doctor", "--store", store_url, "--json")
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["whole"] == 2
    assert report["revision"] == report["newest_revision"] == known_revisions()[-1]
    found = {damage["table"]: damage for damage in report["damaged"]}
    assert set(found) == set(ids[:3])
    assert "zz" in found[ids[0]]["what"]
    assert "missing" in found[ids[1]]["what"]
    assert "does not own it" in found[ids[2]]["what"]
    text = quatuor("doctor", "--store", store_url).stdout
    assert "2 games are whole, 3 are damaged." in text


async def test_lost_events_at_the_end_are_noticed(start_any_server, store_url):
    server = start_any_server()
    table = await game(server)
    with server.services.store.engine.begin() as other:
        other.execute(delete(events).where((events.c.table_id == table) & (events.c.version > 2)))
        other.execute(delete(cards))
    found = damages(store_url)[table]
    assert (found["version"], "there were 4, and 2 are left" in found["what"]) == (3, True), found
    with server.services.store.engine.begin() as other:
        other.execute(delete(events).where(events.c.table_id == table))
    assert damages(store_url)[table]["version"] == 1


@pytest.mark.parametrize(
    "change", [{"data": {"seat": 1, "move": "a"}}, {"ack": "other"}, {"at": "2026-01-01T00:00:00"}]
)
async def test_an_event_replaced_by_another_legal_one_is_noticed(start_any_server, store_url, change):
    server = start_any_server()
    table = await game(server)
    assert damages(store_url) == {}
    with server.services.store.engine.begin() as other:
        other.execute(update(events).where((events.c.table_id == table) & (events.c.version == 2)).values(change))
    found = damages(store_url)[table]
    assert (found["version"], "hash does not match" in found["what"]) == (2, True), found


async def test_a_last_event_rewritten_with_its_hash_is_noticed(start_any_server, store_url):
    server = start_any_server()
    table = await game(server)
    with server.services.store.engine.begin() as other:
        rows = (
            other.execute(select(events).where(events.c.table_id == table).order_by(events.c.version)).mappings().all()
        )
        last = {**rows[3], "data": {"seat": 1, "move": "a"}}
        place = (events.c.table_id == table) & (events.c.version == 4)
        other.execute(update(events).where(place).values(data=last["data"], hash=event_hash(rows[2]["hash"], last)))
    assert "not the one that was written" in damages(store_url)[table]["what"]
    with server.services.store.engine.begin() as other:
        other.execute(delete(heads))
    assert "not noted" in damages(store_url)[table]["what"]


def test_rows_that_cannot_be_read_are_named_and_hide_no_others(store_url):
    old_stores.make(store_url, "0004")
    with create_engine(Settings(store=store_url).url).begin() as connection:
        setup = connection.execute(text("SELECT setup FROM tables")).scalar_one()
        plain = setup if isinstance(setup, str) else json.dumps(setup)
        for name in ("good", "u"):
            connection.execute(text(f"INSERT INTO tables VALUES ('{name}', :setup)"), {"setup": plain})
        connection.execute(tables.insert().values(id="v", setup=[1]))
        rows = "SELECT 'u', version, kind, data, guest, ack, at FROM events WHERE table_id = 't'"
        connection.execute(text(f"INSERT INTO events {rows}"))
        broken = "X'ff00'" if connection.dialect.name == "sqlite" else "'[1]'"
        connection.execute(text(f"UPDATE events SET data = {broken} WHERE table_id = 't' AND version = 3"))
        nonsense = "'{'" if connection.dialect.name == "sqlite" else "'7'"
        connection.execute(text(f"UPDATE events SET data = {nonsense} WHERE table_id = 'u' AND version = 2"))
    found = damages(store_url)
    assert {name: damage["version"] for name, damage in found.items()} == {"t": 3, "u": 2, "v": None}


@pytest.fixture
def sqlite_store(tmp_path) -> Path:
    """A file of the previous release, with enough pages to damage."""
    path = tmp_path / "games.sqlite"
    old_stores.make(str(path), "0004")
    with contextlib.closing(sqlite3.connect(path)) as connection:
        setup = connection.execute("SELECT setup FROM tables").fetchone()[0]
        connection.executemany("INSERT INTO tables VALUES (?, ?)", [(f"t{n}", setup) for n in range(200)])
        connection.commit()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path


@pytest.mark.parametrize("where", ["header", "schema", "pages", "cut", "noise"])
def test_a_damaged_file_is_named_without_a_traceback(sqlite_store, where):
    content = bytearray(sqlite_store.read_bytes())
    noise = hashlib.shake_256(b"noise").digest(len(content))
    if where == "header":
        content[:100] = noise[:100]
    elif where == "schema":
        content[100:4096] = noise[100:4096]
    elif where == "pages":
        for page in range(2, len(content) // 4096):
            content[page * 4096 : page * 4096 + 64] = noise[:64]
    elif where == "cut":
        del content[len(content) // 2 :]
    else:
        content[:] = noise
    sqlite_store.write_bytes(content)
    done = quatuor("doctor", "--store", str(sqlite_store), "--json")
    assert (done.returncode, done.stderr) == (1, ""), done
    assert json.loads(done.stdout)["damaged"]
    assert quatuor("doctor", "--store", str(sqlite_store)).stdout.startswith("the store: ")


@pytest.mark.parametrize("old", known_revisions()[:-1])
def test_a_store_of_an_earlier_release_passes_and_is_left_as_it_is(store_url, old):
    old_stores.make(store_url, old)
    before = Path(store_url).read_bytes() if "://" not in store_url else None
    done = quatuor("doctor", "--store", store_url, "--json")
    assert done.returncode == 0, done.stdout
    report = json.loads(done.stdout)
    assert report.pop("kernels").keys() >= {"blokus", "plateau_x", "plus4", "trois_six"}
    assert report == {
        "whole": 1, "tournaments": 0, "damaged": [], "revision": old, "newest_revision": known_revisions()[-1],
    }  # fmt: skip
    if before:
        assert Path(store_url).read_bytes() == before
    with create_engine(Settings(store=store_url).url).begin() as connection:
        connection.execute(text("DELETE FROM events"))
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == old
    if old >= "0003":  # its summary says how many events there were
        assert "lost" in damages(store_url)["t"]["what"]


READ_ONLY = """
mount -t tmpfs none "$1" && cp "$2"/* "$1" && mount -o remount,ro "$1"
exec "$3" -m quatuor.cli doctor --store "$1/games.sqlite"
"""


@pytest.mark.parametrize("crashed", [False, True])
def test_a_store_on_a_read_only_disk_can_be_examined(sqlite_store, tmp_path, crashed):
    """Also a store whose last writes are still in the -wal file."""
    if (
        not shutil.which("unshare")
        or subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).returncode
    ):
        pytest.skip("this machine does not allow mounting a disk")
    disk, source = tmp_path / "disk", tmp_path / "source"
    disk.mkdir()
    source.mkdir()
    with contextlib.closing(sqlite3.connect(sqlite_store)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("INSERT INTO tables SELECT 'last', setup FROM tables WHERE id = 't'")
        connection.commit()
        for file in tmp_path.glob("games.sqlite*" if crashed else "games.sqlite-none"):
            if not file.name.endswith("-shm"):
                shutil.copy(file, source)
    if not crashed:
        shutil.copy(sqlite_store, source)
    command = ["unshare", "-rm", "sh", "-c", READ_ONLY, "sh", str(disk), str(source), sys.executable]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout.splitlines()[:1]) == (0, ["All 202 games are whole."]), done


def test_a_read_only_postgresql_can_be_examined(postgres):
    url = postgres.database()
    old_stores.make(url, "0004")
    with contextlib.closing(create_engine(Settings(store=url).url).connect()) as connection:
        connection.execute(text(f"ALTER DATABASE {url.rpartition('/')[2]} SET default_transaction_read_only = on"))
        connection.commit()
    done = quatuor("doctor", "--store", url)
    assert (done.returncode, done.stderr, done.stdout.splitlines()[:1]) == (0, "", ["All 1 games are whole."])
