"""What has to be done now and then, whoever is there: cards written, flags watched, sessions cleared away."""

import asyncio
import contextlib
import gc
import logging
from collections.abc import Awaitable, Callable

from quatuor.server.clock import now
from quatuor.server.hub import Hub
from quatuor.server.sessions import Sessions
from quatuor.server.store.table_index import TableIndex
from quatuor.table import Refused

log = logging.getLogger("quatuor.server")

FLUSH_EVERY = 1.0  # seconds; whoever reads cards has theirs written first
BEAT_EVERY = 2.0
FLAGS_EVERY = 5.0  # for tables that are not in memory
CLEAR_EVERY = 3600.0
TIDY_EVERY = 0.5
SWEEP_EVERY = 900.0
DOWN_AFTER = 4000  # milliseconds without a sign of life, though clocks were running: no server ran


class Scheduler:
    """Started with the server."""

    def __init__(self, table_index: TableIndex, hub: Hub, sessions: Sessions) -> None:
        self._table_index, self._hub, self._sessions = table_index, hub, sessions
        self._tasks: list[asyncio.Task[None]] = []

    async def start(self) -> None:
        """Find out how long no server ran; from then on, see to everything."""
        last, began = await self._table_index.last_pulse(), now()
        if last is not None and began - last > DOWN_AFTER:
            self._hub.down = (last, began)
        gc.disable()  # left to itself it looks at all tables in the middle of a move, and everybody waits
        chores = (
            (FLUSH_EVERY, self._table_index.flush_some), (BEAT_EVERY, self._beat), (FLAGS_EVERY, self._flags),
            (CLEAR_EVERY, self._sessions.expire), (TIDY_EVERY, self._tidy), (SWEEP_EVERY, self._sweep),
        )  # fmt: skip
        works = [self._again(*chore) for chore in chores]
        self._tasks = [asyncio.ensure_future(work) for work in (*works, self._mend())]

    async def stop(self) -> None:
        """Write what is left."""
        for task in self._tasks:
            task.cancel()
        gc.enable()
        await self._table_index.flush()

    async def _again(self, every: float, chore: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await chore()
            except Exception:
                log.exception("%s failed", chore.__qualname__)
            await asyncio.sleep(every)

    async def _beat(self) -> None:
        if any(live.ticking for live in self._hub.all_here()):
            await self._table_index.beat(now())

    async def _tidy(self) -> None:
        """Search what is new for what nobody holds any more."""
        gc.collect(1)

    async def _sweep(self) -> None:
        """The same for all that lives."""
        gc.collect()

    async def _flags(self) -> None:
        for table in await self._table_index.due(now()):
            with contextlib.suppress(Refused):
                live = await self._hub.get(table)
                await live.check_flags()
                live.update_summary()  # also where nobody was late after all: the server had been down

    async def _mend(self) -> None:
        """Make the cards that are missing: of older stores, and of the moment before a crash."""
        for table in await self._table_index.stale():
            with contextlib.suppress(Refused):
                (await self._hub.get(table)).update_summary()
