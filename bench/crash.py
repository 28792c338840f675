"""Nothing that was acknowledged is lost: ``python -m bench.crash``.

Guests play at many tables while the server is killed (kill -9) at random and started again, over and over. They
reconnect by themselves, send unanswered commands again, and finish their games. Then every move that was ever
acknowledged must be in the store, at the version that was acknowledged, and every game must replay.
"""

import argparse
import asyncio
import datetime
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import uvloop
import websockets
from rich.console import Console
from rich.table import Table

from bench import pages, servers
from bench.client import HttpClient, News, Seat, encode
from bench.load import stores
from bench.machine import machine
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.doctor import Damage, examine

GAMES = [("plus4", None, 2), ("blokus", "duo", 2), ("trois_six", None, 2)]
LONG = 60  # plies after which a guest resigns
MOVES = (1, 80)  # acknowledged in the life of a server
THINKING = (0.1, 0.2)  # seconds before a move: no faster than a server allows
LONGEST_LIFE = 30.0  # seconds
TITLE = "Server killed"
STORES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
COLUMNS = {
    "date": "date", "store": "store", "kills": "kills", "tables": "tables", "games": "games",
    "moves": "acknowledged moves", "reconnects": "reconnects", "sent_again": "sent again", "seconds": "seconds",
    "lost": "lost or damaged",
}  # fmt: skip
GONE = (OSError, TimeoutError, websockets.WebSocketException, httpx.HTTPError)


@dataclass
class Report:
    """What happened, and what is wrong; nothing should be."""

    kills: int = 0
    games: int = 0
    reconnects: int = 0
    sent_again: int = 0
    acknowledged: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)  # (table, version): cookie's ack
    wrong: list[str] = field(default_factory=list)


class Player:
    """A guest who finishes the game, whatever happens to the server."""

    def __init__(self, seat: Seat, table: str, dice: random.Random, report: Report) -> None:
        self._seat, self._table, self._dice, self._report = seat, table, dice, report
        self._open: tuple[str, bytes, str] | None = None  # the command that is not answered yet: ack, message, move
        self._count = 0

    async def play(self) -> None:
        since: int | None = None
        while not self._seat.over:
            try:
                await self._seat.connect(self._table, since)
                assert self._seat.line
                if self._open:
                    self._report.sent_again += 1
                    await self._seat.line.send(self._open[1], text=True)
                async for text in self._seat.line:
                    await self._hear(self._seat.receive(text))
                    since = self._seat.version
                    if self._seat.over:
                        break
            except GONE:
                await asyncio.sleep(self._dice.uniform(0.05, 0.3))
            if self._seat.line:
                await self._seat.line.close()
            if not self._seat.over:
                self._report.reconnects += 1

    async def _hear(self, news: News) -> None:
        if self._open and news.ack == self._open[0]:
            if news.t == "ack":
                self._note(news.version)
            elif news.code == "store_failed":
                return  # a bye follows; the command is sent again
            elif news.code == "rate_limited":
                raise TimeoutError  # come back a little later
            self._open = None
        if self._seat.legal and not self._open and not self._seat.over and news.t in ("ack", "state", "event"):
            await self._command()

    def _note(self, version: int) -> None:
        assert self._open
        place, what = (self._table, version), (self._open[0], self._open[2])
        if self._report.acknowledged.setdefault(place, what) != what:
            self._report.wrong.append(f"version {version} of table {self._table} was acknowledged twice")

    async def _command(self) -> None:
        assert self._seat.line
        await asyncio.sleep(self._dice.uniform(*THINKING))
        self._count += 1
        ack, seat = f"{self._seat.number}-{self._count}-{self._dice.random()}", self._seat
        move = self._dice.choice(seat.legal)
        command = {"t": "move", "ack": ack, "ply": seat.ply, "seat": seat.number, "move": move}
        if seat.ply >= LONG:
            command, move = {"t": "resign", "ack": ack, "seat": seat.number}, ""
        seat.legal = []
        self._open = (ack, encode(command), move)
        await seat.line.send(self._open[1], text=True)


async def sit_down(client: HttpClient, number: int, report: Report, stop: asyncio.Event) -> None:
    """Play one game after the other until it is time to stop, and then the last one to its end."""
    dice = random.Random(number)
    while True:
        name, variant, seats = GAMES[dice.randrange(len(GAMES))]
        try:
            table, people = await client.open(name, variant, seats)
        except GONE:
            await asyncio.sleep(0.2)
            continue
        await asyncio.gather(*(Player(seat, table, random.Random(dice.random()), report).play() for seat in people))
        report.games += 1
        if stop.is_set():
            return


