from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bench.postgres import Postgres, running
from quatuor.server.budgets import LIMITS
from quatuor.server.settings import Settings
from tests.server.people import Guest, House

QUICK = {
    "engine_pace": 0.0,
    "away_after": 0.05,
    "requests": (1000, 1000),
    "messages": (1000, 1000),
    "sign_ins": (1000, 1000),
    "budgets": dict.fromkeys(LIMITS, 1e9),  # all tests come from one address
}


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
def house(tmp_path_factory):
    """One server for all tests that do not stop it."""
    house = House(Settings(store=str(tmp_path_factory.mktemp("store") / "games.sqlite"), **QUICK))
    yield house
    house.close()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def both_houses(request, tmp_path_factory):
    """One server for all tests of a module, with each kind of store; the module may have SETTINGS."""
    folder = tmp_path_factory.mktemp("store")
    sqlite = request.param == "sqlite"
    store = str(folder / "games.sqlite") if sqlite else request.getfixturevalue("postgres").database()
    house = House(
        Settings(store=store, secret=folder / "secret", **{**QUICK, **getattr(request.module, "SETTINGS", {})})
    )
    yield house
    house.close()


@pytest.fixture
def open_house(tmp_path):
    """Start servers that share an SQLite store, one after the other."""
    yield from houses(tmp_path, str(tmp_path / "games.sqlite"))


@pytest.fixture
def any_house(tmp_path, store_url):
    """The same for both kinds of store."""
    yield from houses(tmp_path, store_url)


def houses(folder: Path, store: str) -> Iterator[Callable[..., House]]:
    running = []

    def start(send_buffer=None, **settings) -> House:
        for house in running:
            house.close()
        settings["budgets"] = QUICK["budgets"] | settings.get("budgets", {})
        settings = {"store": store, "secret": folder / "secret", **QUICK, **settings}
        running[:] = [House(Settings(**settings), send_buffer)]
        return running[0]

    yield start
    for house in running:
        house.close()


@pytest.fixture
def ada(house):
    return Guest(house.address)


@pytest.fixture
def bob(house):
    return Guest(house.address)


@pytest.fixture
def eve(house):
    return Guest(house.address)
