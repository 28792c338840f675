"""Sends the newest state of something to all clients that watch it, whenever it changes."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Generic, TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect

from quatuor.server.limits import Bucket
from quatuor.server.wire import send_json

log = logging.getLogger("quatuor.server")

T = TypeVar("T")

LOOK_EVERY = 2.0  # seconds: other processes change things too


class Broadcast(Generic[T]):
    """While there are readers, looks regularly and when something has ``changed``, at least ``pause`` seconds apart."""

    def __init__(self, look: Callable[[], Awaitable[T]], changed: asyncio.Event, pause: float = 0.0) -> None:
        self.look, self._changed, self._pause = look, changed, pause
        self._readers: set[asyncio.Queue[T]] = set()
        self._looking: asyncio.Task[None] | None = None

    @property
    def read(self) -> bool:
        """Whether anybody reads."""
        return bool(self._readers)

    @contextlib.contextmanager
    def reading(self) -> Iterator[asyncio.Queue[T]]:
        """A queue that gets the newest state whenever it has changed."""
        queue: asyncio.Queue[T] = asyncio.Queue(1)
        self._readers.add(queue)
        if self._looking is None:
            self._looking = asyncio.ensure_future(self._look())
        try:
            yield queue
        finally:
            self._readers.discard(queue)
            if not self._readers and self._looking:
                self._looking.cancel()
                self._looking = None

    async def relay(self, websocket: WebSocket, limit: tuple[float, float], frame: Callable[[T], Any]) -> None:
        """Send each state over an accepted websocket, as a frame, until the other end has gone."""
        with self.reading() as queue, contextlib.suppress(WebSocketDisconnect, RuntimeError):
            jobs = {
                asyncio.ensure_future(self._write(websocket, queue, frame)),
                asyncio.ensure_future(_listen(websocket, limit)),
            }
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
            for job in jobs:
                job.cancel()
            await asyncio.gather(*jobs, return_exceptions=True)
            await websocket.close()

    async def _write(self, websocket: WebSocket, queue: asyncio.Queue[T], frame: Callable[[T], Any]) -> None:
        newest = await self.look()
        while True:
            await send_json(websocket, frame(newest))
            newest = await queue.get()

    async def _look(self) -> None:
        shown: T | None = None
        while True:
            self._changed.clear()
            try:
                found = await self.look()
            except Exception:
                log.exception("a state that others watch could not be read")
            else:
                if found != shown:
                    shown = found
                    self._hand_out(found)
            await asyncio.sleep(self._pause)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    await self._changed.wait()

    def _hand_out(self, found: T) -> None:
        for queue in self._readers:
            if queue.full():
                queue.get_nowait()  # a slow reader gets only the newest
            queue.put_nowait(found)


async def _listen(websocket: WebSocket, limit: tuple[float, float]) -> None:
    """Answer a client's messages: they only show that it is still there."""
    messages = Bucket(limit)
    while messages.take():
        await websocket.receive_text()
        await websocket.send_text('{"t":"pong"}')
