"""exp and log: near the exact values, and the same bits interpreted, compiled by Numba and in a library."""

import math
import os
import random
import subprocess
import sys
from decimal import Decimal, localcontext

import pytest

from quatuor.kernel import maths

EXP, LOG = (getattr(function, "py_func", function) for function in (maths.exp, maths.log))
DIGEST = """
import hashlib, struct
from tests.kernel.test_maths import arguments
from quatuor.kernel import exp, log
found = [exp(x) for x in arguments()] + [log(abs(x)) for x in arguments()]
print(hashlib.sha256(struct.pack(f"{len(found)}d", *found)).hexdigest())
"""


def arguments() -> list[float]:
    """Numbers of all sizes, most of them as searches have them."""
    chance = random.Random(1)
    small = [chance.uniform(-60, 30) for _ in range(2000)] + [chance.uniform(-1, 1) for _ in range(1000)]
    return small + [chance.uniform(-708, 709) for _ in range(1000)] + [1.0 + i for i in range(2000)]


def off(found: float, exact: Decimal) -> Decimal:
    """The error of a result in units in the last place."""
    return abs((Decimal(found) - exact) / Decimal(math.ulp(found)))


def test_both_are_within_one_unit_in_the_last_place() -> None:
    with localcontext() as context:
        context.prec = 40
        inside = [x for x in arguments() if x < maths.MOST]
        assert max(off(EXP(x), Decimal(x).exp()) for x in inside) < Decimal("0.6")
        sizes = [math.exp(x) for x in inside] + [abs(x) for x in arguments()] + [1.0 + x / 1e9 for x in range(1, 99)]
        assert max(off(LOG(x), Decimal(x).ln()) for x in sizes) < Decimal("0.9")


@pytest.mark.parametrize(
    ("function", "x", "value"),
    [
        (EXP, 0.0, 1.0),
        (EXP, -1e9, 0.0),
        (EXP, -math.inf, 0.0),
        (EXP, 1e9, math.inf),
        (EXP, math.inf, math.inf),
        (LOG, 1.0, 0.0),
        (LOG, 0.0, -math.inf),
        (LOG, math.inf, math.inf),
        (LOG, 5e-324, math.log(5e-324)),
    ],
)
def test_the_ends_of_the_range(function, x: float, value: float) -> None:
    assert function(x) == value


def test_nan_stays_nan() -> None:
    assert math.isnan(EXP(math.nan))
    assert math.isnan(LOG(math.nan))
    assert math.isnan(LOG(-1.0))


@pytest.mark.slow
def test_every_way_to_run_them_gives_the_same_bits() -> None:
    def digest(**environment: str) -> str:
        command = [sys.executable, "-c", DIGEST]
        return subprocess.run(
            command, env=os.environ | environment, capture_output=True, text=True, check=True, timeout=120
        ).stdout

    interpreted = digest(QUATUOR_KERNELS="interpreted")
    assert digest(QUATUOR_KERNELS="jit") == interpreted
    assert digest() == interpreted  # the library, where it has been built
