import random

import numpy as np

from quatuor.kernel import lowest, ones


def test_bits_are_counted_and_found() -> None:
    dice = random.Random(1)
    for _ in range(500):
        word = dice.getrandbits(62) & dice.getrandbits(62) | 1 << dice.randrange(62)
        assert ones(word) == word.bit_count()
        assert lowest(word) == (word & -word).bit_length() - 1
    assert ones(0) == 0
    with np.errstate(over="ignore"):  # 64 bits: a Python integer has no fixed size
        assert ones(np.int64(-1)) == 64
