"""From the page's request for a table to the setup of one."""

import secrets
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from quatuor.game import Game
from quatuor.games import names, rulebook
from quatuor.table import Refused, Seat, Setup, Table
from quatuor.table.table import LONGEST_GAME

GUEST = "me"  # the person at this device
PREFIX = "local-"  # how the ids of local tables begin


def now() -> int:
    """Milliseconds since 1970."""
    return int(time.time() * 1000)


def new_id() -> str:
    """The id of a new table."""
    return PREFIX + secrets.token_urlsafe(9)


def new_setup(request: dict[str, Any]) -> Setup:
    """The table that the page asks for; Refused says what is wrong."""
    game = _game(request)
    seats = tuple(_seat(seat) for seat in request.get("seats", ()))
    if len(seats) != game.seats:
        raise Refused("bad_seats", seats=game.seats)
    opening = _opening(game, request.get("opening", []))
    today = datetime.now(UTC).date().isoformat()
    return Setup(game.name, game.variant.name, game.options, seats, GUEST, today, opening, now())


def again(table: Table) -> Setup:
    """The same once more, everybody one seat further."""
    today = datetime.now(UTC).date().isoformat()
    seats = tuple(replace(seat, token=None) for seat in table.seats)
    return table.setup.rotated(seats, GUEST, today, now())


def _game(request: dict[str, Any]) -> Game:
    if request.get("game") not in names():
        raise Refused("unknown_game", games=list(names()))
    book = rulebook(request["game"])
    variants = [variant.name for variant in book.variants]
    variant = request.get("variant") or variants[0]
    if variant not in variants:
        raise Refused("unknown_variant", variants=variants)
    try:
        return Game(book, variant, request.get("options", {}))
    except ValueError as error:
        raise Refused("bad_option", message=str(error)) from None


def _seat(seat: dict[str, Any]) -> Seat:
    if seat["kind"] == "open":
        raise Refused("needs_server")  # other people come through the server
    return Seat("engine", level=seat["level"]) if seat["kind"] == "engine" else Seat("human", guest=GUEST)


def _opening(game: Game, turns: list[dict[str, str]]) -> tuple[dict[str, str], ...]:
    """Turns to begin with, as records write them."""
    found: list[dict[str, str]] = []
    for turn in turns:
        try:
            game.play({int(seat): move for seat, move in turn.items()})
        except ValueError as error:
            raise Refused("bad_opening", ply=len(found) + 1, reason=str(error)) from None
        if game.ply != len(found) + 1:
            raise Refused("bad_opening", ply=len(found) + 1, reason="an order is missing")
        found.append({str(seat): move for seat, move in game.last.items()})
    if game.over or game.ply >= LONGEST_GAME:
        raise Refused("bad_opening", ply=len(found), reason="the game is over by then")
    return tuple(found)
