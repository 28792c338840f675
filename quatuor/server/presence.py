"""Who is at a table: the listeners of this process, and what the other processes report about theirs."""

import asyncio
from typing import Any, NamedTuple

from quatuor.server.clock import now
from quatuor.server.listener import SocketListener
from quatuor.table import Session

PRESENCE_EVERY = 0.25  # seconds between two messages about who is here


class RemotePresence(NamedTuple):
    """Who listens at one process."""

    here: frozenset[str] = frozenset()  # guests who have a seat
    watching: int = 0  # people who have none
    watched: bool = False  # whether anybody listens at all

    @classmethod
    def read(cls, note: dict[str, Any]) -> "RemotePresence":
        """As another process sent it."""
        return cls(frozenset(note["here"]), note["watching"], note["watched"])

    def note(self) -> dict[str, Any]:
        """As it is sent to other processes."""
        return {**self._asdict(), "here": sorted(self.here)}


class PresenceTracker:
    """Keeps ``session.presence`` current, and sends it to the listeners when it changes."""

    def __init__(self, session: Session[SocketListener], away_after: float) -> None:
        self._session, self._away_after = session, away_after
        self._elsewhere: dict[str, RemotePresence] = {}  # by process
        self._sent = 0.0
        self._due: asyncio.TimerHandle | None = None

    @property
    def here(self) -> RemotePresence:
        """Who listens at this process."""
        guests = {listener.guest or listener for listener in self._session.listeners}
        here = frozenset(self._session.table.people & guests)
        return RemotePresence(here, len(guests - here), bool(guests))

    @property
    def processes(self) -> set[str]:
        """The other processes where the table has listeners."""
        return set(self._elsewhere)

    def note(self, guest: str | None, skip: SocketListener | None = None) -> None:
        """A guest may have come or gone: if so, send who is here to everybody but one listener."""
        session, presence = self._session, self._session.presence
        people = session.table.people
        here = any(listener.guest == guest for listener in session.listeners)
        here = here or any(guest in other.here for other in self._elsewhere.values())
        watching = len({listener.guest or listener for listener in session.listeners} - people)
        watching += sum(other.watching for other in self._elsewhere.values())
        changed = guest is not None and guest in people and here != (guest in presence.online)
        if changed or watching != presence.watching:
            if changed and guest:
                presence.online ^= {guest}
            presence.watching = watching
            presence.update_away(people, now())
            self._send(skip)

    def left(self, guest: str | None) -> None:
        """A listener is gone; it counts unless the guest is back in a moment."""
        asyncio.get_running_loop().call_later(self._away_after, self.note, guest)

    def rename(self, guest: str, name: str) -> None:
        """A player has another name."""
        session, table = self._session, self._session.table
        plays = bool(table.owned(guest)) or guest == table.owner
        if plays or guest in session.presence.names:  # spectators who have written have names, too
            session.presence.names[guest] = name
        if plays:
            self._send()
        if table.wrote(guest):
            session.send_spectator_chat()

    def show_profile(self, guest: str, on: bool) -> None:
        """A profile now shows something to everybody, or nothing any more."""
        profiles = self._session.presence.profiles
        if guest in self._session.presence.names and on != (guest in profiles):
            profiles ^= {guest}
            self._send()

    def report(self, process: str, there: RemotePresence) -> None:
        """Who listens at another process now."""
        before = self._elsewhere.pop(process, RemotePresence())
        if there.watched:
            self._elsewhere[process] = there
        for guest in there.here - before.here:
            self.note(guest)
        for guest in before.here - there.here:
            self.left(guest)
        if there.watching != before.watching:
            self.note(None)

    def _send(self, skip: SocketListener | None = None) -> None:
        """Send who is here at once; changes in quick succession are sent together."""
        loop = asyncio.get_running_loop()
        if self._due is not None:
            return
        wait = self._sent + PRESENCE_EVERY - loop.time()
        if wait > 0:
            self._due = loop.call_later(wait, self._send_due)
            return
        self._sent = loop.time()
        if others := self._session.listeners - {skip}:
            frame = self._session.presence_frame()
            for listener in others:
                listener.send(frame)

    def _send_due(self) -> None:
        self._due = None
        self._send()
