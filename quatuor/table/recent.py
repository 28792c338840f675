"""The last public events of a table, for clients that were disconnected for a moment."""

import json
from typing import Any

from quatuor.table.encoding import encode
from quatuor.table.events import Event
from quatuor.table.table import Table
from quatuor.table.visibility import Plain

RECENT = 100  # events


class Recent:
    """Of a move, only the ply is kept here: the table has the entry until the move is taken back."""

    def __init__(self) -> None:
        self._events: list[Plain | int] = []  # a move: the ply that it completed

    def append(self, table: Table, public: Plain) -> None:
        """Add the newest event, which has just been applied."""
        self._events.append(table.game.ply if public["kind"] == "move" else public)
        del self._events[:-RECENT]

    def before(self, table: Table, event: Event) -> None:
        """An event is about to be applied: keep the entries that an undo removes from the table."""
        if event.kind != "undo":
            return
        texts = list(table.entries.texts())
        version = table.version - len(self._events)
        for number, kept in enumerate(self._events):
            version += 1
            if isinstance(kept, int) and kept > event.data["ply"]:
                self._events[number] = {"version": version, "kind": "move", "entry": json.loads(texts[kept - 1])}

    def since(self, table: Table, version: int) -> list[tuple[Plain, bytes]] | None:
        """The events after a version, each with its JSON; None if they are not known any more, or not yet."""
        count = table.version - version
        if not 0 <= count <= len(self._events):
            return None
        events = self._events[len(self._events) - count :]
        first = version + 1
        return [_event(table, first + number, event) for number, event in enumerate(events)]


def _event(table: Table, version: int, event: Plain | int) -> tuple[Plain, bytes]:
    if isinstance(event, dict):
        return event, encode(event)
    public: dict[str, Any] = {"version": version, "kind": "move"}
    return public, encode({**public, "entry": table.entries[event - 1]})
