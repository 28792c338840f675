"""A server in long use neither grows nor fails: ``python -m bench.soak --minutes 30``.

Guests play one game after the other, one of them against an engine; visitors look at pages, lists, records and running
games. Every half minute the server's memory is measured. At the end no error may be in its log, no answer may have been
500 or above, every acknowledged move must be in the store, and memory may not have grown: the median of the last third
is compared with that of the middle third, since tables stay in memory for five minutes after their end.
"""

import argparse
import asyncio
import contextlib
import datetime
import json
import random
import re
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from bench import crash
from bench.client import HttpClient, Seat
from bench.load import stores
from bench.machine import machine
from bench.processes import Process

SAMPLES = 60  # in the whole run
GROWTH = 1.05  # of memory, from the middle third to the last
SHOWN = 10  # rows of the page for each store
VISIT_EVERY = 1.0  # seconds
PAGES = ("/", "/api/games", "/api/lobby", "/api/me", "/api/puzzles", "/health", "/ready")
OF_A_TABLE = ("", "/record", "/svg")
COLUMNS = {
    "store": "store", "minute": "minute", "memory": "memory", "tables": "tables in memory",
    "moves": "acknowledged moves", "games": "finished games", "requests": "requests",
}  # fmt: skip


@dataclass
class Soak:
    """What happened with one store."""

    store: str
    report: crash.Report = field(default_factory=crash.Report)
    samples: list[dict[str, Any]] = field(default_factory=list)
    requests: int = 0
    wrong: list[str] = field(default_factory=list)

    def judge(self, log: str) -> None:
        """Add what is wrong: errors in the log, lost moves, growing memory."""
        self.wrong += [line for line in log.splitlines() if " ERROR " in line or "Traceback" in line]
        self.wrong += self.report.wrong
        if self.growth > GROWTH:
            self.wrong.append(f"memory grew by {self.growth - 1:.1%}")

    @property
    def growth(self) -> float:
        """Memory in the last third divided by that in the middle third."""
        memory = [sample["memory"] for sample in self.samples]
        third = len(memory) // 3
        return statistics.median(memory[-third:]) / statistics.median(memory[third : 2 * third]) if third else 1.0


async def soaked(kind: str, store: str, folder: Path, seconds: float, tables: int) -> Soak:
    """Let people use a server over a store."""
    soak, stop = Soak(kind), asyncio.Event()
    server = await asyncio.to_thread(Process, store, folder / "secret")
    client = HttpClient(server.address)
    playing = [asyncio.ensure_future(crash.sit_down(client, number, soak.report, stop)) for number in range(tables)]
    others = [asyncio.ensure_future(act) for act in (against_engine(server.address, soak), visit(server.address, soak))]
    try:
        await sample(server, soak, seconds)
        stop.set()
        await asyncio.wait_for(asyncio.gather(*playing), 300)
    except TimeoutError:
        soak.wrong.append("not all guests could finish their games")
    finally:
        for task in (*playing, *others):
            task.cancel()
        ended = await asyncio.gather(*others, return_exceptions=True)
        soak.wrong += [f"{end!r}" for end in ended if isinstance(end, Exception)]
        await client.close()
        await asyncio.to_thread(server.stop)
    await asyncio.to_thread(crash.check, store, soak.report)
    soak.judge(server.log)
    return soak


async def sample(server: Process, soak: Soak, seconds: float) -> None:
    began = time.monotonic()
    async with httpx.AsyncClient(base_url=f"http://{server.address}", timeout=60, verify=False) as http:
        for number in range(1, SAMPLES + 1):
            await asyncio.sleep(began + seconds * number / SAMPLES - time.monotonic())
            metrics = (await http.get("/metrics")).text
            soak.samples.append(
                {
                    "store": soak.store,
                    "minute": round((time.monotonic() - began) / 60, 1),
                    "memory": round(_value(metrics, "process_resident_memory_bytes") / 1e6, 1),
                    "tables": round(_value(metrics, "quatuor_tables")),
                    "moves": len(soak.report.acknowledged),
                    "games": soak.report.games,
                    "requests": soak.requests,
                }
            )
            print(", ".join(f"{COLUMNS[key]} {value}" for key, value in soak.samples[-1].items()), flush=True)


