"""Compile kernels and keep their machine code; bits, random numbers and array types. The layer below all others."""

from quatuor.kernel.bits import lowest, ones
from quatuor.kernel.jit import bind, inlined, jit, rule, rule_hook, search_hook, template
from quatuor.kernel.rng import below, seeded, seeds
from quatuor.kernel.types import Bytes, Floats, Rng, Words

__all__ = [
    "Bytes",
    "Floats",
    "Rng",
    "Words",
    "below",
    "bind",
    "inlined",
    "jit",
    "lowest",
    "ones",
    "rule",
    "rule_hook",
    "search_hook",
    "seeded",
    "seeds",
    "template",
]
