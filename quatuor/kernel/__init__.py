"""Compile once, cache safely: the layer below every rulebook and every search."""

from quatuor.kernel.bits import lowest, ones
from quatuor.kernel.jit import advised, bind, inlined, jit, provided, rule_hook, search_hook, template
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
    "rule_hook",
    "search_hook",
    "seeded",
    "seeds",
    "template",
]
