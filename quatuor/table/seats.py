"""Who sits where, and what is played: everything that is fixed when a table is opened."""

from dataclasses import dataclass, field
from typing import Any

LEVELS = range(1, 9)  # of an engine
BOT = "bot-"  # how the ids of guests begin that are programs of somebody's


@dataclass(frozen=True)
class Seat:
    """One seat. ``guest`` is who plays it; an open seat is taken by whoever brings its ``token``."""

    kind: str  # human, engine, open
    guest: str | None = None
    level: int | None = None  # of an engine
    token: str | None = None  # of a seat that was opened to a guest; kept, so that a late second guest is told so


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

    def rotated(self, seats: tuple[Seat, ...], creator: str, created: str) -> "Setup":
        """The same once more, everybody one seat further: who moved second now moves first."""
        return Setup(self.game, self.variant, self.options, seats[1:] + seats[:1], creator, created)
