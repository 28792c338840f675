"""The evaluation of Plateau X: how good a position is for each seat.

Every seat has a row of features, whose weights depend on how much can still be built. The weighted difference of two
rows gives, through the logistic curve, the probability that one seat ends above the other; the mean over the others is
the seat's value. So one formula serves two, three and four players, and the weights can be fitted to the results of
games (bench/plateau_x_weights.py).
"""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from quatuor.games.plateau_x.rules import (
    DOUBLES_LEFT,
    LEVEL,
    OCCUPIED,
    PAWN,
    PLANES,
    SINGLES_LEFT,
    STEP,
    TURN,
    VARIANT,
    barred,
    fitting,
    level_of,
    plateaus,
    targets,
    worth,
)
from quatuor.games.plateau_x.rules import _neighbours as neighbours
from quatuor.games.plateau_x.tables import BIT, IN_HAND, KINDS, NO_LOWER_LEFT, PAWNS, SEATS
from quatuor.games.plateau_x.weights import KNOTS, WEIGHTS
from quatuor.kernel import Floats, Words, exp, exports, jit, ones, seeds

SEARCH: Literal["bestfirst"] = "bestfirst"

# ---- a seat's features
HAND = 0  # pawns not brought in yet
HEIGHT = 1  # the better pawn's level
AREA = 2  # the size of its plateau
REACH = 3  # the highest level a pawn stands on or can move to
REACH_AREA = 4  # how many cells such plateaus have
FREEDOM = 5  # the root of the number of cells it can move to
SINGLES, DOUBLES = 6, 7  # in stock
MOVES_NEXT = 8  # it is its turn
GAIN_NEXT = 9  # it is its turn: how much higher it can get
LADDER = 10  # free neighbours one level higher
FLAT = 11  # free neighbours on its level, where a brick makes a step
SHARED = 12  # an enemy is on its plateau
OTHER_HEIGHT = 13  # the other pawn's level
CLIMBS = 14  # the root of the number of cells above it that it can move to
WAIT = 15  # turns until it is its turn
OWN = 16  # features of one seat
# ---- of two seats
AHEAD = 16  # which of them would be ranked higher now
OUTREACH = 17  # which of them can get higher
FIRST = 18  # which of them can get there first, where both can reach the same plateau
FEATURES = 19

# ---- what is kept of each seat while comparing, after its features
STANDING = 16  # its rank as a number
GOAL = 17  # the first cell of the highest plateau it can get to, as a bit
SCORE = 18  # its features, weighted
ROW = 19
TABLE = 4 * ROW  # where the weights begin in the work array
TASTE = 0.1  # by what share the weights may vary with the seed, so that games differ; chosen, not measured


def workspace(seed: int, weights: npt.NDArray[np.float64] = WEIGHTS) -> npt.NDArray[np.float64]:
    """The work array of ``evaluate``: room for the seats' rows, and the weights, varied slightly by the seed."""
    taste = 1 + TASTE * (seeds(seed, weights.size).ravel() / 2.0**63 - 1)
    return np.concatenate([np.zeros(TABLE), weights.ravel() * taste])


@jit
def highest(state: Words, cells: int) -> int:
    """Those of the cells that are on the highest level among them."""
    for plane in range(PLANES - 1, -1, -1):
        if cells & state[LEVEL + plane]:
            cells &= state[LEVEL + plane]
    return cells


@jit
def on_level(state: Words, level: int) -> int:
    """All cells on a level (also unused bits where the level is 0)."""
    cells = -1
    for plane in range(PLANES):
        cells &= state[LEVEL + plane] if level >> plane & 1 else ~state[LEVEL + plane]
    return cells


@jit
def room(state: Words) -> int:
    """The number of ways to lay a triple: a measure of how far away the end is."""
    ways = 0
    for kind in range(NO_LOWER_LEFT, KINDS):
        ways += ones(fitting(state, 0, kind))
    return ways


