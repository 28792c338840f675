import sys

import pytest

from quatuor import games
from quatuor.engine import tree
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
    """An empty folder for tables."""
    monkeypatch.setenv("QUATUOR_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def interpreted(monkeypatch):
    """Searches without a library run as plain Python: compiling one for a tiny game takes much longer."""
    jit = sys.modules["quatuor.kernel.jit"]  # quatuor.kernel.jit is the decorator
    monkeypatch.setattr(jit, "may_compile", lambda function: False)
    monkeypatch.setattr(tree, "bind", jit.bind.__wrapped__)  # without the cache, which other tests would see
