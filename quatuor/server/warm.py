"""Have a game's functions compiled before a table needs them: the event loop must not wait for a compiler."""

import functools

from quatuor.game import Game
from quatuor.games import rulebook

TURNS = 3


@functools.cache
def warm(name: str) -> None:
    """Play a few turns nobody will see."""
    game = Game(rulebook(name))
    for _ in range(TURNS):
        if game.over:
            return
        game.play({seat: game.legal(seat)[0] for seat in game.to_move})
        game.effects()
        game.view(0)
    game.copy().undo()
