"""What happens at a table, and why a command is refused."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Event:
    """One change of a table, as plain data. Applying all events in order gives the table.

    A later release may add kinds: a release that does not know one keeps it, but decides nothing more at the table.

    =========  =================  ==================================================
    kind       data               meaning
    =========  =================  ==================================================
    move       seat, move, lag    one seat's move, or its secret order; ``illegal``: moves that were refused before it
    undo       ply                back to this ply, without secret orders
    join       seat               the event's guest takes an open seat
    fill       seat, level        an engine takes an open seat
    resign     seat               a seat resigns
    out        seat, why          a seat has lost: on ``time``, or its player has ``left``
    stand_in   seat               an engine plays for a player who is away
    back       seats              the player is back and plays these seats again
    hold       start, end         no clock ran between these times
    offer      kind, seat, seats  a seat offers a draw or asks to take back to ``ply``; all seats that have agreed
    offer_declined    seat         a seat declines the offer, or withdraws its own
    draw                          all have agreed to a draw
    abort                         the game was called off before it had begun; nobody loses
    rematch    table              the rematch is played at that table
    rematch_offer     seat, seats  a seat offers or accepts a rematch; all seats that have agreed
    rematch_declined  seat         a seat declines the offer, or withdraws its own
    chat       seat, phrase       a chat message: a phrase or free ``words``
    spectator_chat    phrase       the event's guest, who has no seat, writes to the other spectators
    chat_removed      number       a moderator removed a message
    words      on                 free chat is switched on or off
    adopt      old, new           a guest's seats belong to another id
    =========  =================  ==================================================
    """

    kind: str
    data: dict[str, Any] = field(default_factory=dict)
    guest: str | None = None  # who sent the command; None: an engine or the server
    ack: str | None = None  # the id that the guest gave to the command
    at: int = 0  # milliseconds since 1970


class Refused(Exception):
    """A command that cannot be carried out: a code for programs and the facts that belong to it."""

    def __init__(self, code: str, **detail: Any) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Accepted:
    """The command is carried out by storing and applying this event."""

    event: Event


@dataclass(frozen=True, slots=True)
class AlreadyDone:
    """Nothing is left to do: the table has been as the command wants it since this version."""

    version: int


Decision = Accepted | AlreadyDone | Refused
