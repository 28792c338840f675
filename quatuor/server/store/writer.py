"""One thread writes, many wishes at a time: whatever waits is committed together, one flush of the disk for all."""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future

from sqlalchemy import Connection, Engine

Work = Callable[[Connection], None]
BATCH = 100


class Writer:
    """``write`` gives a future that is done when the work is on disk, or holds the reason why it is not."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: queue.SimpleQueue[tuple[Work, Future[None]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="quatuor-writer", daemon=True)
        self._thread.start()

    def write(self, work: Work) -> "Future[None]":
        """Have the work done in a transaction, after all that was asked for before."""
        future: Future[None] = Future()
        self._waiting.put((work, future))
        return future

    def close(self) -> None:
        """Finish what waits, then stop."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            batch = [self._waiting.get()]
            while len(batch) < BATCH and not self._waiting.empty():
                batch.append(self._waiting.get())
            works = [item for item in batch if item is not None]
            if not self._commit(works):
                for item in works:  # one of them spoils it for all: each for itself
                    self._commit([item], last_try=True)
            if None in batch:
                return

    def _commit(self, works: list[tuple[Work, "Future[None]"]], last_try: bool = False) -> bool:
        try:
            with self._engine.begin() as connection:
                for work, _ in works:
                    work(connection)
        except Exception as error:
            if last_try:
                works[0][1].set_exception(error)
            return False
        for _, future in works:
            future.set_result(None)
        return True
