import pytest

from quatuor.server.settings import Settings
from tests.server.people import Guest, House

QUICK = {"engine_pace": 0.0, "away_after": 0.05, "requests": (1000, 1000), "messages": (1000, 1000)}


@pytest.fixture(scope="session")
def house(tmp_path_factory):
    """One server for all tests that do not stop it."""
    house = House(Settings(store=str(tmp_path_factory.mktemp("store") / "games.sqlite"), **QUICK))
    yield house
    house.close()


@pytest.fixture
def open_house(tmp_path):
    """Start servers that share a store, one after the other."""
    running = []

    def start(**settings):
        for house in running:
            house.close()
        running[:] = [House(Settings(store=str(tmp_path / "games.sqlite"), **{**QUICK, **settings}))]
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
