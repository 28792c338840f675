"""The game in rounds, one round at a time: what a round is worth depends only on what its possible scores are worth.

A *standing* is what a round begins with, seen by the seat that begins it: ("race", own need, other's need), or
("count", rounds to play, own lead). Its *stakes* say for each score of the round, own points by the other's, whether
that wins (1), draws (0) or loses (-1) the game. Rounds with equal stakes share a table, which holds the
outcome of the game and the turns to the end of the round.

The solver of rounds (``Rounds`` in quatuor/games/hooks.py) uses it to solve the game and to look positions up.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from types import ModuleType

import numpy as np

from quatuor.games.contract import State
from quatuor.games.plus4 import blocks, exits, retrograde, space
from quatuor.games.plus4.blocks import Blocks, place
from quatuor.games.plus4.exits import Worths
from quatuor.games.plus4.race import VERSION, Bytes, fill_exits, read_only, work_back
from quatuor.games.plus4.retrograde import LOSS
from quatuor.games.plus4.rules import BEGAN, BONUS, CELLS, IN_ROUNDS, ROUND, ROUNDS, SCORE, TARGET, TURN, VARIANT

Standing = tuple[str, int, int]
Stakes = tuple[int, ...]  # for the scores of SCORES

SCORES = [(own, other) for own in range(3) for other in range(3) if own or other]  # P4-32: at most 2 each
WORTH = {1: 1, 0: LOSS, -1: LOSS + 1}  # an exit's byte: the round ends in one turn


class Rounds:
    """The standings of the game in rounds and how to solve one."""

    MODULES: tuple[ModuleType, ...] = (space, blocks, retrograde, exits)
    VERSION = VERSION
    SCORES = SCORES

    @cached_property
    def blocks(self) -> Blocks:
        return Blocks()

    def standing(self, state: State) -> Standing | None:
        """The standing of the round under way; None in other variants."""
        if state[VARIANT] != IN_ROUNDS:
            return None
        own, other = int(state[SCORE + state[BEGAN]]), int(state[SCORE + 1 - state[BEGAN]])
        if state[ROUNDS]:
            return _count(int(state[ROUNDS] - state[ROUND]), own - other)
        return "race", int(state[TARGET]) - own, int(state[TARGET]) - other

    def after(self, standing: Standing, own: int, other: int) -> tuple[Standing | int, bool]:
        """What a score of the round leads to: a standing, or the outcome if that ends the game; and for whom.

        The second value says whether it is seen by the same seat: whether that one begins again (P4-33).
        """
        kind, first, second = standing
        again = own < other  # P4-33: the loser begins; on equal points, the seat that did not begin this one
        if kind == "race":
            need, other_need = first - own, second - other
            if need <= 0 or other_need <= 0:
                return _sign(other_need - need), True  # P4-34, P4-25: the higher score
            return (kind, need, other_need) if again else (kind, other_need, need), again
        left, lead = first - 1, second + own - other
        if left == 0:
            return _sign(lead), True  # P4-34: most points
        return _count(left, lead if again else -lead), again

    def solve(self, stakes: Stakes, pool: ThreadPoolExecutor) -> Bytes:
        """Two layers: the seat that began is to move, the other one is."""
        own, others = np.zeros((3, 3), np.uint8), np.zeros((3, 3), np.uint8)
        for (mine, theirs), outcome in zip(SCORES, stakes, strict=True):
            own[mine, theirs], others[theirs, mine] = WORTH[outcome], WORTH[-outcome]
        none = read_only(np.zeros((1, 1), np.uint8))
        fills = [partial(fill_exits, self.blocks, Worths(0, 0, none, True, worths)) for worths in (own, others)]
        return np.stack(work_back(self.blocks, fills, pool))

    def place(self, state: State) -> tuple[int, int]:
        """The layer of a running position, and its place there."""
        mover = int(state[TURN])
        mine, theirs, bonus = (int(state[i]) for i in (CELLS + mover, CELLS + 1 - mover, BONUS))
        return int(mover != state[BEGAN]), place(mine, theirs, bonus, self.blocks.numbers, self.blocks.offsets)

    def begin(self, layers: Bytes) -> int:
        """The outcome of the game at the start of the round, for the seat that begins it."""
        return _sign(self.result(int(layers[0, place(0, 0, 0, self.blocks.numbers, self.blocks.offsets)])))

    def result(self, byte: int) -> int:
        """A byte as a number: the turns to the end of a round on the way to a win, minus those to a loss, or 0."""
        return byte if byte < LOSS else LOSS - byte

    def same(self, before: State, after: State) -> bool:
        """Whether two states are of the same round."""
        return bool(before[ROUND] == after[ROUND])


def _count(left: int, lead: int) -> Standing:
    """A lead that cannot be caught up is as good as any larger one."""
    beyond = 2 * left + 1
    return "count", left, max(-beyond, min(beyond, lead))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
