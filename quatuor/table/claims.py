"""Somebody is to move and is not there: what the others may do, and how to come back."""

from quatuor.table.events import Event, Refused
from quatuor.table.table import Table


def claim_from(table: Table, seat: int) -> int | None:
    """From when on the others may act for a seat; None: it is not awaited, or its player is here."""
    gone = table.away.get(table.seats[seat].guest or "")
    wait = table.setup.pace.wait
    if gone is None or wait is None or seat not in table.awaited or len(table.people) < 2:
        return None
    return max(gone, table.turned) + wait


def claim(table: Table, guest: str | None, seat: int, win: bool, now: int, ack: str | None = None) -> Event:
    """Against somebody who is away: claim the win, with two seats, or have an engine play on until they are back."""
    mine = [own for own in table.owned(guest) if own not in table.out]
    if not mine or seat in mine:
        raise Refused("not_your_seat", yours=table.owned(guest))
    since = claim_from(table, seat) if seat < len(table.seats) else None
    if since is None or (win and len(table.seats) != 2):
        raise Refused("no_claim")
    if now < since:
        raise Refused("too_early", at=since)
    if win:
        return Event("out", {"seat": seat, "why": "left"}, guest, ack)
    return Event("stand_in", {"seat": seat}, guest, ack)


def forfeit(table: Table, guest: str | None, seat: int, now: int) -> Event:
    """A tournament's organiser, or the player who leaves it, puts a seat out; the others play on, or have won.

    Organisers do not decide their own games: against an opponent they may do no more than any player may claim.
    """
    if table.ended_by or seat in table.out:
        raise Refused("game_over")
    own = table.owned(guest)
    if own and seat not in own:
        since = claim_from(table, seat)
        if since is None or now < since:
            raise Refused("own_game", at=since)
    return Event("out", {"seat": seat, "why": "left"}, guest)


def come_back(table: Table, guest: str | None) -> Event | None:
    """Whoever comes back takes the seats from the engines that stood in."""
    seats = [seat for seat in table.owned(guest) if seat in table.stand_ins]
    return Event("back", {"seats": seats}, guest) if seats and not table.ended_by else None


def fill(table: Table, guest: str | None, seat: int, level: int, ack: str | None = None) -> Event:
    """The table's owner waits no longer: an engine takes a free seat."""
    if guest is None or guest != table.owner:
        raise Refused("not_owner")
    if seat >= len(table.seats) or table.seats[seat].kind != "open":
        raise Refused("seat_taken", seat=seat)
    return Event("fill", {"seat": seat, "level": level}, guest, ack)


def flag(table: Table, now: int) -> Event | None:
    """The first flag that has fallen by now; its seat is out."""
    fallen = [seat for seat in table.clocks.since if table.clocks.fallen(seat, now)]
    first = min(fallen, key=lambda seat: table.clocks.until(seat) or 0, default=None)
    return None if first is None else Event("out", {"seat": first, "why": "time"})
