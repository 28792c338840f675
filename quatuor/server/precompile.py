"""Have a game's functions compiled before a table needs them: the event loop must not wait for a compiler."""

import functools
import gc

from quatuor.game import Game
from quatuor.games import names, rulebook

TURNS = 3


def load_games() -> None:
    """Load every game before there are several threads: the folder of compiled code is set for all of them at once."""
    for name in names():
        rulebook(name)


@functools.cache
def precompile(name: str) -> None:
    """Play a few turns, only to compile the kernels."""
    game = Game(rulebook(name))
    for _ in range(TURNS):
        if game.over:
            break
        game.play({seat: game.legal(seat)[0] for seat in game.to_move})
        game.effects()
        game.view(0)
    game.copy().undo()
    gc.collect()
    gc.freeze()  # what a compiler leaves behind stays; looking through it again and again would hold up every table
