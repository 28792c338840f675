"""Offers among people: a draw, or taking back a move. An offer is accepted by all others, declined or withdrawn.

Also calling a game off before it has really begun.
"""

from typing import Any

from quatuor.table.commands import Abort, Answer, Offer
from quatuor.table.context import Context
from quatuor.table.events import Event, Refused
from quatuor.table.seats import BOT
from quatuor.table.table import BEGUN, Table
from quatuor.table.turns import check_running


def offer(table: Table, command: Offer, context: Context) -> Event | None:
    """The sender offers a draw, or asks to take back their last turn; None: the offer stands already."""
    mine = _seats(table, context)
    check_running(table)
    if table.offer and table.offer["kind"] == command.kind:
        return None if table.offer["seat"] in mine else answer(table, Answer(True, ack=command.ack), context)
    if table.offer or table.waiting or not _needed(table, mine) or _is_bot_here(table):
        raise Refused("no_offer")
    if command.kind == "draw" and (len(table.seats) > 2 or table.setup.tournament):
        raise Refused("no_draw")
    ply = table.game.ply if command.kind == "draw" else _own_turn(table, mine)
    if table.offered.get((mine[0], command.kind)) == table.turn:
        raise Refused("rate_limited")  # one for each turn
    data = {"kind": command.kind, "seat": mine[0], "seats": mine, "ply": ply}
    return Event("offer", data, context.sender, command.ack, context.now)


def answer(table: Table, command: Answer, context: Context) -> Event | None:
    """The sender accepts or declines an offer; declining one's own withdraws it. None: accepted before."""
    mine = _seats(table, context)
    check_running(table)
    standing = table.offer
    if standing is None:
        raise Refused("no_offer")
    if not command.accept:
        return Event("offer_declined", {"seat": mine[0]}, context.sender, command.ack, context.now)
    agreed = sorted({*standing["seats"], *mine})
    if agreed == standing["seats"]:
        return None
    if _needed(table, agreed):
        return Event("offer", {**standing, "seats": agreed}, context.sender, command.ack, context.now)
    data: dict[str, Any] = {"ply": standing["ply"]} if standing["kind"] == "undo" else {}
    return Event(standing["kind"], data, context.sender, command.ack, context.now)


def abort(table: Table, command: Abort, context: Context) -> Event:
    """Call the game off, so that nobody loses: its owner while seats are open, any player before the second turn."""
    check_running(table)
    if table.setup.tournament:
        raise Refused("no_abort")
    if table.waiting:
        if context.sender is None or context.sender != table.owner:
            raise Refused("not_owner")
    elif not can_abort(table, context.sender):
        raise Refused("no_abort" if table.owned(context.sender) else "not_your_seat")
    return Event("abort", {}, context.sender, command.ack, context.now)


def call_off(table: Table, context: Context) -> Event:
    """The organiser of a tournament calls off one of its games before its second turn, which no player may do."""
    if table.ended_by or table.played >= BEGUN:
        raise Refused("has_begun" if not table.ended_by else "game_over")
    return Event("abort", {}, at=context.now)


def can_abort(table: Table, guest: str | None) -> bool:
    """Whether a guest may call the game off: while seats are open the owner, then any player."""
    if table.ended_by or table.setup.tournament or guest is None:
        return False
    if table.waiting:
        return guest == table.owner
    return not has_begun(table) and guest in table.people


def has_begun(table: Table) -> bool:
    """Whether the game can no longer be called off: from its second turn on, in a tournament from the start."""
    return bool(table.setup.tournament) or table.played >= BEGUN


def _seats(table: Table, context: Context) -> list[int]:
    """The seats that the sender plays and that have not lost."""
    mine = [seat for seat in table.owned(context.sender) if seat not in table.out]
    if not mine:
        raise Refused("not_your_seat", yours=[])
    return mine


def _needed(table: Table, agreed: list[int]) -> list[int]:
    """The people who still have to agree."""
    return [n for n, seat in enumerate(table.seats) if seat.kind == "human" and n not in agreed and not table.absent(n)]


def _is_bot_here(table: Table) -> bool:
    """Whether a bot has a seat: bots do not know offers of this kind."""
    return any(seat.guest and seat.guest.startswith(BOT) for seat in table.seats)


def _own_turn(table: Table, mine: list[int]) -> int:
    """The ply before the last turn of these seats."""
    if table.setup.counts:
        raise Refused("no_undo")
    played = table.game.played
    for ply in range(table.game.ply - 1, len(table.setup.opening) - 1, -1):
        if any(seat in mine for seat in played[ply]):
            return ply
    raise Refused("no_undo")
