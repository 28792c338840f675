"""Check what an engine is given: its settings, a game, a seat, moves."""

from collections.abc import Iterable
from types import UnionType
from typing import Any

import numpy as np

from quatuor.engine import levels
from quatuor.game import Game
from quatuor.games.contract import IllegalMove

WHOLE = int | np.integer
NUMBER = WHOLE | float | np.floating


def check_function(evaluate: Any) -> None:
    """TypeError if a network is not a function."""
    if not callable(evaluate):
        raise TypeError(f"evaluate={evaluate!r}: give a function of planes, facts and mask")


def check_evaluate(evaluate: Any, level: int, threads: int | None, plain: bool) -> None:
    """TypeError or ValueError if settings cannot be combined with a network."""
    check_function(evaluate)
    if level != levels.TOP or plain or threads not in (None, 1):
        raise ValueError("evaluate=…: leave out level, plain and threads; units or seconds say how much to search")


def check_numbers(kind: UnionType, **given: Any) -> None:
    """TypeError if a setting is not of its kind: ``WHOLE`` or ``NUMBER``, or one of these or None."""
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, kind):
            raise TypeError(f"{name}={value!r}: give a {'number' if isinstance(0.5, kind) else 'whole number'}")


def check_lines(lines: Any) -> None:
    """TypeError or ValueError if this is not a number of moves to list."""
    check_numbers(WHOLE | None, lines=lines)
    if lines is not None and lines < 1:
        raise ValueError(f"lines={lines!r}: choose a whole number from 1")


def check_game(game: Any) -> None:
    """TypeError if this is not a game."""
    if not isinstance(game, Game):
        raise TypeError(f"an engine plays a quatuor.Game, not {type(game).__name__}")


def bare(game: Game) -> Game:
    """The game without its comments and variations, which is quick to copy."""
    return game if game._root is None else game.copy(tree=False)


def actions_of(game: Game, seat: int, moves: Iterable[str] | None) -> set[int] | None:
    """The actions of some moves; None for all."""
    if moves is None:
        return None
    legal = dict(zip(game.legal(seat), game.actions(seat), strict=True))
    chosen = [moves] if isinstance(moves, str) else list(moves) if isinstance(moves, Iterable) else [moves]
    if not all(isinstance(move, str) for move in chosen):
        raise TypeError(f"moves={moves!r}: give moves as text, such as [{next(iter(legal))!r}]")
    if not chosen:
        raise ValueError("moves=(): name one move or more, or leave it out")
    for move in chosen:
        if move not in legal:
            raise IllegalMove(f"{move!r} is not a legal move of seat {seat}; legal({seat}) lists them")
    return {legal[move] for move in chosen}


def acting_seat(game: Game, seat: int | None) -> int:
    """The seat, or the only one that acts; TypeError or ValueError if there is none."""
    check_game(game)
    acting = game.to_move
    if not acting:
        raise ValueError("the game is over: there is nothing to choose")
    if seat is None and len(acting) == 1:
        return acting[0]
    if seat not in acting:
        raise ValueError(f"seat={seat!r}: choose one that acts now: {', '.join(map(str, acting))}")
    return seat
