"""A websocket that costs a client little, for bench.load: thousands of them share the machine with the server."""

import asyncio
import base64
import os
import struct
from collections.abc import Callable
from typing import cast

TEXT, CLOSE, PING, PONG = 0x81, 0x88, 0x89, 0x8A  # first bytes of frames (RFC 6455, section 5.2)
MASKED, KEY = 0x80, bytes(4)  # with this key, the content stays as it is


class Line(asyncio.Protocol):
    """``receive`` is called for each message. Messages in several frames are not understood."""

    def __init__(self, request: bytes, receive: Callable[[bytes], None]) -> None:
        loop = asyncio.get_running_loop()
        self._request, self._receive, self._rest = request, receive, b""
        self._opened: asyncio.Future[None] = loop.create_future()
        self._closed: asyncio.Future[None] = loop.create_future()
        self._transport: asyncio.Transport

    @classmethod
    async def open(
        cls, address: str, path: str, receive: Callable[[bytes], None], headers: dict[str, str] | None = None
    ) -> "Line":
        """Connect to ``ws://address/path``."""
        key = base64.b64encode(os.urandom(16)).decode()
        fields = {
            "Host": address, "Upgrade": "websocket", "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key, **(headers or {}),
        }  # fmt: skip
        lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        host, _, port = address.rpartition(":")
        request = "\r\n".join(lines).encode()
        _, line = await asyncio.get_running_loop().create_connection(lambda: cls(request, receive), host, int(port))
        await line._opened
        return line

    def send(self, text: bytes) -> None:
        """Send a message."""
        self._write(TEXT, text)

    async def close(self) -> None:
        """Close the connection, and wait until it is closed."""
        if not self._closed.done():
            self._write(CLOSE, struct.pack("!H", 1000))
        await self._closed

    # ---- asyncio's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)  # uvloop's is not derived from it
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        data = self._rest + data if self._rest else data
        at = 0 if self._opened.done() else self._answered(data)
        while (frame := _frame(data, at)) is not None:
            kind, start, at = frame
            if kind == TEXT:
                self._receive(data[start:at])
            elif kind == PING:
                self._write(PONG, data[start:at])
            elif kind == CLOSE:
                self._transport.close()
        self._rest = data[at:]

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._opened.done():
            self._opened.set_exception(exc or ConnectionError("no websocket was opened"))
        self._closed.set_result(None)

    def _answered(self, data: bytes) -> int:
        """Where frames begin, after the answer to the request."""
        end = data.find(b"\r\n\r\n") + 4
        if end < 4:
            return 0
        if data.startswith(b"HTTP/1.1 101 "):
            self._opened.set_result(None)
            return end
        self._opened.set_exception(ConnectionError(data[: data.find(b"\r\n")].decode(errors="replace")))
        self._transport.close()
        return len(data)

    def _write(self, kind: int, content: bytes) -> None:
        size = len(content)
        assert size < 65_536
        head = struct.pack("!BB", kind, MASKED | size) if size < 126 else struct.pack("!BBH", kind, MASKED | 126, size)
        self._transport.write(head + KEY + content)


def _frame(data: bytes, at: int) -> tuple[int, int, int] | None:
    """The frame that begins there: its kind, and where its content begins and ends; None: not all of it is here."""
    if len(data) < at + 2:
        return None
    start, size = at + 2, data[at + 1]
    if size >= 126:
        start += 2 if size == 126 else 8
        size = int.from_bytes(data[at + 2 : start])
    return None if len(data) < start + size else (data[at], start, start + size)