async def some_moves(report: Report, dice: random.Random) -> None:
    """Wait until moves are being acknowledged, so that a crash does the most harm."""
    wanted, until = len(report.acknowledged) + dice.randint(*MOVES), time.monotonic() + LONGEST_LIFE
    while len(report.acknowledged) < wanted and time.monotonic() < until:
        await asyncio.sleep(0.005)
    await asyncio.sleep(dice.uniform(0, 0.01))


async def torment(store: str, folder: Path, kills: int, tables: int, report: Report) -> None:
    """Kill the server and start it again ``kills`` times, while people play."""
    dice = random.Random(kills)
    server = await asyncio.to_thread(servers.quatuor, store, folder / "secret")
    port = int(server.address.rpartition(":")[2])
    client, stop = HttpClient(server.address), asyncio.Event()
    playing = [asyncio.ensure_future(sit_down(client, number, report, stop)) for number in range(tables)]
    try:
        for _ in range(kills):
            await some_moves(report, dice)
            server.kill()
            report.kills += 1
            server = await asyncio.to_thread(servers.quatuor, store, folder / "secret", port)
        stop.set()
        await asyncio.wait_for(asyncio.gather(*playing), 300)
    except TimeoutError:
        report.wrong.append("not all guests could finish their games")
    finally:
        for task in playing:
            task.cancel()
        await client.close()
        server.stop()


def check(store: str, report: Report) -> None:
    """Is everything there that was acknowledged, and does every game replay?"""
    opened = Store(Settings(store=store).url)
    for table in {table for table, _ in report.acknowledged}:
        kept = opened.read(table)
        for (place, version), (ack, move) in report.acknowledged.items():
            if place != table:
                continue
            event = kept.events[version - 1] if kept and version <= len(kept.events) else None
            if event is None or event.ack != ack or event.data.get("move", "") != move:
                report.wrong.append(f"version {version} of table {table} was acknowledged and is not there")
    report.wrong += [f"{d.table}: {d.what}" for d in examine(opened.engine) if isinstance(d, Damage)]
    opened.close()


def run(kind: str, kills: int, tables: int) -> Report:
    """The whole proof for one kind of store."""
    report = Report()
    with tempfile.TemporaryDirectory(prefix="quatuor-crash-") as name, stores(kind, Path(name)) as store:
        uvloop.run(torment(store, Path(name), kills, tables, report))
        check(store, report)
    return report


def page(rows: list[dict[str, Any]], wrong: list[str]) -> pages.Page:
    """The results of all runs as tools/measurements.py reads them."""
    kills, moves, lost = (sum(row[key] for row in rows) for key in ("kills", "moves", "lost"))
    section = {
        "title": TITLE,
        "text": [
            f"{machine()}. {kills:,} kills in all, in one run or several. Every game was played to its end, then",
            f"each of the {moves:,} acknowledged moves was looked for, and every game was replayed: {lost:,} lost or",
            "damaged.",
        ],
        "command": ["python -m bench.crash --kills KILLS --tables TABLES --json docs/measurements/faults.json"],
        "columns": [{"key": key, "title": title} for key, title in COLUMNS.items()],
        "rows": rows,
        "notes": wrong,
    }
    text = ["Guests play while the server is killed (kill -9) again and again."]
    return {"title": "Killed servers: measurements", "text": text, "sections": [section]}


def row_of(kind: str, tables: int, report: Report, seconds: float) -> dict[str, Any]:
    """The results of one run."""
    numbers = (report.kills, tables, report.games, len(report.acknowledged), report.reconnects, report.sent_again)
    today = datetime.date.today().isoformat()
    return dict(zip(COLUMNS, (today, STORES[kind], *numbers, round(seconds), len(report.wrong)), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.crash", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--store", choices=list(STORES), action="append", help="by default both")
    parser.add_argument("--json", type=Path, metavar="FILE", help="add the results to a page of docs/measurements")
    given = parser.parse_args()
    earlier = pages.section(given.json, TITLE) or {"rows": [], "notes": []}
    rows: list[dict[str, Any]] = []
    wrong: list[str] = []
    for kind in given.store or list(STORES):
        began = time.monotonic()
        report = run(kind, given.kills, given.tables)
        wrong += report.wrong
        rows.append(row_of(kind, given.tables, report, time.monotonic() - began))
        if given.json:  # after each store: a run takes long
            pages.save(given.json, page(earlier["rows"] + rows, earlier["notes"] + wrong))
    shown = Table(*COLUMNS.values(), title="kill -9 under load", title_justify="left")
    for row in rows:
        shown.add_row(*(f"{value:,}" if isinstance(value, int) else value for value in row.values()))
    Console().print(shown)
    for line in wrong:
        print(line)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
