"""How strong each level plays: the ladders of the searches, for games that declare none of their own."""

from quatuor.game import Game
from quatuor.games.levels import FULL, LEVELS, NOVICE, Ladder, Level

__all__ = ["FULL", "LADDERS", "SECONDS", "TOP", "TOP_SECONDS", "Ladder", "Level", "ladder", "seconds"]

# Unless the caller sets a time: an answer within a second, five at the top level, with a margin; chosen
SECONDS = 0.9
TOP_SECONDS = 4.5
TOP = LEVELS

# By search. How far apart the levels are, and how many games say so, is in docs/measurements/levels.md
LADDERS: dict[str, Ladder] = {
    "plain": (Level(1, 0.4), *map(Level, (4, 15, 50, 140, 420, 1200)), FULL),
    "guided": (
        *(NOVICE, Level(3, plain=True), Level(9, plain=True), Level(40, 1.0)),
        *(Level(24, 0.1), Level(150), Level(1000), FULL),
    ),
    "bestfirst": (Level(1, 0.3), Level(1, 0.15), Level(1, 0.07), *map(Level, (5, 20, 140, 1600)), FULL),
    "matrix": (
        *(Level(1, 0.6), Level(1, 0.4), Level(1, 0.3), Level(1, 0.2)),
        *(Level(1, 0.12), Level(1, 0.06), Level(3000), FULL),
    ),
}


def ladder(game: Game, search: str) -> Ladder:
    """The levels of a variant: its own, or those of the search that plays it."""
    return game.book.ladders.get(game.variant.name) or LADDERS[search]


def seconds(level: int) -> float:
    """How long a level may take, unless the caller sets a time."""
    return TOP_SECONDS if level == TOP else SECONDS
