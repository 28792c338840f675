"""Messages between server processes over one PostgreSQL (LISTEN/NOTIFY). With SQLite there is one process, and none.

The listening connection checks itself: every second it sends a heartbeat, which has to come back. PostgreSQL delivers
notifications in the order of their commits, so a heartbeat that came back proves that all messages before it arrived.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
from sqlalchemy import URL, Connection

from quatuor.server import clock
from quatuor.server.logs import cause_of

log = logging.getLogger("quatuor.server")

CHANNEL = "quatuor"
NOTIFY = "SELECT pg_notify(%s, message) FROM unnest(%s::text[]) AS message"  # for the driver
BEAT = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8, pg_notify(%s, %s)"
TOGETHER = 20  # notes of some 300 bytes in one message, which PostgreSQL limits to 8000
BEAT_EVERY = 1.0  # seconds
CONFIRMED = 2.0  # seconds; within them a heartbeat came back: nothing that matters is missing
DEAF_AFTER = 4.0  # seconds without a heartbeat of our own: connect again
AGAIN_AFTER = 1.0  # seconds until a lost connection is opened again
SETTLED = 7.0  # seconds of listening without a gap: by then every running process has sent something
DEAD_AFTER = 10.0  # seconds of silence: a process is gone
ANSWERS = 2.0  # seconds that the other processes have to answer a question

Note = dict[str, Any]


class Deaf(Exception):
    """The connection is open, but heartbeats do not come back."""


class Envelope(msgspec.Struct, rename={"sender": "from"}):
    """Some notes of one process."""

    sender: str
    notes: list[Note]


class PubSub:
    """Sends and receives notes, and knows whether it receives them all. A note holds nothing that is secret."""

    def __init__(self, url: URL) -> None:
        self.process = secrets.token_hex(4)
        self.shared = url.get_backend_name() == "postgresql"
        self.reconnects = 0
        self.peers: dict[str, float] = {}  # process -> when its last message came, by time.monotonic
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)
        self._confirmed = self._listening = time.monotonic()
        self._asked: dict[str, dict[str, Note]] = {}  # question -> answers by process
        self._answered = asyncio.Event()

    # ---- sending

    def send(self, connection: Connection, *notes: Note) -> None:
        """Have notes delivered when the transaction is committed."""
        if self.shared:
            connection.exec_driver_sql(NOTIFY, (CHANNEL, self.messages(notes)))

    def messages(self, notes: Sequence[Note]) -> list[str]:
        """Notes as they are sent, many together."""
        parts = [notes[first : first + TOGETHER] for first in range(0, len(notes), TOGETHER)]
        return [self._envelope(*part) for part in parts] if self.shared else []

    async def ask(self, send: Callable[[Note], Awaitable[None]], question: Note) -> dict[str, Note] | None:
        """Every other process's answer; None if one of them does not answer, or may not be known yet."""
        if not self.shared:
            return {}
        if not self.settled:
            return None
        number = secrets.token_hex(4)
        answers = self._asked[number] = {}
        try:
            await send({"asked": number, **question})
            async with asyncio.timeout(ANSWERS):
                while self.alive() - answers.keys():
                    self._answered.clear()
                    await self._answered.wait()
        except TimeoutError:
            return None
        finally:
            del self._asked[number]
        return answers if self.settled else None

    # ---- how well it receives

    @property
    def silence(self) -> float:
        """Seconds since the last heartbeat that came back was sent."""
        return time.monotonic() - self._confirmed if self.shared else 0.0

    @property
    def current(self) -> bool:
        """Whether all messages of the other processes have arrived, except those of the last moments."""
        return self.silence <= CONFIRMED

    @property
    def settled(self) -> bool:
        """Whether that has held for long enough to know all other processes."""
        return not self.shared or (self.current and time.monotonic() - self._listening >= SETTLED)

    def alive(self) -> set[str]:
        """The other processes."""
        before = time.monotonic() - DEAD_AFTER
        return {process for process, latest in self.peers.items() if latest >= before}

    # ---- receiving

    async def listen(self, receive: Callable[[str, Note], None], connected: Callable[[], None]) -> None:
        """Receive the others' notes, for ever; ``connected`` is called whenever some may have been missed before."""
        while True:
            try:
                await self._listen(receive, connected)
            except Exception as error:  # of any kind: a process that stopped listening would act on stale facts
                log.warning("listening to the other processes failed", extra={"cause": cause_of(error)})
            self.reconnects += 1
            await asyncio.sleep(AGAIN_AFTER)

    async def _listen(self, receive: Callable[[str, Note], None], connected: Callable[[], None]) -> None:
        from quatuor.server.store.postgres import CONNECT, LimitedAsyncConnection  # only where there is a PostgreSQL

        line = await LimitedAsyncConnection.connect(self._address, autocommit=True, connect_timeout=CONNECT)
        try:
            await line.execute(f"LISTEN {CHANNEL}")
            self._listening = time.monotonic()
            await self._beat(line)
            connected()
            while True:
                async for notification in line.notifies(timeout=BEAT_EVERY):
                    self._receive(notification.payload, receive)
                if time.monotonic() - max(self._confirmed, self._listening) > DEAF_AFTER:
                    raise Deaf
                await self._beat(line)
        finally:
            await line.close()

    async def _beat(self, line: Any) -> None:
        """Send a heartbeat, and read the database's clock on the way."""
        sent = time.monotonic()
        cursor = await line.execute(BEAT, (CHANNEL, self._envelope({"beat": sent})))
        clock.measured((await cursor.fetchone())[0], sent, time.monotonic())

    def _receive(self, payload: str, receive: Callable[[str, Note], None]) -> None:
        """Pass on what is understood. A newer release may send more than that."""
        try:
            envelope = msgspec.json.decode(payload, type=Envelope)
        except msgspec.DecodeError:
            log.warning("a message between processes was not understood")
            return
        if envelope.sender == self.process:
            self._confirmed = max(self._confirmed, *(float(note.get("beat", 0)) for note in envelope.notes), 0.0)
            return
        self.peers[envelope.sender] = time.monotonic()
        for note in envelope.notes:
            try:
                if "answered" in note:
                    self._take_answer(envelope.sender, note)
                else:
                    receive(envelope.sender, note)
            except Exception:
                log.warning("a note of another process was not understood", exc_info=True)

    def _take_answer(self, process: str, note: Note) -> None:
        if note["answered"] in self._asked:
            self._asked[note["answered"]][process] = note
            self._answered.set()

    def _envelope(self, *notes: Note) -> str:
        return msgspec.json.encode(Envelope(self.process, list(notes))).decode()
