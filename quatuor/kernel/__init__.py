"""Compile kernels and keep their machine code; bits, random numbers and array types. The layer below all others."""

from quatuor.kernel.bits import lowest, ones
from quatuor.kernel.jit import bind, inlined, jit, rule, rule_hook, search_hook, status, template
from quatuor.kernel.maths import exp, log
from quatuor.kernel.rng import below, seeded, seeds
from quatuor.kernel.signature import Array, exports
from quatuor.kernel.types import (
    Bytes,
    Bytes2,
    Bytes3,
    Floats,
    Floats2,
    Floats3,
    Rng,
    Rngs,
    Singles,
    Singles2,
    Words,
    Words1,
    Words2,
    Words3,
)

__all__ = [
    "Array",
    "Bytes",
    "Bytes2",
    "Bytes3",
    "Floats",
    "Floats2",
    "Floats3",
    "Rng",
    "Rngs",
    "Singles",
    "Singles2",
    "Words",
    "Words1",
    "Words2",
    "Words3",
    "below",
    "bind",
    "exp",
    "exports",
    "inlined",
    "jit",
    "log",
    "lowest",
    "ones",
    "rule",
    "rule_hook",
    "search_hook",
    "seeded",
    "seeds",
    "status",
    "template",
]
