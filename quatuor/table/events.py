"""What happens at a table, and why something does not."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Event:
    """One thing that happened; plain data. Applying all of them in order gives the table.

    =========  =================  ==================================================
    kind       data               what
    =========  =================  ==================================================
    move       seat, move, lag    one seat's move, or its secret order
    undo       ply                back to so many plies, and no secret orders
    join       seat               the event's guest takes an open seat
    fill       seat, level        an engine takes an open seat
    resign     seat               a seat gives up
    out        seat, why          a seat is out: its ``time`` is up, or its player has ``left``
    stand_in   seat               an engine plays on for somebody who is away
    back       seats              they are back
    hold       start, end         nobody's clock ran between those moments
    rematch    table              the same people play on at that table
    rematch_offer     seat, seats  a seat offers or accepts a rematch; all seats that have agreed
    rematch_declined  seat         a seat declines the offer, or withdraws its own
    chat       seat, phrase       somebody says a phrase, or free ``words``
    chat_removed      number       a moderator removed a message
    words      on                 whether people may write freely from now on
    adopt      old, new           a guest is known under another id from now on
    =========  =================  ==================================================
    """

    kind: str
    data: dict[str, Any] = field(default_factory=dict)
    guest: str | None = None  # whose wish it was; None: an engine's
    ack: str | None = None  # the name the guest gave to the wish
    at: int = 0  # milliseconds since 1970, as whoever keeps the table measured it


class Refused(Exception):
    """A wish that cannot be met: a code for programs, and the facts that belong to it."""

    def __init__(self, code: str, **detail: Any) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
