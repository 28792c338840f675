"""Limits of one connection or one name: a bucket of tokens that fills up again. Budgets of visitors: budgets.py."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable

from quatuor.server.engine_queue import RETRY_AFTER
from quatuor.server.remembered import Remembered
from quatuor.server.visitors import Visitor
from quatuor.table import Refused

REMEMBERED = 10_000  # addresses
STREAMS = 64  # analyses under way at once


class Bucket:
    """``size`` at once, ``rate`` each second in the long run."""

    def __init__(self, limit: tuple[float, float], clock: Callable[[], float] = time.monotonic) -> None:
        self.size, self.rate = limit
        self._clock = clock
        self._tokens, self._at = self.size, clock()

    @property
    def full(self) -> bool:
        """Whether it is as if nothing had ever been taken."""
        return self._tokens + (self._clock() - self._at) * self.rate >= self.size

    def take(self) -> bool:
        """Whether one more is allowed."""
        now = self._clock()
        self._tokens = min(self.size, self._tokens + (now - self._at) * self.rate)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Buckets:
    """A bucket for each address until it is full again; of too many the longest unused is forgotten first."""

    def __init__(self, limit: tuple[float, float], clock: Callable[[], float] = time.monotonic) -> None:
        self._limit, self._clock = limit, clock
        self._buckets: Remembered[str, Bucket] = Remembered(REMEMBERED, lambda bucket: bucket.full)

    def take(self, address: str) -> bool:
        """Whether one more from this address is allowed."""
        bucket = self._buckets.get(address) or Bucket(self._limit, self._clock)
        taken = bucket.take()
        self._buckets.remember(address, bucket)
        return taken


class Streams:
    """Analyses under way. A person who asks for another one gives up the first.

    When all places are taken, the network that holds the most gives one up to a network that holds fewer.
    """

    def __init__(self, places: int = STREAMS, network: float = STREAMS) -> None:
        self._places, self._network = places, network  # in all, and of one network
        self._running: dict[Visitor, asyncio.Future[str]] = {}  # the result: why the analysis ends early

    def __len__(self) -> int:
        return len(self._running)

    def begin(self, visitor: Visitor) -> "asyncio.Future[str]":
        """Take a place. The result of the future says why the place is lost; Refused if no place is free."""
        if visitor in self._running:
            self._end_early(visitor, "replaced")
        held = Counter(other.network for other in self._running)
        if held[visitor.network] >= self._network:
            raise Refused("over_budget", budget="analyses", of="network", most=self._network, retry_after=RETRY_AFTER)
        if len(self) >= self._places:
            largest, count = held.most_common(1)[0]
            if count <= held[visitor.network] + 1:
                raise Refused("busy", retry_after=RETRY_AFTER)
            self._end_early([other for other in self._running if other.network == largest][-1], "busy")
        place = self._running[visitor] = asyncio.get_running_loop().create_future()
        return place

    def end(self, visitor: Visitor, place: "asyncio.Future[str]") -> None:
        """The analysis is finished, or has no reader left."""
        if self._running.get(visitor) is place:
            del self._running[visitor]

    def _end_early(self, visitor: Visitor, why: str) -> None:
        place = self._running.pop(visitor)
        if not place.done():
            place.set_result(why)
