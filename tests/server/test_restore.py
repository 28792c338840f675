"""The restore drill: a backup made while people play holds every move that was acknowledged before it began."""

import asyncio
import contextlib
import json

import websockets

from quatuor.server.settings import Settings
from quatuor.server.store import Store
from tests.server.client import Guest
from tests.server.test_backup import quatuor

TABLES = 6


async def play(guest: Guest, acknowledged: list[tuple[str, int, str]]) -> None:
    """One game after the other, until cancelled; what was acknowledged, as table, version and ack."""
    for number in range(1000):
        line = await guest.connect((await guest.open("plus4", "me", "me", variant="endless"))["id"])
        for turn in range(40):
            moves = line.table["legal"].get(str(turn % 2), [])
            if not moves:
                break
            ack = f"{number}-{turn}"
            answer = await line.move(moves[turn % len(moves)], ack=ack)
            assert answer["t"] == "ack", answer
            acknowledged.append((line.table["id"], answer["version"], ack))
        await line.close()


async def test_every_acknowledged_move_is_in_a_backup_made_under_load(start_any_server, store_url, postgres, tmp_path):
    server = start_any_server()
    acknowledged: list[tuple[str, int, str]] = []
    playing = [asyncio.ensure_future(play(Guest(server.address), acknowledged)) for _ in range(TABLES)]
    try:
        while len(acknowledged) < 100:
            await asyncio.sleep(0.05)
            assert not any(task.done() for task in playing)
        before = list(acknowledged)
        done = await asyncio.to_thread(quatuor, "backup", str(tmp_path / "backups"), "--store", store_url, "--json")
        assert done.returncode == 0, done.stderr
        healthy = await asyncio.to_thread(quatuor, "doctor", "--store", store_url)  # beside the writer
        assert healthy.returncode == 0, healthy.stdout
        while len(acknowledged) == len(before):
            await asyncio.sleep(0.05)
    finally:
        for task in playing:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError, websockets.ConnectionClosed):
            await asyncio.gather(*playing)
    other = str(tmp_path / "other.sqlite") if "://" in store_url else postgres.database()
    restored = quatuor("import", json.loads(done.stdout)["file"], "--store", other)
    assert restored.returncode == 0, restored.stderr
    assert quatuor("doctor", "--store", other).returncode == 0
    store = Store(Settings(store=other).url)
    for table, version, ack in before:
        assert store.read(table).events[version - 1].ack == ack
    store.close()
