"""A table that several processes serve: who listens where, and whose sockets may still be open."""

from quatuor.server.listener import RESTART, SocketListener
from quatuor.server.presence import PresenceTracker, RemotePresence
from quatuor.server.store import Store
from quatuor.server.tasks import Tasks
from quatuor.table import Refused, Session


class Replication:
    """What one table exchanges with the other processes. With SQLite there are none, and nothing is sent."""

    def __init__(self, session: Session[SocketListener], presence: PresenceTracker, store: Store, tasks: Tasks) -> None:
        self._session, self._presence, self._store, self._tasks = session, presence, store, tasks
        self._announced = RemotePresence()

    @property
    def first(self) -> bool:
        """Whether this process runs the table's engines: one of the processes that serve the table does."""
        return all(self._store.pubsub.process < process for process in self._presence.processes)

    def announce(self, ask: bool = False, again: bool = False) -> None:
        """Send who listens here to the other processes, if it has changed or they ask; ``ask`` them too."""
        if not self._store.pubsub.shared:
            return
        state = self._presence.here
        if ask or again or state != self._announced:
            self._announced = state
            self._tasks.spawn(self._store.note({"at": self._session.id, **state.note(), "ask": ask}))

    async def ask_who_is_here(self) -> None:
        """Ask every process who listens there, before a player is put out for being away. Raises Refused."""
        answers = await self._store.ask({"table": self._session.id})
        if answers is None:
            raise Refused("try_again")
        try:
            elsewhere = {process: RemotePresence.read(answer) for process, answer in answers.items()}
        except (LookupError, TypeError):
            raise Refused("try_again") from None  # a process of another release
        for process, there in elsewhere.items():
            self._presence.report(process, there)
            for guest in there.here:
                self._presence.note(guest)

    async def close_signed_out(self) -> None:
        """Close sockets whose session is over, before they get anything private.

        Usually a note of another process has done that. While notes may be missing, the store is asked.
        """
        if self._store.pubsub.current:
            return
        for listener in [one for one in self._session.listeners if one.guest in self._session.table.people]:
            try:
                valid = await listener.valid()
            except Exception:
                valid = False
            if not valid:
                listener.close(RESTART)
