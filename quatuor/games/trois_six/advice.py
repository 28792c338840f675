"""3/6 for the equilibrium search: the value of a position, and the words that distinguish it from others.

A small network with one hidden layer evaluates the features of both sides (``FEATURES``). It reads them twice, once
from either side, so that the values of the two sides add up to one. ``python -m bench.tune_trois_six`` fits its weights
to the values of a search one turn deeper, repeatedly, so that distant wins count in the end.
"""

from typing import Any, Literal

import numpy as np

from quatuor.games.contract import State
from quatuor.games.trois_six.rules import BOARD, FARTHEST, HEIGHT, PAWNS, QUIET, QUIET_TURNS, SPOT, SPOTS, reach
from quatuor.games.trois_six.weights import ROWS
from quatuor.kernel import Floats, Words, exp, exports, jit, ones

SEARCH: Literal["matrix"] = "matrix"

FEATURES = 10
(
    PILES,  # how many
    REACH,  # cells that can be ordered to
    ATTACKED,  # piles of the other that can be landed on
    STAKE,  # the pawns buried in those
    ATTACKERS,  # piles that can do it
    WINS,  # cells that win at once
    SURE,  # of those, the ones that the other cannot name (TS-7)
    TAKING,  # of those, the ones where the other stands
    BURIED,  # pawns below its own piles, as far as they count
    INNER,  # piles off the rim
) = range(FEATURES)
ENOUGH = 4  # ways to win: more do not matter
HIDDEN = 16  # units of the network; chosen, not measured
EVEN, ODD = 2 * FEATURES, 2 * FEATURES + HIDDEN  # behind the features: the hidden units' sums
SCRATCH = ODD + HIDDEN  # floats that expected_result works on
OFF_RIM = sum(1 << int(spot) for cell, spot in enumerate(SPOTS) if {cell % 6, cell // 6}.isdisjoint({0, 5}))

# For every hidden unit: the weights of the sums of the features of both sides, those of their differences, its bias,
# and its weight in the answer
UNIT = 10_000  # weights.py has whole numbers, this many for 1
WEIGHTS = np.array(ROWS) / UNIT


@jit
def identity(state: Words, words: Words) -> int:
    """The spot and the reach of every pile, by number; and the quiet turns, if they count."""
    for seat in range(2):
        word = 0
        for pawn in range(6 * seat, 6 * seat + 6):
            word = word << 10 | state[SPOT + pawn] << 3 | min(state[HEIGHT + pawn], FARTHEST)
        words[seat] = word
    words[2] = state[QUIET] if state[QUIET_TURNS] else 0
    return 3


@jit
def completing(spots: int) -> int:
    """The cells that make a line (TS-20) with two of these spots."""
    found = 0
    for k in range(4):
        step = 1 if k == 0 else 5 + k
        pair = spots & spots >> step
        found |= pair >> step | pair << 2 * step | (spots & spots >> 2 * step) << step
    return found & BOARD & ~spots


@jit
def look(state: Words, seat: int, features: Floats) -> tuple[int, int]:
    """The features of one side; return the cells it can order to, and those that win at once, as bits."""
    own = state[PAWNS + seat]
    other = state[PAWNS + 1 - seat]
    last = other if ones(other) == 3 else 0  # TS-21: landing on one of three wins
    lines = completing(own)
    near = 0
    wins = 0
    attackers = 0
    buried = 0
    for pawn in range(6 * seat, 6 * seat + 6):
        spot = state[SPOT + pawn]
        if spot:
            height = min(state[HEIGHT + pawn], FARTHEST)
            to = reach(state, seat, spot, height)
            near |= to
            wins |= to & last
            if to & lines:
                wins |= to & completing(own ^ 1 << spot)
            attackers += 1 if to & other else 0
            buried += height - 1
    stake = 0
    for pawn in range(6 - 6 * seat, 12 - 6 * seat):
        if near >> state[SPOT + pawn] & 1:
            stake += min(state[HEIGHT + pawn], FARTHEST) - 1
    at = FEATURES * seat
    features[at + PILES] = ones(own)
    features[at + REACH] = ones(near)
    features[at + ATTACKED] = ones(near & other)
    features[at + STAKE] = stake
    features[at + ATTACKERS] = attackers
    features[at + WINS] = min(ones(wins), ENOUGH)
    features[at + TAKING] = ones(wins & other)
    features[at + BURIED] = buried
    features[at + INNER] = ones(own & OFF_RIM)
    return near, wins


@jit
def look_at_both(state: Words, features: Floats) -> None:
    """The features of white, then of black."""
    white_near, white_wins = look(state, 0, features)
    black_near, black_wins = look(state, 1, features)
    features[SURE] = min(ones(white_wins & ~black_near), ENOUGH)
    features[FEATURES + SURE] = min(ones(black_wins & ~white_near), ENOUGH)


@jit
def network(state: Words, scratch: Floats, weights: Any) -> float:
    """The answer of the network: white's chance to win, a draw counted half."""
    look_at_both(state, scratch)
    units = (len(scratch) - EVEN) // 2  # HIDDEN, but not known to the compiler: then it uses vectors
    for h in range(units):
        scratch[EVEN + h] = weights[2 * FEATURES, h]
        scratch[ODD + h] = 0.0
    for k in range(0, FEATURES, 2):  # two at a time: half as many loads and stores
        both, both_next = scratch[k] + scratch[FEATURES + k], scratch[k + 1] + scratch[FEATURES + k + 1]
        more, more_next = scratch[k] - scratch[FEATURES + k], scratch[k + 1] - scratch[FEATURES + k + 1]
        for h in range(units):
            scratch[EVEN + h] = scratch[EVEN + h] + both * weights[k, h] + both_next * weights[k + 1, h]
            odd = scratch[ODD + h] + more * weights[FEATURES + k, h]
            scratch[ODD + h] = odd + more_next * weights[FEATURES + k + 1, h]
    for h in range(units):  # a separate loop, since it uses vectors and a sum does not
        even, odd = scratch[EVEN + h], scratch[ODD + h]
        scratch[EVEN + h] = weights[2 * FEATURES + 1, h] * (max(even + odd, 0.0) - max(even - odd, 0.0))
    total = 0.0
    for h in range(HIDDEN):
        total += scratch[EVEN + h]
    return 1 / (1 + exp(-total))


@jit
def expected_result(state: Words, scratch: Floats) -> float:
    """The expected result of white."""
    return network(state, scratch, WEIGHTS)


EXPORTS = exports(expected_result)


def judge(state: State, seat: int) -> float:
    """The expected result of a seat, without a search."""
    white = expected_result(state, np.zeros(SCRATCH))
    return white if seat == 0 else 1 - white
