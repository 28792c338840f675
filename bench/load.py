"""How many live tables a server holds: ``python -m bench.load``.

Every seat of every table is a guest with a websocket. Half of the tables play Plus 4, half Blokus for four, by random
legal moves at a steady pace, from positions all over a game; when one is over, new guests begin the next. A move
counts as delivered when the last seat has received it. The same client then plays the same messages against a bare
server that only passes them on. ``--processes 2`` (over PostgreSQL) starts a server of two processes; all that
concerns a table goes to one of them, as with a proxy that chooses by the table's id, unless ``--any-process`` is given.
"""

import argparse
import asyncio
import contextlib
import datetime
import functools
import gc
import json
import os
import random
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import uvloop
from rich.console import Console
from rich.table import Table

from bench import pages, postgres, servers
from bench.client import Arrivals, HttpClient, Latency, Seat
from bench.line import Line
from bench.machine import machine
from quatuor import new

GAMES = [
    ("plus4", "endless", 2, 30),
    ("blokus", "classic", 4, 40),
]  # name, variant, seats, plies played before the clock runs
OPENINGS = 50  # games from which tables begin
COLUMNS = (
    "server",
    "processes",
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
    "kB/move",
    "new games",
)
PAGE_COLUMNS: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("what", "server", {}), ("processes", "processes", {}), ("tables", "tables", {}),
    ("moves_a_second", "moves a second", {}), ("p50", "median", {"unit": " ms"}),
    ("p99", "99th percentile", {"unit": " ms"}), ("longest", "longest", {"unit": " ms"}),
    ("server_cores", "server's cores", {}), ("ms_a_move", "processor a move", {"unit": " ms"}),
    ("kilobytes_a_table", "memory a table", {"unit": " kB"}),
)  # fmt: skip
SETTING_UP = 8  # tables at a time
WIDTH = 160  # columns of the report, even if it goes into a file


@dataclass
class Result:
    """One row of the report; times in milliseconds."""

    what: str
    processes: int
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
    kilobytes_a_move: float  # sent to all seats together
    new_games: int  # begun during the measurement; the processor time includes them


@functools.cache
def opening(game: str, variant: str, number: int, plies: int) -> tuple[dict[str, str], ...]:
    """The turns of a game by random moves."""
    dice, played = random.Random(number), new(game, variant=variant)
    while played.ply < plies and not played.over:
        played.play({seat: dice.choice(played.legal(seat)) for seat in played.to_move})
    while played.over:
        played.undo()
    return tuple({str(seat): move for seat, move in turn.items()} for turn in played.moves)


class Plan:
    """When a table moves: once in ``pace`` seconds, each table at a different moment, until the end."""

    def __init__(self, tables: int, pace: float, seconds: float, seed: int = 1) -> None:
        self.tables, self.pace, self.seconds = tables, pace, seconds
        self.dice = random.Random(seed)
        self.latency = Latency()
        self.began = 0.0
        self.received = self.new_games = 0

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
        self._lines: dict[int, Line] = {}  # of the seats

    async def set_up(self, anew: bool = False) -> None:
        """Open it, somewhere in a game unless it is to begin anew, and sit down."""
        name, variant, seats, plies = self._game
        turns = [] if anew else opening(name, variant, self._number % OPENINGS, plies)[: self._dice.randrange(plies)]
        self._plan.new_games += anew
        table, self.seats = await self._client.open(name, variant, seats, list(turns))
        self._arrivals = Arrivals(seats)
        self._states = Arrivals(seats)
        known = self._states.begin()
        self._lines = {seat.number: await self._connect(seat, table) for seat in self.seats}
        await known

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
        await asyncio.gather(*(line.close() for line in self._lines.values()))

    @property
    def _over(self) -> bool:
        return any(seat.over for seat in self.seats)

    async def _move(self) -> float:
        mover = next(seat for seat in self.seats if seat.legal)
        delivered = self._arrivals.begin()
        command = mover.random_move(self._dice)
        mover.legal = []
        before = self._received
        self._lines[mover.number].send(command)
        seconds = await asyncio.wait_for(delivered, 60)
        self._plan.received += self._received - before
        return seconds

    @property
    def _received(self) -> int:
        return sum(seat.received for seat in self.seats)

    async def _connect(self, seat: Seat, table: str) -> Line:
        def receive(text: bytes) -> None:
            news = seat.receive(text)
            if news.entry is not None:
                self._arrivals.arrived()
            elif news.t == "state":
                self._states.arrived()
            elif news.t == "error":
                raise RuntimeError(f"table {self._number}: {text!r}")

        return await Line.open(seat.address, seat.path(table), receive, seat.headers)


