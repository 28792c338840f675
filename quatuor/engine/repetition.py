"""Count how often a position has occurred: an open-addressing table of 62-bit digests.

Every occurrence takes a slot of its own, so a count is the number of equal digests met while probing, and a path is
forgotten by emptying its slots in reverse order. With n positions a wrong match has a chance below n**2 / 2**62.
"""

import numpy as np
import numpy.typing as npt

from quatuor.kernel import Words, inlined, jit

_LOW = (1 << 31) - 1
_ALL = (1 << 62) - 1
_FACTOR = 0x6C8E9CE6  # _FACTOR * 2**31 - 1 is a safe prime: the longest cycles multiply-with-carry can have


@jit
@inlined
def digest(words: Words, count: int) -> int:
    """A number from 1 to 2**62 - 1 for the first ``count`` words (multiply with carry: no product overflows)."""
    h = count
    for i in range(count):
        h ^= words[i] & _ALL
        h = (h & _LOW) * _FACTOR + (h >> 31)
    for _ in range(2):
        h = (h & _LOW) * _FACTOR + (h >> 31)
    return max(h, 1)


@jit
def occurred(table: Words, slots: Words, used: int, number: int) -> int:
    """Add one occurrence of a digest to the table; return how many there are now.

    The table's length is a power of two above the number of positions kept; ``slots[used]`` remembers the slot.
    """
    mask = len(table) - 1
    slot = (number ^ number >> 31) & mask
    times = 1
    while table[slot]:
        if table[slot] == number:
            times += 1
        slot = slot + 1 & mask
    table[slot] = number
    slots[used] = slot
    return times


@jit
def times(table: Words, number: int) -> int:
    """How many occurrences of a digest the table holds."""
    mask = len(table) - 1
    slot = (number ^ number >> 31) & mask
    found = 0
    while table[slot]:
        if table[slot] == number:
            found += 1
        slot = slot + 1 & mask
    return found


@jit
def forget(table: Words, slots: Words, start: int, end: int) -> None:
    """Take back the occurrences ``start`` to ``end - 1``, which must be the latest ones."""
    for i in range(end - 1, start - 1, -1):
        table[slots[i]] = 0


def history(keys: list[bytes], room: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """A table (and its slots) that holds these positions and has room for as many more."""
    slots = np.zeros(len(keys) + room, np.int64)
    table = np.zeros(table_size(len(slots)), np.int64)
    for i, key in enumerate(keys):
        words = np.frombuffer(key, np.int64)
        occurred(table, slots, i, digest(words, len(words)))
    return table, slots


def table_size(positions: int) -> int:
    """The length of a table for so many positions: a power of two, at most half full."""
    return 1 << (2 * positions).bit_length()
