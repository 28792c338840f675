"""Websocket connections that need little: they take a message at once, and keep nothing of the request in memory."""

import asyncio
import struct
from collections.abc import Callable, Coroutine
from typing import Any

from starlette.websockets import WebSocket, WebSocketState
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # the compiled one where there is one
from websockets.http11 import Request
from websockets.protocol import OPEN

CONNECTION = "quatuor.connection"  # the extension of the ASGI scope
UNREAD = 4  # messages that wait for the app before no more are read from the socket
# The header of a frame (RFC 6455, section 5.2)
TEXT = 0x81  # its first byte, of a text message in a single frame
FINAL, OPCODE = 0x80, 0x0F  # the last frame of a message; what kind of frame, 0: it goes on with a message
MASKED = 0x80  # in the second byte: from a client
_short, _medium, _long = struct.Struct("!BB"), struct.Struct("!BBH"), struct.Struct("!BBQ")


class Inbox:
    """Messages for the app, which reads them one at a time. An asyncio.Queue needs four times the memory."""

    __slots__ = ("_messages", "_more")

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._more: asyncio.Future[None] | None = None  # what the app waits for

    def put_nowait(self, message: Any) -> None:
        """Add a message."""
        self._messages.append(message)
        if self._more and not self._more.done():
            self._more.set_result(None)

    async def get(self) -> Any:
        """The next message."""
        while not self._messages:
            self._more = asyncio.get_running_loop().create_future()
            await self._more
        return self._messages.pop(0)

    def empty(self) -> bool:
        """Whether none waits."""
        return not self._messages

    def qsize(self) -> int:
        """How many wait."""
        return len(self._messages)


class Writable:
    """Whether the client reads fast enough. An asyncio.Event needs five times the memory."""

    __slots__ = ("_waiting", "_yes")

    def __init__(self) -> None:
        self._yes = True
        self._waiting: asyncio.Future[None] | None = None  # done once more can be written

    def is_set(self) -> bool:
        """Whether more can be written now."""
        return self._yes

    def set(self) -> None:
        """It reads."""
        self._yes = True
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(None)

    def clear(self) -> None:
        """It reads too slowly."""
        self._yes = False

    async def wait(self) -> None:
        """Return once more can be written."""
        while not self._yes:
            if self._waiting is None or self._waiting.done():
                self._waiting = asyncio.get_running_loop().create_future()
            await asyncio.shield(self._waiting)


class DirectWebsocket(WebSocketsSansIOProtocol):
    """uvicorn's protocol. The app finds it in the extensions of its scope."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.queue = Inbox()  # type: ignore[assignment]
        self.writable = Writable()  # type: ignore[assignment]
        self._work: Coroutine[Any, Any, None] | None = None
        self._between = True  # no message has begun that is not complete

    def data_received(self, data: bytes) -> None:
        """Take what is just one message, as nearly always. Everything else is read by the library."""
        if self.conn.state is not OPEN:
            self._between = not self.handshake_initiated
        elif self._between:
            text = _sole_text(data)
            if text is not None:
                self.curr_msg_data_type, self.frames = "text", [text]
                self.send_receive_event_to_app()
                return
            self._between = _are_messages(data)  # if not, the library reads all that follows, too
        super().data_received(data)

    def write(self, text: bytes) -> bool:
        """Write a text message now; False: the client reads too slowly or is gone, so use ASGI's ``send``."""
        if self.close_sent or self.transport.is_closing() or self.conn.state is not OPEN or not self.writable.is_set():
            return False
        self.transport.write(_head(len(text)) + text)
        return True

    def handle_connect(self, event: Request) -> None:
        """Offer the connection to the app."""
        super().handle_connect(event)
        if not self.close_sent:
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions[CONNECTION] = self

    def continue_with(self, work: Coroutine[Any, Any, None]) -> None:
        """Once the app has returned, run this instead of closing the connection."""
        self._work = work
        self.close_timer = self.loop.call_later(0, lambda: None)  # the end of the app does not close what is closing

    def on_task_complete(self, task: asyncio.Task[None]) -> None:
        """The app has returned."""
        super().on_task_complete(task)
        if self._work:
            self.close_timer = None
            self.scope = {}  # type: ignore[typeddict-item]
            then = self.loop.create_task(self._continue(self._work))
            self._work = None
            self.tasks.add(then)
            then.add_done_callback(self.on_task_complete)

    async def _continue(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except ClientDisconnected:
            pass
        except Exception:
            self.logger.exception("serving a websocket failed")
        if self.close_timer is None:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone. Its parser refers back to it: closed, it needs no garbage collection."""
        super().connection_lost(exc)
        self.conn.parser.close()

    def start_keepalive(self) -> None:
        """The connection is open: nothing needs the headers any more, and thousands of connections have them."""
        super().start_keepalive()
        self.request.headers.clear()
        self.response.headers.clear()

    def send_receive_event_to_app(self) -> None:
        """Go on reading until a few messages wait; uvicorn stops and starts reading for each."""
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= UNREAD:
            self.read_paused = True
            self.transport.pause_reading()


async def serve(websocket: WebSocket, work: Callable[[WebSocket], Coroutine[Any, Any, None]]) -> None:
    """Serve an accepted websocket, where possible after the app's middleware has returned.

    The middleware, the scope and the headers would otherwise stay in memory while the connection is open.
    """
    connection = connection_of(websocket)
    if connection is None:
        await work(websocket)
        return
    scope = {"type": "websocket", "extensions": {CONNECTION: connection}}
    plain = WebSocket(scope, connection.receive, connection.send)  # type: ignore[arg-type]
    plain.client_state = plain.application_state = WebSocketState.CONNECTED
    connection.continue_with(work(plain))


def connection_of(websocket: WebSocket) -> DirectWebsocket | None:
    """The connection behind a websocket, if this server made it."""
    found: DirectWebsocket | None = websocket.scope.get("extensions", {}).get(CONNECTION)
    return found


def _head(size: int) -> bytes:
    """The header of a frame that a server sends."""
    if size < 126:
        return _short.pack(TEXT, size)
    return _medium.pack(TEXT, 126, size) if size < 65536 else _long.pack(TEXT, 127, size)


def _sole_text(data: bytes) -> bytes | None:
    """The content of a text message in a single frame of a client, if that is all there is."""
    if len(data) < 8 or data[0] != TEXT:
        return None
    start, size = 2, data[1] - MASKED
    if size == 126:
        start, size = 4, data[2] << 8 | data[3]
    elif not 0 <= size < 126:
        return None
    if start + 4 + size != len(data):
        return None
    return apply_mask(data[start + 4 :], data[start : start + 4])


def _are_messages(data: bytes) -> bool:
    """Whether this is whole messages, each in a single frame."""
    at = 0
    while at + 2 <= len(data):
        first, second = data[at : at + 2]
        longer = {126: 2, 127: 8}.get(second & 127, 0)  # bytes of a size that does not fit into seven bits
        size = int.from_bytes(data[at + 2 : at + 2 + longer]) if longer else second & 127
        if not (first & FINAL and first & OPCODE):
            return False
        at += 2 + longer + (4 if second & MASKED else 0) + size
    return at == len(data)
