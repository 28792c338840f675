"""From a guest's message to the event that would carry it out."""

from quatuor.server.wire import Claim, Fill, Move, Resign, Say, Undo, Wish, Words
from quatuor.table import Event, Table, allow_words, claim, fill, say


def decide(table: Table, guest: str | None, wish: Wish, now: int, lag: int) -> Event | int:
    """The event, or the version at which the same wish was carried out before; Refused if it can't be met."""
    done = table.answers.get((guest or "", wish.ack))
    if done is not None:
        return done
    match wish:
        case Move():
            return table.move(guest, wish.ply, wish.seat, wish.move, wish.ack, now, lag)
        case Undo():
            return table.undo(guest, wish.ply, wish.ack)
        case Resign():
            return table.resign(guest, wish.seat, wish.ack)
        case Claim():
            return claim(table, guest, wish.seat, wish.win, now, wish.ack)
        case Fill():
            return fill(table, guest, wish.seat, wish.level, wish.ack)
        case Say():
            return say(table, guest, wish.phrase, wish.words, now, wish.ack)
        case Words():
            return allow_words(table, guest, wish.on, wish.ack)
