"""A dictionary of limited size that forgets what is old."""

from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Remembered(OrderedDict[K, V]):
    """At most ``most`` entries, the longest unused first. Those that are ``old`` are forgotten from that end."""

    def __init__(self, most: int, old: Callable[[V], bool]) -> None:
        super().__init__()
        self._most, self._old = most, old

    def remember(self, key: K, value: V) -> V:
        """Set an entry, which is now the newest, and forget others for it; returns the value."""
        self[key] = value
        self.move_to_end(key)
        while self and (len(self) > self._most or self._old(next(iter(self.values())))):
            self.popitem(last=False)
        return value
