"""A session's log without a store, and a table to play at."""

from quatuor.table import Conflict, Seat, Setup

NOON = 1_700_000_000_000
SETUP = Setup(
    "plus4",
    "elementary",
    {},
    (Seat("human", "ada"), Seat("human", "bob")),
    "ada",
    "2026-11-15",
    opened=1_700_000_000_000,
)


class ListLog:
    """Events in memory. ``first``: an event that another process stores before ours."""

    def __init__(self, shared=False):
        self.events, self.first, self.shared = [], None, shared

    async def append(self, version, event):
        if self.first:
            self.events.append(self.first)
            self.first = None
        if version != len(self.events) + 1:
            raise Conflict(version)
        self.events.append(event)

    async def since(self, version):
        return self.events[version:]
