"""Words as sets of bits. Both functions compile to one or two instructions on processors with a popcount."""

from quatuor.kernel.jit import jit


@jit
def ones(word: int) -> int:
    """How many bits are set."""
    n = 0
    while word:
        word &= word - 1
        n += 1
    return n


@jit
def lowest(word: int) -> int:
    """The number of the lowest bit that is set; there must be one."""
    return ones((word & -word) - 1)
