"""All tables: in memory while they are used, otherwise in the store."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from quatuor.server import setups
from quatuor.server.budgets import Budgets
from quatuor.server.clock import now
from quatuor.server.engines import Engines
from quatuor.server.guests import Guests
from quatuor.server.listener import SocketListener
from quatuor.server.precompile import precompile
from quatuor.server.sessions import Closed, hash_of
from quatuor.server.settings import Settings
from quatuor.server.store import Store, StoredTable
from quatuor.server.store.profile_rows import ProfileRows
from quatuor.server.store.table_index import TableIndex, lobby_since
from quatuor.server.table_session import SessionServices, TableSession
from quatuor.server.visitors import Visitor
from quatuor.server.wire import NewTable
from quatuor.table import Refused, Setup, Table, restore
from quatuor.table.chat import author
from quatuor.table.commands import Join, OfferRematch
from quatuor.table.recent import Recent
from quatuor.table.seating import joined_seat

LISTED_RETRY = 600  # seconds after which a visitor with many tables in the lobby may try again
SWEEP_EVERY = 5.0  # seconds
RELEASE_AFTER = 120.0  # seconds after which no request can still use a table that has left memory


class Hub:
    """Opens tables, finds them again, and drops those that nobody uses."""

    def __init__(
        self,
        store: Store,
        table_index: TableIndex,
        guests: Guests,
        profiles: ProfileRows,
        engines: Engines,
        settings: Settings,
        budgets: Budgets,
    ) -> None:
        self._store, self._table_index, self._guests = store, table_index, guests
        self._settings, self._budgets = settings, budgets
        self._services = SessionServices(store, table_index, engines, settings, guests.names, profiles.showing)
        self._tables: dict[str, TableSession] = {}
        self._left: deque[tuple[float, TableSession]] = deque()  # tables that have left memory, and when
        self._listing = asyncio.Lock()
        self._loading: dict[str, asyncio.Task[TableSession]] = {}

    async def open(self, sender: Visitor, command: NewTable) -> TableSession:
        """Open the table that a visitor asks for."""
        assert sender.person is not None
        setup = await asyncio.to_thread(setups.validate_new_table, sender.person, command)
        if setup.listed:
            setup = replace(setup, network=self._guests.network_hash(sender.network))
            async with self._listing:  # one at a time, so that each counts those before it
                await self._limit_listed(sender, setup.network)
                return await self._open(sender, setup)
        return await self._open(sender, setup)

    async def _open(self, sender: Visitor, setup: Setup) -> TableSession:
        name = setups.new_id()
        self._take_place(sender)
        try:
            live = await self._build(name, StoredTable(setup, []))
            await self._store.open(name, setup)
        except BaseException:
            self._budgets.give_back("tables", sender)
            raise
        live.visitor = sender
        self._tables[name] = live
        live.update_summary()
        return live

    async def get(self, name: str, sender: Visitor | None = None) -> TableSession:
        """A table by its id. If it has to be loaded, it counts among the tables of the ``sender``."""
        live = self._tables.get(name)
        if live is None or live.broken:
            if name not in self._loading:
                task = self._loading[name] = asyncio.ensure_future(self._load_for(name, sender))
                task.add_done_callback(lambda _: self._loading.pop(name, None))
            live = await asyncio.shield(self._loading[name])
        live.used = asyncio.get_running_loop().time()
        return live

    async def join(self, live: TableSession, guest: str, token: str | None, wanted: int | None) -> int:
        """Take an open seat: the one of the token, or at a table in the lobby any, or the one wanted."""
        command = Join(token, wanted)
        await live.handle(command, guest)
        live.tracker.note(guest)
        live.replication.announce()
        return joined_seat(live.table, command, guest)

    async def rematch(self, live: TableSession, guest: str, sender: Visitor | None = None) -> str | None:
        """Offer a rematch or accept one: the new table once everybody has agreed, or None."""
        name = setups.new_id()
        await live.handle(OfferRematch(name), guest)
        if live.table.rematch == name:
            (await self.get(name, sender)).update_summary()
        return live.table.rematch

    async def is_online(self, name: str, guest: str) -> bool:
        """Whether a player is at a table now, at any process. Refused if another process does not answer."""
        live = self._tables.get(name)
        if live is not None and guest in live.presence.online:
            return True
        answers = await self._store.ask({"table": name})
        if answers is None:
            raise Refused("try_again")
        return any(guest in answer.get("here", ()) for answer in answers.values())

    def rename(self, guest: str, name: str) -> None:
        """A guest has another name, at every table where they have a seat."""
        for live in self._tables.values():
            live.tracker.rename(guest, name)

    def show_profile(self, guest: str, on: bool) -> None:
        """A player's profile now shows something to everybody, or nothing any more."""
        for live in self._tables.values():
            live.tracker.show_profile(guest, on)

    def dismiss(self, guest: str) -> None:
        """Close the sockets of a bot whose token was revoked."""
        self._close_sockets(lambda listener: listener.guest == guest, "bad_token")

    async def adopt(self, old: str, new: str, name: str) -> None:
        """All games of a guest belong to another id from now on: an account's."""
        wrote = [live.id for live in self._tables.values() if live.table.wrote(old)]  # as a spectator, at tables here
        for table in {*await self._table_index.seated(old), *wrote}:
            with contextlib.suppress(Refused):  # a table that can't be read keeps its guest
                await (await self.get(table)).adopt(old, new, name)

    def sign_out(self, closed: Closed) -> None:
        """Close the sockets of sessions that were closed."""

        def gone(listener: SocketListener) -> bool:
            return listener.session is not None and closed.has(listener.guest, hash_of(listener.session))

        self._close_sockets(gone)

    def here(self, name: str) -> TableSession | None:
        """A table, if it is in memory."""
        return self._tables.get(name)

    def all_here(self) -> list[TableSession]:
        """All tables in memory."""
        return list(self._tables.values())

    async def sweep(self) -> None:
        """Now and then, drop the tables that nobody has used for long, and the longest unused if there are many."""
        while True:
            await asyncio.sleep(min(SWEEP_EVERY, self._settings.forget_after))
            self._sweep()
            self._release()

    def bye(self, code: str) -> None:
        """Close all sockets with this code."""
        for live in self._tables.values():
            live.bye(code)

    def _close_sockets(self, which: Callable[[SocketListener], bool], code: str = "") -> None:
        for live in list(self._tables.values()):
            live.close_sockets(which, code)

    async def _limit_listed(self, sender: Visitor, network: str) -> None:
        limit = self._budgets.limits["listed"]
        for of, key, value, most in (
            ("person", "owner", sender.person, limit.person),
            ("network", "network", network, limit.network),
        ):
            if await self._table_index.waiting(key, value, lobby_since(now())) >= most:
                raise self._budgets.refusal("over_budget", "listed", of, most=most, retry_after=LISTED_RETRY)

    def _take_place(self, sender: Visitor) -> None:
        """Count one more table in memory; if the visitor has too many, the longest unused of them makes room."""
        while True:
            try:
                return self._budgets.take("tables", sender)
            except Refused as refused:
                of = refused.detail["of"]
                same = (live for live in self._tables.values() if live.visitor and live.idle)
                own = [live for live in same if getattr(live.visitor, of) == getattr(sender, of)]
                if not own:
                    raise
                self._drop(min(own, key=lambda live: live.used))

    def _drop(self, live: TableSession) -> None:
        """Let a table leave memory; it is loaded again when it is needed."""
        if self._tables.get(live.id) is live:
            del self._tables[live.id]
            self._left.append((asyncio.get_running_loop().time(), live))
        if live.visitor:
            self._budgets.give_back("tables", live.visitor)
            live.visitor = None

    def _sweep(self) -> None:
        before = asyncio.get_running_loop().time() - self._settings.forget_after
        idle = sorted((live for live in self._tables.values() if live.idle), key=lambda live: live.used)
        many = len(idle) - self._settings.idle_tables
        for number, live in enumerate(idle):
            if number < many or live.used < before:
                self._drop(live)
        for live in [live for live in self._tables.values() if live.broken]:
            self._drop(live)

    def _release(self) -> None:
        """Free the tables that left memory some time ago."""
        long_ago = asyncio.get_running_loop().time() - RELEASE_AFTER
        while self._left and self._left[0][0] < long_ago:
            _, live = self._left.popleft()
            if live.idle:
                live.release()

    async def _load_for(self, name: str, sender: Visitor | None) -> TableSession:
        if name in self._tables:
            self._drop(self._tables[name])  # it is broken
        if sender:
            self._take_place(sender)
        try:
            live = await self._load(name)
        except BaseException:
            if sender:
                self._budgets.give_back("tables", sender)
            raise
        live.visitor = sender
        return live

    async def _load(self, name: str) -> TableSession:
        kept = await self._store.load(name)
        if kept is None:
            raise Refused("unknown_table")
        live = self._tables[name] = await self._build(name, kept)
        if self._store.pubsub.shared:
            await live.catch_up()  # with what was written while it was loading
            live.replication.announce(ask=True)
        await live.settle()
        return live

    async def _build(self, name: str, kept: StoredTable) -> TableSession:
        table, recent = await asyncio.to_thread(_restore, kept)
        known = {seat.guest for seat in table.seats if seat.guest} | {table.owner}
        known |= {author(table, message) for message in table.chat}
        live = TableSession(name, table, recent, await self._guests.names(known), self._services)
        live.presence.profiles = await self._services.profiles(known)
        return live


def _restore(kept: StoredTable) -> tuple[Table, Recent]:
    precompile(kept.setup.game)
    try:
        return restore(kept.setup, kept.events)
    except (ValueError, LookupError) as error:
        raise Refused("unreadable_table") from error
