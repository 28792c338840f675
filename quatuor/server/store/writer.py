"""One thread writes, many wishes at a time: whatever waits is committed together, one flush of the disk for all."""

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine

from quatuor.server.store.chain import Chain
from quatuor.server.store.pubsub import PubSub

Work = Callable[[Connection], None]
BATCH = 100
GATHER = 0.006  # seconds that the first one waits for others: nobody notices, and many share a commit


@dataclass(frozen=True)
class Item:
    """Something to write: by its own statements first, then an event, then a note to the other processes."""

    work: Work | None = None
    event: dict[str, Any] | None = None
    note: dict[str, Any] | None = None
    done: "Future[None]" = field(default_factory=Future)


class Writer:
    """``write`` gives a future that is done when the item is on disk, or holds the reason why it is not."""

    def __init__(self, engine: Engine, notes: PubSub) -> None:
        self._engine, self._pubsub = engine, notes
        self._waiting: queue.SimpleQueue[Item | None] = queue.SimpleQueue()
        self._chain = Chain()
        self._connection: Connection | None = None  # kept open, not taken from the pool for each commit
        self._thread = threading.Thread(target=self._run, name="quatuor-writer", daemon=True)
        self._thread.start()

    def write(self, item: Item) -> "Future[None]":
        """Have it written in a transaction, after all that was asked for before."""
        item.done.set_running_or_notify_cancel()  # it is written even if whoever asked for it no longer waits
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
            if not self._commit(items):
                for item in items:  # one of them spoils it for all: each for itself
                    self._commit([item], last_try=True)
            if None in batch:
                self._hang_up()
                return

    def _commit(self, items: list[Item], last_try: bool = False) -> bool:
        try:
            connection = self._connection = self._connection or self._engine.connect().execution_options(writes=True)
            heads: dict[str, tuple[int, str]] = {}
            with connection.begin():
                for item in items:
                    if item.work:
                        item.work(connection)
                if rows := [item.event for item in items if item.event]:
                    heads = self._chain.append(connection, rows)
                if notes := [item.note for item in items if item.note]:
                    self._pubsub.send(connection, *notes)
        except Exception as error:
            self._hang_up()
            if last_try:
                items[0].done.set_exception(error)
            return False
        self._chain.remember(heads)
        for item in items:
            item.done.set_result(None)
        return True

    def _hang_up(self) -> None:
        if self._connection:
            self._connection.close()
            self._connection = None
