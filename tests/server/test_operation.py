"""For operators: health, metrics, logs, stopping."""

import asyncio
import contextlib
import errno
import gc
import io
import json
import logging
import re
import sqlite3
from pathlib import Path

import httpx
import psycopg
import pytest
import sqlalchemy

from bench.processes import Process
from bench.proxy import proxied
from quatuor.server import logs
from quatuor.server.app import create_app
from quatuor.server.settings import Settings
from quatuor.server.store.store import StoreFailed
from tests.server.client import Guest, ServerThread
from tests.server.conftest import QUICK

ROOT = Path(__file__).parents[2]


async def test_health(ada):
    for path in ("/health", "/api/health", "/ready"):
        assert (await ada.http.get(path)).json()["ok"] is True


async def failing(guest: Guest, cause: str) -> None:
    """The store can't be written: requests report it, and the process stays alive."""
    response = await guest.http.get("/ready")
    expected = {"error": {"code": "store_failed", "detail": {"cause": cause}}}
    assert (response.status_code, response.json()) == (503, expected)
    assert (await guest.http.get("/health")).json()["ok"] is True
    response = await guest.http.put("/api/me", json={"name": "Ada"})
    assert (response.status_code, response.json()) == (503, {"error": {"code": "store_failed", "detail": {}}})


async def test_a_store_that_cannot_be_written_is_reported_to_balancers_visitors_and_the_log(start_server, caplog):
    server = start_server()
    guest = Guest(server.address)
    await guest.get("/me")
    store, read_only = server.services.store, "PRAGMA query_only = 1"
    sqlalchemy.event.listen(store.engine, "connect", lambda connection, _: connection.execute(read_only))
    with contextlib.suppress(StoreFailed):  # another write in the same transaction may fail by it
        await store.write(lambda connection: connection.exec_driver_sql(read_only))
    store.engine.dispose()
    await failing(guest, "read_only")
    assert "read_only" in {getattr(record, "cause", None) for record in caplog.records}


async def test_a_locked_store_is_reported_until_it_is_unlocked(tmp_path, start_server):
    server = start_server()
    guest = Guest(server.address)
    await guest.get("/me")
    lock = sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    await failing(guest, "timeout")
    lock.execute("ROLLBACK")
    while (await guest.http.get("/ready")).status_code != 200:
        await asyncio.sleep(0.1)
    assert (await guest.http.put("/api/me", json={"name": "Ada"})).status_code == 200


async def test_a_balancer_that_asks_while_the_store_is_locked_leaves_no_error_of_asyncio(
    tmp_path, start_server, caplog, monkeypatch
):
    monkeypatch.setattr("quatuor.server.store.store.READY", 0.05)
    monkeypatch.setattr("quatuor.server.store.store.LIMIT", 0.1)
    guest = Guest(start_server().address)
    lock = sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)
    lock.execute("BEGIN EXCLUSIVE")
    for _ in range(3):  # each forgets the write of the one before, which has failed meanwhile
        assert (await guest.http.get("/ready")).status_code == 503
        await asyncio.sleep(0.2)
    lock.execute("ROLLBACK")
    gc.collect()
    assert "asyncio" not in {record.name for record in caplog.records}


async def test_a_frozen_postgresql_is_a_quick_error(postgres, tmp_path):
    async with proxied(postgres.database()) as network:
        server = await asyncio.to_thread(ServerThread, Settings(store=network.url, secret=tmp_path / "secret", **QUICK))
        try:
            guests = [Guest(server.address) for _ in range(20)]
            table = (await guests[0].open("plus4", "me", "me"))["id"]
            line = await guests[0].connect(table)
            network.silence()
            asked = asyncio.gather(*(guest.http.put("/api/me", json={"name": "Ada"}) for guest in guests))
            read = asyncio.gather(*(guest.http.get("/api/lobby") for guest in guests))
            await failing(guests[0], "timeout")
            for path in ("/api/games", "/health"):
                assert (await guests[0].http.get(path)).status_code == 200, "needs no store"
            assert {answer.status_code for answer in (*await asked, *await read)} == {503}
            await line.send({"t": "move", "ack": "1", "ply": 0, "seat": 0, "move": "a"})
            assert (await line.event("bye"))["code"] == "store_failed"
            network.heal()
            while (await guests[0].http.get("/ready")).status_code != 200:
                await asyncio.sleep(0.1)
            line = await guests[0].connect(table)
            assert (await line.move("a"))["t"] == "ack"
        finally:
            network.heal()
            await asyncio.to_thread(server.close)


def logged_as(form: logging.Formatter, error: Exception | None = None, message: str = "it failed", **facts: str) -> str:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(form)
    logger = logging.Logger("test")
    logger.addHandler(handler)
    logger.error(message, extra=facts, exc_info=error)
    return stream.getvalue()


@pytest.mark.parametrize("form", [logs.Json(), logs.Text()])
def test_log_lines_cannot_be_forged_and_hold_no_terminal_codes(form):
    path = "/a\n2026-01-01 ERROR all is lost\x1b[2J\x9b31m\u2028\u202e\r"
    line = logged_as(form, message=f"GET {path} failed", path=path)
    assert line.count("\n") == 1
    assert line.endswith("\n")
    assert not set("\x1b\x9b\u2028\u202e\r") & set(line)
    assert "all is lost" in line


