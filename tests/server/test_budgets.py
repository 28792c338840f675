"""Budgets of visitors: how they are counted, and that others are served while one visitor is over a budget."""

import asyncio
import inspect
import json
import re
from pathlib import Path

import httpx
import pytest
import websockets
from fastapi.routing import APIRoute

from quatuor.server import hub, services
from quatuor.server.app import ROUTERS
from quatuor.server.budgets import LIMITS, REMEMBERED, STALE_AFTER, Budgets, Places, Rate, adjusted, parse
from quatuor.server.visitors import Visitor
from quatuor.table import Refused
from tests.server.client import Guest, Problem
from tests.server.test_lines import closed

ROOT = Path(__file__).parents[2]
ADA, ADA_ELSEWHERE = Visitor("192.0.2.1", "ada"), Visitor("192.0.2.2", "ada")
BOB = Visitor("192.0.2.1", "bob")
EVE = Visitor("198.51.100.1", "eve")


class Clock:
    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def budgets(clock=None, shared=False, **limits):
    return Budgets(limits, shared, clock or Clock())


# ---- counting


def test_places_are_counted_by_network_and_by_person():
    counted = budgets(sockets=Places(3, 2))
    counted.take("sockets", ADA)
    counted.take("sockets", ADA)
    with pytest.raises(Refused) as caught:
        counted.take("sockets", ADA_ELSEWHERE)  # the same person at another network
    assert (caught.value.code, caught.value.detail["of"]) == ("over_budget", "person")
    counted.take("sockets", BOB)
    with pytest.raises(Refused) as caught:
        counted.take("sockets", Visitor("192.0.2.1", "carl"))
    assert caught.value.detail == {"budget": "sockets", "of": "network", "most": 3, "retry_after": 10}
    counted.take("sockets", EVE)  # other networks are served
    counted.give_back("sockets", ADA)
    counted.take("sockets", Visitor("192.0.2.1", "carl"))


def test_a_refused_place_is_not_counted():
    counted = budgets(sockets=Places(10, 1))
    counted.take("sockets", ADA)
    for _ in range(20):
        with pytest.raises(Refused):
            counted.take("sockets", ADA)
    assert counted.held("sockets", ADA) == 1
    counted.take("sockets", BOB)


def test_a_place_is_released_after_an_error():
    counted = budgets(analyses=Places(1, 1))
    with pytest.raises(KeyError), counted.place("analyses", ADA):
        raise KeyError
    with counted.place("analyses", ADA):
        assert counted.held("analyses", ADA) == 1


def test_a_rate_refills_and_says_when():
    clock = Clock()
    counted = budgets(clock, requests=Rate(10, 4, refill=20))
    for _ in range(4):
        counted.spend("requests", ADA)
    with pytest.raises(Refused) as caught:
        counted.spend("requests", ADA)
    assert caught.value.code == "rate_limited"
    assert caught.value.detail == {"budget": "requests", "of": "person", "retry_after": 5}
    counted.spend("requests", BOB)
    clock.time += caught.value.detail["retry_after"]
    counted.spend("requests", ADA)
    clock.time += 1000
    assert counted.left("requests", ADA) == 4, "no more than full"


def test_use_is_charged_afterwards_and_refills():
    clock = Clock()
    counted = budgets(clock, engine_seconds=Rate(10, 10, refill=10))
    counted.charge("engine_seconds", ADA, 25)
    assert counted.left("engine_seconds", ADA) == -15
    with pytest.raises(Refused) as caught:
        counted.spend("engine_seconds", ADA, 1)
    assert caught.value.detail["retry_after"] == 16
    clock.time += 16
    counted.spend("engine_seconds", ADA, 1)


def test_something_larger_than_a_budget_needs_a_full_one():
    counted = budgets(stored_bytes=Rate(100, 100, refill=10))
    counted.spend("stored_bytes", ADA, 500)
    with pytest.raises(Refused):
        counted.spend("stored_bytes", ADA, 1)


