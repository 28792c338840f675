"""What people say to each other at the table: set phrases, which every page has in its reader's language, and words."""

from quatuor.table.events import Event, Refused
from quatuor.table.table import Table

PHRASES = (
    "hello", "good_luck", "nice_move", "oops", "moment", "thanks", "well_played", "good_game", "again", "bye",
)  # fmt: skip
LONGEST = 200
RATE, WINDOW = 5, 10_000  # messages of one guest within so many milliseconds


def say(
    table: Table, guest: str | None, phrase: str | None, words: str | None, now: int, ack: str | None = None
) -> Event:
    """A phrase or free words; who has no seat listens."""
    seats = table.owned(guest)
    if not seats:
        raise Refused("not_your_seat", yours=[])
    if sum(message["seat"] in seats and message["at"] > now - WINDOW for message in table.chat) >= RATE:
        raise Refused("rate_limited")
    said = {"seat": seats[0], "phrase": _phrase(phrase)} if phrase is not None else None
    return Event("chat", said or {"seat": seats[0], "words": _words(table, words or "")}, guest, ack)


def allow_words(table: Table, guest: str | None, on: bool, ack: str | None = None) -> Event:
    """The table's owner lets people write freely, or not."""
    if guest is None or guest != table.owner:
        raise Refused("not_owner")
    return Event("words", {"on": on}, guest, ack)


def remove_message(table: Table, number: int) -> Event | None:
    """A moderator removes a message; None if it is gone already."""
    if not 0 <= number < len(table.chat):
        raise Refused("not_found")
    return None if table.chat[number].get("removed") else Event("chat_removed", {"number": number})


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
