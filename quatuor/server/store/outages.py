"""When nobody could move, because no server ran or the store was away: running clocks get that time back, once.

While fast clocks run, and always where several processes may serve, each process writes a sign of life every two
seconds. A gap between two signs, by any process, is an outage. It is kept in the store: a process that starts beside
others changes nothing, and of several that start together each knows the same.
"""

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from quatuor.server.clock import now
from quatuor.server.store.schema import outages, pulse
from quatuor.table import Table

if TYPE_CHECKING:
    from quatuor.server.store.store import Store

DOWN_AFTER = 4000  # milliseconds between two signs of life
KEPT = 60 * 86_400_000  # milliseconds; longer than any clock runs for one turn
PULSE = 1  # the row that all processes write


class Outage(NamedTuple):
    """Between those moments nobody could move."""

    start: int
    end: int
    served: bool  # a server ran, but the store was away


class Outages:
    """Writes signs of life, and knows the gaps between them."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._last = 0  # our own sign of life
        self.known: list[Outage] = []
        self._lock = asyncio.Lock()

    async def start(self) -> None:
        """A process starts: find out how long no process ran."""
        await self._beat(starting=True)

    async def beat(self) -> None:
        """Write a sign of life, and see whether an outage has just ended."""
        async with self._lock:
            await self._beat()

    async def unaccounted(self, table: Table) -> Outage | None:
        """An outage after the last thing that happened at a table, if its running clocks get the time back.

        Fast clocks do. Clocks by the day do where only the store was away: a restart makes no difference to them.
        """
        if not table.clocks.since:
            return None
        slow = bool(table.setup.pace.days)
        if now() - self._last > DOWN_AFTER and (self._store.pubsub.shared or not slow):
            await self.beat()  # perhaps the store is back only now: find out before anybody's time is up
        concerning = (one for one in self.known if one.end > table.touched and (one.served or not slow))
        return next(concerning, None)

    async def _beat(self, starting: bool = False) -> None:
        found: tuple[int, list[Outage]] = (0, [])

        def work(connection: Connection) -> None:
            nonlocal found
            row = pulse.c.id == PULSE
            if not connection.execute(update(pulse).where(row).values(at=pulse.c.at)).rowcount:  # waits for its turn
                connection.execute(insert(pulse).values(id=PULSE, at=now()))
            last = connection.execute(select(pulse.c.at).where(row)).scalar_one()
            at = max(now(), last)
            connection.execute(update(pulse).where(row).values(at=at))
            last = max(last, 0 if starting else self._store.writer.written)  # any write is a sign of life
            if at - last > DOWN_AFTER:
                connection.execute(delete(outages).where(outages.c.end < at - KEPT))
                connection.execute(insert(outages).values(start=last, end=at, served=not starting))
            rows = connection.execute(select(outages).order_by(outages.c.start)).all()
            found = (at, [Outage(row.start, row.end, row.served) for row in rows])

        try:
            await self._store.write(work)
        except IntegrityError:  # another process wrote the very first one
            await self._store.write(work)
        self._last, self.known = found
