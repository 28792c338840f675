"""What is over leaves memory, and by itself: a garbage collection that visits everything would delay every visitor."""

import asyncio
import functools
import gc
import sys
import weakref
from collections import Counter, deque
from collections.abc import Mapping
from typing import Any

from websockets.server import ServerProtocol

from quatuor.server import hub, sanctions
from quatuor.server.clients import Client
from quatuor.server.http import BoundedHttp
from quatuor.server.store import chain
from quatuor.server.table_session import TableSession
from quatuor.server.websocket import DirectWebsocket
from quatuor.table import Table
from tests.server.client import PATIENCE, Guest

CACHE = type(functools.cache(len))
LIKE_LISTS = (list, tuple, set, frozenset, deque)
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


def entries(services: Any) -> Counter[str]:
    """How many entries the containers in each attribute hold, of all objects of ours; and caches without a bound."""
    found: Counter[str] = Counter()
    todo, seen = [("", services)], set()
    while todo:
        name, one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, Mapping):
            inside: list[tuple[str, Any]] = [(name, part) for pair in list(one.items()) for part in pair]
            found[name] += len(one)
        elif isinstance(one, LIKE_LISTS):
            inside = [(name, part) for part in list(one)]
            found[name] += len(one)
        elif type(one).__module__.startswith("quatuor.") and hasattr(one, "__dict__"):
            inside = [(f"{type(one).__name__}.{key}", part) for key, part in list(vars(one).items())]
        else:
            continue
        todo += inside
    for module in [module for name, module in list(sys.modules.items()) if name.startswith("quatuor")]:
        for name, one in list(vars(module).items()):
            if isinstance(one, CACHE) and one.cache_info().maxsize is None:
                found[f"{module.__name__}.{name}"] = one.cache_info().currsize
    return found


async def play(address: str, number: int) -> None:
    """A game of a new account with a new guest, each in a network that nobody used before."""
    ada, bob = (Guest(address, f"127.0.{number}.{seat + 1}") for seat in range(2))
    name = "Ada " + "bcdfg"[number // 5] + "bcdfg"[number % 5]  # no two of which look alike
    await ada.post("/account", {"name": name, "password": "correct horse"})
    opened = await ada.open("plus4", "me", "open")
    await bob.post(f"/tables/{opened['id']}/join", {"token": opened["invites"]["1"]})
    lines = [await guest.connect(opened["id"]) for guest in (ada, bob)]
    for move in ("a", "b"):
        seat = lines[0].table["to_move"][0]
        await lines[seat].move(move)
        await lines[1 - seat].caught_up(lines[seat].table["version"])
    await lines[0].ask("resign", seat=0)
    for line, guest in zip(lines, (ada, bob), strict=True):
        await line.close()
        await guest.http.aclose()


async def test_nothing_is_kept_of_games_that_are_over_and_of_visitors_who_have_gone(start_any_server, monkeypatch):
    monkeypatch.setattr(hub, "RELEASE_AFTER", 1.0)
    monkeypatch.setattr(chain, "UNUSED", 0.1)
    monkeypatch.setattr(sanctions, "SEEN", 100)
    server = start_any_server(forget_after=0.1, session_check=0.1)
    services = server.services

    async def after(games: range) -> Counter[str]:
        for number in games:
            await play(server.address, number)
        async with asyncio.timeout(PATIENCE):
            while services.hub.all_here() or services.hub._left:
                await asyncio.sleep(0.05)
        return entries(services)

    before = await after(range(3))
    assert {"Budgets._spent", "Chain._last", "Hub._tables", "Sanctions._seen", "Sessions._checked"} <= set(before)
    more = await after(range(3, 23)) - before
    assert {name: count for name, count in more.items() if count >= 10} == {}, "entries more, after 20 games"
