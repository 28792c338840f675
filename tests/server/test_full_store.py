"""A store that cannot be written for a while: no move is acknowledged then, none is lost, and play continues."""

import asyncio
import contextlib
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable

import pytest
import websockets
from sqlalchemy import create_engine, event, text
from sqlalchemy.exc import DBAPIError

from quatuor.server.settings import Settings
from quatuor.server.store.store import StoreFailed
from tests.server.client import Guest, ServerThread
from tests.server.test_backup import quatuor
from tests.server.test_lines import closed

NEW = {"game": "plus4", "seats": [{"kind": "me"}, {"kind": "me"}]}


async def sqlite(server: ServerThread, pragma: str) -> None:
    """A pragma for every connection of a server, from now on."""
    store = server.services.store
    event.listen(store.engine, "connect", lambda connection, _: connection.execute(f"PRAGMA {pragma}"))
    store.engine.dispose()
    with contextlib.suppress(DBAPIError):  # then the writer connects again
        await store.write(lambda connection: connection.exec_driver_sql(f"PRAGMA {pragma}"))


async def fill(server: ServerThread, url: str) -> Callable[[], Awaitable[None]]:
    with server.services.store.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
    await sqlite(server, f"max_page_count={pages}")
    with contextlib.suppress(StoreFailed):
        for number in range(10_000):  # the free space in the pages
            await server.services.store.rename(f"guest {number}", "x" * 40)
    return lambda: sqlite(server, "max_page_count=1000000")


async def lock(server: ServerThread, url: str) -> Callable[[], Awaitable[None]]:
    if "://" not in url:
        await sqlite(server, "query_only=ON")
        return lambda: sqlite(server, "query_only=OFF")

    def switch(how: str) -> None:
        with create_engine(Settings(store=url).url).connect() as connection:
            name = url.rpartition("/")[2]
            connection.execute(text(f"ALTER DATABASE {name} SET default_transaction_read_only = {how}"))
            connection.execute(text("COMMIT"))
            others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
            connection.execute(text(f"SELECT pg_terminate_backend(pid) {others}"))

    async def unlock() -> None:
        with create_engine(Settings(store=url).url).connect() as connection:
            connection.execute(text("SET default_transaction_read_only = off"))
            connection.execute(text("COMMIT"))
            connection.execute(text(f"ALTER DATABASE {url.rpartition('/')[2]} RESET default_transaction_read_only"))
            connection.execute(text("COMMIT"))
        switch("off")

    switch("on")
    return unlock


@pytest.mark.parametrize(  # a full PostgreSQL fails like one that is locked
    ("store_url", "stop"), [("sqlite", fill), ("sqlite", lock), ("postgresql", lock)], indirect=["store_url"]
)
async def test_a_store_that_cannot_be_written_acknowledges_nothing_and_goes_on_afterwards(
    start_any_server, store_url, stop
):
    server = start_any_server()
    ada = Guest(server.address)
    table = (await ada.open("plus4", "me", "me", variant="endless"))["id"]
    line = await ada.connect(table)
    acknowledged = []
    await line.move("a")
    acknowledged.append("a")
    again = await stop(server, store_url)
    with contextlib.suppress(websockets.ConnectionClosed):
        for turn in range(100):
            moves = line.table["legal"][str(line.table["to_move"][0])]
            move = moves[turn % len(moves)]
            assert (await line.move(move))["t"] == "ack"
            acknowledged.append(move)
    assert line.received[-1] == {"t": "bye", "code": "store_failed"}
    answers = [await ada.http.post("/api/tables", json=NEW) for _ in range(100)]
    assert {answer.status_code for answer in answers} <= {201, 503}
    refused = [answer for answer in answers if answer.status_code == 503]
    assert refused
    assert {answer.json()["error"]["code"] for answer in refused} == {"store_failed"}
    assert (await ada.http.get(f"/api/tables/{table}")).status_code == 200, "it can still be read"
    await again()
    line = await ada.connect(table)
    assert [next(iter(entry["moves"].values())) for entry in line.table["history"]] == acknowledged
    assert (await line.move(line.table["legal"][str(line.table["to_move"][0])][0]))["t"] == "ack"
    assert (await ada.http.post("/api/tables", json=NEW)).status_code == 201
    assert quatuor("doctor", "--store", store_url).returncode == 0


def test_a_full_disk_loses_nothing_and_is_written_to_again_once_there_is_room(tmp_path):
    if not shutil.which("unshare") or subprocess.run(["unshare", "-rm", "true"]).returncode:
        pytest.skip("this machine does not allow mounting a disk")
    command = ["unshare", "-rm", sys.executable, "-m", "tests.server.full_disk", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["failed"] == 3
    assert found["kept"] == found["acknowledged"] == list(range(1, found["full"] + 51))
    assert found["damaged"] == []


async def test_a_socket_that_connects_while_a_write_fails_has_to_reconnect(start_server):
    """Otherwise it would listen to a table that has left memory, where no event arrives and no move is stored."""
    server = start_server()
    ada = Guest(server.address)
    table = (await ada.open("plus4", "me", "me"))["id"]
    live, loop = server.services.hub.here(table), server._server.servers[0].get_loop()

    async def fail_while_it_waits() -> None:
        async with live._lock:
            locked.set()
            while not live._lock._waiters:
                await asyncio.sleep(0.01)
            live._break("store_failed")

    locked = threading.Event()
    failing = asyncio.run_coroutine_threadsafe(fail_while_it_waits(), loop)
    await asyncio.to_thread(locked.wait)
    line = await ada.connect(table, since=0)
    assert (await line.receive()) == {"t": "bye", "code": "store_failed"}
    assert await closed(line) == 1012
    await asyncio.wrap_future(failing)
    line = await ada.connect(table)
    assert (await line.move("a"))["t"] == "ack"
