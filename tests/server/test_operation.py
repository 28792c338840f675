"""For whoever runs the server: health, metrics, logs, stopping."""

import asyncio
import io
import json
import logging
import re
from pathlib import Path

import httpx
import pytest

from quatuor.server import logs
from quatuor.server.app import create_app
from quatuor.server.settings import Settings
from tests.server.people import Guest
from tests.server.processes import Process

ROOT = Path(__file__).parents[2]


async def test_health(ada, house, monkeypatch):
    for path in ("/health", "/api/health"):
        assert (await ada.http.get(path)).json()["ok"] is True

    async def broken() -> None:
        raise OSError("a secret path")

    monkeypatch.setattr(house.services.store, "check", broken)
    response = await ada.http.get("/health")
    assert (response.status_code, response.json()) == (503, {"error": {"code": "store_failed", "detail": {}}})


async def numbers(guest: Guest) -> dict[str, float]:
    lines = (await guest.http.get("/metrics")).text.splitlines()
    return {key: float(value) for key, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


async def test_metrics_count_what_happens(ada):
    before = await numbers(ada)
    line = await ada.line((await ada.open("plus4", "me", "me"))["id"])
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
    assert after["process_resident_memory_bytes"] > 1e6


async def test_metrics_are_not_for_everybody(tmp_path):
    app = create_app(Settings(store=str(tmp_path / "x.sqlite")))
    async with app.router.lifespan_context(app):
        for address, status in (("127.0.0.1", 200), ("203.0.113.7", 404)):
            transport = httpx.ASGITransport(app, client=(address, 1))
            async with httpx.AsyncClient(transport=transport, base_url="http://table") as client:
                assert (await client.get("/metrics")).status_code == status


@pytest.mark.parametrize("form", [logs.Json(), logs.Text()])
def test_a_log_tells_where_something_failed_and_not_what_was_sent(form):
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


async def test_a_process_that_is_told_to_stop_says_bye_and_keeps_everything(tmp_path):
    store = str(tmp_path / "games.sqlite")
    house = Process(store, tmp_path / "secret", "--json-log", "--log", "info")
    guest = Guest(house.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    line = await guest.line(table)
    await line.move("a")
    assert await asyncio.to_thread(house.stop) in (0, -15)
    assert (await line.until(lambda m: m["t"] == "bye"))["code"] == "shutdown"
    public_event = [json.loads(line) for line in house.log.splitlines()]
    event = next(entry for entry in public_event if entry["message"] == "event")
    assert {"kind": "move", "seat": 0, "version": 1, "table": table}.items() <= event.items()
    again = Process(store, tmp_path / "secret")
    moved = Guest(again.address)
    assert len((await moved.get(f"/tables/{table}"))["history"]) == 1
    again.kill()


def test_every_setting_that_the_deployment_makes_is_read_somewhere():
    files = [*(ROOT / "deploy").iterdir(), ROOT / "docs" / "deploy.md"]
    made = set(re.findall(r"QUATUOR_[A-Z_]+", "".join(file.read_text() for file in files)))
    assert len(made) >= 6
    source = "".join(file.read_text() for file in (ROOT / "quatuor").rglob("*.py"))
    assert {name for name in made if f'"{name}"' not in source} == set()
