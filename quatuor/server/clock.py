"""What time it is, in milliseconds since 1970; it never goes back while the server runs.

Servers on several hosts share one PostgreSQL and go by its clock: each measures the offset to it again and again. With
SQLite the local clock counts.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

DRIFT = 0.2  # milliseconds a second: how far two clocks may drift apart, so that an old measurement is worth less
SKEW = float(os.environ.get("QUATUOR_TEST_CLOCK_SKEW", "0"))  # seconds; tests set a host's clock wrong with it


@dataclass(frozen=True)
class Offset:
    """How far the common clock is ahead of this process's monotonic clock."""

    milliseconds: float
    bound: float  # the error is at most this, when it was measured
    at: float  # when that was, by time.monotonic

    def error(self, at: float) -> float:
        """The largest error by then."""
        return self.bound + DRIFT * (at - self.at)


class Clock:
    """The local clock until a better one is measured."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        self._monotonic = monotonic
        self._offset = Offset((wall() + SKEW - monotonic()) * 1000, float("inf"), monotonic())
        self._latest = 0

    def now(self) -> int:
        """The current time."""
        self._latest = max(self._latest, int(self._monotonic() * 1000 + self._offset.milliseconds))
        return self._latest

    def measured(self, there: float, sent: float, received: float) -> None:
        """The common clock showed ``there`` milliseconds at some moment between sending and receiving."""
        new = Offset(there - (sent + received) * 500, (received - sent) * 500, received)
        old = self._offset
        contradicted = abs(new.milliseconds - old.milliseconds) > new.bound + old.error(received)
        if contradicted or new.bound <= old.error(received):
            if old.bound == float("inf"):
                self._latest = 0  # the first measurement: nothing has used the local clock yet
            self._offset = new


_clock = Clock()
now, measured = _clock.now, _clock.measured
