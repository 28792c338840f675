"""The store: tables and their events, guests and their names."""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from sqlalchemy import Connection, event, insert, make_url, select, text, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from quatuor.server.clock import now
from quatuor.server.logs import cause_of
from quatuor.server.metrics import Metrics
from quatuor.server.store.database import open_to_write, upgrade
from quatuor.server.store.outages import Outages
from quatuor.server.store.pubsub import PubSub
from quatuor.server.store.schema import events, guests, is_id, pulse, tables
from quatuor.server.store.writer import Item, Work, Writer
from quatuor.table import Conflict, Event, Refused, Setup, logged

log = logging.getLogger("quatuor.server")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
READERS = 8  # threads that read; they are the store's own, so that a store that hangs holds up nothing else
LIMIT = 6.0  # seconds that anybody waits for the store
READY = 1.0  # seconds in which a server that is ready writes something
READY_ROW = 2  # of pulse
T = TypeVar("T")


class StoreFailed(Refused):
    """The store could not be read or written, or not in time. ``cause`` is a code such as ``disk_full``."""

    def __init__(self, error: BaseException) -> None:
        super().__init__("store_failed")
        self.cause = cause_of(error)


@dataclass(frozen=True)
class StoredTable:
    """A table as it comes out of the store; the first event has version 1, the next 2, and so on."""

    setup: Setup
    events: list[Event]


class Store:
    """All methods may be called from the event loop; the work is done in other threads."""

    def __init__(self, url: str, metrics: Metrics | None = None, limited: bool = False) -> None:
        """``limited``: no statement may take longer than a server's visitors would wait."""
        self.url = make_url(url)
        upgrade(self.url)
        self.engine = open_to_write(self.url)
        if limited and self.engine.dialect.name == "postgresql":
            event.listen(self.engine, "do_connect", _postgres)
        self.pubsub = PubSub(self.url)
        self.outages = Outages(self)
        self._metrics = metrics or Metrics()
        self.writer = Writer(self.engine, self.pubsub, LIMIT)
        self._readers = ThreadPoolExecutor(READERS, "quatuor-reader")
        self._probe: asyncio.Task[None] | None = None

    def close(self) -> None:
        """Write what waits, then close the file."""
        self.writer.close()
        self._readers.shutdown(wait=False)
        self.engine.dispose()

    async def open(self, table: str, setup: Setup) -> None:
        """Keep a new table."""
        await self.write(lambda connection: insert_table(connection, table, setup))

    async def append(self, table: str, version: int, what: Event, opens: tuple[str, Setup] | None = None) -> None:
        """Keep an event as this version of its table; returns once it is on disk. A rematch ``opens`` a table too.

        Conflict if the table has such a version already, or the guest's ack was carried out before.
        """
        row = {
            "table_id": table,
            "version": version,
            "kind": what.kind,
            "data": what.data,
            "guest": what.guest,
            "ack": what.ack,
            "at": _written(what.at),
        }

        work = (lambda connection: insert_table(connection, *opens)) if opens else None
        item = Item(work, row, {"table": table, "version": version})
        try:
            await self._written(item)
        except IntegrityError as error:
            raise Conflict(f"table {table} already has a version {version}") from error
        self._metrics.stored(what.kind, time.monotonic() - item.since)
        if log.isEnabledFor(logging.INFO):
            log.info("event", extra={"table": table, "version": version, **logged(what)})

    async def load(self, table: str) -> StoredTable | None:
        """A table with all that happened, or None if no table has that id."""
        return await self.run(self.read, table) if is_id(table) else None

    async def since(self, table: str, version: int) -> list[Event]:
        """What happened at a table after that version."""
        return await self.run(self._since, table, version)

    async def names(self, ids: Iterable[str]) -> dict[str, str]:
        """The names that guests gave themselves."""
        return await self.run(self._names, list(ids))

    async def rename(self, guest: str, name: str) -> None:
        """Keep a guest's name."""

        def work(connection: Connection) -> None:
            if not connection.execute(update(guests).where(guests.c.id == guest).values(name=name)).rowcount:
                connection.execute(insert(guests).values(id=guest, name=name))
            self.pubsub.send(connection, {"renamed": guest})

        await self.write(work)

    async def note(self, note: dict[str, Any]) -> None:
        """Notify the other processes of something that is not stored; a lost notification does no harm."""
        if self.pubsub.shared:
            try:
                await self._written(Item(note=note))
            except StoreFailed:
                log.warning("a note to the other processes was not sent")

    async def ask(self, question: dict[str, Any]) -> dict[str, dict[str, Any]] | None:
        """Every other process's answer; None if one of them does not answer, or may not be known yet."""
        return await self.pubsub.ask(self.note, question)

    async def check(self) -> None:
        """Raise if the store can't be read."""
        await self.run(self._check)

    async def ready(self) -> None:
        """Raise StoreFailed unless something is written within a second. Those who ask together share one write."""
        if self._probe is None or self._probe.done():
            self._probe = asyncio.ensure_future(self.write(_try_to_write))
            self._probe.add_done_callback(_heard)  # it may fail after the last who asked has given up
        try:
            async with asyncio.timeout(READY):
                await asyncio.shield(self._probe)
        except TimeoutError as error:
            raise StoreFailed(error) from error

    async def write(self, work: Work) -> None:
        """Have something written, in a transaction that it shares with what else waits."""
        await self._written(Item(work))

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        """Read something in a thread; StoreFailed if that does not work, or not in time."""
        try:
            async with asyncio.timeout(LIMIT):
                return await asyncio.get_running_loop().run_in_executor(self._readers, work, *arguments)
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            raise self._failed(error) from error

    @contextlib.asynccontextmanager
    async def exclusively(self, key: int) -> AsyncIterator[None]:
        """One process at a time does what has this ``key``; StoreFailed if it is not its turn in time."""
        if not self.pubsub.shared:
            yield
            return
        connection = await self.run(self._locked, key)
        try:
            yield
        finally:
            await asyncio.to_thread(connection.close)  # which ends the transaction, and so frees the lock

    def _locked(self, key: int) -> Connection:
        connection = self.engine.connect()
        try:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
        except BaseException:
            connection.close()
            raise
        return connection

    def read(self, table: str) -> StoredTable | None:
        """Like ``load``, but in this thread."""
        with self.engine.connect() as connection:
            setup = connection.execute(select(tables.c.setup).where(tables.c.id == table)).scalar()
        return None if setup is None else StoredTable(read_setup(setup), self._since(table, 0))

    async def _written(self, item: Item) -> None:
        """Have it written. After a timeout it may still be written, or not."""
        try:
            await self.writer.write(item)
        except IntegrityError:
            raise
        except (SQLAlchemyError, OSError, TimeoutError) as error:
            raise self._failed(error) from error

    def _failed(self, error: Exception) -> StoreFailed:
        failed = StoreFailed(error)
        log.warning("the store failed", extra={"cause": failed.cause})
        return failed

    def _since(self, table: str, version: int) -> list[Event]:
        with self.engine.connect() as connection:
            return stored_events(connection, table, version)

    def _names(self, ids: list[str]) -> dict[str, str]:
        with self.engine.connect() as connection:
            rows = connection.execute(select(guests).where(guests.c.id.in_(ids))).all()
        return {row.id: row.name for row in rows}

    def _check(self) -> None:
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


