"""Who sits where, and what is played: everything that is fixed when a table is opened."""

from dataclasses import dataclass, field, fields, replace
from typing import Any

from quatuor.table.clocks import NO_CLOCK, Pace

LEVELS = range(1, 9)  # of an engine
BOT = "bot-"  # prefix of the guest ids of bots
ACCOUNT = "u"  # prefix of the guest ids of accounts; the id of a guest without an account is hexadecimal


@dataclass(frozen=True)
class Seat:
    """One seat. ``guest`` plays it. An open seat is taken with its ``token``, or by the bot that it is kept for."""

    kind: str  # human, engine, open
    guest: str | None = None
    level: int | None = None  # of an engine
    token: str | None = None  # of an open seat; kept when it is taken, so that a second guest gets seat_taken
    label: str | None = None  # a person's own name, where one guest plays several seats on one device
    invited: bool = False  # of an open seat: only for people with a link, also at a table in the lobby


def for_anyone(seat: Seat) -> bool:
    """Whether any visitor may take the seat, at a table in the lobby."""
    return seat.kind == "open" and seat.guest is None and not seat.invited


@dataclass(frozen=True)
class Setup:
    """A table as it is opened; plain data, so that it can be kept and sent."""

    game: str
    variant: str
    options: dict[str, Any]
    seats: tuple[Seat, ...]
    creator: str  # the guest who sees the invitations
    created: str = field(default="")  # a date, for the record
    opening: tuple[dict[str, str], ...] = ()  # turns played before the table was opened, each as {seat: move}
    opened: int = 0  # milliseconds since 1970: the first turn begins then, unless players are awaited
    pace: Pace = NO_CLOCK
    takeback: bool = False  # also among several people
    listed: bool = False  # in the lobby, where any visitor may join
    words: bool = True  # people may write freely, at first
    network: str = ""  # of a listed table: a keyed hash of the network it was opened from
    tournament: str | None = None  # where the result counts: no taking back, no hints, no rematch
    gather: bool = False  # no clock runs before all players have been connected at once, or two turns are played
    position: str = ""  # where the game begins, if not at the usual start: a position as text
    rated: bool = False  # the result counts for the players' ratings: no taking back, no hints, only accounts

    @property
    def counts(self) -> bool:
        """Whether the result counts somewhere, so that nothing is taken back and nobody gets hints."""
        return self.rated or self.tournament is not None

    @classmethod
    def read(cls, plain: dict[str, Any]) -> "Setup":
        """From plain data, as it is kept; what a later release has added is ignored."""
        seats = tuple(Seat(**_known(Seat, seat)) for seat in plain["seats"])
        opening, pace = tuple(plain.get("opening", ())), Pace(**_known(Pace, plain.get("pace", {})))
        return cls(**{**_known(cls, plain), "seats": seats, "opening": opening, "pace": pace})

    def write(self) -> dict[str, Any]:
        """As plain data without fields at their defaults: the previous release reads it if nothing new is used."""
        pace = {"pace": _changed(self.pace)} if self.pace != NO_CLOCK else {}
        return {**_changed(self), "seats": [_changed(seat) for seat in self.seats], **pace}

    def rotated(self, seats: tuple[Seat, ...], creator: str, created: str, opened: int = 0) -> "Setup":
        """The setup of a rematch: everybody one seat further, so that the player who moved second moves first."""
        seats = seats[1:] + seats[:1]
        return replace(self, seats=seats, creator=creator, created=created, opening=(), opened=opened, position="")


def _known(kind: type, plain: dict[str, Any]) -> dict[str, Any]:
    names = {part.name for part in fields(kind)}
    return {name: value for name, value in plain.items() if name in names}


def _changed(value: Any) -> dict[str, Any]:
    """The fields of a dataclass that are not at their defaults."""
    return {part.name: found for part in fields(value) if (found := getattr(value, part.name)) != part.default}
