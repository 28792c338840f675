"""One websocket: reads messages, checks them, and writes what the table has to say without ever holding it up."""

import asyncio
import contextlib
import logging
from collections import deque

from starlette.websockets import WebSocket, WebSocketDisconnect

from quatuor.server.clock import now
from quatuor.server.limits import Bucket
from quatuor.server.metrics import Metrics
from quatuor.server.sessions import Identity, Sessions
from quatuor.server.settings import Settings
from quatuor.server.table_session import RESTART, TableSession
from quatuor.server.wire import Heard, Hint, Ping, ack_of, encode, message
from quatuor.table import Refused

log = logging.getLogger("quatuor.server")

POLICY, TRY_LATER = 1008, 1013  # why a socket was closed
CLOSING = 5.0  # seconds to tell somebody why


class LatencyMeter:
    """How long messages take, there and back, as the server itself measures it; the best of a few times counts."""

    def __init__(self) -> None:
        self._begun: int | None = None
        self._times: deque[int] = deque(maxlen=4)

    @property
    def lag(self) -> int:
        """In milliseconds; 0 while it is not known."""
        return min(self._times, default=0)

    def begin(self, at: int) -> int:
        """Something is sent that is to be sent back at once."""
        self._begun = at
        return at

    def end(self, begun: int, at: int) -> None:
        """It is back."""
        if begun == self._begun:
            self._begun = None
            self._times.append(at - begun)


class Client:
    """A guest's socket at a table."""

    def __init__(
        self, socket: WebSocket, who: Identity | None, sessions: Sessions, settings: Settings, metrics: Metrics
    ) -> None:
        self.guest = who.guest if who else None
        self.session = who.session if who else None
        self._socket, self._sessions, self._metrics = socket, sessions, metrics
        self._frames: asyncio.Queue[bytes | int] = asyncio.Queue(settings.queue)
        self._messages, self._faults = Bucket(settings.messages), Bucket(settings.faults)
        self._overrun = asyncio.Event()
        self._hints: set[asyncio.Task[None]] = set()
        self._way = LatencyMeter()

    # ---- what the table calls

    def send(self, frame: bytes) -> None:
        """Put a frame in the queue. Whoever reads too slowly is sent away, comes back and is told how it stands."""
        try:
            self._frames.put_nowait(frame)
        except asyncio.QueueFull:
            self._overrun.set()

    def close(self, code: int) -> None:
        """Close once everything in the queue is sent."""
        try:
            self._frames.put_nowait(code)
        except asyncio.QueueFull:
            self._overrun.set()

    # ---- the socket's side

    async def serve(self, live: TableSession, since: int | None) -> None:
        """Listen and talk until either side has had enough."""
        jobs = {asyncio.ensure_future(self._write()), asyncio.ensure_future(self._overrun.wait())}
        try:
            await live.enter(self, since)
            jobs.add(asyncio.ensure_future(self._read(live)))  # only now: the first thing anybody hears is the table
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
        finally:
            live.leave(self)
            for job in (*jobs, *self._hints):
                job.cancel()
            for error in await asyncio.gather(*jobs, return_exceptions=True):
                if isinstance(error, Exception) and not isinstance(error, WebSocketDisconnect):
                    log.error("a connection failed", exc_info=error)
            with contextlib.suppress(RuntimeError, WebSocketDisconnect):
                await self._socket.close(TRY_LATER if self._overrun.is_set() else 1000)

    async def _write(self) -> None:
        while True:
            frame = await self._frames.get()
            if isinstance(frame, int):
                await self._socket.close(frame)
                return
            await self._socket.send_text(frame.decode())

    async def _read(self, live: TableSession) -> None:
        while True:
            received = await self._socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            text = received.get("text")
            if not await self._hear(live, text) and not self._faults.take():
                self.close(POLICY)
                await asyncio.sleep(CLOSING)  # the writer closes; if the other end does not read, so be it
                return

    async def _hear(self, live: TableSession, text: str | None) -> bool:
        """Answer one message; False if it was none of ours."""
        try:
            if text is None:
                raise Refused("bad_message", reason="binary")
            if not self._messages.take():
                raise Refused("rate_limited")
            await self._answer(live, text)
        except Refused as refused:
            self._error(refused, ack_of(text) if text else None)
            return refused.code not in ("bad_message", "too_large", "rate_limited")
        return True

    async def _answer(self, live: TableSession, text: str) -> None:
        heard = message(text)
        if isinstance(heard, Ping):
            self.send(encode({"t": "pong", "now": self._way.begin(now())}))
        elif isinstance(heard, Heard):
            self._way.end(heard.now, now())
        elif self.session and not await self._sessions.owner(self.session):
            self.close(RESTART)  # signed out meanwhile, perhaps elsewhere
        elif isinstance(heard, Hint):
            task = asyncio.ensure_future(self._hint(live, heard))  # takes seconds; reading goes on
            self._hints.add(task)
            task.add_done_callback(self._hints.discard)
        else:
            reply = await live.command(self.guest, heard, self._way.lag)
            self.send(encode(reply))
            if "code" in reply:
                self._metrics.refusals.labels(reply["code"]).inc()
            if reply.get("code") == "stale_ply":
                self.send(encode({"t": "state", **live.snapshot(self.guest)}))

    async def _hint(self, live: TableSession, command: Hint) -> None:
        try:
            self.send(encode(await live.hint(self.guest, command)))
        except Refused as refused:
            self._error(refused, command.ack)

    def _error(self, refused: Refused, ack: str | None) -> None:
        self._metrics.refusals.labels(refused.code).inc()
        self.send(encode({"t": "error", "ack": ack, "code": refused.code, "detail": refused.detail}))
