"""Is every game in the store whole? Each is replayed from its first event, every move checked by the rules."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, select, text

from quatuor.record import load
from quatuor.server.store.schema import events, tables
from quatuor.server.store.store import Store, read_setup
from quatuor.table import Event, Table, history


@dataclass(frozen=True)
class Damage:
    """What is wrong, and where; without a table: the store as a whole."""

    what: str
    table: str | None = None
    version: int | None = None


def examine(store: Store) -> Iterator[Damage | str]:
    """The id of every table that is whole, and the damage of every other, as they are found."""
    with store.engine.connect() as connection:
        yield from map(Damage, _file(connection))
        ids = list(connection.execute(select(tables.c.id).order_by(tables.c.id)).scalars())
        for name in ids:
            yield _table(connection, name) or name


def _file(connection: Connection) -> list[str]:
    """What the database itself finds."""
    if connection.dialect.name != "sqlite":
        return []  # PostgreSQL checks its pages as it reads them
    found = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check")) if row[0] != "ok"]
    lost = connection.execute(text("PRAGMA foreign_key_check"))
    return found + [f"row {row[1]} of {row[0]} refers to nothing" for row in lost]


def _table(connection: Connection, name: str) -> Damage | None:
    version = 0
    try:
        table = Table(read_setup(connection.execute(select(tables.c.setup).where(tables.c.id == name)).scalar_one()))
        for row in connection.execute(select(events).where(events.c.table_id == name).order_by(events.c.version)):
            version += 1
            if row.version != version:
                return Damage(f"an event is missing; the next is {row.version}", name, version)
            _apply(table, Event(row.kind, row.data, row.guest, row.ack))
        if load(history(table).record()).moves != history(table).moves:
            return Damage("its record does not read back", name)
    except Exception as error:  # whatever a damaged row may bring about
        return Damage(f"{error.__class__.__name__}: {error}", name, version or None)
    return None


def _apply(table: Table, event: Event) -> None:
    """Like the server did it, and whoever moved had the seat."""
    seat = event.data.get("seat")
    if event.kind in ("move", "resign") and event.guest is not None and seat not in table.owned(event.guest):
        raise ValueError(f"somebody else played seat {seat}")
    table.apply(event)
