"""Notes between server processes over one PostgreSQL (LISTEN/NOTIFY). With SQLite there is one process, no notes."""

import asyncio
import logging
import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from sqlalchemy import URL, Connection, text

log = logging.getLogger("quatuor.server")

CHANNEL = "quatuor"
SEND = text("SELECT pg_notify(:channel, message) FROM unnest(CAST(:messages AS text[])) AS message")
TOGETHER = 20  # notes of some 300 bytes in one message, which PostgreSQL limits to 8000
AGAIN_AFTER = 1.0  # seconds until a lost connection is made anew


class PubSub:
    """Sends and hears notes; what this process sent itself is not heard. A note holds nothing that is secret."""

    def __init__(self, url: URL) -> None:
        self.process = secrets.token_hex(4)
        self.shared = url.get_backend_name() == "postgresql"
        self._address = url.set(drivername="postgresql").render_as_string(hide_password=False)

    def send(self, connection: Connection, *notes: dict[str, Any]) -> None:
        """Have notes delivered when the transaction is committed."""
        if self.shared:
            parts = [notes[first : first + TOGETHER] for first in range(0, len(notes), TOGETHER)]
            plain = [msgspec.json.encode({"from": self.process, "notes": part}).decode() for part in parts]
            connection.execute(SEND, {"channel": CHANNEL, "messages": plain})

    async def listen(self, hear: Callable[[str, dict[str, Any]], None], connected: Callable[[], None]) -> None:
        """Hear the others' notes, for ever; ``connected`` is called whenever some may have been missed before."""
        import psycopg  # only where there is a PostgreSQL

        while True:
            try:
                line = await psycopg.AsyncConnection.connect(self._address, autocommit=True)
                async with line:
                    await line.execute(f"LISTEN {CHANNEL}")
                    connected()
                    async for heard in line.notifies():
                        message = msgspec.json.decode(heard.payload)
                        if message["from"] != self.process:
                            for note in message["notes"]:
                                hear(message["from"], note)
            except psycopg.OperationalError as error:
                log.warning("the line to the other processes is lost: %s", error.__class__.__name__)
            await asyncio.sleep(AGAIN_AFTER)
