"""What players, engines and the server ask of a table. ``decide`` answers each command."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class BaseCommand:
    """``ack`` is the sender's id of the command: the same command sent twice is carried out once."""

    ack: str | None = None


# ---- from players


@dataclass(frozen=True, slots=True)
class Move(BaseCommand):
    """Play a move, or give a secret order, in the position after ``ply`` turns."""

    ply: int
    seat: int
    move: str


@dataclass(frozen=True, slots=True)
class Undo(BaseCommand):
    """Take back the sender's last turn."""

    ply: int


@dataclass(frozen=True, slots=True)
class Resign(BaseCommand):
    """Give up. With three or four seats the others play on and an engine plays the seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Claim(BaseCommand):
    """The player of ``seat`` is away: win the game, or let an engine play until they are back."""

    seat: int
    win: bool


@dataclass(frozen=True, slots=True)
class Fill(BaseCommand):
    """The owner gives an open seat to an engine."""

    seat: int
    level: int


@dataclass(frozen=True, slots=True)
class Say(BaseCommand):
    """Send a chat message: a phrase or free words, from the sender's ``seat`` (None: the first of them)."""

    phrase: str | None = None
    words: str | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class AllowWords(BaseCommand):
    """The owner switches free chat on or off."""

    on: bool


@dataclass(frozen=True, slots=True)
class Join(BaseCommand):
    """Take the open seat of a token, or at a table in the lobby any open seat, or the one wanted."""

    token: str | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Offer(BaseCommand):
    """Offer a ``draw`` to the others, or ask them to let the sender take back (``undo``)."""

    kind: str


@dataclass(frozen=True, slots=True)
class Answer(BaseCommand):
    """Accept the offer that stands, or decline it; declining one's own withdraws it."""

    accept: bool


@dataclass(frozen=True, slots=True)
class Abort(BaseCommand):
    """Call off a game that has not really begun."""


@dataclass(frozen=True, slots=True)
class OfferRematch(BaseCommand):
    """Offer a rematch or accept one; once all have agreed, it is played at ``new_table``."""

    new_table: str


@dataclass(frozen=True, slots=True)
class DeclineRematch(BaseCommand):
    """Decline a rematch, or withdraw one's own offer."""


# ---- from engines and the server


@dataclass(frozen=True, slots=True)
class EngineMove(BaseCommand):
    """An engine's move, searched for in this turn; refused once the table has moved on."""

    turn: int
    seat: int
    move: str


@dataclass(frozen=True, slots=True)
class ComeBack(BaseCommand):
    """The sender has connected again: their seats are no longer played by an engine."""


@dataclass(frozen=True, slots=True)
class Gather(BaseCommand):
    """Start the clocks if all players are here for the first time."""


@dataclass(frozen=True, slots=True)
class CallFlag(BaseCommand):
    """Put out the seat whose flag fell first, if one has fallen."""


@dataclass(frozen=True, slots=True)
class HoldClocks(BaseCommand):
    """Nobody could move between these times: running clocks get that time back, once."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Forfeit(BaseCommand):
    """The organiser of a tournament puts a seat out, or its player leaves the tournament."""

    seat: int


@dataclass(frozen=True, slots=True)
class CallOff(BaseCommand):
    """The organiser of a tournament has the game played over the board, before its second turn."""


@dataclass(frozen=True, slots=True)
class Adopt(BaseCommand):
    """The seats of the guest ``old`` belong to ``new`` from now on: the guest has signed in to an account."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class RemoveMessage(BaseCommand):
    """A moderator removes a chat message."""

    number: int


PlayerCommand = (
    Move
    | Undo
    | Resign
    | Claim
    | Fill
    | Say
    | AllowWords
    | Join
    | Offer
    | Answer
    | Abort
    | OfferRematch
    | DeclineRematch
)
ServerCommand = EngineMove | ComeBack | Gather | CallFlag | HoldClocks | Forfeit | CallOff | Adopt | RemoveMessage
Command = PlayerCommand | ServerCommand
