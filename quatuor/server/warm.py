"""Have a game's functions compiled before a table needs them: the event loop must not wait for a compiler."""

import functools
import gc

from quatuor.game import Game
from quatuor.games import rulebook

TURNS = 3


@functools.cache
def warm(name: str) -> None:
    """Play a few turns nobody will see."""
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
