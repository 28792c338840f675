"""Who takes which seat: joining, giving a seat to an engine, moving a guest's seats to an account."""

from quatuor.table.commands import Adopt, Fill, Join
from quatuor.table.context import Context
from quatuor.table.events import Event, Refused
from quatuor.table.seats import ACCOUNT, for_anyone
from quatuor.table.table import Table


def join(table: Table, command: Join, context: Context) -> Event | None:
    """The sender takes a seat; None: they have one already, and keep it."""
    guest = context.sender
    if guest is None:
        raise Refused("bad_token")
    number = _wanted(table, command, guest)
    if table.owned(guest):
        return None
    if table.ended_by:
        raise Refused("game_over")
    if number is None or table.seats[number].kind != "open":
        raise Refused("seat_taken", seat=number)
    if table.setup.rated and not guest.startswith(ACCOUNT):
        raise Refused("account_needed")
    return Event("join", {"seat": number}, guest, command.ack, context.now)


def joined_seat(table: Table, command: Join, guest: str) -> int:
    """The seat that a guest who has joined plays: the one asked for, or the first of theirs."""
    mine = table.owned(guest)
    asked = _wanted_by_token(table, command.token) if command.token is not None else command.seat
    return asked if asked in mine else mine[0]


def fill(table: Table, command: Fill, context: Context) -> Event:
    """The owner waits no longer: an engine takes an open seat."""
    if context.sender is None or context.sender != table.owner:
        raise Refused("not_owner")
    if command.seat >= len(table.seats) or table.seats[command.seat].kind != "open":
        raise Refused("seat_taken", seat=command.seat)
    data = {"seat": command.seat, "level": command.level}
    return Event("fill", data, context.sender, command.ack, context.now)


def adopt(table: Table, command: Adopt, context: Context) -> Event | None:
    """All that belonged to one id at this table now belongs to another, spectators' messages too; None: nothing did."""
    if not table.owned(command.old) and table.owner != command.old and not table.wrote(command.old):
        return None
    return Event("adopt", {"old": command.old, "new": command.new}, at=context.now)


def _wanted(table: Table, command: Join, guest: str) -> int | None:
    """The seat that a guest may take."""
    if command.token is None:
        return _free(table, command.seat, guest)
    number = _wanted_by_token(table, command.token)
    if number is None:
        raise Refused("bad_token")
    seat = table.seats[number]
    if seat.guest and (seat.kind == "open" or seat.guest == guest):
        return number  # kept for a bot, or the guest's own
    # Each link fills any free seat: first one that is only for people with a link, then the link's own.
    free = [n for n, seat in enumerate(table.seats) if seat.kind == "open" and seat.token and not seat.guest]
    return min(free, key=lambda n: (not table.seats[n].invited, n != number), default=number)


def _wanted_by_token(table: Table, token: str) -> int | None:
    return next((number for number, seat in enumerate(table.seats) if seat.token == token), None)


def _free(table: Table, wanted: int | None, guest: str) -> int | None:
    """An open seat that needs no token: one kept for the guest, or at a listed table one that anyone may take."""
    open_seats = [number for number, seat in enumerate(table.seats) if seat.kind == "open"]
    free = [number for number in open_seats if table.seats[number].guest == guest]
    if not table.setup.listed and not free:
        raise Refused("bad_token")
    free = free or [number for number in open_seats if for_anyone(table.seats[number])]
    return wanted if wanted in free else None if wanted is not None else next(iter(free), None)
