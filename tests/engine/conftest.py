import pytest

from quatuor import games
from tests.engine import ring


@pytest.fixture(autouse=True)
def _a_further_game(monkeypatch):
    monkeypatch.setattr(games, "_extra", {"ring": ring.RULEBOOK})


@pytest.fixture(autouse=True, scope="session")
def _tables_apart(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUATUOR_DATA", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A folder of its own for tables."""
    monkeypatch.setenv("QUATUOR_DATA", str(tmp_path))
    return tmp_path