def read_setup(plain: dict[str, Any]) -> Setup:
    """A setup as it is kept: plain data."""
    return Setup.read(plain)


def stored_events(connection: Connection, table: str, since: int = 0) -> list[Event]:
    """What happened at a table after a version."""
    wanted = (events.c.table_id == table) & (events.c.version > since)
    rows = connection.execute(select(events).where(wanted).order_by(events.c.version)).all()
    return [Event(row.kind, row.data, row.guest, row.ack, _read(row.at)) for row in rows]


def _written(at: int) -> str:
    return (EPOCH + timedelta(milliseconds=at)).isoformat(timespec="milliseconds")


def _read(at: str) -> int:
    return (datetime.fromisoformat(at) - EPOCH) // timedelta(milliseconds=1) if at else 0


def insert_table(connection: Connection, table: str, setup: Setup) -> None:
    """Keep a new table, within a transaction."""
    connection.execute(insert(tables).values(id=table, setup=setup.write()))


def _postgres(_dialect: Any, _record: Any, arguments: Any, options: Any) -> Any:
    """Wait for PostgreSQL no longer than visitors would."""
    from quatuor.server.store.postgres import connect  # only where there is a PostgreSQL

    return connect(*arguments, **options)


def _heard(task: asyncio.Future[None]) -> None:
    """Asyncio logs an error that nobody has asked for."""
    if not task.cancelled():
        task.exception()


def _try_to_write(connection: Connection) -> None:
    if not connection.execute(update(pulse).where(pulse.c.id == READY_ROW).values(at=now())).rowcount:
        connection.execute(insert(pulse).values(id=READY_ROW, at=now()))