def test_use_at_other_processes_counts():
    clock = Clock()
    here, there = (budgets(clock, True, sockets=Places(10, 10), requests=Rate(10, 10, 10)) for _ in range(2))
    for _ in range(6):
        there.take("sockets", ADA)
        there.spend("requests", ADA)
    for _ in range(2):  # places in use are reported repeatedly, what was spent only once
        here.reported("there", json.loads(json.dumps(there.report())))
    assert here.held("sockets", ADA) == 6
    assert here.left("requests", ADA) == 4
    for _ in range(4):
        here.take("sockets", BOB)
    with pytest.raises(Refused):
        here.take("sockets", BOB)
    clock.time += STALE_AFTER + 1  # the other process sends nothing: it may have ended
    here.take("sockets", BOB)
    assert here.report(), "and vice versa"


def test_a_report_has_a_limited_size_and_the_largest_come_first():
    counted = budgets(shared=True, sockets=Places(10, 10))
    for number in range(300):
        counted.take("sockets", Visitor(f"10.0.{number // 256}.{number % 256}"))
    for _ in range(5):
        counted.take("sockets", EVE)
    rows = counted.report()
    assert len(rows) <= 60
    assert [row[:3] for row in rows[:2]] == [
        ["sockets", "network 198.51.100.1", 5],
        ["sockets", "person eve", 5],
    ]


def test_a_budget_that_is_full_again_is_not_remembered():
    clock = Clock()
    counted = budgets(clock, shared=True, requests=Rate(10, 10, refill=20), engine_seconds=Rate(10, 10, refill=20))
    for number in range(1000):
        counted.spend("requests", Visitor(f"10.0.{number // 256}.{number % 256}", f"guest {number}"))
        clock.time += 0.1
    assert len(counted._spent["requests"]) == len(counted._unreported) <= 2 * 21, "those of the last two seconds"
    counted.charge("engine_seconds", ADA, 30)
    clock.time += 39
    counted.charge("engine_seconds", EVE, 1)
    assert counted.left("engine_seconds", ADA) == -0.5, "nothing is forgotten that is not full"


