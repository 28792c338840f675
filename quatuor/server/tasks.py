"""Background work that belongs to an object: kept from being collected, logged if it fails, cancelled with it."""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

log = logging.getLogger("quatuor.server")


class Tasks:
    """Coroutines under way."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def __bool__(self) -> bool:
        return bool(self._running)

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Run it in the background."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._done)

    def cancel(self) -> None:
        """Stop all of them."""
        for task in self._running:
            task.cancel()

    def _done(self, task: "asyncio.Task[Any]") -> None:
        self._running.discard(task)
        if not task.cancelled() and task.exception():
            log.error("background work failed", exc_info=task.exception())
