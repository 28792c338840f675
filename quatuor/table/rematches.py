"""Rematches: offered, accepted by every other person, declined or withdrawn. Engines always accept."""

from quatuor.table.commands import DeclineRematch, OfferRematch
from quatuor.table.context import Context
from quatuor.table.events import Event, Refused
from quatuor.table.seats import BOT
from quatuor.table.table import Table

OFFERS = 3  # of one player at one table
LASTS = 120_000  # milliseconds for which an offer stands where a clock would start: later, its player may have left


def offer(table: Table, command: OfferRematch, context: Context) -> Event | None:
    """Offer a rematch or accept one: the event ``rematch`` once all have agreed; None: nothing changes."""
    guest, now = context.sender, context.now
    mine = _seats(table, guest)
    if table.rematch:
        return None
    if not table.ended_by:
        raise Refused("not_over")
    agreed = set(offered(table, now)) | set(mine)
    if needed(table) <= agreed:
        return Event("rematch", {"table": command.new_table}, guest, command.ack, now)
    if agreed == set(offered(table, now)):
        return None
    if not offered(table, now):
        if mine[0] in table.rematch_declined:
            raise Refused("rematch_declined")
        if table.rematch_offers.get(mine[0], 0) >= OFFERS:
            raise Refused("rate_limited")
    return Event("rematch_offer", {"seat": mine[0], "seats": sorted(agreed)}, guest, command.ack, now)


def decline(table: Table, command: DeclineRematch, context: Context) -> Event:
    """Decline an offer, or withdraw one's own."""
    mine = _seats(table, context.sender)
    if table.rematch or not table.rematch_offer:
        raise Refused("no_offer")
    return Event("rematch_declined", {"seat": mine[0]}, context.sender, command.ack, context.now)


def offered(table: Table, now: int) -> list[int]:
    """The seats that have agreed to a rematch so far."""
    stale = table.setup.pace.total and now > table.rematch_at + LASTS
    return [] if stale else table.rematch_offer


def needed(table: Table) -> set[int]:
    """The seats that have to agree. A bot agrees by joining the new table, where its seat is kept free for it."""
    people = {number for number, seat in enumerate(table.seats) if seat.kind == "human"}
    return {number for number in people if not (table.seats[number].guest or "").startswith(BOT)}


def _seats(table: Table, guest: str | None) -> list[int]:
    seats = table.owned(guest)
    if not seats:
        raise Refused("not_your_seat", yours=[])
    if table.setup.tournament:
        raise Refused("no_rematch")
    return seats
