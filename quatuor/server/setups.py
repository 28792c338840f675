"""From a guest's wish to a table, or a tournament, that can be opened."""

import secrets
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from quatuor.game import Game
from quatuor.games import names, rulebook
from quatuor.match.tournament import Tournament
from quatuor.server.moment import now
from quatuor.server.wire import NewTable, NewTournament, PaceWish, SeatWish
from quatuor.table import Pace, Refused, Seat, Setup, Table
from quatuor.table.clocks import NO_CLOCK
from quatuor.table.seats import LEVELS

LONGEST_TITLE = 60  # of a tournament


def wished(guest: str, wish: NewTable) -> Setup:
    """Check a wish; Refused tells what would be right."""
    game = _game(wish)
    if len(wish.seats) != game.seats:
        raise Refused("bad_seats", seats=game.seats)
    seats = tuple(_seat(guest, seat) for seat in wish.seats)
    opening = _opening(game, wish.opening)
    played = (game.name, game.variant.name, game.options, seats, guest, _today(), opening, now())
    return Setup(*played, _pace(wish.pace), wish.takeback, wish.listed, wish.words)


def again(table: Table, guest: str) -> Setup:
    """The same people once more, everybody one seat further; nobody's old invitation holds."""
    seats = tuple(
        Seat("open", token=_token()) if seat.kind == "open" else Seat(seat.kind, seat.guest, seat.level)
        for seat in table.seats
    )
    return table.setup.rotated(seats, guest, _today(), now())


def tournament(wish: NewTournament) -> tuple[Tournament, dict[str, Any]]:
    """A new tournament, and what only the server needs to know of it; Refused tells what would be right."""
    game, title = _game(wish), " ".join(wish.title.split())
    if not 1 <= len(title) <= LONGEST_TITLE or not title.isprintable():
        raise Refused("bad_title", longest=LONGEST_TITLE)
    if wish.rounds is not None and wish.format != "swiss":
        raise Refused("bad_request", reason="rounds: only a Swiss has a number of rounds")
    cup = Tournament.create(
        game.name, game.variant.name, game.options, format=wish.format, rounds=wish.rounds, title=title
    )
    plain = {key: getattr(wish, key) for key in ("most", "listed", "late", "auto", "words")}
    return cup, {**plain, "pace": asdict(_pace(wish.pace))}


def of_tournament(name: str, organiser: str, about: dict[str, Any], seats: list[Seat], setup: dict[str, Any]) -> Setup:
    """A table of a tournament's round: nobody else can sit down, nothing is taken back."""
    played = (about["game"], about["variant"], about["options"], tuple(seats), organiser, _today(), (), now())
    return Setup(*played, Pace(**setup["pace"]), words=setup["words"], tournament=name)


def new_id() -> str:
    """An address that nobody guesses."""
    return secrets.token_urlsafe(9)


def _game(wish: NewTable | NewTournament) -> Game:
    """The game of a wish, before its first move."""
    if wish.game not in names():
        raise Refused("unknown_game", games=list(names()))
    book = rulebook(wish.game)
    variants = [variant.name for variant in book.variants]
    if (wish.variant or variants[0]) not in variants:
        raise Refused("unknown_variant", variants=variants)
    try:
        return Game(book, wish.variant or variants[0], wish.options)
    except ValueError as error:
        raise Refused("bad_option", message=str(error)) from None


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
