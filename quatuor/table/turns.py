"""Moves, taking back, resigning: the commands of a turn, and who acts in it."""

from quatuor.games.contract import IllegalMove
from quatuor.table.commands import EngineMove, Move, Resign, Undo
from quatuor.table.commitments import new_salt
from quatuor.table.context import Context
from quatuor.table.events import Event, Refused
from quatuor.table.table import Table

SHOWN_LEGAL = 20  # moves listed with a refusal
STAND_IN_LEVEL = 3  # of the engine that plays for a player who is out or away, while others still play


def alone(table: Table, guest: str | None) -> bool:
    """Whether the guest is the only person at the table, so that undo and hints concern nobody else."""
    return table.people == {guest} and not table.setup.counts


def engines(table: Table) -> dict[int, int]:
    """The seats to move that an engine plays, with its level."""
    levels = {seat: table.seats[seat].level or STAND_IN_LEVEL for seat in table.to_move}
    return {n: level for n, level in levels.items() if table.seats[n].kind == "engine" or table.absent(n)}


def undo_to(table: Table, guest: str | None) -> int | None:
    """The ply to which the guest can take back now; None: not at all.

    Where the table allows it among several people, it is possible until another person has moved.
    """
    single = alone(table, guest)
    if not (single or table.setup.takeback) or table.ended_by not in (None, "rules"):
        return None
    mine = table.owned(guest)
    if not mine:
        return None
    if any(seat in mine for seat in table.orders):
        return table.game.ply if single or len(table.orders) == 1 else None  # only the order is taken back
    played = table.game.played
    for ply in range(table.game.ply - 1, -1, -1):
        people = [seat for seat in played[ply] if table.seats[seat].kind == "human"]
        if not single and any(seat not in mine for seat in people):
            return None
        if people:
            return ply
    return None


# ---- decisions


def move(table: Table, command: Move, context: Context) -> Event:
    """A player's move or secret order. The time that its message took is given back, within limits."""
    check_owner(table, command.seat, context)
    check_running(table)
    _check_ply(table, command.ply)
    if table.clocks.fallen(command.seat, context.now, context.lag):
        raise Refused("time_up")
    if command.seat not in table.awaited:
        raise Refused("not_your_turn", to_move=list(table.to_move))
    data = _played(table, command.seat, command.move)
    if context.illegal is not None:
        data["illegal"] = list(context.illegal)
    if table.setup.pace.budget:
        data["lag"] = min(context.lag, table.clocks.allowance(command.seat))
    return Event("move", data, context.sender, command.ack, context.now)


def engine_move(table: Table, command: EngineMove, context: Context) -> Event:
    """An engine's move; refused if it was searched for in another turn."""
    check_running(table)
    if command.turn != table.turn or command.seat not in engines(table):
        raise Refused("stale_ply", ply=table.game.ply)
    return Event("move", _played(table, command.seat, command.move), at=context.now)


def undo(table: Table, command: Undo, context: Context) -> Event:
    """Back to the sender's last turn."""
    if not table.owned(context.sender):
        raise Refused("not_your_seat", yours=[])
    _check_ply(table, command.ply)
    target = undo_to(table, context.sender)
    if target is None:
        raise Refused("no_undo")
    return Event("undo", {"ply": target}, context.sender, command.ack, context.now)


def resign(table: Table, command: Resign, context: Context) -> Event:
    """The sender's seat loses."""
    check_owner(table, command.seat, context)
    check_running(table)
    if command.seat in table.out:
        raise Refused("game_over")
    if table.waiting and table.people <= {context.sender}:
        return Event("abort", {}, context.sender, command.ack, context.now)  # nobody came: nothing is lost
    return Event("resign", {"seat": command.seat}, context.sender, command.ack, context.now)


def check_owner(table: Table, seat: int, context: Context) -> None:
    """Refuse unless the sender plays the seat."""
    yours = table.owned(context.sender)
    if seat not in yours:
        raise Refused("not_your_seat", yours=yours)


def check_running(table: Table) -> None:
    """Refuse once the game is over."""
    if table.ended_by:
        raise Refused("game_over")


def _check_ply(table: Table, ply: int) -> None:
    if ply != table.game.ply:
        raise Refused("stale_ply", ply=table.game.ply)


def _played(table: Table, seat: int, text: str) -> dict[str, object]:
    """The data of a move, with the move as records write it."""
    try:
        move = table.position.move(seat, text)
    except IllegalMove as error:
        raise Refused("illegal_move", reason=str(error), legal=table.position.legal(seat)[:SHOWN_LEGAL]) from None
    data: dict[str, object] = {"seat": seat, "move": move}
    if len(table.to_move) > 1:
        data["salt"] = new_salt()  # another seat is still to decide: the order is secret
    return data
