"""From the page's request for a table to the setup of one."""

import secrets
import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from quatuor.table import Refused, Seat, Setup, Table
from quatuor.table.request import requested_game, requested_opening

GUEST = "me"  # the person at this device
NAME_LIMIT = 24  # characters, as on the server
PREFIX = "local-"  # how the ids of local tables begin


def now() -> int:
    """Milliseconds since 1970."""
    return int(time.time() * 1000)


def new_id() -> str:
    """The id of a new table."""
    return PREFIX + secrets.token_urlsafe(9)


def new_setup(request: dict[str, Any]) -> Setup:
    """The table that the page asks for; Refused says what is wrong."""
    position = request.get("position", "")
    game = requested_game(request.get("game"), request.get("variant"), request.get("options", {}), position)
    seats = tuple(_seat(seat) for seat in request.get("seats", ()))
    if len(seats) != game.seats:
        raise Refused("bad_seats", seats=game.seats)
    opening = requested_opening(game, request.get("opening", []))
    today = datetime.now(UTC).date().isoformat()
    played = (game.name, game.variant.name, game.options, seats, GUEST, today, opening, now())
    return Setup(*played, position=position)


def again(table: Table) -> Setup:
    """The setup of a rematch: everybody one seat further."""
    today = datetime.now(UTC).date().isoformat()
    seats = tuple(replace(seat, token=None) for seat in table.seats)
    return table.setup.rotated(seats, GUEST, today, now())


def _seat(seat: dict[str, Any]) -> Seat:
    if seat["kind"] == "open":
        raise Refused("needs_server")  # other people come through the server
    if seat["kind"] == "engine":
        return Seat("engine", level=seat["level"])
    name = " ".join((seat.get("name") or "").split())[:NAME_LIMIT]
    return Seat("human", guest=GUEST, label=name or None)
