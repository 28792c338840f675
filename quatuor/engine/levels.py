"""How strong each level plays: the one table to read and to tune (``quatuor arena calibrate`` measures it).

Weak play comes from little work and from now and then choosing a move that seems a little worse, never from blunders
at random. A guided search looks first at what strong players do: with a large slack, it plays the worse the more moves
it has looked at.
"""

from typing import NamedTuple

from quatuor.game import Game

SECONDS = 0.9  # to answer, unless told
TOP_SECONDS = 4.5  # at the top
ENDLESS = 1 << 60  # units: as many as there is time for


class Level(NamedTuple):
    """What one level may do for one answer."""

    units: int  # of work (simulations, nodes, …: the search's own); of the plain search for every legal move
    slack: float = 0.0  # how much less than the best (in reward, 0 to 1) a move may seem to be worth, half of it likely
    plain: bool = False  # by random games alone, without the game's advice: it would be too good for a beginner


Ladder = tuple[Level, ...]  # from level 1 on

FULL = Level(ENDLESS)
NOVICE = Level(1, 0.6, plain=True)  # of a guided search, which would be too good for a beginner
AT_A_GLANCE = (Level(1, 0.3), Level(1, 0.2), Level(1, 0.15))  # beginners of a best-first search, of more than two
# By game:variant, else by game, else by search
LADDERS: dict[str, Ladder] = {
    "plain": (Level(1, 0.4), Level(4), Level(15), Level(50), Level(140), Level(420), Level(1200), FULL),
    "plus4:elementary": (Level(1, 0.4), Level(2, 0.1), Level(4), Level(8), Level(20), Level(40), Level(100), FULL),
    "guided": (
        *(NOVICE, Level(3, plain=True), Level(10, plain=True), Level(40, 0.8)),
        *(Level(24), Level(160), Level(1000), FULL),
    ),
    "blokus:duo": (
        *(NOVICE, Level(2, plain=True), Level(5, plain=True), Level(16)),
        *(Level(250), Level(1000), Level(6000), FULL),
    ),
    "blokus:classic": (
        *(NOVICE, Level(2, plain=True), Level(4, plain=True), Level(8, plain=True)),
        *(Level(16, 0.2), Level(80), Level(1000), FULL),
    ),
    "blokus:three": (
        *(NOVICE, Level(2, plain=True), Level(5, plain=True), Level(16, 0.8)),
        *(Level(64), Level(300), Level(5000), FULL),
    ),
    "bestfirst": (Level(1, 0.3), Level(1, 0.15), Level(1, 0.07), Level(4), Level(16), Level(128), Level(1024), FULL),
    "plateau_x:trio": (*AT_A_GLANCE, Level(1, 0.07), Level(2), Level(16), Level(128), FULL),
    "plateau_x:four": (*AT_A_GLANCE, Level(1, 0.1), Level(1, 0.04), Level(16), Level(64), FULL),
    "matrix": (
        *(Level(1, 0.6), Level(1, 0.4), Level(1, 0.3), Level(1, 0.2)),
        *(Level(1, 0.12), Level(1, 0.06), Level(3000), FULL),
    ),
}
TOP = len(LADDERS["plain"])


def ladder(game: Game, search: str) -> Ladder:
    """The levels of a game with a search."""
    names = (f"{game.name}:{game.variant.name}", game.name, search)
    return next(LADDERS[name] for name in (*names, "plain") if name in LADDERS)


def seconds(level: int) -> float:
    """How long a level may take, unless told."""
    return TOP_SECONDS if level == TOP else SECONDS
