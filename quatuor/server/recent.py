"""The last events of a table, for clients that were away for a moment."""

from typing import Any

from quatuor.table.entries import Entries

RECENT = 100  # events


class Recent:
    """Public events in order, the newest last, kept as small as the turns of a table."""

    def __init__(self, events: list[dict[str, Any]]) -> None:
        self._events = Entries()
        for event in events:
            self.append(event)

    def append(self, event: dict[str, Any]) -> None:
        """Add the newest; now and then the oldest are dropped together, as each is packed against the one before."""
        self._events.append(event)
        if len(self._events) == 2 * RECENT:
            newest, self._events = self._events[-RECENT:], Entries()
            for kept in newest:
                self._events.append(kept)

    def last(self, count: int) -> list[dict[str, Any]] | None:
        """That many events; None if they are no longer known, or lie in the future."""
        known = min(RECENT, len(self._events))
        return self._events[len(self._events) - count :] if 0 <= count <= known else None
