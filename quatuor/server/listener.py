"""A client at a table, as the parts of a session see it."""

from typing import Protocol

from quatuor.server.visitors import Visitor

POLICY, RESTART, TRY_LATER = 1008, 1012, 1013  # why a socket is closed: it must not, should, may later connect again


class SocketListener(Protocol):
    """One open socket. ``send`` and ``close`` return at once."""

    guest: str | None
    session: str | None  # of an account
    visitor: Visitor

    async def valid(self) -> bool:
        """Whether the session or the token that opened this socket still holds."""

    def send(self, frame: bytes) -> None:
        """Queue a message."""

    def close(self, code: int) -> None:
        """Close once everything in the queue is sent."""
