"""What PettingZoo's and Gymnasium's environments have in common: their spaces, and a position as they show it."""

import operator
from typing import Any

import numpy as np
from gymnasium import spaces

from quatuor.engine.observation import look, sizes, stack
from quatuor.engine.seats import share
from quatuor.game import Game
from quatuor.games.contract import IllegalMove
from quatuor.interop.pictures import rgb

SHOWN = 10  # legal actions in an error message


def observation_space(game: Game) -> spaces.Dict:
    """Planes (facts are planes of one number) and a mask over all actions."""
    (planes, rows, columns), facts = sizes(game.book)
    return spaces.Dict({
        "observation": spaces.Box(-128, 127, (planes + facts, rows, columns), np.int8),
        "action_mask": spaces.Box(0, 1, (game.book.actions,), np.int8),
    })  # fmt: skip


def action_space(game: Game) -> spaces.Discrete:
    """One number for every action the game knows; most are illegal most of the time."""
    return spaces.Discrete(game.book.actions)


def observed(game: Game, seat: int) -> dict[str, Any]:
    """What a seat sees. The order that another seat has given for this turn stays secret."""
    mask = np.zeros(game.book.actions, np.int8)
    mask[game.actions(seat)] = 1
    return {"observation": stack(*look(game.book, game.common, seat)), "action_mask": mask}


def rewards(game: Game) -> list[float]:
    """From -1 (behind all others) to 1 (ahead of all), as a finished game stands."""
    places = np.array(game.ranking)
    return [2 * share(places, game.seats, seat) - 1 for seat in range(game.seats)]


def whole(action: Any) -> int:
    """An action as a number; TypeError if it is not one."""
    try:
        return operator.index(action.item() if isinstance(action, np.ndarray) and action.size == 1 else action)
    except TypeError:
        raise TypeError(f"action {action!r}: give the number of an action") from None


def refuse(game: Game, seat: int, action: int) -> None:
    """Raise if the rules do not take the action. They may take more than the mask shows: void orders, in 3/6."""
    legal = game.actions(seat)
    if action in legal:
        return
    try:
        game.book.read(game.state, seat, game.book.write(game.state, seat, action))
    except (IllegalMove, IndexError) as why:
        choices = ", ".join(map(str, sorted(legal)[:SHOWN])) + (", …" if len(legal) > SHOWN else "")
        reason = f" ({why})" if isinstance(why, IllegalMove) else ""
        raise IllegalMove(f"seat {seat} cannot play action {action}{reason}; legal: {choices}") from None


def draw(game: Game, mode: str | None) -> Any:
    """``ansi``: the board as text; ``human``: printed; ``rgb_array``: as pixels (height, width, 3)."""
    if mode == "ansi":
        return str(game)
    if mode == "rgb_array":
        return rgb(game)
    if mode == "human":
        print(game)
    return None
