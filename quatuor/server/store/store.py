"""The store: tables and their events, guests and their names."""

import asyncio
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from quatuor.server.store.schema import events, guests, tables
from quatuor.server.store.writer import Work, Writer
from quatuor.table import Event, Seat, Setup

MARK = "mark"  # kept among the events: versions up to this one may have been told to somebody


class Conflict(Exception):
    """Somebody else has written this event's number: what is in memory is no longer the truth."""


@dataclass(frozen=True)
class Kept:
    """A table as it comes out of the store."""

    setup: Setup
    events: list[tuple[int, Event]]  # with their versions
    version: int  # the highest that anybody may have been told
    count: int  # of events and marks


class Store:
    """All methods may be called from the event loop; the work is done in other threads."""

    def __init__(self, url: str) -> None:
        if url.startswith("sqlite:///"):
            Path(url.removeprefix("sqlite:///")).parent.mkdir(parents=True, exist_ok=True)
        self.engine = create_engine(url, pool_pre_ping=True, hide_parameters=True)  # a log tells no secret orders
        if self.engine.dialect.name == "sqlite":
            event.listen(self.engine, "connect", _sqlite)
        _upgrade(self.engine)
        self._writer = Writer(self.engine)

    def close(self) -> None:
        """Write what waits, then let go of the file."""
        self._writer.close()
        self.engine.dispose()

    async def open(self, table: str, setup: Setup) -> None:
        """Keep a new table."""
        await self._write(lambda connection: _open(connection, table, setup))

    async def append(
        self, table: str, number: int, version: int, what: Event, opens: tuple[str, Setup] | None = None
    ) -> None:
        """Keep an event as this number of its table; returns once it is on disk. A rematch ``opens`` a table too."""
        row = {
            "table_id": table,
            "number": number,
            "version": version,
            "kind": what.kind,
            "data": what.data,
            "guest": what.guest,
            "ack": what.ack,
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }

        def work(connection: Connection) -> None:
            if opens:
                _open(connection, *opens)
            connection.execute(insert(events).values(row))

        try:
            await self._write(work)
        except IntegrityError as error:
            raise Conflict(f"table {table} already has an event {number}") from error

    async def load(self, table: str) -> Kept | None:
        """A table with all that happened, or None if there is none of that id."""
        return await asyncio.to_thread(self._load, table)

    async def names(self, ids: Iterable[str]) -> dict[str, str]:
        """The names that guests gave themselves."""
        return await asyncio.to_thread(self._names, list(ids))

    async def rename(self, guest: str, name: str) -> None:
        """Keep a guest's name."""

        def work(connection: Connection) -> None:
            if not connection.execute(update(guests).where(guests.c.id == guest).values(name=name)).rowcount:
                connection.execute(insert(guests).values(id=guest, name=name))

        await self._write(work)

    async def check(self) -> None:
        """Raise if the store can't be read."""
        await asyncio.to_thread(self._check)

    async def _write(self, work: Work) -> None:
        await asyncio.wrap_future(self._writer.write(work))

    def _load(self, table: str) -> Kept | None:
        with self.engine.connect() as connection:
            setup = connection.execute(select(tables.c.setup).where(tables.c.id == table)).scalar()
            if setup is None:
                return None
            rows = connection.execute(select(events).where(events.c.table_id == table).order_by(events.c.number)).all()
        kept = [(row.version, Event(row.kind, row.data, row.guest, row.ack)) for row in rows if row.kind != MARK]
        return Kept(_setup(setup), kept, max((row.version for row in rows), default=0), len(rows))

    def _names(self, ids: list[str]) -> dict[str, str]:
        with self.engine.connect() as connection:
            rows = connection.execute(select(guests).where(guests.c.id.in_(ids))).all()
        return {row.id: row.name for row in rows}

    def _check(self) -> None:
        with self.engine.connect() as connection:
            connection.execute(text("SELECT 1"))


def _open(connection: Connection, table: str, setup: Setup) -> None:
    connection.execute(insert(tables).values(id=table, setup=asdict(setup)))


def _setup(plain: dict[str, Any]) -> Setup:
    return Setup(**{**plain, "seats": tuple(Seat(**seat) for seat in plain["seats"])})


def _sqlite(connection: Any, _record: Any) -> None:
    """Readers never wait for the writer, and a commit is on disk even if the power fails."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")


def _upgrade(engine: Engine) -> None:
    config = Config()
    config.set_main_option("script_location", "quatuor.server.store:migrations")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
