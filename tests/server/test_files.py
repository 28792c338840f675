"""The permissions of the server's files."""

import logging
import stat
from pathlib import Path

import pytest

from quatuor.server.key import read_key
from quatuor.server.store import Store
from tests.server.client import Guest
from tests.server.test_backup import quatuor


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("broken", ["key", "store", "database"])
def test_the_server_says_what_is_wrong_with_its_files(tmp_path, monkeypatch, broken):
    monkeypatch.setattr("quatuor.server.logs.install", lambda *_: None)  # it would remove pytest's handlers
    store, secret = tmp_path / "games.sqlite", tmp_path / "secret"
    if broken == "key":
        secret.write_bytes(b"")
    elif broken == "store":
        store.write_bytes(b"no database" * 1000)
    where = "postgresql://nobody@127.0.0.1:1/nowhere" if broken == "database" else str(store)
    done = quatuor("serve", "--store", where, "--secret", str(secret), "--port", "0")
    said = {"key": "has 0 bytes", "store": "not a database", "database": "cannot be opened"}
    assert (done.returncode, said[broken] in done.stderr) == (2, True), done.stderr


async def test_only_the_owner_can_read_the_database(start_server, tmp_path):
    ada = Guest(start_server().address)
    await ada.open("plus4", "me", "me")
    files = sorted(tmp_path.glob("games.sqlite*"))
    assert [file.name for file in files] == ["games.sqlite", "games.sqlite-shm", "games.sqlite-wal"]
    assert [mode(file) for file in files] == [0o600] * 3


def test_a_database_that_others_may_read_is_closed_to_them(tmp_path, caplog):
    file = tmp_path / "games.sqlite"
    Store(f"sqlite:///{file}").close()
    for given, left in ((0o644, 0o600), (0o666, 0o600), (0o640, 0o640)):  # a group is the operator's decision
        file.chmod(given)
        caplog.clear()
        Store(f"sqlite:///{file}").close()
        assert mode(file) == left
        assert (str(file) in caplog.text) == (given != left)


@pytest.mark.parametrize(("content", "given", "wrong"), [(b"", 0o600, "has 0 bytes"), (b"x" * 32, 0o606, "may change")])
def test_a_key_that_others_may_have_chosen_is_refused(tmp_path, content, given, wrong):
    file = tmp_path / "secret"
    file.write_bytes(content)
    file.chmod(given)
    with pytest.raises(ValueError, match=wrong):
        read_key(file)
    assert (file.read_bytes(), mode(file)) == (content, given)


def test_a_key_that_others_may_read_is_closed_to_them(tmp_path, caplog):
    file = tmp_path / "secret"
    key = read_key(file)
    assert (len(key), mode(file)) == (32, 0o600)
    file.chmod(0o644)
    with caplog.at_level(logging.WARNING):
        assert read_key(file) == key
    assert mode(file) == 0o600
    assert "readable by every user" in caplog.text
