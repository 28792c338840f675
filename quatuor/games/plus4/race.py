"""The endless game as a race: a layer for each pair of points that the seats still need.

Points only grow, so a layer depends on layers of smaller needs only; a table for 11 points contains those for fewer.

The solver of races (``Race`` in quatuor/games/hooks.py) uses it to solve the game and to look positions up.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from itertools import pairwise
from types import ModuleType

import numpy as np
import numpy.typing as npt

from quatuor.games.contract import State
from quatuor.games.plus4 import blocks, exits, retrograde, space
from quatuor.games.plus4.blocks import POSITIONS, Blocks, place
from quatuor.games.plus4.exits import Worths, layer, list_exits
from quatuor.games.plus4.retrograde import LONGEST, LOSS, Side, sweep
from quatuor.games.plus4.rules import BONUS, CELLS, ENDLESS, SCORE, TARGET, TURN, VARIANT

Bytes = npt.NDArray[np.uint8]
Fill = Callable[[Bytes, Bytes, int, int], int]  # exits and wake of the grids first to last - 1; the longest distance

VERSION = "7f1cffffbdc0bce5"  # of the tables: change it when rules or solver give other results
PARTS = 16  # pieces of work for threads to share
# What a push can score for the mover and for the other: at most 6 or 5 points if one scores, 3 if both do
GAINS = [(a, b) for a in range(7) for b in range(6) if (a or b) and (max(a, b) <= 3 or not a or not b)]


class Race:
    """The layers of the endless game and how to compute them."""

    MODULES: tuple[ModuleType, ...] = (space, blocks, retrograde, exits)
    VERSION = VERSION
    size = POSITIONS  # of a layer

    @cached_property
    def blocks(self) -> Blocks:
        return Blocks()

    def need(self, state: State) -> int | None:
        """The highest need of a seat: the layers up to it are all that this position can lead to."""
        if state[VARIANT] != ENDLESS:
            return None
        return int(state[TARGET] - min(state[SCORE], state[SCORE + 1]))

    def layers(self, need: int) -> int:
        """How many layers there are up to a need."""
        return need * need

    def units(self, need: int) -> list[tuple[int, ...]]:
        """The layers in an order to compute them, those together that depend on each other."""
        pairs = [(a, b) for b in range(1, need + 1) for a in range(1, b + 1)]
        return [(layer(a, b),) if a == b else (layer(a, b), layer(b, a)) for a, b in pairs]

    def reads(self, unit: tuple[int, ...]) -> set[int]:
        """The layers that a unit is computed from: where its exits lead, the other seat then being the mover."""
        found = set()
        for need, other in map(needs, unit):
            for gain, given in GAINS:
                if gain < need and given < other:
                    found.add(layer(other - given, need - gain))
        return found

    def solve(self, unit: tuple[int, ...], layers: Bytes, pool: ThreadPoolExecutor) -> list[Bytes]:
        """Compute the layers of a unit from those before it."""
        fills: list[Fill] = []
        for number in unit:
            need, other = needs(number)
            worths = Worths(need, other, read_only(layers), False, np.zeros((3, 3), np.uint8))
            fills.append(partial(fill_exits, self.blocks, worths))
        return work_back(self.blocks, fills, pool)

    def place(self, state: State) -> tuple[int, int]:
        """The layer of a running position, and its place there."""
        mover = int(state[TURN])
        mine, theirs, bonus = (int(state[i]) for i in (CELLS + mover, CELLS + 1 - mover, BONUS))
        need, other_need = (int(state[TARGET] - state[SCORE + seat]) for seat in (mover, 1 - mover))
        return layer(need, other_need), place(mine, theirs, bonus, self.blocks.numbers, self.blocks.offsets)

    def result(self, byte: int) -> int:
        """A byte of a layer as a number: the turns to a win, minus those to a loss, 0 for a draw."""
        return byte if byte < LOSS else LOSS - byte


def work_back(blocks: Blocks, fills: Sequence[Fill], pool: ThreadPoolExecutor) -> list[Bytes]:
    """Decide one layer, or two that alternate, from their exits; every sweep is one turn further from an end."""
    grids = len(blocks.codes)
    cuts = [grids * i // PARTS for i in range(PARTS + 1)]
    parts = list(pairwise(cuts))
    sides = [begin(blocks) for _ in fills]
    furthest = 0
    for side, fill in zip(sides, fills, strict=True):
        furthest = max(furthest, *pool.map(lambda part, f=fill, s=side: f(s.exits, s.wake, *part), parts))
    distance, found = 1, 1
    while found or distance <= furthest:
        if distance >= LONGEST:
            raise OverflowError(f"a result is further away than {LONGEST} turns, which a byte cannot hold")
        found = 0
        for side, other in zip(sides, sides[::-1], strict=True):
            found += sum(pool.map(partial(decide, distance, blocks, side, other), parts))
        distance += 1
    return [side.results for side in sides]


def decide(distance: int, blocks: Blocks, side: Side, other: Side, part: tuple[int, int]) -> int:
    """A sweep over a part of the grids."""
    return sweep(distance, *part, blocks.grids, side, other)


def begin(blocks: Blocks) -> Side:
    """A layer of which nothing is decided yet."""
    grids = len(blocks.codes)
    return Side(
        exits=np.zeros(POSITIONS, np.uint8),
        results=np.zeros(POSITIONS, np.uint8),
        wake=np.zeros(grids, np.uint8),
        left=np.diff(blocks.offsets).astype(np.int16),
        changed=np.zeros((2, grids), np.uint8),
    )


def fill_exits(blocks: Blocks, worths: Worths, exits: Bytes, wake: Bytes, first: int, last: int) -> int:
    """What exits of the grids ``first`` to ``last - 1`` are worth, and when they wake them; the longest distance."""
    return list_exits(worths, first, last, blocks.grids, exits, wake)


def read_only(layers: Bytes) -> Bytes:
    """Layers that cannot be written, like those on disk: another kind of array would be compiled separately."""
    known = layers.view()
    known.flags.writeable = False
    return known


def needs(number: int) -> tuple[int, int]:
    """The needs of a layer: the inverse of ``layer``."""
    top = 1
    while top * top <= number:
        top += 1
    rest = number - (top - 1) ** 2
    return (top, rest + 1) if rest < top else (rest - top + 1, top)
