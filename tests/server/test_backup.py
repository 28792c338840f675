"""Export, import and doctor: every game goes from any store into any other, and damage is found."""

import gzip
import io
import json
import stat
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

import pytest
from sqlalchemy import delete, func, select, update

from quatuor.cli import main
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.schema import events, guests, tables, tokens
from tests.server.people import Guest


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


async def played(house) -> list[str]:
    """A store with something of everything: their tables."""
    ada, bob = Guest(house.address), Guest(house.address)
    await ada.http.put("/api/me", json={"name": "Ada Élan"})
    await ada.post("/bots", {"name": "Bot"})
    ids = []
    for game, seats in (("blokus", 4), ("plateau_x", 4), ("trois_six", 2), ("plus4", 2)):
        table = await ada.open(game, *["me"] * (seats - 1), "open")
        await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"][str(seats - 1)]})
        line = await ada.line(table["id"])
        seat, moves = next(iter(line.table["legal"].items()))
        await line.move(moves[0], seat=int(seat))
        ids.append(table["id"])
    await line.ask("resign", seat=0)
    await ada.post(f"/tables/{ids[-1]}/rematch")
    await ada.get("/me/games")  # she sits at all of them: by now every card is written
    return ids


async def test_from_any_store_into_any_other(any_house, store_url, postgres, tmp_path):
    house = any_house()
    await played(house)
    plain, packed = tmp_path / "games.jsonl", tmp_path / "games.jsonl.gz"
    for file in (plain, packed):  # while the server runs
        done = quatuor("export", str(file), "--store", store_url)
        assert done.returncode == 0, done.stderr
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert gzip.decompress(packed.read_bytes()).splitlines()[1:] == plain.read_bytes().splitlines()[1:]
    for target in (str(tmp_path / "other.sqlite"), postgres.database()):
        done = quatuor("import", str(packed), "--store", target)
        assert done.returncode == 0, done.stderr
        assert counts(target) == counts(store_url)
        assert "All 5 games are whole." in quatuor("doctor", "--store", target).stdout
        again = quatuor("import", str(plain), "--store", target)
        assert again.stdout.startswith("0 rows imported"), again.stderr
        back = tmp_path / "back.jsonl"
        quatuor("export", str(back), "--store", target)
        assert sorted(back.read_text().splitlines()[1:]) == sorted(plain.read_text().splitlines()[1:])


async def test_what_cannot_be_imported_leaves_the_store_as_it_was(open_house, tmp_path):
    await played(open_house())
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
    changed = [line.replace('"Ada Élan"', '"Mallory"') for line in lines]
    file.write_text("\n".join(changed))
    done = quatuor("import", str(file), "--store", str(tmp_path / "games.sqlite"))
    assert (done.returncode, "nothing was imported" in done.stderr) == (2, True)


async def test_the_doctor_finds_what_is_damaged(any_house, store_url):
    house = any_house()
    ids = await played(house)
    store = house.services.store
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
    found = {damage["table"]: damage for damage in report["damaged"]}
    assert set(found) == set(ids[:3])
    assert "zz" in found[ids[0]]["what"]
    assert "missing" in found[ids[1]]["what"]
    assert "somebody else" in found[ids[2]]["what"]
    public_event = quatuor("doctor", "--store", store_url)
    assert "2 games are whole, 3 are damaged." in public_event.stdout


@pytest.mark.parametrize("command", [("export", "x.jsonl"), ("doctor",)])
def test_a_store_that_is_not_there_is_said_and_not_made(tmp_path, command):
    done = quatuor(*command, "--store", str(tmp_path / "nowhere.sqlite"))
    assert done.returncode == 2
    assert "there are no games" in done.stderr
    assert not (tmp_path / "nowhere.sqlite").exists()
