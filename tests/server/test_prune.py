"""What pruning deletes, and what it never deletes."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import delete, select, text, update

from bench import old_stores
from quatuor.server.store.database import writing
from quatuor.server.store.schema import cards, events, heads, tables
from tests.server.client import Guest, Problem
from tests.server.test_backup import quatuor
from tests.server.test_tournaments import started


def aged(server, days: int, *chosen: str) -> None:
    """Make these tables look unused for ``days`` days."""
    then = datetime.now(UTC) - timedelta(days=days)
    milliseconds, written = int(then.timestamp() * 1000), then.isoformat(timespec="milliseconds")
    with writing(server.services.store.engine) as connection:
        connection.execute(update(cards).where(cards.c.table_id.in_(chosen)).values(touched=milliseconds))
        connection.execute(update(events).where(events.c.table_id.in_(chosen)).values(at=written, hash=None))
        connection.execute(delete(heads).where(heads.c.table_id.in_(chosen)))  # the hashes no longer fit


def left(server) -> set[str]:
    with server.services.store.engine.connect() as connection:
        return set(connection.execute(select(tables.c.id)).scalars())


async def test_only_abandoned_unfinished_tables_of_guests_are_deleted(start_any_server, store_url):
    server = start_any_server()
    ada, eve = Guest(server.address), Guest(server.address)
    ids = {}
    for name in ("unused", "begun", "young", "over", "reported"):
        ids[name] = (await ada.open("plus4", "me", "me"))["id"]
        line = await ada.connect(ids[name])
        if name != "unused":
            await line.move("a")
        if name == "over":
            await line.ask("resign", seat=1)
        if name == "reported":
            await line.ask("say", words="rude")
            await ada.post(f"/tables/{ids[name]}/report", {"number": 0})
        await line.close()
    await eve.post("/account", {"name": "Eve", "password": "long enough"})
    ids["account"] = (await eve.open("plus4", "me", "me"))["id"]
    _, guests = await started(server, "Ann", "Ben")
    for guest in (ada, eve, *guests):
        await guest.get("/me/games")  # their summaries are written
    everything = left(server)
    assert len(everything) >= 7
    aged(server, 40, *(everything - {ids["young"]}))
    would = json.loads(quatuor("prune", "--days", "30", "--dry-run", "--json", "--store", store_url).stdout)
    assert (set(would["would_delete"]), would["deleted"]) == ({ids["unused"], ids["begun"]}, [])
    assert left(server) == everything
    assert json.loads(quatuor("prune", "--days", "50", "--json", "--store", store_url).stdout)["deleted"] == []
    done = quatuor("prune", "--days", "30", "--store", store_url)
    assert (done.returncode, done.stdout) == (0, "2 tables were deleted.\n"), done.stderr
    assert left(server) == everything - {ids["unused"], ids["begun"]}
    assert quatuor("doctor", "--store", store_url).returncode == 0
    server = await asyncio.to_thread(start_any_server)
    with pytest.raises(Problem, match=r"404.*unknown_table"):
        await Guest(server.address).get(f"/tables/{ids['begun']}")


async def test_a_move_at_a_deleted_table_ends_the_connection_and_the_table_is_unknown(start_any_server, store_url):
    server = start_any_server()
    ada = Guest(server.address)
    table = (await ada.open("plus4", "me", "me"))["id"]
    line = await ada.connect(table)
    await line.move("a")
    await ada.get("/me/games")
    aged(server, 40, table)
    assert quatuor("prune", "--days", "30", "--store", store_url).returncode == 0
    await line.send({"t": "move", "ack": "late", "ply": 1, "seat": 1, "move": "b"})
    assert (await line.until(lambda message: message["t"] == "bye"))["code"] == "store_failed"
    again = await ada.connect(table)
    assert again.received[0]["code"] == "unknown_table"
    with server.services.store.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM events")).scalar() == 0


@pytest.mark.parametrize(("days", "wrong"), [([], "say for how many days"), (["--days", "14"], "at least 15")])
def test_nothing_is_deleted_without_a_setting(tmp_path, store_url, days, wrong, monkeypatch):
    monkeypatch.delenv("QUATUOR_PRUNE_DAYS", raising=False)
    old_stores.make(store_url, "0004")
    done = quatuor("prune", *days, "--store", store_url)
    assert (done.returncode, wrong in done.stderr) == (2, True), done.stderr
