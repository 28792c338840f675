"""Count how often a position has occurred: an open-addressing table of 62-bit digests.

Every occurrence takes a slot of its own, so a count is the number of equal digests met while probing, and a path is
forgotten by emptying its slots in reverse order. With n positions a wrong match has a chance below n**2 / 2**62.
"""

from quatuor.kernel import Words, jit

_LOW = (1 << 31) - 1
_ALL = (1 << 62) - 1
_FACTOR = 0x6C8E9CE6  # _FACTOR * 2**31 - 1 is a safe prime: the longest cycles multiply-with-carry can have


@jit
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
def forget(table: Words, slots: Words, start: int, end: int) -> None:
    """Take back the occurrences ``start`` to ``end - 1``, which must be the latest ones."""
    for i in range(end - 1, start - 1, -1):
        table[slots[i]] = 0
