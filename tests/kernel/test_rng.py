"""Random numbers: equal interpreted and compiled, the same in every release, uniform, independent between seeds."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from quatuor.kernel import below, seeded, seeds

MASK = 2**64 - 1


def splitmix(seed: int) -> int:
    """The seed's generator state, computed with Python integers."""
    x = (seed + 1) * 0x9E3779B97F4A7C15 & MASK
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def xorshift(x: int) -> int:
    x ^= x << 13 & MASK
    x ^= x >> 7
    return x ^ (x << 17 & MASK)


def draw(rng: npt.NDArray[Any], n: int, count: int) -> list[int]:
    return [int(below(rng, n)) for _ in range(count)]


@pytest.mark.parametrize("seed", [0, 1, 7, 2**63, 2**64 - 2, -5])
def test_numbers_are_those_of_xorshift64_on_splitmix64(seed: int) -> None:
    state, expected = splitmix(seed % 2**64), []
    for n in (2, 6, 1000, 2**31 - 1):
        state = xorshift(state)
        expected.append((state >> 33) * n >> 31)
    rng = seeded(seed)
    assert [int(below(rng, n)) for n in (2, 6, 1000, 2**31 - 1)] == expected
    assert int(rng[0]) == state


def test_interpreted_and_compiled_agree() -> None:
    plain = getattr(below, "py_func", below)
    one, two = seeded(42), seeded(42)
    for n in range(1, 2000):
        assert plain(one, n) == below(two, n)


def test_first_values_are_kept_forever() -> None:
    assert int(seeded(0)[0]) == 0xE220A8397B1DCDAF  # splitmix64's published first number for seed 0
    assert draw(seeded(2024), 100, 10) == [67, 37, 84, 64, 29, 5, 84, 36, 97, 72]


@pytest.mark.parametrize("n", [2, 3, 7, 64, 414])
def test_numbers_are_uniform(n: int) -> None:
    count = 400 * n
    seen = np.bincount(draw(seeded(n), n, count), minlength=n)
    assert len(seen) == n
    chi_square = float(((seen - 400) ** 2 / 400).sum())
    assert abs(chi_square - (n - 1)) < 5 * (2 * (n - 1)) ** 0.5  # five standard deviations


def test_first_draws_of_neighbouring_seeds_are_even_too() -> None:
    first = np.bincount([int(below(rng, 8)) for rng in seeds(1000, 8000)], minlength=8)
    assert float(((first - 1000) ** 2 / 1000).sum()) < 7 + 5 * 14**0.5


def test_seeds_of_a_batch_differ_and_are_consecutive() -> None:
    states = seeds(5, 1000)
    assert states.shape == (1000, 1)
    assert len(set(states[:, 0])) == 1000
    assert states[3] == seeded(8)
    assert draw(seeded(1), 100, 20) != draw(seeded(2), 100, 20)


def test_no_seed_gives_the_state_that_never_moves() -> None:
    stuck = 2**64 - 1  # splitmix64 turns this one into zero
    assert splitmix(stuck) == 0
    assert len(set(draw(seeded(stuck), 1000, 20))) > 10
