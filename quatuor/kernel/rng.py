"""Random numbers that are the same interpreted, compiled for the CPU and compiled for the GPU.

A generator is one uint64 word in an array, stepped by xorshift64 (Marsaglia 2003; 13, 7 and 17 are his). Seeds are
spread by splitmix64 (Steele, Lea and Flood 2014) on the host, so that neighbouring seeds give unrelated games.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from quatuor.kernel.jit import jit
from quatuor.kernel.signature import exports
from quatuor.kernel.types import Rng

_A, _B, _C, _TOP = np.uint64(13), np.uint64(7), np.uint64(17), np.uint64(33)


@jit
def below(rng: Rng, n: int) -> int:
    """A number in 0..n-1 (n below 2**31); steps the generator. The bias is at most n / 2**31."""
    x = rng[0]
    x ^= x << _A
    x ^= x >> _B
    x ^= x << _C
    rng[0] = x
    top: Any = np.int64(x >> _TOP)
    return top * n >> 31  # type: ignore[no-any-return]


EXPORTS = exports(below)


def seeds(seed: int, count: int) -> npt.NDArray[np.uint64]:
    """Generator states for the games ``seed``, ``seed + 1``, …, shape (count, 1)."""
    x = (np.arange(count, dtype=np.uint64) + np.uint64(seed % 2**64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    x[x == 0] = np.uint64(1)  # xorshift never leaves zero
    return x.reshape(count, 1)


def seeded(seed: int) -> npt.NDArray[np.uint64]:
    """One generator: ``below(seeded(7), 6)`` is a die."""
    return seeds(seed, 1).reshape(1)
