"""From a guest's wish to a table that can be opened."""

import secrets
from datetime import UTC, datetime

from quatuor.game import Game
from quatuor.games import names, rulebook
from quatuor.server.moment import now
from quatuor.server.wire import NewTable, PaceWish, SeatWish
from quatuor.table import Pace, Refused, Seat, Setup, Table
from quatuor.table.clocks import NO_CLOCK
from quatuor.table.seats import LEVELS


def wished(guest: str, wish: NewTable) -> Setup:
    """Check a wish; Refused tells what would be right."""
    if wish.game not in names():
        raise Refused("unknown_game", games=list(names()))
    book = rulebook(wish.game)
    variants = {variant.name: variant for variant in book.variants}
    variant = variants.get(wish.variant or book.variants[0].name)
    if variant is None:
        raise Refused("unknown_variant", variants=list(variants))
    try:
        game = Game(book, variant.name, wish.options)
    except ValueError as error:
        raise Refused("bad_option", message=str(error)) from None
    if len(wish.seats) != variant.seats:
        raise Refused("bad_seats", seats=variant.seats)
    seats = tuple(_seat(guest, seat) for seat in wish.seats)
    opening = _opening(game, wish.opening)
    played = (book.name, variant.name, game.options, seats, guest, _today(), opening, now())
    return Setup(*played, _pace(wish.pace), wish.takeback, wish.listed, wish.words)


def again(table: Table, guest: str) -> Setup:
    """The same people once more, everybody one seat further; nobody's old invitation holds."""
    seats = tuple(
        Seat("open", token=_token()) if seat.kind == "open" else Seat(seat.kind, seat.guest, seat.level)
        for seat in table.seats
    )
    return table.setup.rotated(seats, guest, _today(), now())


def new_id() -> str:
    """An address that nobody guesses."""
    return secrets.token_urlsafe(9)


def _opening(game: Game, turns: list[dict[str, str]]) -> tuple[dict[str, str], ...]:
    """Turns to begin with, as records write them; they are played out, so that nothing illegal gets in."""
    found: list[dict[str, str]] = []
    for turn in turns:
        try:
            game.play({int(seat): move for seat, move in turn.items()})
        except ValueError as error:  # IllegalMove too
            raise Refused("bad_opening", ply=len(found) + 1, reason=str(error)) from None
        if game.ply != len(found) + 1:
            raise Refused("bad_opening", ply=len(found) + 1, reason="an order is missing")
        found.append({str(seat): move for seat, move in game.last.items()})
    if game.over:
        raise Refused("bad_opening", ply=len(found), reason="the game is over by then")
    return tuple(found)


def _seat(guest: str, wish: SeatWish) -> Seat:
    if (wish.kind == "engine") != (wish.level is not None):
        raise Refused("bad_seats", reason="level", levels=[LEVELS[0], LEVELS[-1]])
    if wish.kind == "engine":
        return Seat("engine", level=wish.level)
    return Seat("human", guest=guest) if wish.kind == "me" else Seat("open", token=_token())


def _pace(wish: PaceWish | None) -> Pace:
    if wish is None:
        return NO_CLOCK
    if (wish.total is None) == (wish.days is None) or (wish.days and wish.increment):
        raise Refused("bad_pace", either=["total", "days"])
    return Pace(wish.total or 0, wish.increment, wish.days or 0)


def _token() -> str:
    return secrets.token_urlsafe(12)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
