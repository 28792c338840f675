"""A store of an earlier release is upgraded completely or not at all, and the previous release can write to it."""

import contextlib
import json
import sqlite3
import stat
import subprocess
import sys

import psycopg
import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import MetaData, create_engine, insert, select, text

from bench import old_stores
from bench.old_stores import MOVES
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.database import known_revisions, revision
from quatuor.server.store.doctor import Damage, Whole, examine
from quatuor.server.store.schema import accounts, events, guests
from quatuor.table import Event
from tests.server.client import Guest
from tests.server.test_store import at_new_address

OLD = known_revisions()[:-1]
NEWEST = known_revisions()[-1]
RELEASED_WRITER = text(  # events as the previous release wrote them
    "INSERT INTO events SELECT * FROM json_populate_recordset(NULL::events, CAST(:rows AS json))"
)


@pytest.fixture(scope="module")
def crashing():
    """A process without threads, which forks one that dies while it upgrades."""
    program = [sys.executable, "-m", "bench.old_stores"]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def crash(store: str, after: int) -> bool:
            process.stdin.write(json.dumps([store, after]) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield crash
        process.stdin.close()


def test_the_names_of_the_migrations_begin_with_their_revisions():
    config = Config()
    config.set_main_option("script_location", "quatuor.server.store:migrations")
    found = ScriptDirectory.from_config(config).walk_revisions()
    assert known_revisions() == [script.revision for script in found][::-1]


@pytest.mark.parametrize("store_is", ["new", "up to date"])
def test_only_an_upgrade_imports_alembic(store_is, tmp_path):
    store = str(tmp_path / "games.sqlite")
    if store_is == "up to date":
        Store(Settings(store=store).url).close()
    code = (
        "import sys; from pathlib import Path; from quatuor.server.serve import prepare;"
        "from quatuor.server.settings import Settings;"
        "prepare(Settings(store=sys.argv[1], secret=Path(sys.argv[1] + '.key'))); print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code, store], capture_output=True, text=True, check=True)
    assert done.stdout == f"{store_is == 'new'}\n"


def holds_everything(store: str, old: str) -> None:
    opened = Store(Settings(store=store).url)
    with opened.engine.connect() as connection:
        assert revision(connection) == NEWEST
        moves = connection.execute(select(events.c.data).order_by(events.c.version)).scalars()
        assert [data["move"] for data in moves] == list(MOVES)
        assert connection.execute(select(guests.c.name)).scalar_one() == "Ada"
        if old >= "0003":
            assert connection.execute(select(accounts.c.name)).scalar_one() == "Eve"
    assert list(examine(opened.engine)) == [Whole("t")]
    opened.close()


DEFINED = {  # all that a store defines
    "sqlite": "SELECT name, sql FROM sqlite_master",
    "postgresql": """
        SELECT relname, relkind::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
        UNION ALL SELECT relname, concat_ws(' ', attname, format_type(atttypid, atttypmod), attnotnull, atthasdef)
            FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid WHERE relnamespace = 'public'::regnamespace
        UNION ALL SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace
    """,
}
RELATIONS = {
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'table'",
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
}


def contents(store: str) -> list[str]:
    """Columns, indexes, constraints and rows of every relation, read without SQLAlchemy: it would ask much more."""
    kind = "postgresql" if "://" in store else "sqlite"
    connect = psycopg.connect if kind == "postgresql" else sqlite3.connect
    with contextlib.closing(connect(store)) as connection:
        found = [str(row) for row in connection.execute(DEFINED[kind])]
        for (name,) in connection.execute(RELATIONS[kind]).fetchall():
            found += [f"{name} {row}" for row in connection.execute(f"SELECT * FROM {name}")]
    return sorted(found)


@pytest.mark.parametrize("old", OLD)
def test_a_crash_after_any_statement_of_an_upgrade_changes_nothing(old, crashing, store_url):
    """From the oldest release after every statement; from later ones, which execute the last of these, after some.

    Every attempt starts from what the earlier crashes left, and the last one succeeds. On PostgreSQL every third
    statement is enough: what one had committed alone would be found after all later ones, too.
    """
    old_stores.make(store_url, old)
    before = contents(store_url)
    often, seldom = (3, 9) if "://" in store_url else (1, 4)
    step = often if old == OLD[0] else seldom
    after = 1
    while crashing(store_url, after):
        assert contents(store_url) == before
        after += step
    assert after > 5, "the upgrade had statements to crash after"
    assert contents(store_url) != before
    holds_everything(store_url, old)


@pytest.mark.parametrize("old", OLD)
def test_before_an_upgrade_the_file_is_copied(tmp_path, old):
    store = tmp_path / "quatuor.sqlite"
    old_stores.make(str(store), old)
    holds_everything(str(store), old)
    copy = tmp_path / f"quatuor.sqlite.before-{NEWEST}"
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with contextlib.closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == (old,)
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (len(MOVES),)
    copy.unlink()
    holds_everything(str(store), old)
    assert not copy.exists(), "nothing is left to upgrade"


def test_a_new_store_needs_no_copy(tmp_path):
    Store(f"sqlite:///{tmp_path / 'quatuor.sqlite'}").close()
    assert [file.name for file in tmp_path.iterdir()] == ["quatuor.sqlite"]


async def test_the_previous_release_keeps_writing_to_an_upgraded_store(store_url, tmp_path, postgres):
    """All relations of its schema exist, and it may leave out columns that it does not know."""
    old_stores.make(store_url, OLD[-1])
    before = MetaData()
    before.reflect(create_engine(Settings(store=store_url).url))
    store = Store(Settings(store=store_url).url)
    await store.append("t", 5, Event("chat", {"seat": 0, "phrase": "hello"}, "ada", "5"))
    row = {"table_id": "t", "kind": "chat", "data": {"seat": 1, "phrase": "hello"}, "guest": "bob", "at": ""}
    with create_engine(store.url).begin() as connection:
        connection.execute(insert(before.tables["events"]), [{**row, "version": 6, "ack": "6"}])
        if "://" in store_url:
            connection.execute(RELEASED_WRITER, {"rows": json.dumps([{**row, "version": 7, "ack": "7"}])})
        else:
            connection.execute(insert(before.tables["events"]), [{**row, "version": 7, "ack": "7"}])
        for relation in before.sorted_tables:
            connection.execute(select(relation)).all()
    await store.append("t", 8, Event("chat", {"seat": 0, "phrase": "bye"}, "ada", "8"))
    with store.engine.connect() as connection:
        hashed = connection.execute(select(events.c.hash.is_not(None)).order_by(events.c.version)).scalars()
        assert list(hashed) == [False] * 4 + [True, False, False, True]
    assert list(examine(store.engine)) == [Whole("t")]
    store.close()


def test_a_database_without_an_encoding_is_refused(postgres):
    url = postgres.database()
    name = url.rpartition("/")[2]
    with psycopg.connect(url.replace(name, "postgres"), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name}")
        connection.execute(f"CREATE DATABASE {name} ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(ValueError, match="SQL_ASCII: make one by createdb -E UTF8 -T template0"):
        Store(Settings(store=url).url)


def test_a_store_of_a_later_release(store_url):
    store = Store(Settings(store=store_url).url)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    store.close()
    if "://" in store_url:  # it runs at the same time as this release
        Store(Settings(store=store_url).url).close()
    else:
        with pytest.raises(ValueError, match=r"9999 by a later release"):
            Store(Settings(store=store_url).url)


async def test_a_table_with_an_event_of_a_later_release_is_shown_and_takes_no_move(start_any_server, store_url):
    server = start_any_server()
    guest = Guest(server.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    await (await guest.connect(table)).move("a")
    address = server.services.store.url
    server.close()
    writer = Store(address)
    await writer.append(table, 2, Event("sung", {"song": "x"}))
    (named,) = examine(writer.engine)
    assert isinstance(named, Damage)
    assert "later release" in named.what
    writer.close()
    guest = await at_new_address(guest, start_any_server().address)
    seen = await guest.get(f"/tables/{table}")
    assert (seen["version"], len(seen["history"])) == (2, 1)
    line = await guest.connect(table)
    assert (await line.move("b"))["code"] == "try_again"
