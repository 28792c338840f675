"""How many live tables a server holds: ``python -m bench.load``.

Every seat of every table is a guest with a websocket. Half of the tables play Plus 4, half Blokus for four, by random
legal moves at a steady pace, from positions all over a game; where one is over, new guests begin the next. A move
counts as delivered when the last seat has received it. The same client then plays the same messages against a bare
server that only passes them on.
"""

import argparse
import asyncio
import contextlib
import gc
import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import uvloop
from rich.console import Console
from rich.table import Table
from websockets.asyncio.client import ClientConnection, connect

from bench import postgres, servers
from bench.client import Arrivals, HttpClient, Latency, Seat, listen

GAMES = [
    ("plus4", "endless", 2, 30),
    ("blokus", "classic", 4, 40),
]  # name, variant, seats, plies played before the clock runs
COLUMNS = (
    "server",
    "tables",
    "lines",
    "moves",
    "moves/s",
    "p50 ms",
    "p99 ms",
    "longest",
    "cores",
    "client",
    "kB/table",
    "cpu ms",
)
SETTING_UP = 8  # tables at a time


@dataclass
class Result:
    """One row of the report; times in milliseconds."""

    what: str
    tables: int
    lines: int
    moves: int
    moves_a_second: float
    p50: float
    p99: float
    longest: float
    server_cores: float  # processor seconds of the server for each second
    client_cores: float
    kilobytes_a_table: float
    ms_a_move: float  # processor time of the server


class Plan:
    """When a table moves: once in ``pace`` seconds, each at a moment of its own, until the end."""

    def __init__(self, tables: int, pace: float, seconds: float, seed: int = 1) -> None:
        self.tables, self.pace, self.seconds = tables, pace, seconds
        self.dice = random.Random(seed)
        self.latency = Latency()
        self.began = 0.0

    def due(self, number: int, turn: int) -> float | None:
        """Seconds until a table's next turn; None after the end."""
        at = (number / self.tables + turn) * self.pace
        return None if at >= self.seconds else max(0.0, self.began + at - time.perf_counter())


class PlayedTable:
    """One of our tables with all its seats connected."""

    def __init__(self, client: HttpClient, number: int, plan: Plan) -> None:
        self._client, self._number, self._plan = client, number, plan
        self._game = GAMES[number % len(GAMES)]
        self._dice = random.Random(number)
        self.seats: list[Seat] = []
        self._listening: list[asyncio.Future[None]] = []

    async def set_up(self, anew: bool = False) -> None:
        """Open it and sit down; unless it is to begin anew, play on to somewhere in the game."""
        name, variant, seats, plies = self._game
        table, self.seats = await self._client.open(name, variant, seats)
        self._arrivals = Arrivals(seats)
        self._states = Arrivals(seats)
        known = self._states.begin()
        for seat in self.seats:
            await seat.connect(table)
            self._listening.append(asyncio.ensure_future(self._listen(seat)))
        await known
        for _ in range(0 if anew else self._dice.randrange(plies)):
            if not self._over:
                await self._move()

    async def play(self) -> None:
        turn = 0
        while (wait := self._plan.due(self._number, turn)) is not None:
            await asyncio.sleep(wait)
            turn += 1
            if self._over:
                await self.tear_down()
                await self.set_up(anew=True)
                continue
            self._plan.latency.times.append(await self._move())

    async def tear_down(self) -> None:
        await asyncio.gather(*(seat.line.close() for seat in self.seats if seat.line))

    @property
    def _over(self) -> bool:
        return any(seat.over for seat in self.seats)

    async def _move(self) -> float:
        mover = next(seat for seat in self.seats if seat.legal)
        assert mover.line
        delivered = self._arrivals.begin()
        command = mover.random_move(self._dice)
        mover.legal = []
        await mover.line.send(command, text=True)
        return await asyncio.wait_for(delivered, 60)

    async def _listen(self, seat: Seat) -> None:
        assert seat.line

        def receive(text: str | bytes) -> None:
            news = seat.receive(text)
            if news.entry is not None:
                self._arrivals.arrived()
            elif news.t == "state":
                self._states.arrived()
            elif news.t == "error":
                raise RuntimeError(f"table {self._number}: {text!r}")

        await listen(seat.line, receive)


