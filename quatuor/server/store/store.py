"""The store: tables and their events, guests and their names."""

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, make_url, select, text, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from quatuor.server.metrics import Metrics
from quatuor.server.store.database import open_to_write, upgrade
from quatuor.server.store.pubsub import PubSub
from quatuor.server.store.schema import events, guests, is_id, tables
from quatuor.server.store.writer import Item, Work, Writer
from quatuor.table import Event, Setup, logged

log = logging.getLogger("quatuor.server")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Conflict(Exception):
    """Somebody else has written this version: what is in memory is no longer all there is."""


@dataclass(frozen=True)
class StoredTable:
    """A table as it comes out of the store; the first event has version 1, the next 2, and so on."""

    setup: Setup
    events: list[Event]


class Store:
    """All methods may be called from the event loop; the work is done in other threads."""

    def __init__(self, url: str, metrics: Metrics | None = None) -> None:
        self.url = make_url(url)
        upgrade(self.url)
        self.engine = open_to_write(self.url)
        self.pubsub = PubSub(self.url)
        self._metrics = metrics or Metrics()
        self._writer = Writer(self.engine, self.pubsub)

    def close(self) -> None:
        """Write what waits, then let go of the file."""
        self._writer.close()
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
            with self._metrics.kept.time():
                await asyncio.wrap_future(self._writer.write(item))
        except IntegrityError as error:
            raise Conflict(f"table {table} already has a version {version}") from error
        self._metrics.events.labels(what.kind).inc()
        if log.isEnabledFor(logging.INFO):
            log.info("event", extra={"table": table, "version": version, **logged(what)})

    async def load(self, table: str) -> StoredTable | None:
        """A table with all that happened, or None if there is none of that id."""
        return await asyncio.to_thread(self.read, table) if is_id(table) else None

    async def since(self, table: str, version: int) -> list[Event]:
        """What happened at a table after that version."""
        return await asyncio.to_thread(self._since, table, version)

    async def names(self, ids: Iterable[str]) -> dict[str, str]:
        """The names that guests gave themselves."""
        return await asyncio.to_thread(self._names, list(ids))

    async def rename(self, guest: str, name: str) -> None:
        """Keep a guest's name."""

        def work(connection: Connection) -> None:
            if not connection.execute(update(guests).where(guests.c.id == guest).values(name=name)).rowcount:
                connection.execute(insert(guests).values(id=guest, name=name))
            self.pubsub.send(connection, {"renamed": guest})

        await self.write(work)

    async def note(self, note: dict[str, Any]) -> None:
        """Tell the other processes something that is not kept; if it can't be told, nothing is lost."""
        if self.pubsub.shared:
            try:
                await asyncio.wrap_future(self._writer.write(Item(note=note)))
            except DBAPIError:
                log.warning("a note to the other processes was not sent")

    async def check(self) -> None:
        """Raise if the store can't be read."""
        await asyncio.to_thread(self._check)

    async def write(self, work: Work) -> None:
        """Have something written, in a transaction that it shares with what else waits."""
        await asyncio.wrap_future(self._writer.write(Item(work)))

    def read(self, table: str) -> StoredTable | None:
        """Like ``load``, here and now."""
        with self.engine.connect() as connection:
            setup = connection.execute(select(tables.c.setup).where(tables.c.id == table)).scalar()
        return None if setup is None else StoredTable(read_setup(setup), self._since(table, 0))

    def _since(self, table: str, version: int) -> list[Event]:
        wanted = (events.c.table_id == table) & (events.c.version > version)
        with self.engine.connect() as connection:
            rows = connection.execute(select(events).where(wanted).order_by(events.c.version)).all()
        return [Event(row.kind, row.data, row.guest, row.ack, _read(row.at)) for row in rows]

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


def _written(at: int) -> str:
    return (EPOCH + timedelta(milliseconds=at)).isoformat(timespec="milliseconds")


def _read(at: str) -> int:
    return (datetime.fromisoformat(at) - EPOCH) // timedelta(milliseconds=1) if at else 0


def insert_table(connection: Connection, table: str, setup: Setup) -> None:
    """Keep a new table, within a transaction."""
    connection.execute(insert(tables).values(id=table, setup=asdict(setup)))
