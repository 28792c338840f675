"""Several processes over one PostgreSQL serve the same tables: what each has to tell the others, and hears from them.

Nothing depends on a note for being right: the store alone decides which event comes next. A note makes it quick.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from quatuor.server.budgets import Budgets
from quatuor.server.guests import Guests
from quatuor.server.hub import Hub
from quatuor.server.store import Store
from quatuor.server.table_session import RemotePresence

log = logging.getLogger("quatuor.server")

ALIVE_EVERY = 3.0  # seconds between signs of life
USED_ROWS = 3  # of a report about budgets in one note: some 300 bytes
DEAD_AFTER = 10.0  # seconds of silence


class Cluster:
    """The other processes. Started before the first table is loaded."""

    def __init__(self, store: Store, hub: Hub, guests: Guests, budgets: Budgets) -> None:
        self._store, self._hub, self._guests, self._budgets = store, hub, guests, budgets
        self._heard: dict[str, float] = {}  # process -> when last
        self._connected = asyncio.Event()
        self.sanctioned: Callable[[], Coroutine[Any, Any, None]]  # called when another process changed a sanction
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Returns once notes are heard."""
        if self._store.pubsub.shared:
            self._spawn(self._store.pubsub.listen(self._hear, self._anew))
            self._spawn(self._live())
            await self._connected.wait()

    async def stop(self) -> None:
        """Take leave of the others."""
        for task in self._tasks:
            task.cancel()
        await self._store.note({"gone": True})

    def _hear(self, process: str, note: dict[str, Any]) -> None:
        self._heard[process] = asyncio.get_running_loop().time()
        if "gone" in note:
            self._forget(process)
        elif "used" in note:
            self._budgets.reported(process, note["used"])
        elif "renamed" in note:
            self._spawn(self._rename(note["renamed"]))
        elif "sanctioned" in note:
            self._spawn(self.sanctioned())
        elif "dismissed" in note:
            self._hub.dismiss(note["dismissed"])
        elif "at" in note and (live := self._hub.here(note["at"])):
            live.elsewhere(process, RemotePresence(frozenset(note["here"]), note["watching"], note["watched"]))
            if note["ask"] and live.listeners:
                live.announce(again=True)
        elif "version" in note and (live := self._hub.here(note["table"])) and live.table.version < note["version"]:
            self._spawn(live.catch_up())

    def _anew(self) -> None:
        """Notes may have been missed: look at every table, and ask who is where."""
        self._connected.set()
        for live in self._hub.all_here():
            self._spawn(live.catch_up())
            live.announce(ask=True)

    async def _live(self) -> None:
        while True:
            await self._store.note({"alive": True})
            rows = self._budgets.report()
            for first in range(0, len(rows), USED_ROWS):
                await self._store.note({"used": rows[first : first + USED_ROWS]})
            await asyncio.sleep(ALIVE_EVERY)
            before = asyncio.get_running_loop().time() - DEAD_AFTER
            for process in [process for process, heard in self._heard.items() if heard < before]:
                self._forget(process)

    def _forget(self, process: str) -> None:
        self._heard.pop(process, None)
        for live in self._hub.all_here():
            live.elsewhere(process, RemotePresence())

    async def _rename(self, guest: str) -> None:
        await self._hub.rename(guest, await self._guests.name(guest))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("what another process told could not be read", exc_info=task.exception())
