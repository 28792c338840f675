"""A process that does not receive the others' messages notices it, and decides no claim until it does."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import psycopg
import pytest

from bench.proxy import Proxy, proxied
from quatuor.server.settings import Settings
from quatuor.table import clocks
from tests.server.client import Connection, Guest, ServerThread
from tests.server.conftest import QUICK
from tests.server.test_operation import numbers


@pytest.fixture
async def both(postgres, tmp_path, monkeypatch) -> AsyncIterator[tuple[ServerThread, ServerThread, Proxy]]:
    """Two servers over one PostgreSQL, the second over a network that can go silent; waits for players are short."""
    monkeypatch.setattr(clocks, "WAITS", ((180, 0.2),))
    monkeypatch.setattr(clocks, "LONGEST_WAIT", 0.2)
    url = postgres.database()
    async with proxied(url) as network:
        settings = [Settings(store=store, secret=tmp_path / "secret", **QUICK) for store in (url, network.url)]
        servers = [await asyncio.to_thread(ServerThread, one) for one in settings]
        yield servers[0], servers[1], network
        network.heal()
        for server in servers:
            await asyncio.to_thread(server.close)


async def duel(ada: Guest, bob: Guest) -> str:
    table = await ada.open("plus4", "me", "open")
    await bob.post(f"/tables/{table['id']}/join", {"token": table["invites"]["1"]})
    return table["id"]


async def claim(line: Connection) -> dict[str, Any]:
    """The answer to a claim once the server knows who is present."""
    while (answer := await line.ask("claim", seat=0, win=True)).get("code") in ("try_again", "too_early"):
        await asyncio.sleep(0.2)
    return answer


async def deaf(server: ServerThread) -> None:
    while server.services.store.pubsub.current:
        await asyncio.sleep(0.1)


async def test_a_process_that_receives_nothing_grants_no_claim(both):
    one, two, network = both
    ada, bob = Guest(one.address), Guest(two.address)
    table = await duel(ada, bob)
    await ada.post(f"/tables/{table}/moves", {"ack": "a", "ply": 0, "seat": 0, "move": "a"})
    b = await bob.connect(table)
    await b.move("b")  # the game has begun: now a win can be claimed
    network.silence(b"LISTEN")
    a = await ada.connect(table)  # the second process does not receive it
    await deaf(two)
    assert (await numbers(bob))["quatuor_pubsub_silence_seconds"] > 2
    assert b.table["seats"][0]["claim"] is not None
    assert (await b.ask("claim", seat=0, win=True))["code"] == "try_again"
    network.heal()
    assert (await claim(b))["code"] == "no_claim", "she is present"
    await a.close()
    while b.table["seats"][0]["online"]:
        await b.event("presence")
    assert (await claim(b))["t"] == "ack", "now she is away"


async def test_no_claim_is_granted_against_a_player_at_a_process_that_does_not_answer(both):
    one, two, network = both
    ada, bob = Guest(two.address), Guest(one.address)
    table = await duel(ada, bob)
    b = await bob.connect(table)
    while not one.services.store.pubsub.settled:
        await asyncio.sleep(0.1)
    network.silence(b"LISTEN")
    a = await ada.connect(table)
    assert (await b.ask("claim", seat=0, win=True))["code"] in ("try_again", "no_claim")
    network.heal()
    assert (await claim(b))["code"] == "no_claim"
    await a.caught_up()


async def test_messages_of_another_release_and_lost_connections_do_not_end_listening(both):
    one, two, network = both
    ada, bob = Guest(one.address), Guest(two.address)
    table = await duel(ada, bob)
    a, b = await ada.connect(table), await bob.connect(table)
    strange = [
        "no JSON", "[]", "{}", '{"from": 7, "notes": {}}', '{"from": "x", "notes": [7]}',
        *(json.dumps({"from": "x", "later": 1, "notes": [note]}) for note in (
            {"at": table}, {"at": table, "here": None, "watching": "many", "watched": 1},
            {"version": "x", "table": table},
            {"signed_out": 7}, {"signed_out": {"guest": "g", "later": True}}, {"asked": None}, {"answered": []},
            {"renamed": None}, {"of a later release": {"more": 1}}, {},
        )),
    ]  # fmt: skip
    with psycopg.connect(network.direct, autocommit=True) as connection:
        for payload in strange:
            connection.execute("SELECT pg_notify('quatuor', %s)", (payload,))
        await a.move("a")
        await b.event("move")
        reconnects = one.services.store.pubsub.reconnects
        listening = "datname = current_database() AND query LIKE 'SELECT (extract%'"
        connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {listening}")
    while one.services.store.pubsub.reconnects == reconnects:
        await asyncio.sleep(0.1)
    await b.move("b")
    await a.event("move")
    await a.move("c")
    await b.event("move")
