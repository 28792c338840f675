"""Compile kernels and keep their machine code; bits, random numbers and array types. The layer below all others."""

from quatuor.kernel.bits import lowest, ones
from quatuor.kernel.jit import advised, bind, inlined, jit, provided, rule, rule_hook, search_hook, template
from quatuor.kernel.rng import below, seeded, seeds
from quatuor.kernel.types import Bytes, Floats, Rng, Words

__all__ = [
    "Bytes",
    "Floats",
    "Rng",
    "Words",
    "advised",
    "below",
    "bind",
    "inlined",
    "jit",
    "lowest",
    "ones",
    "provided",
    "rule",
    "rule_hook",
    "search_hook",
    "seeded",
    "seeds",
    "template",
]