class EchoTable:
    """The same number of connections to one address of the bare server."""

    def __init__(self, address: str, number: int, plan: Plan) -> None:
        self._address, self._number, self._plan = address, number, plan
        self._lines: list[Line] = []
        seats = GAMES[number % len(GAMES)][2]
        self._arrivals = Arrivals(seats)
        self._seats = seats

    async def set_up(self) -> None:
        for _ in range(self._seats):
            line = await Line.open(self._address, f"/{self._number}", lambda _: self._arrivals.arrived())
            self._lines.append(line)

    async def play(self) -> None:
        turn = 0
        message = json.dumps({"t": "move", "ack": "123456", "ply": 12, "seat": 1, "move": "a17,b17,a18,b18,c18"})
        while (wait := self._plan.due(self._number, turn)) is not None:
            await asyncio.sleep(wait)
            delivered = self._arrivals.begin()
            self._lines[turn % self._seats].send(message.encode())
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
    gc.disable()  # the client's pauses must not count as the server's
    await asyncio.sleep(1.0)
    cpu, own, plan.began = server.cpu, time.process_time(), time.perf_counter()
    await asyncio.gather(*(table.play() for table in tables))
    seconds = time.perf_counter() - plan.began
    cpu, own = server.cpu - cpu, time.process_time() - own
    gc.enable()
    await asyncio.gather(*(table.tear_down() for table in tables))
    times = plan.latency
    moves = max(1, len(times.times))
    return Result(
        what=what,
        processes=1,
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
        ms_a_move=1000 * cpu / moves,
        kilobytes_a_move=plan.received / 1000 / moves,
        new_games=plan.new_games,
    )


async def ours(store: str, folder: Path, plan: Plan, processes: int = 1, any_process: bool = False) -> Result:
    """Our server; each table at one of its processes, or at any."""
    first = servers.free_ports(processes)
    several = ["--processes", str(processes), "--process-ports", str(first)] if processes > 1 else []
    server = servers.quatuor(store, folder / "secret", 0, *several)
    own_ports = processes > 1 and not any_process
    addresses = [f"127.0.0.1:{first + n}" for n in range(processes)] if own_ports else [server.address]
    clients = [HttpClient(address) for address in addresses]
    try:
        for client in clients:  # every process has loaded both games before anything is measured
            for number in range(len(GAMES)):
                await PlayedTable(client, number, plan).set_up()
        tables = [PlayedTable(clients[n // len(GAMES) % len(clients)], n, plan) for n in range(plan.tables)]
        found = await measure("quatuor", server, tables, plan)
    finally:
        for client in clients:
            await client.close()
        server.stop()
    found.processes = processes
    return found


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


def run(kind: str, plan: Plan, processes: int = 1, any_process: bool = False) -> Result:
    """Our server over one kind of store."""
    servers.more_files()
    with tempfile.TemporaryDirectory(prefix="quatuor-load-") as name, stores(kind, Path(name)) as store:
        found = uvloop.run(ours(store, Path(name), plan, processes, any_process))
    found.what += f", {kind}" + ", any process" * any_process
    return found


def echo(plan: Plan) -> Result:
    """The bare server."""
    servers.more_files()
    return uvloop.run(bare(plan))


def show(results: list[Result]) -> None:
    """Print them as a table."""
    table = Table(title=f"Load on {os.cpu_count()} cores, client and server together", title_justify="left")
    for column in COLUMNS:
        table.add_column(column, justify="left" if column == "server" else "right")
    for row in results:
        first, *values = asdict(row).values()
        table.add_row(first, *(f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" for value in values))
    console = Console()
    (console if console.width >= WIDTH else Console(width=WIDTH)).print(table)


def page(results: list[Result], command: str) -> pages.Page:
    """The results as tools/measurements.py reads them."""
    columns: list[dict[str, Any]] = [{"key": key, "title": title, **unit} for key, title, unit in PAGE_COLUMNS]
    section = {
        "title": f"{results[0].tables:,} tables",
        "text": [
            "`python -m bench.load` opens tables, half of Plus 4 (endless) and half of Blokus (classic), with a guest",
            "and a websocket in each seat; every table moves at a steady pace, at random. Server, database and client",
            "share the machine. The latency is the time from sending a move until the last seat has received it; it is",
            f"on disk by then. {datetime.date.today().isoformat()}, {machine()}; one run for each row.",
        ],
        "command": [command],
        "columns": columns,
        "rows": [{column["key"]: _rounded(getattr(result, column["key"])) for column in columns} for result in results],
    }
    text = ["What one machine serves ([running a server](../deploy.md))."]
    return {"title": "Server: measurements", "text": text, "sections": [section]}


def _rounded(value: Any) -> Any:
    """Three digits of a measured number: it is not known better."""
    if not isinstance(value, float):
        return value
    rounded = float(f"{value:.3g}")
    return int(rounded) if rounded >= 100 else rounded


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--pace", type=float, default=2.0, help="seconds between two moves at a table (2)")
    parser.add_argument("--seconds", type=float, default=30.0, help="of measurement (30)")
    parser.add_argument("--store", choices=["sqlite", "postgresql"], action="append", help="by default both")
    parser.add_argument("--processes", type=int, action="append", help="of the server, over PostgreSQL only (1)")
    parser.add_argument("--any-process", action="store_true", help="the players of a table are at different processes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="such as docs/measurements/server.json")
    given = parser.parse_args()
    runs = [
        (kind, processes)
        for kind in given.store or ["sqlite", "postgresql"]
        for processes in given.processes or [1]
        if kind == "postgresql" or processes == 1
    ]
    plan = functools.partial(Plan, given.tables, given.pace, given.seconds)
    results = [run(kind, plan(), processes, given.any_process) for kind, processes in runs]
    results.append(echo(plan()))
    show(results)
    if given.json:
        command = f"python -m bench.load --tables {given.tables} --pace {given.pace:g} --seconds {given.seconds:g}"
        pages.save(given.json, page(results, command))


if __name__ == "__main__":
    main()
