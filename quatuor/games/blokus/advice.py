"""Advice for the guided search of Blokus: priors, quick playouts, the utility of an end, and a leaf evaluation."""

from typing import Literal

from quatuor.games.blokus.leaf_evaluation import MEMORY as LEAF_MEMORY
from quatuor.games.blokus.leaf_evaluation import foresee, horizon
from quatuor.games.blokus.playouts import KINDS, alike, choose
from quatuor.games.blokus.playouts import MEMORY as PLAYOUT_MEMORY
from quatuor.games.blokus.priors import MAPS, weigh
from quatuor.kernel import Floats, Words, jit

__all__ = ["KINDS", "MAPS", "MEMORY", "SEARCH", "SETTINGS", "alike", "choose", "foresee", "horizon", "utility", "weigh"]

SEARCH: Literal["guided"] = "guided"
SETTINGS = {
    "classic": {"explore": 6.0},  # measured against 2.5, 4 and 9
    "duo": {"hope": 0.2, "trust": 12.0},  # measured against 1 and 25
}
MEMORY = max(PLAYOUT_MEMORY, LEAF_MEMORY)

# ---- the utility of an end
SCORE_SHARE = 0.3  # of the utility; the rest is for beating the others; measured in `two` against 0, 0.1 and 0.7
WHOLE_LEAD = 50  # points ahead of the others that count in full; chosen, not measured


@jit
def utility(seats: int, scores: Words, wins: Floats, out: Floats) -> None:
    total = 0
    for seat in range(seats):
        total += scores[seat]
    for seat in range(seats):
        lead = scores[seat] - (total - scores[seat]) / (seats - 1)
        points = min(1.0, max(0.0, 0.5 + 0.5 * lead / WHOLE_LEAD))
        out[seat] = (1.0 - SCORE_SHARE) * wins[seat] + SCORE_SHARE * points
