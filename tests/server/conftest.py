import gc
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from bench.postgres import Postgres, running
from quatuor.server import accounts
from quatuor.server.budgets import LIMITS
from quatuor.server.settings import Settings
from quatuor.server.store import database
from tests import forks
from tests.server.client import Guest, ServerThread, cheap_hasher

QUICK = {
    "engine_pace": 0.0,
    "away_after": 0.05,
    "requests": (1000, 1000),
    "messages": (1000, 1000),
    "sign_ins": (1000, 1000),
    "budgets": dict.fromkeys(LIMITS, 1e9),  # all tests come from one address
}

FREEZE = gc.freeze  # the original: no test replaces it


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[None]:
    """Hash passwords cheaply: with real settings, every server start and every sign-in takes at least 0.1 s."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "PasswordHasher", cheap_hasher)
        yield


@pytest.fixture(scope="session", autouse=True)
def quick_stores() -> Iterator[None]:
    """Make each new store with the statements that made the first of its kind: Alembic takes six times as long."""
    migrate, statements = database._migrate, {}

    def make(connection: Connection) -> None:
        kind, raw = connection.dialect.name, connection.connection
        if database.revision(connection) is not None:
            migrate(connection)
        elif kind in statements:
            for statement in statements[kind]:
                raw.cursor().execute(statement)
        else:
            ran: list[str] = []
            event.listen(connection, "after_cursor_execute", lambda *about: ran.append(about[2]))
            migrate(connection)
            statements[kind] = [statement for statement in ran if not statement.startswith(("SELECT", "PRAGMA"))]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_migrate", make)
        yield


@pytest.fixture(autouse=True)
def quick_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork the processes of Quatuor that tests start: each would spend a second or more on imports."""
    monkeypatch.setattr(subprocess, "Popen", forks.Popen)


@pytest.fixture(scope="session", autouse=True)
def frozen_heap() -> Iterator[None]:
    """Keep frozen what was frozen before the first test, so that the collector of a new server does not visit it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gc, "freeze", lambda: None)
        patch.setattr(gc, "unfreeze", lambda: None)
        yield


@pytest.fixture(scope="module", autouse=True)
def frozen_leftovers(frozen_heap: None) -> None:
    """Freeze what other modules left, such as Numba's types: visiting it takes 1 s in every server that starts."""
    gc.collect()
    FREEZE()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request, tmp_path) -> str:
    """Both kinds of store, new and empty."""
    if request.param == "sqlite":
        return str(tmp_path / "games.sqlite")
    return request.getfixturevalue("postgres").database()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """One server for all tests that do not stop it."""
    server = ServerThread(Settings(store=str(tmp_path_factory.mktemp("store") / "games.sqlite"), **QUICK))
    yield server
    server.close()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def each_server(request, tmp_path_factory):
    """One server for all tests of a module, with each kind of store; the module may have SETTINGS."""
    folder = tmp_path_factory.mktemp("store")
    sqlite = request.param == "sqlite"
    store = str(folder / "games.sqlite") if sqlite else request.getfixturevalue("postgres").database()
    server = ServerThread(
        Settings(store=store, secret=folder / "secret", **{**QUICK, **getattr(request.module, "SETTINGS", {})})
    )
    yield server
    server.close()


@pytest.fixture
def start_server(tmp_path):
    """Start servers that share an SQLite store, one after the other."""
    yield from servers(tmp_path, str(tmp_path / "games.sqlite"))


@pytest.fixture
def start_any_server(tmp_path, store_url):
    """The same for both kinds of store."""
    yield from servers(tmp_path, store_url)


@pytest.fixture
def several(postgres, tmp_path):
    """Start servers over one PostgreSQL, in this process, one beside the other."""
    url, running = postgres.database(), []

    def start(**settings) -> ServerThread:
        running.append(ServerThread(Settings(store=url, secret=tmp_path / "secret", **QUICK | settings)))
        return running[-1]

    yield start
    for server in running:
        server.close()


def servers(folder: Path, store: str) -> Iterator[Callable[..., ServerThread]]:
    running = []

    def start(send_buffer=None, **settings) -> ServerThread:
        for server in running:
            server.close()
        settings["budgets"] = QUICK["budgets"] | settings.get("budgets", {})
        settings = {"store": store, "secret": folder / "secret", **QUICK, **settings}
        running[:] = [ServerThread(Settings(**settings), send_buffer)]
        return running[0]

    yield start
    for server in running:
        server.close()


@pytest.fixture
def ada(server):
    return Guest(server.address)


@pytest.fixture
def bob(server):
    return Guest(server.address)


@pytest.fixture
def eve(server):
    return Guest(server.address)
