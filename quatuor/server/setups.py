"""From a request to the setup of a table or a tournament."""

import secrets
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from quatuor.game import Game
from quatuor.match.tournament import Tournament
from quatuor.server.clock import now
from quatuor.server.names import proper_name
from quatuor.server.wire import NewTable, NewTournament, PaceChoice, SeatChoice
from quatuor.table import Pace, Refused, Seat, Setup, Table
from quatuor.table.clocks import NO_CLOCK
from quatuor.table.request import requested_game, requested_opening
from quatuor.table.seats import ACCOUNT, BOT, LEVELS

LONGEST_TITLE = 60  # of a tournament


def validate_new_table(guest: str, command: NewTable) -> Setup:
    """Check a request; Refused says what would be right."""
    game = requested_game(command.game, command.variant, command.options, command.position)
    if len(command.seats) != game.seats:
        raise Refused("bad_seats", seats=game.seats)
    seats = tuple(_seat(guest, seat) for seat in command.seats)
    opening = requested_opening(game, command.opening)
    if command.rated:
        _check_rated(guest, command, game)
    played = (game.name, game.variant.name, game.options, seats, guest, _today(), opening, now())
    pace = requested_pace(command.pace)
    chosen = pace, command.takeback, command.listed, command.words
    return Setup(*played, *chosen, gather=bool(pace.total), position=command.position, rated=command.rated)


def _check_rated(guest: str, command: NewTable, game: Game) -> None:
    """A rated game follows the usual rules, from the start, and each person in it has one seat and an account."""
    if not guest.startswith(ACCOUNT):
        raise Refused("account_needed")
    usual = requested_game(command.game, command.variant, {}).options
    wrong = {
        "takeback": command.takeback,
        "options": game.options != usual,
        "opening": bool(command.opening or command.position),
        "seats": len([seat for seat in command.seats if seat.kind == "me"]) != 1 or len(command.seats) < 2,
    }
    for reason, found in wrong.items():
        if found:
            raise Refused("bad_rated", reason=reason)


def again(table: Table, guest: str) -> Setup:
    """The setup of a rematch: the same people, everybody one seat further; no old invitation is valid.

    A bot has not agreed yet: its seat stays open until it joins.
    """
    seats = tuple(_same(seat, guest) for seat in table.seats)
    listed = table.setup.listed and any(seat.kind == "open" and seat.guest is None for seat in seats)
    gather = bool(table.setup.pace.total)
    return replace(table.setup.rotated(seats, guest, _today(), now()), listed=listed, gather=gather)


def validate_new_tournament(command: NewTournament) -> tuple[Tournament, dict[str, Any]]:
    """A new tournament, and what only the server needs to know of it; Refused says what would be right."""
    game = requested_game(command.game, command.variant, command.options)
    title = " ".join(command.title.split())
    if not 1 <= len(title) <= LONGEST_TITLE or not title.isprintable():
        raise Refused("bad_title", longest=LONGEST_TITLE)
    if command.rounds is not None and command.format != "swiss":
        raise Refused("bad_request", reason="rounds: only a Swiss has a number of rounds")
    tournament = Tournament.create(
        game.name, game.variant.name, game.options, format=command.format, rounds=command.rounds, title=title
    )
    if command.starts is not None:
        tournament.schedule(datetime.fromtimestamp(command.starts / 1000, UTC))
    plain = {key: getattr(command, key) for key in ("most", "listed", "late", "auto", "words")}
    return tournament, {**plain, "pace": asdict(requested_pace(command.pace))}


def of_tournament(name: str, organiser: str, about: dict[str, Any], seats: list[Seat], setup: dict[str, Any]) -> Setup:
    """A table of a tournament's round: nobody else can join, nothing is taken back; if it is public, all may watch."""
    played = (about["game"], about["variant"], about["options"], tuple(seats), organiser, _today(), (), now())
    public = setup.get("listed", False)
    return Setup(*played, Pace(**setup["pace"]), words=setup["words"], listed=public, tournament=name)


def new_id() -> str:
    """An id that cannot be guessed."""
    return secrets.token_urlsafe(9)


def _seat(guest: str, command: SeatChoice) -> Seat:
    if (command.kind == "engine") != (command.level is not None):
        raise Refused("bad_seats", reason="level", levels=[LEVELS[0], LEVELS[-1]])
    if command.kind == "engine":
        return Seat("engine", level=command.level)
    if command.kind == "open":
        return Seat("open", token=_token(), invited=command.invited)
    label = proper_name(command.name, guest) if command.name else None
    return Seat("human", guest=guest, label=label)


def _same(seat: Seat, guest: str) -> Seat:
    if seat.kind == "open":
        return Seat("open", token=_token(), invited=seat.invited)
    if seat.guest and seat.guest.startswith(BOT) and seat.guest != guest:
        return Seat("open", seat.guest, token=_token())
    return Seat(seat.kind, seat.guest, seat.level, label=seat.label)


def requested_pace(command: PaceChoice | None) -> Pace:
    """Check how fast a game is to be played; none: without a clock."""
    if command is None:
        return NO_CLOCK
    if (command.total is None) == (command.days is None) or (command.days and command.increment):
        raise Refused("bad_pace", either=["total", "days"])
    return Pace(command.total or 0, command.increment, command.days or 0)


def _token() -> str:
    return secrets.token_urlsafe(12)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