@jit
def look(state: Words, seat: int, row: int, work: Floats) -> None:
    """A seat's features, from index ``row`` of the work array on."""
    seats = SEATS[state[VARIANT] & 3]
    pawns = PAWNS[state[VARIANT] & 3]
    for i in range(ROW):
        work[row + i] = 0.0
    best = 0
    standing = 0
    reached = 0
    for i in range(pawns):
        cell = state[PAWN + 2 * seat + i]
        if cell == IN_HAND:
            work[row + HAND] += 1.0
            continue
        rank = worth(state, seat, i)
        if rank > standing:
            standing = rank
            best = i
        reached |= targets(state, seat, BIT[cell])
    work[row + STANDING] = float(standing)
    if standing:
        pawn = BIT[state[PAWN + 2 * seat + best]]
        level = level_of(state, pawn)
        ground = plateaus(state, pawn)
        others = state[OCCUPIED] & ~BIT[state[PAWN + 2 * seat]] & ~BIT[state[PAWN + 2 * seat + 1]]
        top = highest(state, reached | pawn)
        reach = level_of(state, top)
        work[row + HEIGHT] = float(level)
        work[row + AREA] = min(ones(ground), 12) / 12.0
        work[row + REACH] = float(max(reach, level))
        goal = plateaus(state, top)
        work[row + GOAL] = float(goal & -goal)
        work[row + REACH_AREA] = min(ones(goal), 12) / 12.0
        work[row + FREEDOM] = math.sqrt(ones(reached)) / 3.0
        free = ~barred(state, seat) & ~state[OCCUPIED]
        higher = neighbours(pawn, state[STEP], state[STEP + 1]) & free & on_level(state, level + 1)
        work[row + LADDER] = float(ones(higher))
        flat = neighbours(pawn, -1, -1) & on_level(state, level) & ~state[OCCUPIED]
        work[row + FLAT] = float(ones(flat))
        work[row + SHARED] = 1.0 if ground & others else 0.0
        climbs = 0
        for up in range(level + 1, reach + 1):
            climbs |= reached & on_level(state, up)
        work[row + CLIMBS] = math.sqrt(ones(climbs))
        if pawns == 2 and state[PAWN + 2 * seat + 1 - best] != IN_HAND:
            work[row + OTHER_HEIGHT] = float(level_of(state, BIT[state[PAWN + 2 * seat + 1 - best]]))
    work[row + SINGLES] = float(state[SINGLES_LEFT + seat])
    work[row + DOUBLES] = float(state[DOUBLES_LEFT + seat])
    work[row + WAIT] = float((seat - state[TURN]) % seats)
    if seat == state[TURN]:
        work[row + MOVES_NEXT] = 1.0
        work[row + GAIN_NEXT] = work[row + REACH] - work[row + HEIGHT]


@jit
def sign(x: float) -> float:
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


@jit
def versus(one: int, two: int, feature: int, work: Floats) -> float:
    """A feature of two seats, whose rows begin at these indices: 1 if it favours the first, -1 the second."""
    if feature == AHEAD:
        return sign(work[one + STANDING] - work[two + STANDING])
    if feature == OUTREACH:
        return sign(work[one + REACH] - work[two + REACH])
    if work[one + GOAL] > 0 and work[one + GOAL] == work[two + GOAL]:
        return sign(work[two + WAIT] - work[one + WAIT])
    return 0.0


@jit
def evaluate(state: Words, values: Floats, work: Floats) -> None:
    """The share of the others that each seat is expected to beat."""
    variant = state[VARIANT] & 3
    seats = SEATS[variant]
    ways = room(state)
    knot = 0
    while knot < len(KNOTS) - 2 and ways >= KNOTS[knot + 1]:
        knot += 1
    near = TABLE + (variant * len(KNOTS) + knot) * FEATURES  # the weights of the nearest knots
    far = near + FEATURES
    late = max(0.0, (KNOTS[knot + 1] - ways) / (KNOTS[knot + 1] - KNOTS[knot]))
    for seat in range(seats):
        row = seat * ROW
        look(state, seat, row, work)
        score = 0.0
        for i in range(OWN):
            weight = late * work[near + i] + (1 - late) * work[far + i]
            score += weight * work[row + i]
        work[row + SCORE] = score
        values[seat] = 0.0
    for one in range(seats):
        for two in range(one + 1, seats):
            edge = work[one * ROW + SCORE] - work[two * ROW + SCORE]
            for i in range(OWN, FEATURES):
                weight = late * work[near + i] + (1 - late) * work[far + i]
                edge += weight * versus(one * ROW, two * ROW, i, work)
            chance = 1 / (1 + exp(-edge))
            values[one] += chance / (seats - 1)
            values[two] += (1 - chance) / (seats - 1)


EXPORTS = exports(evaluate)


def judge(state: npt.NDArray[np.int64], seat: int) -> float:
    """The share of the others that a seat is expected to beat, without a search."""
    values = np.zeros(SEATS[state[VARIANT]])
    evaluate(state, values, np.concatenate([np.zeros(TABLE), WEIGHTS.ravel()]))
    return float(values[seat])