class EchoTable:
    """As many lines to one address of the bare server."""

    def __init__(self, address: str, number: int, plan: Plan) -> None:
        self._address, self._number, self._plan = address, number, plan
        self._lines: list[ClientConnection] = []
        self._listening: list[asyncio.Future[None]] = []
        seats = GAMES[number % len(GAMES)][2]
        self._arrivals = Arrivals(seats)
        self._seats = seats

    async def set_up(self) -> None:
        for _ in range(self._seats):
            line = await connect(
                f"ws://{self._address}/{self._number}", compression=None, proxy=None, ping_interval=None
            )
            self._lines.append(line)
            self._listening.append(asyncio.ensure_future(listen(line, lambda _: self._arrivals.arrived())))

    async def play(self) -> None:
        turn = 0
        message = json.dumps({"t": "move", "ack": "123456", "ply": 12, "seat": 1, "move": "a17,b17,a18,b18,c18"})
        while (wait := self._plan.due(self._number, turn)) is not None:
            await asyncio.sleep(wait)
            delivered = self._arrivals.begin()
            await self._lines[turn % self._seats].send(message)
            self._plan.latency.times.append(await delivered)
            turn += 1

    async def tear_down(self) -> None:
        await asyncio.gather(*(line.close() for line in self._lines))


async def measure(what: str, server: servers.Server, tables: list[PlayedTable] | list[EchoTable], plan: Plan) -> Result:
    """Set up all tables, then let them play by the plan."""
    before = server.memory
    for first in range(0, len(tables), SETTING_UP):
        await asyncio.gather(*(table.set_up() for table in tables[first : first + SETTING_UP]))
    memory = server.memory - before
    gc.disable()  # pauses of the client are not the server's
    await asyncio.sleep(1.0)
    cpu, own, plan.began = server.cpu, time.process_time(), time.perf_counter()
    await asyncio.gather(*(table.play() for table in tables))
    seconds = time.perf_counter() - plan.began
    cpu, own = server.cpu - cpu, time.process_time() - own
    gc.enable()
    await asyncio.gather(*(table.tear_down() for table in tables))
    times = plan.latency
    return Result(
        what=what,
        tables=len(tables),
        lines=sum(GAMES[n % len(GAMES)][2] for n in range(len(tables))),
        moves=len(times.times),
        moves_a_second=len(times.times) / seconds,
        p50=1000 * times.quantile(0.5),
        p99=1000 * times.quantile(0.99),
        longest=1000 * times.quantile(1.0),
        server_cores=cpu / seconds,
        client_cores=own / seconds,
        kilobytes_a_table=memory / 1000 / len(tables),
        ms_a_move=1000 * cpu / max(1, len(times.times)),
    )


async def ours(store: str, folder: Path, plan: Plan) -> Result:
    server = servers.quatuor(store, folder / "secret")
    client = HttpClient(server.address)
    try:
        for game in GAMES:  # compiled before anything is measured
            await PlayedTable(client, GAMES.index(game), plan).set_up()
        return await measure("quatuor", server, [PlayedTable(client, n, plan) for n in range(plan.tables)], plan)
    finally:
        await client.close()
        server.stop()


async def bare(plan: Plan) -> Result:
    server = servers.echo()
    try:
        return await measure(
            "bare echo", server, [EchoTable(server.address, n, plan) for n in range(plan.tables)], plan
        )
    finally:
        server.stop()


@contextlib.contextmanager
def stores(kind: str, folder: Path) -> Iterator[str]:
    if kind == "sqlite":
        yield str(folder / "games.sqlite")
        return
    with postgres.running(durable=True) as server:
        yield server.database()


def run(kind: str, tables: int, pace: float, seconds: float) -> list[Result]:
    """Ours, then the bare one."""
    servers.more_files()
    with tempfile.TemporaryDirectory(prefix="quatuor-load-") as name, stores(kind, Path(name)) as store:
        found = uvloop.run(ours(store, Path(name), Plan(tables, pace, seconds)))
    found.what += f", {kind}"
    return [found, uvloop.run(bare(Plan(tables, pace, seconds)))]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two moves at a table (2)")
    parser.add_argument("--seconds", type=float, default=30.0, help="of measurement (30)")
    parser.add_argument("--store", choices=["sqlite", "postgresql"], action="append", help="by default both")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers to a file too")
    given = parser.parse_args()
    results = [
        row
        for kind in given.store or ["sqlite", "postgresql"]
        for row in run(kind, given.tables, given.pace, given.seconds)
    ]
    table = Table(title=f"Load on {os.cpu_count()} cores, client and server together", title_justify="left")
    for column in COLUMNS:
        table.add_column(column, justify="left" if column == "server" else "right")
    for row in results:
        values = list(asdict(row).values())
        table.add_row(
            values[0], *(f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" for value in values[1:])
        )
    Console().print(table)
    if given.json:
        given.json.write_text(json.dumps([asdict(row) for row in results], indent=2))


if __name__ == "__main__":
    main()
