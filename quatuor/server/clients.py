"""One websocket of a table: reads and checks messages, and queues what the table sends without delaying it."""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable
from statistics import median_low
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect

from quatuor.server.budgets import Budgets
from quatuor.server.clock import now
from quatuor.server.limits import Bucket
from quatuor.server.listener import POLICY, RESTART, TRY_LATER
from quatuor.server.sessions import Identity
from quatuor.server.table_session import TableSession
from quatuor.server.visitors import Visitor
from quatuor.server.websocket import connection_of
from quatuor.server.wire import Heard, Hint, Ping, Say, ack_of, encode, message
from quatuor.table import Refused
from quatuor.table.session import error

if TYPE_CHECKING:
    from quatuor.server.services import Services

log = logging.getLogger("quatuor.server")

CLOSING = 5.0  # seconds for the other end to read why the socket closes
RESYNCS = (30, 1)  # snapshots after stale_ply: at once, and each second in the long run; every event is sent anyway


class LatencyMeter:
    """How long messages take, there and back, as the server itself measures it: the median of the last few times.

    A client can answer late, but not early: one slow answer changes nothing, and the clocks' quota bounds the rest.
    """

    def __init__(self) -> None:
        self._begun: int | None = None
        self._times: list[int] = []

    @property
    def lag(self) -> int:
        """In milliseconds; 0 while it is not known."""
        return median_low(self._times) if self._times else 0

    def begin(self, at: int) -> int:
        """A message is sent that the client answers at once."""
        self._begun = at
        return at

    def end(self, begun: int, at: int) -> None:
        """The answer has come."""
        if begun == self._begun:
            self._begun = None
            self._times = [*self._times[-8:], at - begun]


class SendQueue:
    """Frames on their way to a slow reader, counted in bytes. The frame being written counts for the network alone.

    ``write`` takes a frame at once if the reader keeps up; then nothing is queued.
    """

    def __init__(
        self, most: int, sender: Visitor, budgets: Budgets, write: Callable[[bytes], bool] | None = None
    ) -> None:
        self._most, self._sender, self._budgets, self._write = most, sender, budgets, write or _queued
        self._frames: deque[bytes | int] | None = None  # none wait; an empty deque takes 760 bytes
        self._more: asyncio.Future[None] | None = None  # what the writer waits for
        self._writing = 0
        self.waiting = 0  # bytes
        self.overrun: asyncio.Future[None] = asyncio.get_running_loop().create_future()  # too much waits

    def put(self, frame: bytes | int) -> None:
        """Add a frame, or the code to close with after all frames."""
        if self.overrun.done():
            return
        if isinstance(frame, bytes) and not self._frames and not self._writing and self._write(frame):
            return
        size = _size(frame)
        try:
            if self._frames and self.waiting + size > self._most:
                raise Refused("over_budget")
            self._budgets.take("queued_bytes", self._sender, size)
        except Refused:
            self.overrun.set_result(None)
            self.clear()
            return
        self._frames = self._frames or deque()
        self._frames.append(frame)
        self.waiting += size
        if self._more and not self._more.done():
            self._more.set_result(None)

    async def get(self) -> bytes | int:
        """The next frame; the one before it is written."""
        self._wrote()
        while not self._frames:
            self._more = asyncio.get_running_loop().create_future()
            await self._more
        frame = self._frames.popleft()
        self._frames = self._frames or None
        self._writing = _size(frame)
        self.waiting -= self._writing
        return frame

    def clear(self) -> None:
        """Free everything that waits."""
        self._wrote()
        self._frames = None
        self._budgets.give_back("queued_bytes", self._sender, self.waiting)
        self.waiting = 0

    def _wrote(self) -> None:
        self._budgets.give_back("queued_bytes", self._sender, self._writing)
        self._writing = 0


