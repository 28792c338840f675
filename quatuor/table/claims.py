"""A player is to move and away, or out of time: what the others may do, and how the player comes back."""

from quatuor.table.commands import Claim, Forfeit, HoldClocks
from quatuor.table.context import Context
from quatuor.table.events import Event, Refused
from quatuor.table.offers import has_begun
from quatuor.table.presence import Presence
from quatuor.table.table import Table

COMING_BACK = 10_000  # milliseconds that clocks wait after an outage at most, for players to connect again


def claim_from(table: Table, presence: Presence, seat: int) -> int | None:
    """From when the others may act for a seat; None: it is not to move, or its player is here."""
    gone = presence.away.get(table.seats[seat].guest or "")
    if gone is None:
        return None
    wait = table.setup.pace.wait
    if wait is None or seat not in table.awaited or len(table.people) < 2:
        return None
    return max(gone, table.turned) + wait


def claim(table: Table, command: Claim, context: Context) -> Event:
    """Against a player who is away: win, with two seats once the game has begun, or let an engine play for now."""
    seat, guest = command.seat, context.sender
    mine = [own for own in table.owned(guest) if own not in table.out]
    if not mine or seat in mine:
        raise Refused("not_your_seat", yours=table.owned(guest))
    since = claim_from(table, context.presence, seat) if seat < len(table.seats) else None
    if since is None or (command.win and (len(table.seats) != 2 or not has_begun(table))):
        raise Refused("no_claim")
    if context.now < since:
        raise Refused("too_early", at=since)
    if command.win:
        return Event("out", {"seat": seat, "why": "left"}, guest, command.ack, context.now)
    return Event("stand_in", {"seat": seat}, guest, command.ack, context.now)


def forfeit(table: Table, command: Forfeit, context: Context) -> Event:
    """A tournament's organiser, or the player who leaves it, puts a seat out.

    Organisers do not decide their own games: against an opponent they may do no more than any player may claim.
    """
    seat = command.seat
    if table.ended_by or seat in table.out:
        raise Refused("game_over")
    own = table.owned(context.sender)
    if own and seat not in own:
        since = claim_from(table, context.presence, seat)
        if since is None or context.now < since:
            raise Refused("own_game", at=since)
    return Event("out", {"seat": seat, "why": "left"}, context.sender, command.ack, context.now)


def come_back(table: Table, context: Context) -> Event | None:
    """The sender again plays the seats that engines played meanwhile; None: there are none."""
    seats = [seat for seat in table.owned(context.sender) if seat in table.stand_ins]
    return Event("back", {"seats": seats}, context.sender, at=context.now) if seats and not table.ended_by else None


def gather(table: Table, context: Context) -> Event | None:
    """The clocks start, since all players are here; None: they have started, or a player is missing."""
    if not table.clocks.gathering or table.waiting or table.ended_by or not table.people <= context.presence.online:
        return None
    return Event("gathered", {}, at=context.now)


def call_flag(table: Table, context: Context) -> Event | None:
    """The seat whose flag fell first is out; None: no flag has fallen.

    Before the second turn the game is called off instead: a player who did not come has not lost.
    """
    fallen = [seat for seat in table.clocks.since if table.clocks.fallen(seat, context.now)]
    first = min(fallen, key=lambda seat: table.clocks.until(seat) or 0, default=None)
    if first is None:
        return None
    if not has_begun(table):
        return Event("abort", {}, at=context.now)
    return Event("out", {"seat": first, "why": "time"}, at=context.now)


def hold_clocks(table: Table, command: HoldClocks, context: Context) -> Event | None:
    """Running clocks get the time of an outage back; None: they have, or none ran."""
    if table.touched >= command.end or not table.clocks.since:
        return None
    end = min(context.now, command.end + COMING_BACK)
    return Event("hold", {"start": command.start, "end": end}, at=context.now)
