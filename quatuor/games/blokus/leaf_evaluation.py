"""The expected end of a game, from the pieces in hand and the room of every colour.

With half of the pieces on the board this is as good as one random playout and much faster, so playouts stop there. Many
playouts to the end are better: a large search that starts near that point plays them.
"""

import numpy as np

from quatuor.games.blokus.priors import MEMORY as PRIORS_MEMORY
from quatuor.games.blokus.priors import first_row, friendly, in_pairs, reach, survey
from quatuor.games.blokus.rules import COLOUR, HAND, LAYER, OUT, PIECES, score, side
from quatuor.games.blokus.tables import PAD, SIDE, SQUARES
from quatuor.kernel import Floats, Words, exp, jit, ones

# Measured in `two` (docs/measurements/blokus.md)
ENOUGH = 48  # pieces on the board after which playouts stop, against 40 and 60,
SHORT = 10  # unless a search begins with fewer to go (against 24);
MANY, LONGER = 20_000, 24  # after MANY simulations, with fewer than LONGER to go: then playouts to the end are better
TO_THE_END = 400  # turns: more than a game has

# The expected score of a colour, fitted by least squares with `python -m bench.blokus_leaf_evaluation`
HOPES = {
    "squares in hand": -1.668,
    "pieces in hand": 3.747,
    "attach points": -0.480,
    "cells within one step of them": -0.648,
    "and no opponent as near": 0.714,
    "within three steps": 0.562,
    "turns to wait": -0.523,
    "of the side that began, of two": 2.204,
    "always": -4.547,
}
SPREAD = 6.4  # points ahead that make a win e times as likely as a loss, fitted by the same command

WEIGHTS = np.array(list(HOPES.values()))

# In memory, behind that of the priors: five layers a colour (free cells, attach points, one to three steps), cells
# beside any of them, and the facts that have a weight
FIRST = -(-PRIORS_MEMORY // LAYER)
POINTS, NEAR, FAR, EACH = 1, 2, 4, 5
BESIDE = FIRST + 4 * EACH
FACTS = (BESIDE + 2) * LAYER + PAD
MEMORY = FACTS + len(HOPES)


@jit
def horizon(root: Words, done: int) -> int:
    left = 0
    for colour in range(4):
        left += ones(root[HAND + colour])
    more = ENOUGH - 4 * PIECES + left
    return more if more >= (SHORT if done < MANY else LONGER) and side(root) == SIDE else TO_THE_END


@jit
def look_around(state: Words, memory: Words) -> None:
    """The layers of all colours; a colour that can place no more has none."""
    for colour in range(4):
        layer = FIRST + EACH * colour
        if state[OUT] >> colour & 1:
            for row in range(SIDE):
                memory[first_row(layer + NEAR) + row] = 0
        else:
            survey(state, colour, memory, layer, layer + POINTS, BESIDE)
            reach(memory, layer)


@jit
def count(state: Words, colour: int, memory: Words) -> None:
    """The facts about a colour, after ``look_around``."""
    layer = FIRST + EACH * colour
    squares, points, near, alone, far = 0, 0, 0, 0, 0
    for piece in range(PIECES):
        squares += (state[HAND + colour] >> piece & 1) * SQUARES[piece]
    for row in range(SIDE):
        theirs = 0
        for i in range(1, 4):
            if not friendly(state, colour, colour + i & 3):
                theirs |= memory[first_row(FIRST + EACH * (colour + i & 3) + NEAR) + row]
        cells = memory[first_row(layer + NEAR) + row]
        points += ones(memory[first_row(layer + POINTS) + row])
        near += ones(cells)
        alone += ones(cells & ~theirs)
        far += ones(memory[first_row(layer + FAR) + row])
    memory[FACTS] = squares
    memory[FACTS + 1] = ones(state[HAND + colour])
    memory[FACTS + 2] = points
    memory[FACTS + 3] = near
    memory[FACTS + 4] = alone
    memory[FACTS + 5] = far
    memory[FACTS + 6] = colour - state[COLOUR] & 3
    memory[FACTS + 7] = in_pairs(state) and colour & 1 == 0
    memory[FACTS + 8] = 1


@jit
def expect(state: Words, colour: int, memory: Words) -> float:
    """The expected final score of a colour."""
    if state[OUT] >> colour & 1:
        return float(score(state, colour))
    count(state, colour, memory)
    total = 0.0
    for i in range(len(WEIGHTS)):
        total += WEIGHTS[i] * memory[FACTS + i]
    return total


@jit
def foresee(state: Words, seats: int, memory: Words, scores: Words, wins: Floats) -> None:
    look_around(state, memory)
    for seat in range(seats):
        expected = expect(state, seat, memory)
        if in_pairs(state):
            expected += expect(state, seat + 2 & 3, memory)
        scores[seat] = round(expected)
    for seat in range(seats):
        total = 0.0
        for other in range(seats):
            if other != seat:
                total += 1.0 / (1.0 + exp((scores[other] - scores[seat]) / SPREAD))
        wins[seat] = total / (seats - 1)
