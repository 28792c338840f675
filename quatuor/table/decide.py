"""From a command to the event that carries it out. Nothing here changes a table, so a decision can be made again."""

from typing import assert_never

from quatuor.table import chat, claims, offers, rematches, seating, turns
from quatuor.table.commands import (
    Abort,
    Adopt,
    AllowWords,
    Answer,
    CallFlag,
    CallOff,
    Claim,
    ComeBack,
    Command,
    DeclineRematch,
    EngineMove,
    Fill,
    Forfeit,
    Gather,
    HoldClocks,
    Join,
    Move,
    Offer,
    OfferRematch,
    RemoveMessage,
    Resign,
    Say,
    Undo,
)
from quatuor.table.context import Context
from quatuor.table.events import Accepted, AlreadyDone, Decision, Event, Refused
from quatuor.table.table import Table


def decide(table: Table, command: Command, context: Context) -> Decision:
    """The decision about a command. A command whose ack was carried out before is not carried out again."""
    if command.ack is not None and context.sender is not None:
        done = table.answers.get((context.sender, command.ack))
        if done is not None:
            return AlreadyDone(done)
    if table.foreign:  # what a process of the later release would refuse, or allow, is not known here
        return Refused("try_again")
    try:
        event = _event(table, command, context)
    except Refused as refused:
        return refused
    return AlreadyDone(table.version) if event is None else Accepted(event)


def _event(table: Table, command: Command, context: Context) -> Event | None:
    """The event; None: the table is already as the command wants it. Raises Refused."""
    match command:
        case Move():
            return turns.move(table, command, context)
        case EngineMove():
            return turns.engine_move(table, command, context)
        case Undo():
            return turns.undo(table, command, context)
        case Resign():
            return turns.resign(table, command, context)
        case Say():
            return chat.say(table, command, context)
        case AllowWords():
            return chat.allow_words(table, command, context)
        case RemoveMessage():
            return chat.remove_message(table, command, context)
        case Join():
            return seating.join(table, command, context)
        case Fill():
            return seating.fill(table, command, context)
        case Adopt():
            return seating.adopt(table, command, context)
        case Claim():
            return claims.claim(table, command, context)
        case ComeBack():
            return claims.come_back(table, context)
        case Gather():
            return claims.gather(table, context)
        case CallFlag():
            return claims.call_flag(table, context)
        case Forfeit():
            return claims.forfeit(table, command, context)
        case CallOff():
            return offers.call_off(table, context)
        case Offer():
            return offers.offer(table, command, context)
        case Answer():
            return offers.answer(table, command, context)
        case Abort():
            return offers.abort(table, command, context)
        case OfferRematch():
            return rematches.offer(table, command, context)
        case DeclineRematch():
            return rematches.decline(table, command, context)
        case HoldClocks():
            return claims.hold_clocks(table, command, context)
    assert_never(command)
