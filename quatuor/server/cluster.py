"""Several processes over one PostgreSQL serve the same tables: what each sends to the others, and receives from them.

No game depends on a note: the store alone decides which event comes next. Notes save time, and say who is where.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from quatuor.server.budgets import Budgets
from quatuor.server.guests import Guests
from quatuor.server.hub import Hub
from quatuor.server.presence import RemotePresence
from quatuor.server.sessions import Closed, Sessions
from quatuor.server.store import Store
from quatuor.server.store.profile_rows import ProfileRows
from quatuor.server.store.pubsub import Note
from quatuor.server.tasks import Tasks

ALIVE_EVERY = 3.0  # seconds between signs of life
USED_ROWS = 3  # of a report about budgets in one note: some 300 bytes


class Cluster:
    """The other processes. Started before the first table is loaded."""

    def __init__(
        self, store: Store, hub: Hub, guests: Guests, profiles: ProfileRows, sessions: Sessions, budgets: Budgets
    ) -> None:
        self._store, self._hub, self._guests, self._profiles = store, hub, guests, profiles
        self._sessions, self._budgets = sessions, budgets
        self._connected = asyncio.Event()
        self.sanctioned: Callable[[], Coroutine[Any, Any, None]]  # called when another process changed a sanction
        self._tasks = Tasks()
        self._kinds: dict[str, Callable[[str, Note], None]] = {
            "gone": lambda process, _: self._forget(process),
            "used": lambda process, note: self._budgets.reported(process, note["used"]),
            "renamed": lambda _, note: self._tasks.spawn(self._rename(note["renamed"])),
            "sanctioned": lambda _, __: self._tasks.spawn(self.sanctioned()),
            "dismissed": lambda _, note: self._hub.dismiss(note["dismissed"]),
            "signed_out": lambda _, note: self._signed_out(note["signed_out"]),
            "asked": lambda _, note: self._answer(note),
            "at": self._presence,
            "version": lambda _, note: self._written(note),
        }  # a note of any other kind is of a newer release, or a sign of life

    async def start(self) -> None:
        """Begin to send and receive notes; returns once they are received."""
        if self._store.pubsub.shared:
            self._tasks.spawn(self._store.pubsub.listen(self._receive, self._reconnected))
            self._tasks.spawn(self._live())
            await self._connected.wait()

    async def stop(self) -> None:
        """Inform the others that this process is gone."""
        self._tasks.cancel()
        await self._store.note({"gone": True})

    def _receive(self, process: str, note: Note) -> None:
        for kind, act in self._kinds.items():
            if kind in note:
                act(process, note)
                return

    def _reconnected(self) -> None:
        """Notes may have been missed: look at every table, and ask who is where."""
        self._connected.set()
        for live in self._hub.all_here():
            self._tasks.spawn(live.catch_up())
            live.replication.announce(ask=True)
        self._sessions.forget_all()

    async def _live(self) -> None:
        """Send signs of life, and forget processes that send none; not while this one receives none of them itself."""
        pubsub = self._store.pubsub
        while True:
            await self._store.note({"alive": True})
            rows = self._budgets.report()
            for first in range(0, len(rows), USED_ROWS):
                await self._store.note({"used": rows[first : first + USED_ROWS]})
            await asyncio.sleep(ALIVE_EVERY)
            if pubsub.settled:
                for process in pubsub.peers.keys() - pubsub.alive():
                    self._forget(process)

    # ---- kinds of notes

    def _forget(self, process: str) -> None:
        self._store.pubsub.peers.pop(process, None)
        for live in self._hub.all_here():
            live.report_presence(process, RemotePresence())

    async def _rename(self, guest: str) -> None:
        self._hub.rename(guest, await self._guests.name(guest))
        self._hub.show_profile(guest, guest in await self._profiles.showing({guest}))

    def _signed_out(self, closed: dict[str, Any]) -> None:
        known = {key: value for key, value in closed.items() if key in Closed._fields}
        self._hub.sign_out(self._sessions.forget(Closed(**known)))

    def _presence(self, process: str, note: Note) -> None:
        live = self._hub.here(note["at"])
        if live:
            live.report_presence(process, RemotePresence.read(note))
            if note.get("ask") and live.listeners:
                live.replication.announce(again=True)

    def _answer(self, note: Note) -> None:
        """Another process asks who listens at a table, before it puts a player out for being away."""
        live = self._hub.here(note["table"])
        here = live.tracker.here if live else RemotePresence()
        self._tasks.spawn(self._store.note({"answered": note["asked"], **here.note()}))

    def _written(self, note: Note) -> None:
        live = self._hub.here(note["table"])
        if live and live.table.version < note["version"]:
            self._tasks.spawn(live.catch_up())