def _value(metrics: str, name: str) -> float:
    found = re.search(rf"^{name} (\S+)", metrics, re.MULTILINE)
    assert found, f"no {name} in /metrics"
    return float(found[1])


async def against_engine(address: str, soak: Soak) -> None:
    """A guest plays one game after the other against the computer."""
    seats = [{"kind": "me"}, {"kind": "engine", "level": 1}]
    dice = random.Random(7)
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=60, verify=False) as http:
        while True:
            opened = await http.post("/api/tables", json={"game": "plus4", "seats": seats})
            opened.raise_for_status()
            seat = Seat(address, http.cookies["quatuor"], 0)
            await crash.Player(seat, opened.json()["id"], dice, soak.report).play()
            soak.report.games += 1


async def visit(address: str, soak: Soak) -> None:
    """Visitors without a seat read every page, and sometimes watch a game for a moment."""
    dice = random.Random(8)
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=60, verify=False) as http:
        while True:
            await asyncio.sleep(VISIT_EVERY)
            http.cookies.clear()
            tables = [table for table, _ in list(soak.report.acknowledged)[-200:]]
            paths = [dice.choice(PAGES)]
            if tables:
                table = dice.choice(tables)
                paths.append(f"/api/tables/{table}{dice.choice(OF_A_TABLE)}")
                with contextlib.suppress(*crash.GONE):
                    async with connect(f"ws://{address}/api/tables/{table}/socket", proxy=None) as line:
                        await line.recv()
            for path in paths:
                answer = await http.get(path)
                soak.requests += 1
                if answer.status_code >= 400:
                    soak.wrong.append(f"{answer.status_code} for {path}")


async def both(seconds: float, tables: int) -> list[Soak]:
    """A server over each kind of store, side by side."""
    with contextlib.ExitStack() as stack:
        soaks = []
        for kind, title in (("sqlite", "SQLite"), ("postgresql", "PostgreSQL")):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="quatuor-soak-")))
            store = stack.enter_context(stores(kind, folder))
            soaks.append(soaked(title, store, folder, seconds, tables))
        return await asyncio.gather(*soaks)


def page(soaks: list[Soak], minutes: float, command: str) -> dict[str, Any]:
    """The outcome as tools/measurements.py reads it."""
    step = max(1, SAMPLES // SHOWN)
    rows = [row for soak in soaks for row in soak.samples[step - 1 :: step]]
    columns: list[dict[str, Any]] = [{"key": key, "title": title} for key, title in COLUMNS.items()]
    columns[2]["unit"] = " MB"
    notes = [
        f"{soak.store}: memory in the last third {soak.growth - 1:+.1%} against the middle third; "
        f"lost or damaged {len(soak.report.wrong)}; errors {len(soak.wrong)}{': ' if soak.wrong else ''}"
        f"{', '.join(soak.wrong[:3])}."
        for soak in soaks
    ]
    section = {
        "title": f"Results of {datetime.date.today().isoformat()}",
        "text": [f"{machine()}; {minutes:g} minutes, both servers and their clients side by side."],
        "command": [command],
        "columns": columns,
        "rows": rows,
        "notes": ["  \n".join(notes)],
    }
    text = [
        "Guests play one game after the other, one of them against an engine, while visitors look at pages, records",
        "and running games. Tables leave memory five minutes after their end.",
    ]
    return {"title": "Soak: measurements", "text": text, "sections": [section]}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.soak", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--tables", type=int, default=8, help="of each server (8)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="such as docs/measurements/soak.json")
    given = parser.parse_args()
    soaks = asyncio.run(both(given.minutes * 60, given.tables))
    for soak in soaks:
        print(f"{soak.store}: memory {soak.growth - 1:+.1%}, {len(soak.wrong)} wrong")
        for line in soak.wrong:
            print(f"  {line}")
    if given.json:
        command = f"python -m bench.soak --minutes {given.minutes:g} --tables {given.tables}"
        text = json.dumps(page(soaks, given.minutes, command), indent=2)
        given.json.write_text(text + "\n", encoding="utf-8")
    sys.exit(any(soak.wrong for soak in soaks))


if __name__ == "__main__":
    main()
