"""exp and log, the same to the last bit wherever they run.

The functions of the system differ in the last bit from one library to the next, and then the same search with the same
seed would play differently in a browser. These use only + - * / and comparisons, each rounded as IEEE 754 says, in a
fixed order, and tables computed from whole numbers. Both are within one unit in the last place of the exact value
(tests/kernel/test_maths.py).
"""

import math

import numpy as np

from quatuor.kernel.jit import jit
from quatuor.kernel.signature import exports

STEPS = 32  # exp: a table holds 2 ** (i / STEPS), so that the polynomial has little left to do
LEAST, MOST = -708.0, 709.0  # exp is 0 below, where a result would have fewer digits, and infinite above


def _ln2(bits: int) -> int:
    """The logarithm of 2, times 2 ** bits: the sum of 1 / (k * 2 ** k)."""
    return sum((1 << bits + 64) // (k << k) for k in range(1, bits + 64)) >> 64


def _split(divisor: int) -> tuple[float, float]:
    """ln 2 / divisor as a short number, whose product with a small whole number is exact, and the rest of it."""
    whole = _ln2(160) // divisor
    high = whole >> 118  # 42 binary places
    return high / 2**42, (whole - (high << 118)) / 2**160


def _roots() -> tuple[list[float], list[float]]:
    """2 ** (i / STEPS), and what rounding has taken off it."""
    high, low = [], []
    for i in range(STEPS):
        root = 1 << i + 120 * STEPS
        for _ in range(STEPS.bit_length() - 1):
            root = math.isqrt(root)
        high.append(root / 2**120)
        low.append((root - int(high[-1] * 2**60) * 2**60) / 2**120)
    return high, low


HIGH, LOW = _split(STEPS)
LN2_HIGH, LN2_LOW = _split(1)
PER_LN2 = STEPS * 2**160 / _ln2(160)  # how many steps of the table x = 1 makes
ROOTS, ROOTS_LOW = map(np.array, _roots())
SMALL = np.array([2.0**i for i in range(32)])
LARGE = np.array([2.0 ** (32 * i) for i in range(-32, 32)])
# The series of exp(r), and of log((1 + s) / (1 - s)): 2 * (s + s**3 / 3 + s**5 / 5 + …)
E2, E3, E4, E5, E6 = 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720
L1, L2, L3, L4, L5, L6, L7, L8, L9, L10 = (2 / (2 * k + 1) for k in range(1, 11))
TINY, SCALE = 2.0**-1000, 2.0**60  # smaller numbers are scaled first: the smallest have fewer digits
DOUBLINGS = 10  # the largest number is below 2 ** 1024
UP = np.array([2.0 ** (1 << i) for i in range(DOUBLINGS)])  # 2, 4, 16, … 2 ** 512
DOWN = 1 / UP
ROOT_OF_TWO = 1.4142135623730951


@jit
def exp(x: float) -> float:
    """e to the power of x."""
    x = float(x)
    if not LEAST < x < MOST:
        return 0.0 if x <= LEAST else x + math.inf
    k = int(x * PER_LN2 + (0.5 if x >= 0.0 else -0.5))
    r = (x - k * HIGH) - k * LOW  # x = k * ln 2 / STEPS + r
    q = r + r * r * (E2 + r * (E3 + r * (E4 + r * (E5 + r * E6))))
    i = k & STEPS - 1
    power = k >> 5
    return (ROOTS[i] + (ROOTS_LOW[i] + ROOTS[i] * q)) * SMALL[power & 31] * LARGE[(power >> 5) + 32]  # type: ignore[no-any-return]


@jit
def log(x: float) -> float:
    """The natural logarithm of x: minus infinity for 0, not a number below."""
    x = float(x)
    if not 0.0 < x < math.inf:
        return -math.inf if x == 0.0 else x if x > 0.0 else math.nan
    power = 0
    if x < TINY:
        x *= SCALE
        power = -60
    for i in range(DOUBLINGS - 1, -1, -1):  # to a number from 1 to 2
        if x >= UP[i]:
            x *= DOWN[i]
            power += 1 << i
        elif x < 1.0 and x * UP[i] < 2.0:
            x *= UP[i]
            power -= 1 << i
    if x > ROOT_OF_TWO:
        x *= 0.5
        power += 1
    f = x - 1.0
    s = f / (2.0 + f)  # log(1 + f) = 2 * (s + s ** 3 / 3 + s ** 5 / 5 + …)
    z = s * s
    late = z * (L6 + z * (L7 + z * (L8 + z * (L9 + z * L10))))
    rest = z * (L1 + z * (L2 + z * (L3 + z * (L4 + z * (L5 + late)))))
    half = 0.5 * f * f
    return power * LN2_HIGH - ((half - (s * (half + rest) + power * LN2_LOW)) - f)


EXPORTS = exports(exp, log)
