"""What worker processes read in texts to analyse: thousands of moves take a while. ValueError: what is wrong."""

from typing import Any

from quatuor.game import Game
from quatuor.interop import texts
from quatuor.table import Refused


def shown(text: str) -> dict[str, Any]:
    """The game in a text as the page shows it."""
    return texts.shown(_read(text))


def game_of(text: str) -> Game:
    """The game in a text, without its variations."""
    return _read(text).copy(tree=False)


def picture(text: str) -> str:
    """The last position of the game in a text, as SVG."""
    return _read(text).svg()


def _read(text: str) -> Game:
    try:
        return texts.read(text)
    except Refused as refused:
        raise ValueError(refused.detail["message"]) from None
