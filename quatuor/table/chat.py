"""Chat at a table: set phrases, which every page shows in its reader's language, and free words."""

from typing import Any

from quatuor.table.commands import AllowWords, RemoveMessage, Say
from quatuor.table.context import Context
from quatuor.table.events import Event, Refused
from quatuor.table.table import Table

PHRASES = (
    "hello", "good_luck", "nice_move", "oops", "moment", "thanks", "well_played", "good_game", "again", "bye",
)  # fmt: skip
LONGEST = 200  # characters of a message
RATE, WINDOW = 5, 10_000  # messages of one player within this many milliseconds


def say(table: Table, command: Say, context: Context) -> Event:
    """A phrase or free words; only players may chat."""
    seats = table.owned(context.sender)
    if not seats:
        raise Refused("not_your_seat", yours=[])
    if sum(message["seat"] in seats and message["at"] > context.now - WINDOW for message in table.chat) >= RATE:
        raise Refused("rate_limited")
    said: dict[str, Any] = {"seat": seats[0]}
    if command.phrase is not None:
        said["phrase"] = _phrase(command.phrase)
    else:
        said["words"] = _words(table, command.words or "")
    return Event("chat", said, context.sender, command.ack, context.now)


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
