"""From a guest's message to the event that would carry it out."""

from quatuor.server.wire import Claim, Command, Fill, Move, Resign, Say, Undo, Words
from quatuor.table import Event, Table, allow_words, claim, fill, say


def decide(table: Table, guest: str | None, command: Command, now: int, lag: int) -> Event | int:
    """The event, or the version at which the same wish was carried out before; Refused if it can't be met."""
    done = table.answers.get((guest or "", command.ack))
    if done is not None:
        return done
    match command:
        case Move():
            return table.move(guest, command.ply, command.seat, command.move, command.ack, now, lag)
        case Undo():
            return table.undo(guest, command.ply, command.ack)
        case Resign():
            return table.resign(guest, command.seat, command.ack)
        case Claim():
            return claim(table, guest, command.seat, command.win, now, command.ack)
        case Fill():
            return fill(table, guest, command.seat, command.level, command.ack)
        case Say():
            return say(table, guest, command.phrase, command.words, now, command.ack)
        case Words():
            return allow_words(table, guest, command.on, command.ack)
