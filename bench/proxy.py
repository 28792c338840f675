"""A TCP proxy in front of PostgreSQL: a network that can go silent, for some connections or for all."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit


@dataclass
class Proxy:
    """``silence(b"LISTEN")`` stops connections that have sent these bytes; nothing is closed, nothing arrives."""

    direct: str  # the server's own URL
    url: str = ""
    _silent: list[bytes] = field(default_factory=list)
    _sent: dict[int, bytes] = field(default_factory=dict)  # what each connection has sent to the server so far
    _heal: asyncio.Event = field(default_factory=asyncio.Event)

    def silence(self, marker: bytes = b"") -> None:
        self._heal.clear()
        self._silent.append(marker)

    def heal(self) -> None:
        self._silent.clear()
        self._heal.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, host: str, port: int) -> None:
        there = await asyncio.open_connection(host, port)
        number = len(self._sent)
        self._sent[number] = b""
        pumps = (self._pump(number, reader, there[1], True), self._pump(number, there[0], writer, False))
        with contextlib.suppress(asyncio.CancelledError):  # the test is over
            await asyncio.gather(*pumps, return_exceptions=True)

    async def _pump(self, number: int, source: asyncio.StreamReader, to: asyncio.StreamWriter, out: bool) -> None:
        with contextlib.suppress(ConnectionError):
            while piece := await source.read(65536):
                if out:
                    self._sent[number] += piece
                while any(marker in self._sent[number] for marker in self._silent):
                    await self._heal.wait()
                to.write(piece)
                await to.drain()
        to.close()


@contextlib.asynccontextmanager
async def proxied(url: str) -> AsyncIterator[Proxy]:
    """A proxy for the PostgreSQL of a URL, on another port."""
    parts, proxy = urlsplit(url), Proxy(url)
    assert parts.hostname is not None
    assert parts.port is not None
    host, port = parts.hostname, parts.port
    server = await asyncio.start_server(lambda r, w: proxy.serve(r, w, host, port), "127.0.0.1", 0)
    own = server.sockets[0].getsockname()[1]
    proxy.url = urlunsplit(parts._replace(netloc=f"{parts.username}@127.0.0.1:{own}"))
    try:
        yield proxy
    finally:
        proxy.heal()
        server.close()