CAUSES = [
    (OSError(errno.ENOSPC, "No space left on device: /secret/path"), "disk_full"),
    (sqlite3.OperationalError("database or disk is full"), "disk_full"),
    (sqlite3.OperationalError("attempt to write a readonly database"), "read_only"),
    (sqlite3.OperationalError("database is locked"), "locked"),
    (psycopg.errors.DiskFull("could not extend file secret"), "disk_full"),
    (psycopg.errors.ReadOnlySqlTransaction("cannot execute secret"), "read_only"),
    (psycopg.OperationalError("connection to secret failed: Connection refused"), "connection_refused"),
    (psycopg.errors.AdminShutdown("terminating connection due to secret"), "shutting_down"),
    (TimeoutError("secret"), "timeout"),
    (ValueError("a secret that is full"), "ValueError"),
]


@pytest.mark.parametrize(("error", "cause"), CAUSES)
@pytest.mark.parametrize("form", [logs.Json(), logs.Text()])
def test_the_log_says_why_the_store_failed_without_the_data_sent(form, error, cause):
    for one in (error, sqlalchemy.exc.OperationalError("SELECT secret", {"secret": 1}, error)):
        if cause == "ValueError" and one is not error:
            continue
        line = logged_as(form, one)
        assert cause in line
        assert "secret" not in line


async def numbers(guest: Guest) -> dict[str, float]:
    lines = (await guest.http.get("/metrics")).text.splitlines()
    return {key: float(value) for key, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


async def test_metrics_count_what_happens(ada):
    before = await numbers(ada)
    line = await ada.connect((await ada.open("plus4", "me", "me"))["id"])
    await line.move("a")
    await line.move("q")
    after = await numbers(ada)

    def more(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert more('quatuor_events_total{kind="move"}') == 1
    assert more('quatuor_refusals_total{code="illegal_move"}') == 1
    assert more('quatuor_requests_total{method="POST",status="201"}') == 1
    assert more("quatuor_kept_seconds_count") == 1
    assert more("quatuor_tables") >= 0
    assert after["quatuor_listeners"] >= 1
    for name in ("quatuor_loop_lag_seconds_count", 'quatuor_gc_pause_seconds_count{generation="1"}'):
        while not after[name]:  # within a second or two
            after = await numbers(ada)
    assert 0 <= after["quatuor_write_queue_seconds"] < 60
    assert after["quatuor_pubsub_silence_seconds"] == after["quatuor_pubsub_reconnects"] == 0, (
        "one process, no messages"
    )
    assert after["process_resident_memory_bytes"] > 1e6


async def test_metrics_are_only_for_the_loopback(tmp_path):
    app = create_app(Settings(store=str(tmp_path / "x.sqlite")))
    async with app.router.lifespan_context(app):
        for address, status in (("127.0.0.1", 200), ("203.0.113.7", 404)):
            transport = httpx.ASGITransport(app, client=(address, 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://table") as client:
                assert (await client.get("/metrics")).status_code == status


@pytest.mark.parametrize("form", [logs.Json(), logs.Text()])
def test_a_log_entry_names_the_place_of_an_error_without_the_data_sent(form):
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(form)
    logger = logging.Logger("test")
    logger.addHandler(handler)
    try:
        raise ValueError("a secret order")
    except ValueError:
        logger.exception("it failed", extra={"table": "t7"})
    line = stream.getvalue()
    assert "a secret order" not in line
    for part in ("it failed", "ValueError", "test_operation.py", "t7"):
        assert part in line
    if isinstance(form, logs.Json):
        assert json.loads(line)["table"] == "t7"


async def test_a_process_that_stops_says_bye_and_stores_everything(tmp_path):
    store = str(tmp_path / "games.sqlite")
    server = Process(store, tmp_path / "secret", "--json-log", "--log", "info")
    guest = Guest(server.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    line = await guest.connect(table)
    await line.move("a")
    assert await asyncio.to_thread(server.stop) in (0, -15)
    assert (await line.until(lambda m: m["t"] == "bye"))["code"] == "shutdown"
    logged = [json.loads(line) for line in server.log.splitlines()]
    event = next(entry for entry in logged if entry["message"] == "event")
    assert {"kind": "move", "seat": 0, "version": 1, "table": table}.items() <= event.items()
    assert {entry["logger"] for entry in logged} == {"quatuor.server"}  # uvicorn and Alembic would write much more
    assert "127.0.0.1" not in server.log  # the visitor's address
    again = Process(store, tmp_path / "secret")
    moved = Guest(again.address)
    assert len((await moved.get(f"/tables/{table}"))["history"]) == 1
    again.kill()


def test_every_setting_of_the_deployment_files_exists():
    files = [*(ROOT / "deploy").iterdir(), ROOT / "docs" / "deploy.md"]
    made = set(re.findall(r"QUATUOR_[A-Z_]+", "".join(file.read_text() for file in files)))
    assert len(made) >= 6
    source = "".join(file.read_text() for file in (ROOT / "quatuor").rglob("*.py"))
    assert {name for name in made if f'"{name}"' not in source} == set()
