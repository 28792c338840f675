"""A table in the memory of a server: the session with its presence, alarm, engines, hints and other processes."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from quatuor.server.alarms import FlagAlarm
from quatuor.server.clock import now
from quatuor.server.engine_driver import EngineDriver
from quatuor.server.engines import Engines
from quatuor.server.event_log import StoredLog
from quatuor.server.hints import Hints
from quatuor.server.listener import POLICY, RESTART, SocketListener
from quatuor.server.presence import PresenceTracker, RemotePresence
from quatuor.server.replication import Replication
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.table_index import TableIndex
from quatuor.server.tasks import Tasks
from quatuor.server.visitors import Visitor
from quatuor.server.wire import encode
from quatuor.table import Event, Refused, Session, Table, decide
from quatuor.table.claims import come_back
from quatuor.table.commands import Adopt, Claim, ComeBack, Command, Gather, HoldClocks
from quatuor.table.context import Context
from quatuor.table.events import Accepted
from quatuor.table.recent import Recent

log = logging.getLogger("quatuor.server")


@dataclass(frozen=True)
class SessionServices:
    """What sessions need of the server."""

    store: Store
    table_index: TableIndex
    engines: Engines
    settings: Settings
    names: Callable[[set[str]], Awaitable[dict[str, str]]]
    profiles: Callable[[set[str]], Awaitable[set[str]]]  # those of them who show theirs


class TableSession(Session[SocketListener]):
    """A session whose listeners are sockets. Other processes may hold the same table."""

    def __init__(
        self, name: str, table: Table, recent: Recent, names: dict[str, str], services: SessionServices
    ) -> None:
        super().__init__(name, table, StoredLog(services.store, name, table), now, recent)
        self.presence.names = names
        self.presence.update_away(table.people, now())
        self.used = asyncio.get_running_loop().time()
        self.broken = False  # whether what is stored is unknown: the table has to be loaded again
        self.visitor: Visitor | None = None  # who opened or loaded it, and whose budget it counts against
        self._services, self._tasks = services, Tasks()
        self.alarm = FlagAlarm(self, self._tasks)
        self.hints = Hints(self, services.engines)
        self.tracker = PresenceTracker(self, services.settings.away_after)
        self.replication = Replication(self, self.tracker, services.store, self._tasks)
        self.engine_driver = EngineDriver(self, services.engines, services.settings.engine_pace)
        self.observers.append(self._on_event)
        self.alarm.set()

    @property
    def idle(self) -> bool:
        """Whether nothing is lost if the table leaves memory."""
        busy = self.listeners or self.engine_driver.thinking or self._tasks or self.alarm.ticking
        return not (busy or self._lock.locked())

    # ---- commands

    async def handle(self, command: Command, sender: str | None = None, lag: int = 0) -> int:
        """Carry out a command; it is finished even if the caller is cancelled meanwhile."""
        work = asyncio.ensure_future(self.carry_out(command, sender, lag))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            work.add_done_callback(_unheard)
            raise

    async def carry_out(self, command: Command, sender: str | None = None, lag: int = 0) -> int:
        """Decide, store, apply, send; but before a player is put out for being away, ask the other processes."""
        if isinstance(command, Claim):
            await self.replication.ask_who_is_here()
        return await super().carry_out(command, sender, lag)

    async def settle(self) -> None:
        """Give running clocks the time of an outage back."""
        async with self._lock:
            await self._prepare()

    async def adopt(self, old: str, new: str, name: str) -> None:
        """The seats of a guest belong to an account from now on; the guest's sockets have to connect again."""
        self.presence.names[new] = name
        self.presence.profiles |= await self._services.profiles({new})
        await self.handle(Adopt(old, new))
        self.close_sockets(lambda listener: listener.guest == old)  # also of a guest without a seat

    # ---- sockets

    async def enter(self, listener: SocketListener, since: int | None) -> None:
        """Send a new listener what it missed, or everything, and from then on all events."""
        async with self._lock:
            if self.broken:  # since it waited for the lock
                listener.send(encode({"t": "bye", "code": "store_failed"}))
                listener.close(RESTART)
                return
            if not await listener.valid():
                listener.close(RESTART)  # signed out meanwhile
                return
            self.listeners.add(listener)
            self.tracker.note(listener.guest, skip=listener)
            for frame in self.frames_since(listener.guest, since):
                listener.send(frame)
        self.replication.announce()
        self._gather()
        self.wake_engines()
        if come_back(self.table, Context(listener.guest)):
            await self.handle(ComeBack(), listener.guest)

    def leave(self, listener: SocketListener) -> None:
        """A socket is closed."""
        self.listeners.discard(listener)
        self.used = asyncio.get_running_loop().time()
        self.hints.left(listener.guest)
        self.wake_engines()
        self.replication.announce()
        self.tracker.left(listener.guest)

    def close_sockets(self, which: Callable[[SocketListener], bool], code: str = "") -> None:
        """Close some sockets; with a ``code``, which is sent first, they must not connect again."""
        for listener in [listener for listener in self.listeners if which(listener)]:
            if code:
                listener.send(encode({"t": "bye", "code": code}))
            listener.close(POLICY if code else RESTART)

    def send_all(self, message: dict[str, Any]) -> None:
        """Send a message to every listener."""
        frame = encode(message)
        for listener in list(self.listeners):
            listener.send(frame)

    def bye(self, code: str) -> None:
        """The server stops, or the table leaves memory: clients may connect again later."""
        self.send_all({"t": "bye", "code": code})
        self.close_sockets(lambda _: True)
        self.engine_driver.stop()
        self._tasks.cancel()
        self.hints.cancel()
        self.alarm.cancel()

    def report_presence(self, process: str, there: RemotePresence) -> None:
        """Who listens at another process now."""
        self.tracker.report(process, there)
        self._gather()
        self.wake_engines()

    def release(self) -> None:
        """Break the references between the session and its parts, so that their memory is free at once.

        Only for a table that has left memory and that nothing uses any more. Without this, only a full garbage
        collection would free it, and that holds up everybody.
        """
        self.__dict__.clear()

    # ---- after each event

    def _on_event(self, event: Event) -> None:
        self.alarm.set()
        if event.kind == "adopt":
            self.close_sockets(lambda listener: listener.guest == event.data["old"])
        self.update_summary()
        self._gather()
        self.wake_engines()

    def _gather(self) -> None:
        """Start the clocks once all players are here."""
        gathering = self.table.clocks.gathering  # seldom: nothing is to be decided after most events
        if gathering and isinstance(decide(self.table, Gather(), Context(presence=self.presence)), Accepted):
            self._tasks.spawn(self._start_clocks())

    async def _start_clocks(self) -> None:
        with contextlib.suppress(Refused):  # the store failed: clients connect again, and the clocks start then
            await self.handle(Gather())

    def update_summary(self) -> None:
        """Have lists of tables show the current state."""
        self._services.table_index.update(self.id, self.table)

    def wake_engines(self) -> None:
        """Have the engines search, at one of the processes that hold the table."""
        self.engine_driver.wake(not self.broken and self.replication.first)

    # ---- the session's hooks

    async def _prepare(self) -> None:
        """Before anything else happens, clocks get back the time during which nobody could move."""
        outage = await self._services.store.outages.unaccounted(self.table)
        if outage and not self.table.foreign:
            await self._try(HoldClocks(outage.start, outage.end), None, 0)

    async def _before_sending(self, events: list[Event]) -> None:
        """Learn the names of new players, and close the sockets of those who have signed out."""
        named = (guest for event in events for guest in (event.guest, event.data.get("new")))
        strangers = {guest for guest in named if guest and guest not in self.presence.names}
        if strangers:
            try:
                self.presence.names |= await self._services.names(strangers)
                self.presence.profiles |= await self._services.profiles(strangers)
            except Refused:
                log.warning("table %s: the names of new players could not be read", self.id)
        await self.replication.close_signed_out()

    async def _store(self, event: Event) -> bool:
        if self.broken:
            raise Refused("store_failed")
        try:
            return await super()._store(event)
        except Exception as error:
            # Whether it is stored is unknown: clients connect again and get what the store has.
            raise self._break("store_failed") from error

    async def _catch_up(self) -> bool:
        return not self.broken and await super()._catch_up()

    def _apply(self, event: Event) -> None:
        try:
            super()._apply(event)
        except Exception as error:
            raise self._break("internal") from error

    def _break(self, code: str) -> Refused:
        log.exception("table %s is taken out of memory", self.id)
        self.broken = True
        self.bye(code)
        return Refused(code)


def _unheard(work: "asyncio.Future[int]") -> None:
    """A command for which nobody waits any more is finished; a refusal does not matter then."""
    if not work.cancelled() and (error := work.exception()) and not isinstance(error, Refused):
        log.error("a command failed", exc_info=error)
