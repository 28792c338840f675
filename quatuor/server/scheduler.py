"""Periodic work: write summaries, watch flags, expire sessions, collect garbage."""

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import Awaitable, Callable

from quatuor.server.clock import now
from quatuor.server.hub import Hub
from quatuor.server.metrics import Metrics
from quatuor.server.sessions import Sessions
from quatuor.server.store import Store
from quatuor.server.store.outages import Outage
from quatuor.server.store.table_index import TableIndex
from quatuor.table import Refused

log = logging.getLogger("quatuor.server")

FLUSH_EVERY = 1.0  # seconds; a read has its summaries written first
BEAT_EVERY = 2.0
FLAGS_EVERY = 5.0  # for tables that are not in memory
CLEAR_EVERY = 3600.0
TIDY_EVERY = 0.5
SWEEP_EVERY = 900.0  # it holds up everybody, and frees little: 300 small objects after 600 games
LAG_EVERY = 0.25


class Scheduler:
    """Started with the server."""

    def __init__(self, store: Store, table_index: TableIndex, hub: Hub, sessions: Sessions, metrics: Metrics) -> None:
        self._store, self._table_index, self._hub, self._sessions = store, table_index, hub, sessions
        self._metrics = metrics
        self._gc_began = 0.0
        self._tasks: list[asyncio.Task[None]] = []
        self._outages: list[Outage] = []  # those that tables in memory know

    async def start(self) -> None:
        """Find out how long no server ran; then begin the periodic work."""
        await self._store.outages.start()
        self._outages = self._store.outages.known
        gc.disable()  # left to itself it scans all tables in the middle of a move, and everybody waits
        gc.collect()
        gc.freeze()  # games, kernels and libraries stay: no later collection scans them again
        gc.callbacks.append(self._measure_gc)
        chores = (
            (FLUSH_EVERY, self._table_index.flush_some), (BEAT_EVERY, self._beat), (FLAGS_EVERY, self._flags),
            (CLEAR_EVERY, self._sessions.expire), (TIDY_EVERY, self._tidy), (SWEEP_EVERY, self._sweep),
        )  # fmt: skip
        works = [self._again(*chore) for chore in chores]
        self._tasks = [asyncio.ensure_future(work) for work in (*works, self._mend(), self._measure_lag())]

    async def stop(self) -> None:
        """Write what is left."""
        for task in self._tasks:
            task.cancel()
        gc.callbacks.remove(self._measure_gc)
        gc.unfreeze()
        gc.enable()
        await self._table_index.flush()

    async def _again(self, every: float, chore: Callable[[], Awaitable[None]]) -> None:
        while True:
            try:
                await chore()
            except Exception:
                log.exception("%s failed", chore.__qualname__)
            await asyncio.sleep(every)

    async def _measure_lag(self) -> None:
        """How late the event loop is: how long a move would wait before it is handled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_EVERY
            await asyncio.sleep(LAG_EVERY)
            self._metrics.loop_lag.observe(max(0.0, loop.time() - due))

    def _measure_gc(self, phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            self._gc_began = time.perf_counter()
        else:
            self._metrics.gc_pauses.labels(info["generation"]).observe(time.perf_counter() - self._gc_began)

    async def _beat(self) -> None:
        outages, here = self._store.outages, self._hub.all_here()
        if not self._store.pubsub.shared and not any(live.alarm.ticking for live in here):
            return  # spares the disk of a server at home
        await outages.beat()
        if outages.known != self._outages:
            self._outages = outages.known
            for live in here:
                with contextlib.suppress(Refused):
                    await live.settle()

    async def _tidy(self) -> None:
        """Collect young garbage."""
        gc.collect(1)

    async def _sweep(self) -> None:
        """Collect all garbage."""
        gc.collect()

    async def _flags(self) -> None:
        for table in await self._table_index.due(now()):
            with contextlib.suppress(Refused):
                live = await self._hub.get(table)
                await live.alarm.check()
                live.update_summary()  # even if nobody was late after all, because the server had been down

    async def _mend(self) -> None:
        """Write the summaries that are missing: of older stores, and of the moment before a crash."""
        for table in await self._table_index.stale():
            with contextlib.suppress(Refused):
                (await self._hub.get(table)).update_summary()
