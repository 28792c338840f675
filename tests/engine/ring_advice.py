"""Advice for the ring without any knowledge: every result comes from the search."""

import numpy as np

from quatuor.kernel import Floats, Words, jit

SEARCH = "bestfirst"


def workspace(seed):
    return np.zeros(1)


@jit
def evaluate(state: Words, values: Floats, work: Floats) -> None:
    values[0] = 0.5
    values[1] = 0.5