class Client:
    """A guest's socket at a table."""

    def __init__(
        self,
        socket: WebSocket,
        who: Identity | None,
        sender: Visitor,
        services: "Services",
    ) -> None:
        self.guest = who.guest if who else None
        self.session = who.session if who else None
        self.visitor = sender
        self._socket, self._services = socket, services
        settings = services.settings
        connection = connection_of(socket)
        write = connection.write if connection else None
        self.queue = SendQueue(settings.queue_bytes, sender, services.budgets, write)
        self._messages, self._faults = Bucket(settings.messages), Bucket(settings.faults)
        self._resyncs, self._resynced = Bucket(RESYNCS), -1  # the version of the last snapshot after stale_ply
        self._hints: list[asyncio.Task[None]] = []
        self._way = LatencyMeter()
        self._closing = False
        self._reader: asyncio.Future[None] | None = None
        self._carrying_out = self._ended = False  # the reader is carrying out a command; it ends after it

    # ---- what the table calls

    async def valid(self) -> bool:
        """Whether the session or the token that opened this socket still holds."""
        return await self._services.sessions.valid(self.guest, self.session)

    def send(self, frame: bytes) -> None:
        """Queue a frame. A socket that reads too slowly is closed; its client comes back and gets a snapshot."""
        self.queue.put(frame)

    def close(self, code: int) -> None:
        """Close once everything in the queue is sent; nothing more is read."""
        self._closing = True
        self.queue.put(code)

    # ---- the socket's side

    async def serve(self, live: TableSession, since: int | None) -> None:
        """Read and write until either side closes."""
        jobs: set[asyncio.Future[None]] = {asyncio.ensure_future(self._write()), self.queue.overrun}
        try:
            await live.enter(self, since)
            self._reader = asyncio.ensure_future(self._read(live))  # only now: the first frame is the table
            jobs.add(self._reader)
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
        finally:
            live.leave(self)
            code = TRY_LATER if self.queue.overrun.done() else 1000
            self._ended = True
            for job in (*jobs, *self._hints):
                if job is not self._reader or not self._carrying_out:  # a command is finished even if nobody waits
                    job.cancel()
            for error in await asyncio.gather(*jobs, return_exceptions=True):
                if isinstance(error, Exception) and not isinstance(error, WebSocketDisconnect):
                    log.error("a connection failed", exc_info=error)
            self.queue.clear()
            with contextlib.suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
                async with asyncio.timeout(CLOSING):  # a client that does not read confirms no close
                    await self._socket.close(code)

    async def _write(self) -> None:
        while True:
            frame = await self.queue.get()
            if isinstance(frame, int):
                await self._socket.close(frame)
                return
            await self._socket.send_text(frame.decode())
            del frame  # or it would stay in memory until the next one

    async def _read(self, live: TableSession) -> None:
        while not self._ended:
            received = await self._socket.receive()
            if received["type"] == "websocket.disconnect":
                return
            if self._closing:
                await asyncio.sleep(CLOSING)  # the writer closes; a client that does not read is cut off
                return
            text = received.get("text")
            if not await self._handle(live, text) and not self._faults.take():
                self.close(POLICY)
                await asyncio.sleep(CLOSING)  # the writer closes; a client that does not read is cut off
                return

    async def _handle(self, live: TableSession, text: str | None) -> bool:
        """Answer one message; False if it is invalid."""
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
        incoming = message(text)
        if isinstance(incoming, Ping):
            self.send(encode({"t": "pong", "now": self._way.begin(now())}))
        elif isinstance(incoming, Heard):
            self._way.end(incoming.now, now())
        elif not await self.valid():
            self.close(RESTART)  # signed out meanwhile, perhaps elsewhere
        elif isinstance(incoming, Hint):
            task = asyncio.ensure_future(self._hint(live, incoming))  # takes seconds; reading goes on
            self._hints.append(task)
            task.add_done_callback(self._hints.remove)
        else:
            self._services.admit_command(self.visitor, live.table, len(text))
            if isinstance(incoming, Say):
                self._services.sanctions.check_speech(self.guest)
            self._carrying_out = True
            reply = await live.reply(incoming.command(), self.guest, self._way.lag)
            self._carrying_out = False
            self.send(encode(reply))
            if "code" in reply:
                self._services.metrics.refusals.labels(reply["code"]).inc()
            if reply.get("code") == "stale_ply" and live.table.version != self._resynced and self._resyncs.take():
                self._resynced = live.table.version
                self.send(live.snapshot(self.guest, t="state"))

    async def _hint(self, live: TableSession, command: Hint) -> None:
        try:
            self.send(encode(await live.hints.find(self.guest, command.ply, command.ack)))
        except Refused as refused:
            self._error(refused, command.ack)

    def _error(self, refused: Refused, ack: str | None) -> None:
        self._services.metrics.refusals.labels(refused.code).inc()
        self.send(encode(error(refused, ack)))


def _queued(frame: bytes) -> bool:
    return False


def _size(frame: bytes | int) -> int:
    return len(frame) if isinstance(frame, bytes) else 0
