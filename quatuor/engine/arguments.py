"""Check what an engine is given: its settings, a game, a seat, moves."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from quatuor.engine import levels
from quatuor.game import Game
from quatuor.games.contract import IllegalMove


def check_function(evaluate: Any) -> None:
    """TypeError if a network is no function."""
    if not callable(evaluate):
        raise TypeError(f"evaluate={evaluate!r}: give a function of planes, facts and mask")


def check_evaluate(evaluate: Any, level: int, threads: int | None, plain: bool) -> None:
    """TypeError or ValueError if settings do not go with a network."""
    check_function(evaluate)
    if level != levels.TOP or plain or threads not in (None, 1):
        raise ValueError("evaluate=…: leave out level, plain and threads; units or seconds say how much to search")


def check_numbers(**given: tuple[Any, type]) -> None:
    """TypeError if a setting is no number."""
    for name, (value, kind) in given.items():
        allowed = (int, float, np.integer, np.floating) if kind is float else (int, np.integer)
        if value is not None and (isinstance(value, bool) or not isinstance(value, allowed)):
            raise TypeError(f"{name}={value!r}: give a {'number' if kind is float else 'whole number'}")


def bare(game: Game) -> Game:
    """The game without its comments and variations: copies of it are quick."""
    return game if game._root is None else game.copy(tree=False)


def actions_of(game: Game, seat: int, moves: Iterable[str] | None) -> set[int] | None:
    """The actions of some moves; None for all."""
    if moves is None:
        return None
    legal = dict(zip(game.legal(seat), game.actions(seat), strict=True))
    chosen = [moves] if isinstance(moves, str) else list(moves)
    if not chosen:
        raise ValueError("moves=(): name one move or more, or leave it out")
    for move in chosen:
        if move not in legal:
            raise IllegalMove(f"{move!r} is no legal move of seat {seat}; legal({seat}) lists them")
    return {legal[move] for move in chosen}


def acting_seat(game: Game, seat: int | None) -> int:
    """The seat, or the only one that acts; TypeError or ValueError if there is none."""
    if not isinstance(game, Game):
        raise TypeError(f"an engine plays a quatuor.Game, not {type(game).__name__}")
    acting = game.to_move
    if not acting:
        raise ValueError("the game is over: there is nothing to choose")
    if seat is None and len(acting) == 1:
        return acting[0]
    if seat not in acting:
        raise ValueError(f"seat={seat!r}: choose one that acts now: {', '.join(map(str, acting))}")
    return seat
