"""The levels of an engine: how much it may search for one answer at each.

Weak play comes from little work and from choosing, now and then, a move that seems slightly worse than the best; never
from random blunders. ``quatuor arena calibrate`` measures how far apart the levels are.
"""

from typing import NamedTuple

ENDLESS = 1 << 60  # units: as many as fit into the time


class Level(NamedTuple):
    """What one level may do for one answer."""

    units: int  # of work (simulations, nodes, …: the search defines them); the plain search does this for every move
    slack: float = 0.0  # a move may seem this much worse than the best (in reward, 0 to 1) and still be chosen
    plain: bool = False  # search by random games alone: the game's advice would make a beginner too strong


Ladder = tuple[Level, ...]  # from level 1 to level 8

LEVELS = 8
FULL = Level(ENDLESS)  # level 8
NOVICE = Level(1, 0.6, plain=True)  # level 1 of a guided search
