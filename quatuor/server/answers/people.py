"""Visitors, accounts and profiles."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from quatuor.server.answers.common import Bits
from quatuor.server.answers.tables import Summary


class Me(Struct):
    name: str
    account: str | None  # the name with which the visitor is signed in
    moderator: bool | UnsetType = UNSET  # true for moderators
    recovery: list[str] | UnsetType = UNSET  # codes that set a new password; only after signing up
    left: int | UnsetType = UNSET  # codes that are left; only after using one
    mail: bool | UnsetType = UNSET  # true: with an account I can get e-mail here when it is my turn


class RecoveryCodes(Struct):
    recovery: list[str]


class SignedIn(Struct):
    id: str
    created: int
    seen: int
    agent: str | None
    here: bool


class SignedInList(Struct):
    sessions: list[SignedIn]


class BlockedPerson(Struct):
    id: str
    name: str
    at: int


class Blocked(Struct):
    blocked: list[BlockedPerson]


class Sanction(Struct):
    kind: Literal["warn", "mute", "ban"]
    reason: str
    until: int | None
    at: int


class Sanctions(Struct):
    sanctions: list[Sanction]


class Bot(Struct):
    id: str
    name: str
    created: str


class NewBot(Bot):
    token: str


class Bots(Struct):
    bots: list[Bot]


class Revoked(Struct):
    id: str


class StoredSanction(Sanction):
    id: int
    guest: str | None
    network: str | None
    lifted: int | None


class MailAddress(Struct):
    available: bool  # the operator set up a mail server
    address: str | None
    confirmed: bool


class Counted(Struct):
    counted: bool | None  # null: the game is not rated, not over, or was called off


class Shows(Struct):
    """To whom each part of a profile is shown."""

    ratings: Literal["everybody", "me"]
    games: Literal["everybody", "me"]
    puzzles: Literal["everybody", "me"]


class EngineRating(Struct):
    level: int
    rating: int
    provisional: bool
    games: int


class PlayerRating(Struct):
    """A rating in one game and variant."""

    game: str
    variant: str
    rating: int
    provisional: bool  # too few games yet
    games: int
    engines: list[EngineRating]  # on the same scale


class Opponent(Struct):
    """Results against a person or an engine; without name and level: against people who do not want to be seen."""

    name: str | None
    level: int | None  # of an engine
    account: bool
    won: int
    drawn: int
    lost: int


class Streak(Struct):
    result: Literal["won", "drawn", "lost"]
    length: int


class Results(Struct):
    """Results of the last games against others."""

    counted: int
    won: int
    drawn: int
    lost: int
    streak: Streak | None
    best: int  # the most wins in a row
    opponents: list[Opponent]


class SolvedPuzzles(Struct):
    solved: int
    alone: int  # without a hint
    days: int  # in a row with a puzzle, up to today or yesterday


class Profile(Struct):
    """An account; null: a part that the caller may not see."""

    name: str
    you: bool
    ratings: list[PlayerRating] | None
    games: Results | None
    puzzles: SolvedPuzzles | None
    shows: Shows | UnsetType = UNSET  # only for its owner


class Export(Struct):
    """All data about a person."""

    id: str
    name: str
    account: str | None
    sessions: list[SignedIn]
    bots: list[Bot]
    games: list[Summary]
    sanctions: list[StoredSanction]
    blocked: list[BlockedPerson]
    messages: list[Bits]
    reports: list[Bits]
    tournaments: list[Bits]
    muted: list[Bits]
    networks: list[Bits]
    ratings: list[Bits]
    profile: list[Bits]
    puzzles: list[Bits]
    addresses: list[Bits]
    mails: list[Bits]
