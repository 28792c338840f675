"""Chat at a table: set phrases, which every page shows in its reader's language, and free words.

Spectators have a chat of their own, which players cannot read before the game is over. All messages are in one list:
those of spectators have no seat.
"""

from typing import Any

from quatuor.table.commands import AllowWords, RemoveMessage, Say
from quatuor.table.context import Context
from quatuor.table.events import Event, Refused
from quatuor.table.seats import BOT
from quatuor.table.table import Table

PHRASES = (
    "hello", "good_luck", "nice_move", "oops", "moment", "thanks", "well_played", "good_game", "again", "bye",
)  # fmt: skip
LONGEST = 200  # characters of a message
RATE, WINDOW = 5, 10_000  # messages of one person within this many milliseconds
SPECTATORS_RATE = 20  # messages of all spectators within the same time
SPECTATORS_MOST = 500  # messages of spectators at one table, so that they cannot use up its events


def say(table: Table, command: Say, context: Context) -> Event:
    """A phrase or free words, to all from a player, to the other spectators from a spectator."""
    sender, seats = context.sender, table.owned(context.sender)
    if sender is None or (not seats and sender.startswith(BOT)):
        raise Refused("not_your_seat", yours=[])
    if command.seat is not None and command.seat not in seats:
        raise Refused("not_your_seat", yours=seats)
    recent = [message for message in table.chat if message["at"] > context.now - WINDOW]
    if sum(author(table, message) == sender for message in recent) >= RATE:
        raise Refused("rate_limited")
    if not seats:
        _check_spectators(table, recent)
    said: dict[str, Any] = {}
    if seats:
        said["seat"] = seats[0] if command.seat is None else command.seat
    if command.phrase is not None:
        said["phrase"] = _phrase(command.phrase)
    else:
        said["words"] = _words(table, command.words or "")
    return Event("chat" if seats else "spectator_chat", said, sender, command.ack, context.now)


def author(table: Table, message: dict[str, Any]) -> str:
    """The guest who wrote a message."""
    return (message["guest"] if message["seat"] is None else table.seats[message["seat"]].guest) or ""


def person_at(table: Table, seat: int | None, number: int | None) -> str | None:
    """The player of a seat, or the guest who wrote the message with this number; None: there is nobody."""
    if seat is not None:
        return table.seats[seat].guest if seat < len(table.seats) else None
    if number is None or number >= len(table.chat):
        return None
    return author(table, table.chat[number]) or None


def allow_words(table: Table, command: AllowWords, context: Context) -> Event:
    """The owner switches free chat on or off."""
    if context.sender is None or context.sender != table.owner:
        raise Refused("not_owner")
    return Event("words", {"on": command.on}, context.sender, command.ack, context.now)


def remove_message(table: Table, command: RemoveMessage, context: Context) -> Event | None:
    """A moderator removes a message; None: it has been removed already."""
    if not 0 <= command.number < len(table.chat):
        raise Refused("not_found")
    if table.chat[command.number].get("removed"):
        return None
    return Event("chat_removed", {"number": command.number}, at=context.now)


def _check_spectators(table: Table, recent: list[dict[str, Any]]) -> None:
    if sum(message["seat"] is None for message in recent) >= SPECTATORS_RATE:
        raise Refused("rate_limited")
    if table.spectator_messages >= SPECTATORS_MOST:
        raise Refused("over_budget", budget="spectator_chat", of="table", most=SPECTATORS_MOST)


def _phrase(phrase: str) -> str:
    if phrase not in PHRASES:
        raise Refused("bad_words", phrases=list(PHRASES))
    return phrase


def _words(table: Table, words: str) -> str:
    if not table.words:
        raise Refused("no_words")
    words = " ".join(words.split())
    if not 1 <= len(words) <= LONGEST or not words.isprintable():
        raise Refused("bad_words", longest=LONGEST)
    return words
