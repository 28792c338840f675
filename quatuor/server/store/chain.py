"""The hash chain of a table's events: each hash covers its event and the hash before, so that no change goes unnoticed.

Events of older releases have no hash; the chain begins anew after each of them. ``heads`` has the last version and hash
of every table, written in the same transaction, so that lost events at the end are noticed too.
"""

import hashlib
import time
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, select, tuple_

from quatuor.server.remembered import Remembered
from quatuor.server.store.database import driver_of
from quatuor.server.store.pubsub import CHANNEL, NOTIFY
from quatuor.server.store.schema import events

COVERED = ("table_id", "version", "kind", "data", "guest", "ack", "at")
REMEMBERED = 20_000  # tables
UNUSED = 600.0  # seconds after which a table is forgotten: its game is over, or its next event comes in a day

_ALL = ", ".join((*COVERED, "hash"))
_UPDATE = (
    " ON CONFLICT (table_id) DO UPDATE SET version = excluded.version, hash = excluded.hash"
    " WHERE heads.version < excluded.version"
)
# For the drivers themselves: SQLAlchemy would take longer to prepare a statement than the database to carry it out
POSTGRESQL = (  # one statement for all rows, and so one way there and back
    f"WITH new AS (INSERT INTO events ({_ALL}) SELECT {_ALL} FROM json_populate_recordset(NULL::events, %s::json)),"
    " last AS (INSERT INTO heads (table_id, version, hash) SELECT table_id, version, hash"
    f" FROM json_populate_recordset(NULL::heads, %s::json){_UPDATE})"
    f" {NOTIFY}"
)
EVENTS_SQLITE = f"INSERT INTO events ({_ALL}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
HEADS_SQLITE = "INSERT INTO heads (table_id, version, hash) VALUES (?, ?, ?)" + _UPDATE

Row = dict[str, Any]


def event_hash(before: str | None, event: Mapping[str, Any]) -> str:
    """SHA-256 of the hash before, if there is one, and the event as JSON with sorted keys."""
    plain = msgspec.json.decode(msgspec.json.encode([event[name] for name in COVERED]))  # as it will be read back
    return hashlib.sha256((before or "").encode() + msgspec.json.encode(plain, order="deterministic")).hexdigest()


def _values(row: Row) -> tuple[Any, ...]:
    """A row in the order of the columns, its data as JSON."""
    return (
        *(row[name] if name != "data" else msgspec.json.encode(row["data"]).decode() for name in COVERED),
        row["hash"],
    )


class Chain:
    """Adds events with their hashes. It remembers the last hash of tables written to, and looks up the others."""

    def __init__(self) -> None:
        # table -> version, hash, when
        self._last: Remembered[str, tuple[int, str, float]] = Remembered(
            REMEMBERED, lambda one: one[2] < time.monotonic() - UNUSED
        )

    def knows(self, rows: list[Row]) -> bool:
        """Whether these events can be added without looking up hashes."""
        first = _before_first(rows)
        return all(version == (self._last[table][0] if table in self._last else 0) for table, version in first.items())

    def append(
        self, connection: Connection, rows: list[Row], messages: Sequence[str] = ()
    ) -> dict[str, tuple[int, str]]:
        """Write events and notify others, and return the new last hashes; ``remember`` them once they are committed."""
        rows = sorted(rows, key=lambda row: (row["table_id"], row["version"]))  # the same order for all: no deadlock
        last = self._before(connection, rows)
        for row in rows:
            table, version = row["table_id"], row["version"]
            known, before = last.get(table, (0, ""))
            row["hash"] = event_hash(before if known == version - 1 else "", row)
            last[table] = version, row["hash"]
        heads = {row["table_id"]: last[row["table_id"]] for row in rows}
        if connection.dialect.name == "postgresql":
            plain = [{"table_id": table, "version": version, "hash": made} for table, (version, made) in heads.items()]
            written = [msgspec.json.encode(some).decode() for some in (rows, plain)]
            driver_of(connection).execute(POSTGRESQL, (*written, CHANNEL, list(messages)))
        else:
            driver_of(connection).executemany(EVENTS_SQLITE, [_values(row) for row in rows])
            driver_of(connection).executemany(HEADS_SQLITE, [(table, *head) for table, head in heads.items()])
        return heads

    def remember(self, heads: dict[str, tuple[int, str]]) -> None:
        """These are in the store now."""
        at = time.monotonic()
        for table, head in heads.items():
            self._last.remember(table, (*head, at))

    def _before(self, connection: Connection, rows: list[Row]) -> dict[str, tuple[int, str]]:
        """For each table the version and hash that its first new event follows."""
        first = _before_first(rows)
        known = {table: self._last[table][:2] for table in first if table in self._last}
        found = {table: head for table, head in known.items() if head[0] == first[table]}
        wanted = [(table, version) for table, version in first.items() if version and table not in found]
        if wanted:
            place = tuple_(events.c.table_id, events.c.version)
            query = select(events.c.table_id, events.c.version, events.c.hash).where(place.in_(wanted))
            found |= {row.table_id: (row.version, row.hash or "") for row in connection.execute(query)}
        return found


def _before_first(rows: list[Row]) -> dict[str, int]:
    """For each table the version before its first new event."""
    return {row["table_id"]: row["version"] - 1 for row in reversed(rows)}
