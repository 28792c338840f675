"""What JavaScript calls in a browser's worker, with the module ``quatuor_page`` that the worker provides."""

import asyncio
import importlib
import json
import sys
from types import ModuleType, SimpleNamespace

import pytest

from quatuor.local.host import Host
from quatuor.local.store import MemoryStore

TURN = {"t": "move", "ack": "a1", "ply": 0, "seat": 0, "move": "a"}


@pytest.fixture
def worker(monkeypatch):
    """The functions, and the messages that a page received from them. Games are in memory."""
    page = ModuleType("quatuor_page")
    messages: list[dict] = []
    page.opened = lambda n: None
    page.closed = lambda n, code: messages.append({"t": "closed", "code": code})
    page.message = lambda n, text: messages.append(json.loads(text))
    monkeypatch.setitem(sys.modules, "quatuor_page", page)
    monkeypatch.delitem(sys.modules, "quatuor.local.browser", raising=False)
    module = importlib.import_module("quatuor.local.browser")
    module._host = Host(MemoryStore(), "Ada")
    yield SimpleNamespace(module=module, messages=messages)
    del sys.modules["quatuor.local.browser"]


async def settled(worker):
    while worker.module._tasks:
        await asyncio.gather(*worker.module._tasks)


async def test_a_command_sent_while_its_table_is_loaded_is_carried_out(worker):
    table = await worker.module._host.open({"game": "plus4", "seats": [{"kind": "me"}, {"kind": "me"}]})
    worker.module.open(1, table, None)
    worker.module.message(1, json.dumps(TURN))
    await settled(worker)
    assert [message["ack"] for message in worker.messages if message["t"] == "ack"] == ["a1"]
    worker.module.close(1)
    worker.module.message(1, json.dumps(TURN | {"ack": "a2", "ply": 1, "seat": 1}))
    await settled(worker)
    assert not any(message.get("ack") == "a2" for message in worker.messages), "it has left the table"


async def test_a_page_that_leaves_while_its_table_is_loaded_hears_no_more(worker):
    table = await worker.module._host.open({"game": "plus4", "seats": [{"kind": "me"}, {"kind": "me"}]})
    worker.module.open(1, table, None)
    worker.module.close(1)
    await settled(worker)
    worker.module.open(2, table, None)
    before = len(worker.messages)
    worker.module.message(2, json.dumps(TURN))
    await settled(worker)
    received = worker.messages[before:]
    assert [message["t"] for message in received] == ["state", "event", "ack"], "one event: page 1 has left"
