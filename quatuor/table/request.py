"""The game that a request for a table asks for; the server and the page without one share this.

Refused says what would be right.
"""

from typing import Any

from quatuor.game import Game, new
from quatuor.games import names, rulebook
from quatuor.table.events import Refused
from quatuor.table.table import LONGEST_GAME


def requested_game(name: Any, variant: str | None, options: dict[str, Any], position: str = "") -> Game:
    """The game before its first move; the first variant if none is named, and the usual start without a position."""
    if name not in names():
        raise Refused("unknown_game", games=list(names()))
    book = rulebook(name)
    variants = [known.name for known in book.variants]
    if (variant or variants[0]) not in variants:
        raise Refused("unknown_variant", variants=variants)
    try:
        game = Game(book, variant or variants[0], options)
    except ValueError as error:
        raise Refused("bad_option", message=str(error)) from None
    try:
        return new(game.name, game.variant.name, position=position, **game.options) if position else game
    except ValueError as error:
        raise Refused("bad_opening", ply=0, reason=str(error)) from None


def requested_opening(game: Game, turns: list[dict[str, str]]) -> tuple[dict[str, str], ...]:
    """Turns to begin with, as records write them; the game plays them, so that nothing illegal gets in."""
    found: list[dict[str, str]] = []
    for turn in turns:
        try:
            game.play({int(seat): move for seat, move in turn.items()})
        except ValueError as error:  # IllegalMove too
            raise Refused("bad_opening", ply=len(found) + 1, reason=str(error)) from None
        if game.ply != len(found) + 1:
            raise Refused("bad_opening", ply=len(found) + 1, reason="an order is missing")
        found.append({str(seat): move for seat, move in game.last.items()})
    if game.over or game.ply >= LONGEST_GAME:
        raise Refused("bad_opening", ply=len(found), reason="the game is over by then")
    return tuple(found)
