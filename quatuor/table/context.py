"""What a decision depends on besides the table and the command."""

from dataclasses import dataclass

from quatuor.table.presence import NOBODY, Presence


@dataclass(frozen=True, slots=True)
class Context:
    """Times are milliseconds."""

    sender: str | None = None  # a guest; None: an engine or the server
    now: int = 0
    lag: int = 0  # how long the sender's messages take to arrive
    presence: Presence = NOBODY
    illegal: tuple[str, ...] | None = None  # moves that were refused before this one; None: not known
