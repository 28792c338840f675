"""HTTP connections with limits: on the size of headers, on the time for a request, on connections of one network."""

import asyncio
from typing import Any, cast

from fastapi import FastAPI
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from quatuor.server.visitors import Visitor, network_of
from quatuor.table import Refused

HEAD_LIMIT = 32 * 1024  # bytes of a request line and its headers
REQUEST_LIMIT = 1024 * 1024  # bytes of a whole request; routes allow far smaller bodies
REQUEST_SECONDS = 20.0  # from the first byte, or a new connection, to the last byte of the body
STALLED_SECONDS = 60.0  # that a client may leave an answer unread
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class BoundedHttp(HttpToolsProtocol):
    """uvicorn's protocol, which by itself waits for ever and keeps headers of any size."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._received, self._most = 0, HEAD_LIMIT  # bytes of this request, and how many there may be
        self._deadline: asyncio.TimerHandle | None = None  # of the request
        self._stalled: asyncio.TimerHandle | None = None
        self._visitor: Visitor | None = None
        self._state = cast(FastAPI, self.config.app).state

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and wait for its first request no longer than for any other."""
        super().connection_made(transport)
        if self.client and not self._state.proxied(self.client[0]):
            visitor = Visitor(network_of(self.client[0]))
            try:
                self._state.services.budgets.take("connections", visitor)
            except Refused:
                transport.abort()
                return
            self._visitor = visitor
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        """Free what the connection held."""
        self._release()
        super().connection_lost(exc)
        self._forget()

    def data_received(self, data: bytes) -> None:
        """Refuse headers, bodies and trailers without end."""
        self._received += len(data)
        super().data_received(data)
        if self._received > self._most:
            self._refuse(TOO_LARGE)

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._start_clock()

    def on_headers_complete(self) -> None:
        """Its body may follow."""
        self._most = REQUEST_LIMIT
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """It is complete."""
        self._received, self._most = 0, HEAD_LIMIT
        self._stop_clock()
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """From here on the socket's own budgets count."""
        self._release()
        super().handle_websocket_upgrade()
        self._forget()

    def pause_writing(self) -> None:
        """The client does not read."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        if self._stalled:
            self._stalled.cancel()
            self._stalled = None

    def _start_clock(self) -> None:
        self._stop_clock()
        self._deadline = self.loop.call_later(REQUEST_SECONDS, self._refuse, TOO_SLOW)

    def _stop_clock(self) -> None:
        if self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def _release(self) -> None:
        self._stop_clock()
        if self._stalled:
            self._stalled.cancel()
            self._stalled = None
        if self._visitor:
            self._state.services.budgets.give_back("connections", self._visitor)
            self._visitor = None

    def _forget(self) -> None:
        """Drop what refers back to this object: its memory is free at once, without a garbage collection."""
        self.parser = self.cycle = None  # type: ignore[assignment]

    def _refuse(self, answer: bytes) -> None:
        """Close; with an answer if none has begun."""
        if not self.transport.is_closing():
            if self._received and (self.cycle is None or self.cycle.response_complete):
                self.transport.write(answer)
            self.transport.close()
