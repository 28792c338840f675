"""The alarm of a table: it rings when a flag falls."""

import asyncio
import contextlib
from typing import Any

from quatuor.server.clock import now
from quatuor.server.tasks import Tasks
from quatuor.table import Context, Refused, Session, decide
from quatuor.table.commands import CallFlag
from quatuor.table.events import Accepted


class FlagAlarm:
    """Set for the next flag of a table in memory. Games by the day have none: the scheduler watches their flags."""

    def __init__(self, session: Session[Any], tasks: Tasks) -> None:
        self._session, self._tasks = session, tasks
        self._timer: asyncio.TimerHandle | None = None

    @property
    def ticking(self) -> bool:
        """Whether a clock is running that counts seconds rather than days."""
        return bool(self._session.table.clocks.since) and not self._session.table.setup.pace.days

    def set(self) -> None:
        """Wait for the next flag."""
        self.cancel()
        fall = self._session.table.clocks.next_fall
        if fall is not None and self.ticking:
            self._timer = asyncio.get_running_loop().call_later(max(0, fall - now()) / 1000, self._ring)

    def cancel(self) -> None:
        """Wait no longer."""
        if self._timer:
            self._timer.cancel()
            self._timer = None

    async def check(self) -> None:
        """End the game for every seat whose flag has fallen."""
        while isinstance(decide(self._session.table, CallFlag(), Context(now=now())), Accepted):
            await self._session.handle(CallFlag())

    def _ring(self) -> None:
        self._tasks.spawn(self._checked())

    async def _checked(self) -> None:
        with contextlib.suppress(Refused):  # the store failed: the table leaves memory, and its alarm is set on loading
            await self.check()
