"""Messages of a table's socket."""

from msgspec import UNSET, Struct, UnsetType

from quatuor.server.answers.common import Bits
from quatuor.server.answers.tables import EventFacts, Hint, Seat, Snapshot, SpectatorMessage


class StateMessage(Snapshot, tag_field="t", tag="state"):
    pass


class EventMessage(EventFacts, tag_field="t", tag="event"):
    """With the fields of Standing where the event changes the state of play."""


class PresenceMessage(Struct, tag_field="t", tag="presence"):
    seats: list[Seat]
    watching: int
    host: str | None  # the name of the player who opened the table
    host_profile: str | None
    spectator_chat: list[SpectatorMessage] | UnsetType = UNSET  # once one of its authors has another name


class AckMessage(Struct, tag_field="t", tag="ack"):
    ack: str
    version: int


class HintMessage(Hint, tag_field="t", tag="hint"):
    ack: str


class ErrorMessage(Struct, tag_field="t", tag="error"):
    ack: str | None
    code: str
    detail: Bits


class PongMessage(Struct, tag_field="t", tag="pong"):
    now: int


class ByeMessage(Struct, tag_field="t", tag="bye"):
    code: str


class Events(Struct):
    """What a client that has seen everything up to ``since`` has to know."""

    version: int  # the ``since`` of the next poll
    messages: list[StateMessage | EventMessage | PresenceMessage | ErrorMessage | ByeMessage]  # as on the socket


ServerMessage = (
    StateMessage | EventMessage | PresenceMessage | AckMessage | HintMessage | ErrorMessage | PongMessage | ByeMessage
)
