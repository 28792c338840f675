"""From a request to the setup of a table or a tournament."""

import secrets
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from quatuor.game import Game, new
from quatuor.games import names, rulebook
from quatuor.match.tournament import Tournament
from quatuor.server.clock import now
from quatuor.server.names import proper_name
from quatuor.server.wire import NewTable, NewTournament, PaceChoice, SeatChoice
from quatuor.table import Pace, Refused, Seat, Setup, Table
from quatuor.table.clocks import NO_CLOCK
from quatuor.table.seats import BOT, LEVELS
from quatuor.table.table import LONGEST_GAME

LONGEST_TITLE = 60  # of a tournament


def validate_new_table(guest: str, command: NewTable) -> Setup:
    """Check a request; Refused says what would be right."""
    game = _set_up(_game(command), command.position)
    if len(command.seats) != game.seats:
        raise Refused("bad_seats", seats=game.seats)
    seats = tuple(_seat(guest, seat) for seat in command.seats)
    opening = _opening(game, command.opening)
    played = (game.name, game.variant.name, game.options, seats, guest, _today(), opening, now())
    chosen = _pace(command.pace), command.takeback, command.listed, command.words
    return Setup(*played, *chosen, position=command.position)


def again(table: Table, guest: str) -> Setup:
    """The same people once more, everybody one seat further; no old invitation is valid.

    A bot has not agreed yet: its seat stays open until it joins.
    """
    seats = tuple(_same(seat, guest) for seat in table.seats)
    listed = table.setup.listed and any(seat.kind == "open" and seat.guest is None for seat in seats)
    return replace(table.setup.rotated(seats, guest, _today(), now()), listed=listed)


def tournament(command: NewTournament) -> tuple[Tournament, dict[str, Any]]:
    """A new tournament, and what only the server needs to know of it; Refused tells what would be right."""
    game, title = _game(command), " ".join(command.title.split())
    if not 1 <= len(title) <= LONGEST_TITLE or not title.isprintable():
        raise Refused("bad_title", longest=LONGEST_TITLE)
    if command.rounds is not None and command.format != "swiss":
        raise Refused("bad_request", reason="rounds: only a Swiss has a number of rounds")
    cup = Tournament.create(
        game.name, game.variant.name, game.options, format=command.format, rounds=command.rounds, title=title
    )
    plain = {key: getattr(command, key) for key in ("most", "listed", "late", "auto", "words")}
    return cup, {**plain, "pace": asdict(_pace(command.pace))}


def of_tournament(name: str, organiser: str, about: dict[str, Any], seats: list[Seat], setup: dict[str, Any]) -> Setup:
    """A table of a tournament's round: nobody else can sit down, nothing is taken back."""
    played = (about["game"], about["variant"], about["options"], tuple(seats), organiser, _today(), (), now())
    return Setup(*played, Pace(**setup["pace"]), words=setup["words"], tournament=name)


def new_id() -> str:
    """An id that cannot be guessed."""
    return secrets.token_urlsafe(9)


def _game(command: NewTable | NewTournament) -> Game:
    """The requested game, before its first move."""
    if command.game not in names():
        raise Refused("unknown_game", games=list(names()))
    book = rulebook(command.game)
    variants = [variant.name for variant in book.variants]
    if (command.variant or variants[0]) not in variants:
        raise Refused("unknown_variant", variants=variants)
    try:
        return Game(book, command.variant or variants[0], command.options)
    except ValueError as error:
        raise Refused("bad_option", message=str(error)) from None


def _set_up(game: Game, position: str) -> Game:
    """The same game at a position, if one is given."""
    if not position:
        return game
    try:
        return new(game.name, game.variant.name, position=position, **game.options)
    except ValueError as error:
        raise Refused("bad_opening", ply=0, reason=str(error)) from None


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
    if game.over or game.ply >= LONGEST_GAME:
        raise Refused("bad_opening", ply=len(found), reason="the game is over by then")
    return tuple(found)


def _seat(guest: str, command: SeatChoice) -> Seat:
    if (command.kind == "engine") != (command.level is not None):
        raise Refused("bad_seats", reason="level", levels=[LEVELS[0], LEVELS[-1]])
    if command.kind == "engine":
        return Seat("engine", level=command.level)
    if command.kind == "open":
        return Seat("open", token=_token())
    label = proper_name(command.name, guest) if command.name else None
    return Seat("human", guest=guest, label=label)


def _same(seat: Seat, guest: str) -> Seat:
    if seat.kind == "open":
        return Seat("open", token=_token())
    if seat.guest and seat.guest.startswith(BOT) and seat.guest != guest:
        return Seat("open", seat.guest, token=_token())
    return Seat(seat.kind, seat.guest, seat.level, label=seat.label)


def _pace(command: PaceChoice | None) -> Pace:
    if command is None:
        return NO_CLOCK
    if (command.total is None) == (command.days is None) or (command.days and command.increment):
        raise Refused("bad_pace", either=["total", "days"])
    return Pace(command.total or 0, command.increment, command.days or 0)


def _token() -> str:
    return secrets.token_urlsafe(12)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
