"""3/6 for the equilibrium search: what a position is worth, and what tells it from others.

A position is judged by what each side has (see ``FEATURES``), through a small network of one hidden layer that reads
it twice, once from either side, so that what is good for one is as bad for the other. Its weights were learned from
the values that searching a turn deeper gives (``python -m bench.tune_trois_six``), again and again, so that wins far
ahead show in the end.
"""

import math
from typing import Any, Literal

import numpy as np

from quatuor.games.contract import State
from quatuor.games.trois_six.rules import BOARD, FARTHEST, HEIGHT, PAWNS, QUIET, QUIET_TURNS, SPOT, SPOTS, reach
from quatuor.games.trois_six.weights import ROWS
from quatuor.kernel import Floats, Words, jit

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
    BURIED,  # pawns below one's own piles, as far as they count
    INNER,  # piles off the rim
) = range(FEATURES)
ENOUGH = 4  # ways to win: more do not matter
HIDDEN = 16
EVEN, ODD = 2 * FEATURES, 2 * FEATURES + HIDDEN  # behind the features: the hidden units' sums
SCRATCH = ODD + HIDDEN  # floats that evaluate works on
OFF_RIM = sum(1 << int(spot) for cell, spot in enumerate(SPOTS) if {cell % 6, cell // 6}.isdisjoint({0, 5}))

# What every hidden unit makes of each feature that both sides have together; of each that white has more than black;
# where it begins; how much it adds
UNIT = 10_000  # they are written in whole numbers, a row for each feature
WEIGHTS = np.array(ROWS) / UNIT


@jit
def identity(state: Words, words: Words) -> int:
    """Where every pile stands and how far it goes, by number; and how long it has been quiet, if that counts."""
    for seat in range(2):
        word = 0
        for pawn in range(6 * seat, 6 * seat + 6):
            word = word << 10 | state[SPOT + pawn] << 3 | min(state[HEIGHT + pawn], FARTHEST)
        words[seat] = word
    words[2] = state[QUIET] if state[QUIET_TURNS] else 0
    return 3


@jit
def count(bits: int) -> int:
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


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
    """What one side has; return the cells it can order to, and those that win at once, as bits."""
    own = state[PAWNS + seat]
    other = state[PAWNS + 1 - seat]
    last = other if count(other) == 3 else 0  # TS-21: landing on one of three wins
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
    features[at + PILES] = count(own)
    features[at + REACH] = count(near)
    features[at + ATTACKED] = count(near & other)
    features[at + STAKE] = stake
    features[at + ATTACKERS] = attackers
    features[at + WINS] = min(count(wins), ENOUGH)
    features[at + TAKING] = count(wins & other)
    features[at + BURIED] = buried
    features[at + INNER] = count(own & OFF_RIM)
    return near, wins


@jit
def look_at_both(state: Words, features: Floats) -> None:
    """The features of white, then of black."""
    white_near, white_wins = look(state, 0, features)
    black_near, black_wins = look(state, 1, features)
    features[SURE] = min(count(white_wins & ~black_near), ENOUGH)
    features[FEATURES + SURE] = min(count(black_wins & ~white_near), ENOUGH)


@jit
def network(state: Words, scratch: Floats, weights: Any) -> float:
    """Its answer: white's chance to win, a draw counted half."""
    look_at_both(state, scratch)
    units = (len(scratch) - EVEN) // 2  # HIDDEN; a number that the compiler does not know makes it use vectors
    for h in range(units):
        scratch[EVEN + h] = weights[2 * FEATURES, h]
        scratch[ODD + h] = 0.0
    for k in range(FEATURES):
        both = scratch[k] + scratch[FEATURES + k]
        more = scratch[k] - scratch[FEATURES + k]
        for h in range(units):
            scratch[EVEN + h] += both * weights[k, h]
            scratch[ODD + h] += more * weights[FEATURES + k, h]
    total = 0.0
    for h in range(HIDDEN):
        even, odd = scratch[EVEN + h], scratch[ODD + h]
        total += weights[2 * FEATURES + 1, h] * (max(even + odd, 0.0) - max(even - odd, 0.0))
    return 1 / (1 + math.exp(-total))


@jit
def evaluate(state: Words, scratch: Floats) -> float:
    """What white may expect."""
    return network(state, scratch, WEIGHTS)


def judge(state: State, seat: int) -> float:
    """What a seat may expect, at a glance."""
    white = evaluate(state, np.zeros(SCRATCH))
    return white if seat == 0 else 1 - white
