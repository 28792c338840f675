"""Where local games are kept: an append-only list of events for each table, as on the server."""

from typing import Any, NamedTuple, Protocol

from quatuor.table import Conflict


class StoredTable(NamedTuple):
    """A table as it is kept; plain data."""

    setup: dict[str, Any]
    events: list[dict[str, Any]]


class Store(Protocol):
    """What the host needs. The browser keeps it in IndexedDB."""

    async def open(self, table: str, setup: dict[str, Any], summary: dict[str, Any]) -> None:
        """Keep a new table."""

    async def append(self, table: str, version: int, event: dict[str, Any]) -> None:
        """Keep an event; Conflict if there is one of that version."""

    async def summarise(self, table: str, summary: dict[str, Any]) -> None:
        """Keep how the table stands, for lists of games."""

    async def load(self, table: str) -> StoredTable | None:
        """A table, or None."""

    async def summaries(self) -> list[dict[str, Any]]:
        """Every table with its ``id`` and the summary that was kept last."""

    async def remove(self, table: str) -> None:
        """Delete a table."""


class MemoryStore:
    """Keeps games until the process ends."""

    def __init__(self) -> None:
        self._tables: dict[str, StoredTable] = {}
        self._summaries: dict[str, dict[str, Any]] = {}

    async def open(self, table: str, setup: dict[str, Any], summary: dict[str, Any]) -> None:
        self._tables[table], self._summaries[table] = StoredTable(setup, []), summary

    async def append(self, table: str, version: int, event: dict[str, Any]) -> None:
        events = self._tables[table].events
        if version != len(events) + 1:
            raise Conflict
        events.append(event)

    async def summarise(self, table: str, summary: dict[str, Any]) -> None:
        self._summaries[table] = summary

    async def load(self, table: str) -> StoredTable | None:
        found = self._tables.get(table)
        return found and StoredTable(found.setup, list(found.events))

    async def summaries(self) -> list[dict[str, Any]]:
        return [{"id": table, **summary} for table, summary in self._summaries.items()]

    async def remove(self, table: str) -> None:
        self._tables.pop(table, None)
        self._summaries.pop(table, None)
