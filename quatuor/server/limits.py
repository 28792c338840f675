"""Limits of one connection or one name: a bucket of tokens that fills up again. Budgets of visitors: budgets.py."""

import time
from collections import OrderedDict
from collections.abc import Callable

from quatuor.table import Refused

REMEMBERED = 10_000  # addresses
STREAMS = 64  # analyses under way at once


class Bucket:
    """``size`` at once, ``rate`` each second in the long run."""

    def __init__(self, limit: tuple[float, float], clock: Callable[[], float] = time.monotonic) -> None:
        self.size, self.rate = limit
        self._clock = clock
        self._tokens, self._at = self.size, clock()

    def take(self) -> bool:
        """Whether one more is fine."""
        now = self._clock()
        self._tokens = min(self.size, self._tokens + (now - self._at) * self.rate)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class Buckets:
    """A bucket for each address, the longest unused forgotten first."""

    def __init__(self, limit: tuple[float, float]) -> None:
        self._limit = limit
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str) -> bool:
        """Whether one more from this address is fine."""
        bucket = self._buckets.setdefault(address, Bucket(self._limit))
        self._buckets.move_to_end(address)
        if len(self._buckets) > REMEMBERED:
            self._buckets.popitem(last=False)
        return bucket.take()


class Streams:
    """Who is being told an analysis; whoever asks for another one gives up the first."""

    def __init__(self) -> None:
        self._latest: dict[str, object] = {}

    def begin(self, who: str) -> object:
        """A sign for a new analysis."""
        if who not in self._latest and len(self._latest) >= STREAMS:
            raise Refused("rate_limited")
        self._latest[who] = sign = object()
        return sign

    def goes_on(self, who: str, sign: object) -> bool:
        """Whether this analysis is still wanted."""
        return self._latest.get(who) is sign

    def end(self, who: str, sign: object) -> None:
        """It is done, or nobody listens any more."""
        if self.goes_on(who, sign):
            del self._latest[who]
