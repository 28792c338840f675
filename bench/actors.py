"""People beside the players of bench.faults: one who claims a win wrongly, one who signs out while a socket is open."""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import Callable
from typing import Any

import httpx
from websockets.asyncio.client import connect

from bench import crash
from bench.client import Seat, encode

CLAIM_EVERY = 0.5  # seconds
DEAF = 2.5  # seconds after which a process knows that the others' messages do not reach it
LISTENING = 0.5  # seconds after a move in which a signed-out socket is listened to
FAILED = (*crash.GONE, AssertionError)


class Claimer:
    """Two players who are present; one of them keeps claiming the win, and must not get it."""

    def __init__(self, table: str, seats: list[Seat]) -> None:
        self._table, self._seats = table, seats
        self.claims = 0

    async def run(self) -> None:
        await asyncio.gather(self._stay(self._seats[0], False), self._stay(self._seats[1], True))

    async def _stay(self, seat: Seat, claims: bool) -> None:
        while True:
            sending = None
            with contextlib.suppress(*crash.GONE):
                await seat.connect(self._table)
                assert seat.line
                sending = asyncio.ensure_future(self._claim(seat)) if claims else None
                async for text in seat.line:
                    seat.receive(text)
            if sending:
                sending.cancel()
            await asyncio.sleep(0.2)

    async def _claim(self, seat: Seat) -> None:
        with contextlib.suppress(*crash.GONE):
            while seat.line:
                self.claims += 1
                claim = {"t": "claim", "ack": f"c{self.claims}", "seat": 0, "win": True}
                await seat.line.send(encode(claim), text=True)
                await asyncio.sleep(CLAIM_EVERY)


class SignedOut:
    """A session with an open socket that is signed out elsewhere: what the socket still receives."""

    def __init__(self) -> None:
        self.times = 0
        self.private = 0  # frames with orders or legal moves, received by sockets that were signed out

    async def once(self, one: str, two: str, then: Callable[[], Any] = lambda: None) -> None:
        """Sign up and play at ``one``, with a socket at ``two``; ``then`` happens before the session is signed out.

        It counts if the session was signed out and the opponent moved afterwards; else something failed in between.
        """
        with contextlib.suppress(*FAILED):
            async with _client(one) as ada, _client(two) as bob:
                account = {"name": f"Ada {random.random()}"[:20], "password": "correct horse battery"}
                await _done(ada.post("/api/account", json=account))
                seats = [{"kind": "me"}, {"kind": "open"}]
                opened = (await _done(ada.post("/api/tables", json={"game": "trois_six", "seats": seats}))).json()
                path = f"/api/tables/{opened['id']}"
                await _done(bob.post(f"{path}/join", json={"token": opened["invites"]["1"]}))
                where, cookies = f"ws://{two}{path}/socket", [client.cookies["quatuor"] for client in (ada, bob)]
                received: list[tuple[float, bool]] = []
                listening = asyncio.ensure_future(_listen(where, cookies[0], received))
                try:
                    await _private(received)
                    then()
                    await _done(ada.delete("/api/account/session?everywhere=true"))
                    after = time.monotonic() + DEAF
                    await asyncio.sleep(DEAF)
                    await _move(where, cookies[1])
                    await asyncio.sleep(LISTENING)
                    self.times += 1
                    self.private += sum(private for at, private in received if at > after)
                finally:
                    listening.cancel()


async def sign_outs(one: str, two: str, signed: SignedOut, stop: asyncio.Event) -> None:
    """One session after the other, at least one, until it is time to stop."""
    while not (stop.is_set() and signed.times):
        await signed.once(one, two)
        await asyncio.sleep(0.2)


def _client(address: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=f"http://{address}", timeout=60, verify=False)


async def _done(request: Any) -> httpx.Response:
    response: httpx.Response = await request
    response.raise_for_status()
    return response


async def _listen(where: str, cookie: str, received: list[tuple[float, bool]]) -> None:
    """Note when something arrives and whether it is private, and connect again whenever the socket is closed."""
    while True:
        with contextlib.suppress(*crash.GONE):
            async with connect(where, additional_headers={"Cookie": f"quatuor={cookie}"}, proxy=None) as line:
                async for text in line:
                    message = json.loads(text)
                    received.append((time.monotonic(), bool(message.get("orders") or message.get("legal"))))
        await asyncio.sleep(0.2)


async def _private(received: list[tuple[float, bool]]) -> None:
    """Wait until something private has arrived: then the socket belongs to a player."""
    async with asyncio.timeout(30):
        while not any(private for _, private in received):
            await asyncio.sleep(0.02)


async def _move(where: str, cookie: str) -> None:
    """The opponent gives an order."""
    async with asyncio.timeout(30):
        async with connect(where, additional_headers={"Cookie": f"quatuor={cookie}"}, proxy=None) as line:
            while (message := json.loads(await line.recv()))["t"] != "state":
                pass
            order = {"t": "move", "ack": "1", "ply": 0, "seat": 1, "move": message["legal"]["1"][0]}
            await line.send(json.dumps(order))
            while (message := json.loads(await line.recv()))["t"] != "ack":
                assert message["t"] != "error", message
