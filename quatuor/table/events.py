"""What happens at a table, and why something does not."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Event:
    """One thing that happened; plain data. Applying all of them in order gives the table.

    =========  ============================  ==================================================
    kind       data                          what
    =========  ============================  ==================================================
    move       seat, move                    one seat's move, or its secret order
    undo       ply                           back to so many plies, and no secret orders
    join       seat                          the event's guest takes an open seat
    resign     seat                          a seat gives up
    rematch    table                         the same people play on at that table
    =========  ============================  ==================================================
    """

    kind: str
    data: dict[str, Any] = field(default_factory=dict)
    guest: str | None = None  # whose wish it was; None: an engine's
    ack: str | None = None  # the name the guest gave to the wish


class Refused(Exception):
    """A wish that cannot be met: a code for programs, and the facts that belong to it."""

    def __init__(self, code: str, **detail: Any) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
