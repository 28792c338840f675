"""Feeds: what many clients watch is queried once for all of them."""

import asyncio

import pytest

from quatuor.server.broadcast import Broadcast


@pytest.mark.parametrize("steps", range(5))
async def test_it_stops_looking_though_something_changes_while_the_last_reader_leaves(steps):
    looks = 0

    async def look():
        nonlocal looks
        looks += 1
        return looks

    changed = asyncio.Event()
    with Broadcast(look, changed).reading() as queue:
        await queue.get()
        looking = asyncio.all_tasks() - {asyncio.current_task()}
        changed.set()
        for _ in range(steps):
            await asyncio.sleep(0)
    await asyncio.wait(looking, timeout=1)
    assert all(task.done() for task in looking)
