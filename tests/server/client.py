"""A real server in a thread, and clients of its HTTP and websocket API."""

import asyncio
import itertools
import json
import threading
from collections.abc import Callable
from socket import SO_SNDBUF, SOL_SOCKET
from typing import Any

import httpx
import websockets
from argon2 import PasswordHasher

from quatuor.server.serve import listen, make_server
from quatuor.server.settings import Settings
from tests.server.conformance import check_answer, check_message

PATIENCE = 60.0  # seconds; on a busy machine kernels may be compiled first
_acks = itertools.count()


def cheap_hasher() -> PasswordHasher:
    return PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)


class ServerThread:
    """A server in a thread, on a free port."""

    def __init__(self, settings: Settings, send_buffer: int | None = None) -> None:
        socket = listen("127.0.0.1", 0)
        if send_buffer:
            socket.setsockopt(SOL_SOCKET, SO_SNDBUF, send_buffer)  # without it the system buffers megabytes
        self.address = f"127.0.0.1:{socket.getsockname()[1]}"
        self._server = make_server(settings)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [socket]})
        self._thread.start()
        while not self._server.started:
            if not self._thread.is_alive():
                raise RuntimeError("the server did not start")
            threading.Event().wait(0.01)

    @property
    def services(self) -> Any:
        return self._server.app.state.services

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join()


class Guest:
    """A client with a cookie."""

    def __init__(self, address: str, network: str = "127.0.0.1") -> None:
        """``network``: the address of the guest; Linux accepts all of 127.0.0.0/8."""
        self.address, self.network = address, network
        there = httpx.AsyncHTTPTransport(local_address=network, verify=False)  # no TLS here
        self.http = httpx.AsyncClient(
            base_url=f"http://{address}", timeout=PATIENCE, transport=there, event_hooks={"response": [_check]}
        )

    async def get(self, path: str) -> Any:
        return self._json(await self.http.get(f"/api{path}"))

    async def post(self, path: str, content: Any = None) -> Any:
        return self._json(await self.http.post(f"/api{path}", json=content))

    async def put(self, path: str, content: Any = None) -> Any:
        return self._json(await self.http.put(f"/api{path}", json=content))

    async def open(self, game: str, *seats: str | int, variant: str | None = None, **options: Any) -> dict[str, Any]:
        """A new table; a seat is me, open, or an engine's level."""
        commands = [{"kind": seat} if isinstance(seat, str) else {"kind": "engine", "level": seat} for seat in seats]
        return await self.post("/tables", {"game": game, "variant": variant, "options": options, "seats": commands})

    async def connect(self, table: str, since: int | None = None, **headers: str) -> "Connection":
        """Connect to a table; without ``since`` the snapshot is there when this returns."""
        query = "" if since is None else f"?since={since}"
        if cookie := self.http.cookies.get("quatuor"):
            headers["Cookie"] = f"quatuor={cookie}"
        where = f"ws://{self.address}/api/tables/{table}/socket{query}"
        unlimited = {
            "max_size": None,
            "max_queue": None,
            "local_addr": (self.network, 0),
        }  # a full queue would keep close() from receiving the answer
        line = Connection(
            await websockets.connect(where, additional_headers=headers, open_timeout=PATIENCE, **unlimited)
        )
        if since is None:
            await line.until(lambda message: message["t"] in ("state", "error"))
        return line

    @staticmethod
    def _json(response: httpx.Response) -> Any:
        if response.status_code >= 400:
            raise Problem(response.status_code, response.json()["error"])
        return response.json()


async def _check(response: httpx.Response) -> None:
    """Every answer of every test must fit its schema."""
    if response.headers.get("content-type", "").startswith("application/json"):
        content = await response.aread()
        check_answer(response.request.method, response.request.url.path, response.status_code, content)


class Problem(Exception):
    def __init__(self, status: int, error: dict[str, Any]) -> None:
        super().__init__(f"{status} {error}")
        self.status, self.code, self.detail = status, error["code"], error["detail"]


class Connection:
    """A websocket, and the table as a client that only applies the messages would draw it."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.received: list[dict[str, Any]] = []
        self.table: dict[str, Any] = {}

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):  # wait_for of Python 3.11 may ignore that the task was cancelled
            text = await self.socket.recv()
        check_message(text)
        message = json.loads(text)
        self.received.append(message)
        if message["t"] == "state":
            self.table = {key: value for key, value in message.items() if key != "t"}
        elif message["t"] == "presence" and self.table:
            self.table |= {name: value for name, value in message.items() if name != "t"}
        elif message["t"] == "event" and self.table:
            self.table = redrawn(self.table, message)
        return message

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while not wanted(message := await self.receive()):
            pass
        return message

    async def event(self, kind: str) -> dict[str, Any]:
        return await self.until(lambda message: kind in (message["t"], message.get("kind")))

    async def ask(self, t: str, ack: str | None = None, **fields: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        ack = ack or f"ack-{next(_acks)}"
        await self.send({"t": t, "ack": ack, **fields})
        return await self.until(lambda message: message.get("ack") == ack)

    async def move(self, move: str, seat: int | None = None, ack: str | None = None) -> dict[str, Any]:
        seat = self.table["to_move"][0] if seat is None else seat
        return await self.ask("move", ack, ply=len(self.table["history"]), seat=seat, move=move)

    async def send(self, message: Any) -> None:
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def caught_up(self, version: int = 0) -> None:
        """Receive all messages sent so far, and at least everything up to that version."""
        while self.table["version"] < version:
            await self.receive()
        await self.send({"t": "ping"})
        await self.until(lambda message: message["t"] == "pong")

    async def close(self) -> None:
        await self.socket.close()


def redrawn(table: dict[str, Any], event: dict[str, Any]) -> dict[str, Any]:
    """A snapshot after an event, as docs/protocol.md says."""
    assert event["version"] == table["version"] + 1, (table["version"], event)
    own = ("t", "kind", "entry", "ply", "seat", "why", "message", "number", "spectator_message")
    after = {**table, **{key: value for key, value in event.items() if key not in own}}
    if event["kind"] == "move":
        after["history"] = [*table["history"], event["entry"]]
    if event["kind"] == "chat":
        after["chat"] = [*table["chat"], event["message"]][-100:]
    if "spectator_message" in event:
        after["spectator_chat"] = [*table["spectator_chat"], event["spectator_message"]][-100:]
    if event["kind"] == "chat_removed":
        gone = {"phrase": None, "words": None, "removed": True}
        for chat in ("chat", "spectator_chat"):
            after[chat] = [
                message | gone if message["number"] == event["number"] else message for message in table[chat]
            ]
    if event["kind"] == "undo":
        after["history"] = table["history"][: event["ply"]]
    return after