def test_what_one_visitor_spends_is_reported_however_many_others_spend_a_little():
    counted = budgets(shared=True, requests=Rate(1000, 1000, refill=10))
    for number in range(11_000):
        counted.spend("requests", Visitor(f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"))
    counted.spend("requests", EVE, 500)
    assert ["requests", "person eve", 0, 500] in counted.report()
    assert len(counted._spent["requests"]) <= REMEMBERED >= len(counted._unreported)


def test_reports_of_processes_that_have_ended_are_not_remembered():
    clock = Clock()
    counted = budgets(clock, shared=True, sockets=Places(10, 10))
    for process in range(20):  # one after the other
        counted.reported(f"{process}", [["sockets", "network 192.0.2.1", 3, 0]])
        clock.time += STALE_AFTER
    assert len(counted._elsewhere["sockets", "network 192.0.2.1"]) <= 2
    assert counted.held("sockets", ADA) == 3


def test_unknown_fields_of_a_report_are_ignored():
    counted = budgets(shared=True, sockets=Places(10, 10))
    counted.reported("there", [["dances", "network 192.0.2.1", 3, 0], ["sockets", "network 192.0.2.1", 3, 0]])
    assert counted.held("sockets", ADA) == 3


def test_budgets_are_set_by_text():
    assert parse("sockets=500, requests=600") == {"sockets": 500, "requests": 600}
    limits = adjusted(parse("sockets=400 requests=600"))
    assert limits["sockets"] == Places(400, 100), "a person's share grows with it"
    assert limits["requests"] == Rate(600, 600, 10), "and so does the refill for each second"
    assert limits["tables"] == LIMITS["tables"]


@pytest.mark.parametrize("text", ["dances=5", "sockets", "sockets=many", "sockets=0", "sockets=-1", "sockets=nan"])
def test_invalid_budgets_are_explained(text):
    with pytest.raises(ValueError, match=r"choose from|write budgets as|give a number above 0"):
        parse(text)


def test_the_guide_lists_every_budget():
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|$", (ROOT / "docs" / "budgets.md").read_text(), re.MULTILINE))
    assert set(rows) == set(LIMITS)
    for name, limit in LIMITS.items():
        cells = [cell.strip().replace(" MiB", "") for cell in rows[name].split("|")]
        unit = 1024 * 1024 if "MiB" in rows[name] else 1
        assert float(cells[0]) * unit == limit.network, name
        assert name == "connections" or float(cells[1]) * unit == limit.person, name


def test_budgets_are_used_in_the_event_loop_alone():
    todo = [route.dependant for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    assert len(todo) > 50
    while todo:
        needed = todo.pop()
        assert inspect.iscoroutinefunction(needed.call), f"{needed.call} would be called in a thread"
        todo += needed.dependencies


# ---- sockets


async def test_sockets_of_one_network_are_limited_and_others_are_served(start_server):
    server = start_server(budgets={"sockets": 3})
    guest, neighbour, stranger = (Guest(server.address) for _ in range(3))
    stranger.http.headers["x-forwarded-for"] = "192.0.2.7"
    table = (await guest.open("plus4", "me", "me"))["id"]
    lines = [await neighbour.connect(table) for _ in range(2)]
    lobby = await websockets.connect(f"ws://{server.address}/api/lobby/socket")
    refused = await guest.connect(table)
    assert refused.received[0]["code"] == "over_budget"
    assert refused.received[0]["detail"]["budget"] == "sockets"
    assert await closed(refused) == 1013
    for path in ("lobby/socket", "tournaments/x/socket"):
        another = await websockets.connect(f"ws://{server.address}/api/{path}")
        assert json.loads(await another.recv())["code"] == "over_budget"
    assert (await stranger.connect(table, **{"X-Forwarded-For": "192.0.2.7"})).table["id"] == table
    await lines[0].close()
    while server.services.budgets.held("sockets", Visitor("127.0.0.1")) == 3:
        await asyncio.sleep(0.01)
    assert (await guest.connect(table)).table["id"] == table
    await lobby.close()


# ---- requests


@pytest.mark.parametrize("path", ["", "/record", "/svg", "/muted"])
async def test_reading_is_limited_too(start_server, path):
    server = start_server(budgets={"requests": 30})
    reader, calm = Guest(server.address), Guest(server.address)
    calm.http.headers["x-forwarded-for"] = "192.0.2.7"
    table = (await calm.open("plus4", "me", "me"))["id"]
    answers = [await reader.http.get(f"/api/tables/{table}{path}") for _ in range(60)]
    assert answers[0].status_code == 200
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    error = refused[0].json()["error"]
    assert (error["code"], error["detail"]["budget"]) == ("rate_limited", "requests")
    assert int(refused[0].headers["retry-after"]) == error["detail"]["retry_after"] >= 1
    assert (await calm.http.get(f"/api/tables/{table}{path}")).status_code == 200


async def test_an_ipv6_network_has_one_budget(start_server):
    server = start_server(budgets={"requests": 10})
    async with httpx.AsyncClient(base_url=f"http://{server.address}") as client:
        answers = [
            await client.get("/api/games", headers={"x-forwarded-for": f"2001:db8:1:2::{number:x}"})
            for number in range(1, 20)
        ]
        assert [answer.status_code for answer in answers].count(429) >= 5
        assert (await client.get("/api/games", headers={"x-forwarded-for": "2001:db8:1:3::1"})).status_code == 200


async def test_twenty_files_of_the_page_count_as_one_request(start_server, tmp_path):
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("page")
    (page / "assets" / "a.js").write_text("a")
    guest = Guest(start_server(page=page, budgets={"requests": 1}).address)
    answers = [(await guest.http.get("/assets/a.js")).status_code for _ in range(60)]
    assert answers[:20] == [200] * 20
    assert 429 in answers
    for path in ("/", "/ready", "/metrics"):
        assert (await guest.http.get(path)).status_code == 429, path


async def test_new_tables_are_limited(start_server):
    guest = Guest(start_server(budgets={"new_tables": 4}).address)
    for _ in range(2):
        await guest.open("plus4", "me", "me")
    with pytest.raises(Problem) as caught:
        await guest.open("plus4", "me", "me")
    assert (caught.value.status, caught.value.detail["budget"], caught.value.detail["of"]) == (
        429,
        "new_tables",
        "person",
    )


# ---- what is stored


async def test_stored_events_of_one_person_are_limited(start_server):
    server = start_server(budgets={"events": 25})
    guest = Guest(server.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    lines = [await guest.connect(table) for _ in range(2)]
    codes = []
    for number in range(30):
        answer = await lines[number % 2].ask("say", phrase="hello")
        codes.append((answer.get("code"), answer.get("detail", {}).get("budget")))
    assert ("rate_limited", "events") in codes


async def test_stored_bytes_are_limited(start_server):
    guest = Guest(start_server(budgets={"stored_bytes": 2000}).address)
    wanted = {"game": "plus4", "seats": [{"kind": "me"}, {"kind": "me"}]}
    answers = [await guest.http.post("/api/tables", json=wanted) for _ in range(20)]
    assert answers[0].status_code == 201
    assert (answers[-1].status_code, answers[-1].json()["error"]["detail"]["budget"]) == (429, "stored_bytes")


# ---- memory


async def test_tables_in_memory_of_one_network_are_limited(start_server):
    server = start_server(budgets={"tables": 5})
    guest, watcher = Guest(server.address), Guest(server.address)
    stranger = Guest(server.address)
    stranger.http.headers["x-forwarded-for"] = "192.0.2.7"
    kept = (await stranger.open("plus4", "me", "me"))["id"]
    tables = [(await Guest(server.address).open("plus4", "me", "me"))["id"] for _ in range(12)]
    assert len(server.services.hub.all_here()) == 6, "the network's own idle tables are dropped"
    assert server.services.hub.here(kept), "tables of other networks stay"
    assert (await guest.get(f"/tables/{tables[0]}"))["id"] == tables[0], "they are loaded again for a visitor"
    lines = [await watcher.connect(table) for table in tables[:5]]
    described = (await guest.http.get("/api/openapi.json")).json()["paths"]
    reads = [path for path, ways in described.items() if path.startswith("/api/tables/{table}") and "get" in ways]
    assert len(reads) > 6
    blocking = ("POST", "/api/me/blocked", {"table": tables[5], "seat": 0})
    for method, path, content in [*(("GET", path, None) for path in reads), blocking]:
        refused = await guest.http.request(method, path.format(table=tables[5]), json=content)
        assert (refused.status_code, refused.json()["error"]["detail"]["budget"]) == (429, "tables"), path
    assert (await stranger.open("plus4", "me", "me"))["id"]
    await lines[0].close()


async def test_reconnecting_again_and_again_does_not_flood_the_others(start_server):
    server = start_server()
    guest, restless = Guest(server.address), Guest(server.address)
    table = (await guest.open("plus4", "me", "me"))["id"]
    calm = await guest.connect(table)
    for _ in range(40):
        lines = await asyncio.gather(*(restless.connect(table) for _ in range(2)))
        for line in lines:
            await line.close()
    await calm.until(lambda message: message["t"] == "presence" and message["watching"] == 0)
    watched = [message["watching"] for message in calm.received if message["t"] == "presence"]
    live = await server.services.hub.get(table)
    assert len(watched) < 40, "80 connected and left"
    while live.presence.watching:
        await asyncio.sleep(0.01)


async def test_a_table_has_a_limited_number_of_events(start_server, monkeypatch):
    monkeypatch.setattr(services, "TABLE_EVENTS", 3)
    guest = Guest(start_server().address)
    line = await guest.connect((await guest.open("plus4", "me", "me"))["id"])
    for _ in range(3):
        assert (await line.move("a"))["t"] == "ack"
    refused = await line.move("a")
    assert (refused["code"], refused["detail"]["budget"]) == ("over_budget", "table_events")


async def test_many_idle_tables_leave_memory_together(start_server, monkeypatch):
    monkeypatch.setattr(hub, "SWEEP_EVERY", 0.05)
    server = start_server(idle_tables=3)
    guest = Guest(server.address)
    tables = [(await guest.open("plus4", "me", "me"))["id"] for _ in range(6)]
    line = await guest.connect(tables[0])
    while len(server.services.hub.all_here()) > 4:
        await asyncio.sleep(0.02)
    assert (await line.move("a"))["t"] == "ack", "a table with players is not idle"
    assert (await guest.get(f"/tables/{tables[1]}"))["id"] == tables[1]


async def test_an_opening_must_leave_turns_to_play(ada):
    opening = [{"0": "-", "1": "-"}] * 1000
    wanted = {"game": "trois_six", "options": {"quiet_turns": None}, "seats": [{"kind": "me"}, {"kind": "me"}]}
    refused = await ada.http.post("/api/tables", json=wanted | {"opening": opening})
    assert refused.json()["error"]["code"] in ("bad_opening", "too_large")
