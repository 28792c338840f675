"""Finished tables need no garbage collection: one that visits everything in memory would delay every visitor."""

import asyncio
import gc
import weakref

from websockets.server import ServerProtocol

from quatuor.server import hub
from quatuor.server.clients import Client
from quatuor.server.http import BoundedHttp
from quatuor.server.table_session import TableSession
from quatuor.server.websocket import DirectWebsocket
from quatuor.table import Table
from tests.server.client import PATIENCE, Guest

KINDS = (BoundedHttp, DirectWebsocket, ServerProtocol, Client, TableSession, Table)


def held() -> list[weakref.ref]:
    return [weakref.ref(one) for one in gc.get_objects() if type(one) in KINDS]


async def test_tables_and_connections_that_are_over_are_freed_without_a_garbage_collection(start_server, monkeypatch):
    monkeypatch.setattr(gc, "collect", lambda *_: 0)
    monkeypatch.setattr(hub, "RELEASE_AFTER", 1.0)  # longer than timers of a table run
    server = start_server(forget_after=0.1)
    before = set(held())
    ada, bob = Guest(server.address), Guest(server.address)
    opened = await ada.open("plus4", "me", "open")
    table = opened["id"]
    await bob.post(f"/tables/{table}/join", {"token": opened["invites"]["1"]})
    polite, sudden = await ada.connect(table), await bob.connect(table)
    await polite.move("a", seat=0)
    await sudden.caught_up(2)
    refs = set(held()) - before
    assert {type(ref()) for ref in refs} >= set(KINDS) - {BoundedHttp}
    await polite.close()
    sudden.socket.transport.abort()
    for guest in (ada, bob):
        await guest.http.aclose()
    async with asyncio.timeout(PATIENCE):
        while server.services.hub.all_here():
            await asyncio.sleep(0.05)
    for _ in range(1000):
        left = [ref().__class__.__name__ for ref in refs if ref()]
        if not left:
            break
        await asyncio.sleep(0.02)
    assert left == []
