"""A client that only plays, by raw requests and websockets with little overhead, for bench.load and bench.crash."""

import asyncio
import itertools
import random
import time
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect

_acks = itertools.count()
PATIENCE = 60.0


class Entry(msgspec.Struct):
    ply: int


class News(msgspec.Struct):
    """The fields of a message that a random player needs."""

    t: str
    ack: str | None = None
    version: int = 0
    code: str | None = None
    kind: str | None = None
    entry: Entry | None = None
    history: list[Entry] | None = None
    legal: dict[str, list[str]] | None = None
    over: bool | None = None


decode = msgspec.json.Decoder(News).decode
encode = msgspec.json.Encoder().encode


class Seat:
    """A guest with a cookie and a websocket to a table."""

    def __init__(self, address: str, cookie: str, number: int, visitor: str = "127.0.0.1") -> None:
        self.address, self.cookie, self.number, self.visitor = address, cookie, number, visitor
        self.line: ClientConnection | None = None
        self.ply, self.version, self.over = 0, 0, False
        self.legal: list[str] = []
        self.received = 0  # bytes

    @property
    def headers(self) -> dict[str, str]:
        """Of a request."""
        return {"Cookie": f"quatuor={self.cookie}", "X-Forwarded-For": self.visitor}

    def path(self, table: str) -> str:
        """Of the websocket of a table."""
        return f"/api/tables/{table}/socket"

    async def connect(self, table: str, since: int | None = None) -> None:
        query = "" if since is None else f"?since={since}"
        self.line = await connect(
            f"ws://{self.address}{self.path(table)}{query}",
            additional_headers=self.headers, compression=None, max_size=None,
            open_timeout=PATIENCE, ping_interval=None, proxy=None,
        )  # fmt: skip

    def receive(self, text: str | bytes) -> News:
        """Update the state of the game from a message."""
        self.received += len(text)
        news = decode(text)
        self.version = max(self.version, news.version)
        if news.history is not None:
            self.ply = len(news.history)
        elif news.entry is not None:
            self.ply = news.entry.ply
        if news.legal is not None:
            self.legal = news.legal.get(str(self.number), [])
        if news.over is not None:
            self.over = news.over
        return news

    def random_move(self, dice: random.Random) -> bytes:
        """A random legal move, ready to be sent."""
        move = {"t": "move", "ply": self.ply, "seat": self.number, "move": dice.choice(self.legal)}
        return encode({**move, "ack": f"{next(_acks)}"})


class HttpClient:
    """Requests to a server. Each table has its own client address, as behind a proxy."""

    _addresses = itertools.count()  # of tables

    def __init__(self, address: str, pace: dict[str, int] | None = None, elsewhere: str = "") -> None:
        """``elsewhere``: the address of another process, where all but the first player of a table are connected."""
        self.address, self._pace, self._elsewhere = address, pace, elsewhere or address
        # The server closes connections that were idle for 5 seconds: not while a request is on its way
        limits = httpx.Limits(max_connections=8, max_keepalive_connections=8, keepalive_expiry=3)
        self._http = httpx.AsyncClient(base_url=f"http://{address}", timeout=PATIENCE, limits=limits, verify=False)

    async def open(
        self, game: str, variant: str | None, seats: int, opening: list[dict[str, str]] | None = None
    ) -> tuple[str, list[Seat]]:
        """A new table with a guest in every seat, after an ``opening``."""
        number = next(self._addresses)
        visitor = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        headers = {"x-forwarded-for": visitor}
        requested = [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]
        content = {"game": game, "variant": variant, "seats": requested, "pace": self._pace, "opening": opening or []}
        opened, cookie = await self._post("/api/tables", content, headers)
        people = [Seat(self.address, cookie, 0, visitor)]
        for seat, token in opened["invites"].items():
            _, cookie = await self._post(f"/api/tables/{opened['id']}/join", {"token": token}, headers)
            people.append(Seat(self._elsewhere, cookie, int(seat), visitor))
        return opened["id"], people

    async def get(self, path: str) -> Any:
        return (await self._http.get(path)).json()

    async def close(self) -> None:
        await self._http.aclose()

    async def _post(self, path: str, content: Any, headers: dict[str, str]) -> tuple[Any, str]:
        try:
            response = await self._http.post(path, json=content, headers=headers)
        except AttributeError as error:  # by anyio, for a socket that was closed while it connected
            raise ConnectionError("the server went away") from error
        response.raise_for_status()
        self._http.cookies.clear()
        return response.json(), response.headers["set-cookie"].split("=", 1)[1].split(";")[0]


class Latency:
    """Seconds from sending a move until every seat has received it."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def quantile(self, share: float) -> float:
        ordered = sorted(self.times)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


class Arrivals:
    """Measures when the last of several seats has received a message."""

    def __init__(self, seats: int) -> None:
        self._seats, self._left, self._sent = seats, 0, 0.0
        self._done: asyncio.Future[float] | None = None

    def begin(self) -> "asyncio.Future[float]":
        self._left, self._sent = self._seats, time.perf_counter()
        self._done = asyncio.get_running_loop().create_future()
        return self._done

    def arrived(self) -> None:
        self._left -= 1
        if self._left == 0 and self._done and not self._done.done():
            self._done.set_result(time.perf_counter() - self._sent)
