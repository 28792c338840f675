"""How strong each level plays: the one table to read and to tune (``quatuor arena calibrate`` measures it).

Weak play comes from little work and from now and then choosing a move that seems a little worse, never from blunders
at random.
"""

from typing import NamedTuple

from quatuor.game import Game

SECONDS = 0.9  # to answer, unless told
TOP_SECONDS = 4.5  # at the top
ENDLESS = 1 << 60  # units: as many as there is time for


class Level(NamedTuple):
    """What one level may do for one answer."""

    units: int  # of work (simulations, nodes, …: the search's own); in plain searches for every legal move
    slack: float = 0.0  # how much less than the best (in reward, 0 to 1) a move may seem to be worth, half of it likely


Ladder = tuple[Level, ...]  # from level 1 on

PLAIN: Ladder = (
    Level(1, 0.40),
    Level(2, 0.10),
    Level(8),
    Level(32),
    Level(128),
    Level(512),
    Level(2048),
    Level(ENDLESS),
)
TOP = len(PLAIN)

# By game:variant, else by game, else by search
LADDERS: dict[str, Ladder] = {
    "plain": PLAIN,
    "plus4:elementary": (  # soon as good as perfect
        Level(1, 0.40),
        Level(2, 0.10),
        Level(4),
        Level(8),
        Level(20),
        Level(40),
        Level(100),
        Level(ENDLESS),
    ),
    "guided": (
        Level(8, 0.30),
        Level(16, 0.15),
        Level(40, 0.08),
        Level(100),
        Level(300),
        Level(900),
        Level(3000),
        Level(ENDLESS),
    ),
    "bestfirst": (
        Level(1, 0.35),
        Level(1, 0.15),
        Level(1, 0.05),
        Level(8),
        Level(64),
        Level(400),
        Level(3000),
        Level(ENDLESS),
    ),
    "matrix": (
        Level(1, 0.40),
        Level(1, 0.20),
        Level(1, 0.10),
        Level(1, 0.05),
        Level(30),
        Level(1000),
        Level(30_000),
        Level(ENDLESS),
    ),
}


def ladder(game: Game, search: str) -> Ladder:
    """The levels of a game with a search."""
    names = (f"{game.name}:{game.variant.name}", game.name, search)
    return next((LADDERS[name] for name in names if name in LADDERS), PLAIN)


def seconds(level: int) -> float:
    """How long a level may take, unless told."""
    return TOP_SECONDS if level == TOP else SECONDS
