"""One thread writes: all items that wait are committed together, with one flush of the disk."""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import InterfaceError, OperationalError

from quatuor.server.clock import now
from quatuor.server.store.chain import Chain
from quatuor.server.store.database import driver_errors, quickly
from quatuor.server.store.pubsub import PubSub

Work = Callable[[Connection], None]
BATCH = 100
GATHER = 0.006  # seconds that the first one waits for others: nobody notices, and many share a commit


@dataclass(slots=True, eq=False)
class Item:
    """Something to write: by its own statements first, then an event, then a note to the other processes."""

    work: Work | None = None
    event: dict[str, Any] | None = None
    note: dict[str, Any] | None = None
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop)  # of the one who waits
    since: float = field(default_factory=time.monotonic)
    error: Exception | None = None  # why it was not written
    done: "asyncio.Future[None]" = field(init=False)
    timer: asyncio.TimerHandle | None = None  # rings when it has taken too long

    def __post_init__(self) -> None:
        self.done = self.loop.create_future()

    def expire(self) -> None:
        """In the event loop: it has taken too long. It may still be written, or not."""
        if not self.done.done():
            self.done.set_exception(TimeoutError())

    def finish(self) -> None:
        """In the event loop: it is on disk, or will not be. Nobody may be waiting any more."""
        if self.timer:
            self.timer.cancel()
        if self.done.done():
            return
        if self.error:
            self.done.set_exception(self.error)
        else:
            self.done.set_result(None)


class Writer:
    """``write`` gives a future that is done when the item is on disk, or holds the reason why it is not."""

    def __init__(self, engine: Engine, notes: PubSub, limit: float) -> None:
        self._engine, self._pubsub = engine, notes
        self._limit = limit  # seconds after which nobody waits for an item any longer
        self._waiting: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        self._chain = Chain()
        self.written = 0  # when something last was
        self._oldest: float | None = None  # when the first of those that are being written was asked for
        self._connection: Connection | None = None  # kept open, not taken from the pool for each commit
        self._thread = threading.Thread(target=self._run, name="quatuor-writer", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> float:
        """Seconds for which the oldest item has waited."""
        oldest = self._oldest
        return 0.0 if oldest is None else time.monotonic() - oldest

    def write(self, item: Item) -> "asyncio.Future[None]":
        """Have it written in a transaction, after all that was asked for before; even if nobody waits any longer."""
        item.timer = item.loop.call_later(self._limit, item.expire)
        self._waiting.put(item)
        return item.done

    def close(self) -> None:
        """Finish what waits, then stop."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            batch = [self._waiting.get()]
            time.sleep(GATHER)
            while len(batch) < BATCH and not self._waiting.empty():
                batch.append(self._waiting.get())
            items = [item for item in batch if item is not None]
            self._oldest = items[0].since if items else None
            self._write(self._in_time(items))
            _finish(items)
            self._oldest = None
            if None in batch:
                self._hang_up()
                return

    def _in_time(self, items: list[Item]) -> list[Item]:
        """The items that are still waited for; after an outage of the store the others would delay them."""
        since = time.monotonic() - self._limit
        for item in items:
            if item.since < since:
                item.error = TimeoutError()
        return [item for item in items if item.since >= since]

    def _write(self, items: list[Item]) -> None:
        if not items:
            return
        kept = self._connection is not None
        error = self._commit(items)
        if kept and _lost(error):  # perhaps the database was restarted long ago
            error = self._commit(items)
        if error is None:
            return
        if _lost(error) or len(items) == 1:
            for item in items:
                item.error = error
            return
        for item in items:  # one of them makes the batch fail: write each alone
            self._write([item])
            _finish([item])

    def _commit(self, items: list[Item]) -> Exception | None:
        """Write them together; what went wrong."""
        try:
            connection = self._connection = self._connection or self._engine.connect().execution_options(writes=True)
            heads: dict[str, tuple[int, str]] = {}
            works = [item.work for item in items if item.work]
            rows = [item.event for item in items if item.event]
            notes = [item.note for item in items if item.note]
            quick = rows and not works and self._chain.knows(rows)
            with driver_errors(connection), quickly(connection) if quick else connection.begin():
                for work in works:
                    work(connection)
                if rows:
                    heads = self._chain.append(connection, rows, self._pubsub.messages(notes))
                elif notes:
                    self._pubsub.send(connection, *notes)
        except Exception as error:
            self._hang_up(broken=_lost(error))
            return error
        self._chain.remember(heads)
        self.written = now()
        return None

    def _hang_up(self, broken: bool = False) -> None:
        if self._connection:
            with contextlib.suppress(Exception):
                if broken:
                    self._connection.invalidate()  # nobody gets it again
                self._connection.close()
            self._connection = None


def _finish(items: list[Item]) -> None:
    """Wake those who wait: the event loop is interrupted once for the whole batch."""

    def finish(done: list[Item]) -> None:
        for item in done:
            item.finish()

    for loop in {item.loop for item in items}:
        with contextlib.suppress(RuntimeError):  # it is closed: nobody waits
            loop.call_soon_threadsafe(finish, [item for item in items if item.loop is loop])


def _lost(error: Exception | None) -> bool:
    """Whether the database could not be reached, so that the next item would fare no better."""
    return isinstance(error, OperationalError | InterfaceError)
