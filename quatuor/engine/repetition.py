"""The repetition rule: count how often a position has occurred, and end a game at the third time.

A position is known by a 62-bit digest of its key. A history is kept in one of two ways. A *memo* is an open-addressing
hash table in which every occurrence takes a slot of its own: a count is the number of equal digests met while probing,
and the latest positions are forgotten by emptying their slots in reverse order. A *list* with a small filter needs less
memory for each of many short games. With n positions a wrong match has a chance below n**2 / 2**62.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quatuor.games.contract import REPETITIONS, key, repeat, to_move
from quatuor.kernel import Words, exports, inlined, jit, template

FILTER = 4  # words (a power of two) of a list's filter, in which every digest sets a bit; chosen, not measured

_LOW = (1 << 31) - 1
_ALL = (1 << 62) - 1
_FACTOR = 0x6C8E9CE6  # _FACTOR * 2**31 - 1 is a safe prime: the longest cycles multiply-with-carry can have


class History(NamedTuple):
    """The positions of a game so far."""

    memo: Words  # a power of two above the number of positions
    slots: Words  # the slot of each position
    key: Words  # room for a position's key, as long as a state


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
def occurred(memo: Words, slots: Words, used: int, number: int) -> int:
    """Add one occurrence of a digest to the memo; return how many there are now. ``slots[used]`` is its slot."""
    mask = len(memo) - 1
    slot = (number ^ number >> 31) & mask
    times = 1
    while memo[slot]:
        if memo[slot] == number:
            times += 1
        slot = slot + 1 & mask
    memo[slot] = number
    slots[used] = slot
    return times


@jit
def times(memo: Words, number: int) -> int:
    """How many occurrences of a digest the memo holds."""
    mask = len(memo) - 1
    slot = (number ^ number >> 31) & mask
    found = 0
    while memo[slot]:
        if memo[slot] == number:
            found += 1
        slot = slot + 1 & mask
    return found


@jit
def forget(history: History, start: int, end: int) -> None:
    """Take back the positions ``start`` to ``end - 1``, which must be the latest ones."""
    for i in range(end - 1, start - 1, -1):
        history.memo[history.slots[i]] = 0


@template
def remember(state: Words, history: History, kept: int) -> int:
    """Add a position to the ``kept`` ones; its third occurrence ends the game. Return how many are kept now."""
    n = key(state, history.key)
    if n == 0:
        return kept
    end_if_third(state, occurred(history.memo, history.slots, kept, digest(history.key, n)))
    return kept + 1


@template
@inlined
def remember_in_list(state: Words, room: Words, seen: Words, history: Words, kept: int) -> int:
    """Add a position behind the ``kept`` ones of a list; return how often it has occurred, 0 if the rule counts none.

    The list is short and searched from end to end. Most positions are new, and the filter ``seen`` mostly shows that
    without a search. ``room`` is for the key.
    """
    n = key(state, room)
    if n == 0:
        return 0
    number = digest(room, n)
    if kept == 0:
        for j in range(FILTER):
            seen[j] = 0
    word = number & FILTER - 1
    bit = 1 << (number >> 8 & 31)
    times = 1
    if seen[word] & bit:
        for j in range(kept):
            times += 1 if history[j] == number else 0
    seen[word] |= bit
    history[kept] = number
    return times


@template
@inlined
def end_if_third(state: Words, times: int) -> None:
    """End a running game if this was the third occurrence of its position."""
    if times == REPETITIONS and to_move(state):
        repeat(state)


@template
def third_on_path(state: Words, depth: int, keys: Words, room: Words, memo: Words) -> bool:
    """Whether a position of a search tree occurs for the third time, in the game so far or on the path to it.

    ``keys`` has the digests on the path, the root's first, and gets this one at ``depth``. The memo has the positions
    of the game so far, the root among them.
    """
    return step_to(state, depth, keys, room) and on_path(depth, keys) + times(memo, keys[depth]) >= REPETITIONS


@template
def third_after_list(state: Words, depth: int, keys: Words, room: Words, history: Words, count: int) -> bool:
    """The same where a list has the ``count`` positions of the game so far."""
    if not step_to(state, depth, keys, room):
        return False
    found = on_path(depth, keys)
    for i in range(count):
        found += 1 if history[i] == keys[depth] else 0
    return found >= REPETITIONS


@template
@inlined
def step_to(state: Words, depth: int, keys: Words, room: Words) -> bool:
    """Write the digest of a position of a tree; whether it can be a repetition: not the root, nor without the rule."""
    n = key(state, room)
    keys[depth] = digest(room, n) if n else 0
    return n != 0 and depth != 0


@jit
@inlined
def on_path(depth: int, keys: Words) -> int:
    """How often the position at ``depth`` occurs on a path, below the root."""
    found = 1
    for i in range(1, depth):
        found += 1 if keys[i] == keys[depth] else 0
    return found


EXPORTS = exports(digest, occurred)


def history_of(keys: list[bytes], room: int, size: int) -> History:
    """A history that holds the positions with these keys and has room for as many more, of states of this size."""
    slots = np.zeros(len(keys) + room, np.int64)
    memo = np.zeros(memo_size(len(slots)), np.int64)
    for i, position in enumerate(keys):
        words = np.array(np.frombuffer(position, np.int64))  # kernels take arrays that can be written to
        occurred(memo, slots, i, digest(words, len(words)))
    return History(memo, slots, np.zeros(size, np.int64))


def memo_of(keys: list[bytes]) -> npt.NDArray[np.int64]:
    """A memo that holds the positions with these keys."""
    memo: Any = history_of(keys, 0, 0).memo
    return memo  # type: ignore[no-any-return]


def memo_size(positions: int) -> int:
    """The length of a memo for this many positions: a power of two, at most half full."""
    return 1 << (2 * positions).bit_length()
