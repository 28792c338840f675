"""Guests who play while something fails, and a check of the store afterwards: for bench.faults."""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import func, select

from bench import crash
from bench.actors import Claimer, SignedOut, sign_outs
from bench.client import HttpClient
from bench.processes import Process
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.schema import events

FINISH_WITHIN = 180.0  # seconds for all games to end once nothing fails any more


@dataclass
class Outcome:
    """What one kind of failure did; ``lost``, ``given_away`` and ``private`` should be 0. None: it does not apply."""

    fault: str
    store: str
    times: int
    moves: int | None = None
    lost: int | None = None
    claims: int | None = None
    given_away: int | None = None
    sign_outs: int | None = None
    private: int | None = None
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        return bool(self.wrong or self.lost or self.given_away or self.private)


class Server:
    """A server process that can be killed and started again at its address, with another environment or release."""

    def __init__(self, store: str, secret: Path, release: Path | None = None, **environment: str) -> None:
        self._store, self._secret = store, secret
        self._process = Process(store, secret, release=release, **environment)
        self.address = self._process.address

    def replace(self, release: Path | None = None, **environment: str) -> None:
        """Kill -9, and start."""
        self._process.kill()
        port = int(self.address.rpartition(":")[2])
        self._process = Process(self._store, self._secret, port=port, release=release, **environment)

    def stop(self) -> None:
        self._process.stop()


Inject = Callable[[random.Random], Awaitable[None]]


@dataclass
class Load:
    """Guests who play at these addresses while something fails ``times`` times."""

    addresses: list[str]
    times: int
    tables: int
    pace: dict[str, int] | None = None
    report: crash.Report = field(default_factory=crash.Report)
    claims: int = 0
    sign_outs: int = 0
    private: int = 0

    async def run(self, inject: Inject) -> None:
        stop, dice = asyncio.Event(), random.Random(self.times)
        pairs = ((self.addresses[0], self.addresses[-1]), (self.addresses[-1], self.addresses[0]))
        clients = [HttpClient(one, self.pace, other) for one, other in pairs]  # opponents on different processes
        without_clock = HttpClient(self.addresses[0], None, self.addresses[-1])
        table, seats = await without_clock.open("plus4", None, 2)
        claimer, signed = Claimer(table, seats), SignedOut()
        beside = [
            asyncio.ensure_future(claimer.run()),
            asyncio.ensure_future(sign_outs(self.addresses[0], self.addresses[-1], signed, stop)),
        ]
        playing = [
            asyncio.ensure_future(crash.sit_down(clients[number % len(clients)], number, self.report, stop))
            for number in range(self.tables)
        ]
        try:
            for _ in range(self.times):
                await crash.some_moves(self.report, dice)
                await inject(dice)
            stop.set()
            await asyncio.wait_for(asyncio.gather(*playing, beside[1]), FINISH_WITHIN)
        except TimeoutError:
            self.report.wrong.append("not all guests could finish their games")
        finally:
            for task in (*beside, *playing):
                task.cancel()
            await asyncio.gather(*beside, *playing, return_exceptions=True)
            for client in (*clients, without_clock):
                await client.close()
        self.claims, self.sign_outs, self.private = claimer.claims, signed.times, signed.private


def given_away(store: str) -> int:
    """Seats that lost on time or by a claim, although no player was slow or away."""
    opened = Store(Settings(store=store).url)
    with opened.engine.connect() as connection:
        count = connection.execute(select(func.count()).where(events.c.kind == "out")).scalar_one()
    opened.close()
    return count


@contextlib.asynccontextmanager
async def serving(folder: Path, *stores: str, **environment: str) -> AsyncIterator[list[Server]]:
    """A server process over each of the stores, with one key; the environment is that of the last one."""
    started: list[Server] = []
    try:
        for number, store in enumerate(stores, 1):  # in threads: the event loop has to run a proxy meanwhile
            own = environment if number == len(stores) else {}
            started.append(await asyncio.to_thread(Server, store, folder / "secret", **own))
        yield started
    finally:
        for server in started:
            await asyncio.to_thread(server.stop)


async def measured(fault: str, store: str, load: Load, inject: Inject) -> Outcome:
    """The effects of a failure on the players."""
    began = time.monotonic()
    await load.run(inject)
    await asyncio.to_thread(crash.check, store, load.report)
    return Outcome(
        fault, "PostgreSQL" if "://" in store else "SQLite", load.times, len(load.report.acknowledged),
        len(load.report.wrong), load.claims, await asyncio.to_thread(given_away, store), load.sign_outs, load.private,
        seconds=round(time.monotonic() - began, 1), wrong=load.report.wrong,
    )  # fmt: skip
