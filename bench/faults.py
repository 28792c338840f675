"""Nothing acknowledged is lost, whatever fails: ``python -m bench.faults``.

Guests play at many tables while something fails again and again: the server is killed, PostgreSQL freezes, restarts,
becomes read-only or unreachable, the notifications between two processes stop, the disk is full, or an upgrade of the
store is killed. At one more table a player claims the win all the time while the opponent is there. Afterwards every
acknowledged move must be in the store, no claim may have been granted, and a session that was signed out may have
received nothing private.
"""

import argparse
import asyncio
import contextlib
import datetime
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psycopg
from websockets.asyncio.client import connect

from bench import crash, old_stores, postgres, servers
from bench.client import HttpClient, Seat, encode
from bench.proxy import Proxy, proxied
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.database import known_revisions
from quatuor.server.store.doctor import Damage, examine

CLAIM_EVERY = 0.5  # seconds
FAILURE = (0.5, 7.0)  # seconds that a failure lasts
FINISH_WITHIN = 180.0  # seconds for all games to end once nothing fails any more
DEAF = 2.5  # seconds after which a process knows that it does not receive the others' messages
FAULTS = ("kill", "frozen", "restarted", "read_only", "partition", "silent", "sign_out", "disk_full", "migration")
COLUMNS = {
    "fault": "fault", "store": "store", "times": "times", "moves": "acknowledged moves", "lost": "lost or damaged",
    "given_away": "wins given away", "private": "private frames after sign-out", "seconds": "seconds",
}  # fmt: skip


@dataclass
class Outcome:
    """What one kind of failure did; the last numbers should be 0. None: it does not apply."""

    fault: str
    store: str
    times: int
    moves: int | None = None
    lost: int | None = None
    given_away: int | None = None
    private: int | None = None
    seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)


# ---- load


class Claimer:
    """Two players who are there; one of them claims the win again and again, and must not get it."""

    def __init__(self, table: str, seats: list[Seat]) -> None:
        self._table, self._seats = table, seats
        self.granted = 0

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
                    self.granted += seat.receive(text).t == "ack"
            if sending:
                sending.cancel()
            await asyncio.sleep(0.2)

    async def _claim(self, seat: Seat) -> None:
        number = 0
        with contextlib.suppress(*crash.GONE):
            while seat.line:
                number += 1
                await seat.line.send(encode({"t": "claim", "ack": f"c{number}", "seat": 0, "win": True}), text=True)
                await asyncio.sleep(CLAIM_EVERY)


Inject = Callable[[random.Random], Awaitable[None]]


async def under_load(addresses: list[str], inject: Inject, times: int, tables: int) -> tuple[crash.Report, int]:
    """Let guests play at all addresses while something fails ``times`` times: what happened, and claims granted."""
    report, stop, dice = crash.Report(), asyncio.Event(), random.Random(times)
    clients = [HttpClient(address) for address in addresses]
    table, seats = await clients[0].open("plus4", None, 2)
    seats[1].address = addresses[-1]
    claimer = Claimer(table, seats)
    claiming = asyncio.ensure_future(claimer.run())
    playing = [
        asyncio.ensure_future(crash.sit_down(clients[number % len(clients)], number, report, stop))
        for number in range(tables)
    ]
    try:
        for _ in range(times):
            await crash.some_moves(report, dice)
            await inject(dice)
        stop.set()
        await asyncio.wait_for(asyncio.gather(*playing), FINISH_WITHIN)
    except TimeoutError:
        report.wrong.append("not all guests could finish their games")
    finally:
        for task in (claiming, *playing):
            task.cancel()
        for client in clients:
            await client.close()
    return report, claimer.granted


@contextlib.asynccontextmanager
async def serving(folder: Path, *stores: str) -> AsyncIterator[list[str]]:
    """A server process over each of the stores, with one key."""
    started: list[servers.Server] = []
    try:
        for store in stores:  # in threads: the event loop has to run a proxy meanwhile
            started.append(await asyncio.to_thread(servers.quatuor, store, folder / "secret"))  # noqa: PERF401
        yield [server.address for server in started]
    finally:
        for server in started:
            await asyncio.to_thread(server.stop)


async def measured(fault: str, url: str, folder: Path, inject: Inject, plan: "Plan", through: str = "") -> Outcome:
    """One failure of PostgreSQL under load; ``through`` is the address of a second process."""
    began = time.monotonic()
    async with serving(folder, *([url, through] if through else [url])) as addresses:
        report, granted = await under_load(addresses, inject, plan.times, plan.tables)
    await asyncio.to_thread(crash.check, url, report)
    return Outcome(
        fault, "PostgreSQL", plan.times, len(report.acknowledged), len(report.wrong), granted,
        seconds=round(time.monotonic() - began, 1), wrong=report.wrong,
    )  # fmt: skip


# ---- failures


@dataclass
class Plan:
    """How much is done."""

    times: int
    kills: int
    tables: int
    folder: Path
    database: postgres.Postgres


async def kill(plan: Plan) -> AsyncIterator[Outcome]:
    for kind in ("sqlite", "postgresql"):
        began = time.monotonic()
        folder = plan.folder / kind
        folder.mkdir()
        store = str(folder / "games.sqlite") if kind == "sqlite" else plan.database.database()
        report = crash.Report()
        await crash.torment(store, folder, plan.kills, plan.tables, report)
        await asyncio.to_thread(crash.check, store, report)
        yield Outcome(
            "server killed (kill -9)", "SQLite" if kind == "sqlite" else "PostgreSQL", report.kills,
            len(report.acknowledged), len(report.wrong), seconds=round(time.monotonic() - began, 1), wrong=report.wrong,
        )  # fmt: skip


async def frozen(plan: Plan) -> AsyncIterator[Outcome]:
    async def inject(dice: random.Random) -> None:
        with plan.database.frozen():
            await asyncio.sleep(dice.uniform(*FAILURE))

    yield await measured("PostgreSQL frozen", plan.database.database(), plan.folder, inject, plan)


async def restarted(plan: Plan) -> AsyncIterator[Outcome]:
    async def inject(_: random.Random) -> None:
        await asyncio.to_thread(plan.database.restart)

    yield await measured("PostgreSQL crashed and restarted", plan.database.database(), plan.folder, inject, plan)


async def read_only(plan: Plan) -> AsyncIterator[Outcome]:
    url = plan.database.database()
    name = url.rpartition("/")[2]

    def switch(value: str) -> None:
        with psycopg.connect(url, autocommit=True, options="-c default_transaction_read_only=off") as connection:
            connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
            others = "pid <> pg_backend_pid() AND datname = current_database()"
            connection.execute(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")

    async def inject(dice: random.Random) -> None:
        await asyncio.to_thread(switch, "on")
        await asyncio.sleep(dice.uniform(*FAILURE))
        await asyncio.to_thread(switch, "off")

    yield await measured("PostgreSQL read-only", url, plan.folder, inject, plan)


async def _unreachable(fault: str, plan: Plan, marker: bytes) -> Outcome:
    url = plan.database.database()
    async with proxied(url) as network:

        async def inject(dice: random.Random) -> None:
            network.silence(marker)
            await asyncio.sleep(dice.uniform(*FAILURE))
            network.heal()

        return await measured(fault, url, plan.folder, inject, plan, through=network.url)


async def partition(plan: Plan) -> AsyncIterator[Outcome]:
    yield await _unreachable("one of two processes cut off from PostgreSQL", plan, b"")


async def silent(plan: Plan) -> AsyncIterator[Outcome]:
    yield await _unreachable("LISTEN of one of two processes silent", plan, b"LISTEN")


async def sign_out(plan: Plan) -> AsyncIterator[Outcome]:
    """A session is signed out at one process while the other one does not receive messages."""
    began, url, private = time.monotonic(), plan.database.database(), 0
    async with proxied(url) as network, serving(plan.folder, url, network.url) as (one, two):
        for number in range(plan.times):
            private += await _private_after(one, two, network, f"Ada {number} {random.random()}")
    yield Outcome(
        "signed out while LISTEN is silent", "PostgreSQL", plan.times, private=private,
        seconds=round(time.monotonic() - began, 1),
    )  # fmt: skip


async def _private_after(one: str, two: str, network: Proxy, name: str) -> int:
    """Frames with secret orders or legal moves that a signed-out socket receives."""
    async with httpx.AsyncClient(base_url=f"http://{one}", timeout=60, verify=False) as ada:
        account = {"name": name[:20], "password": "correct horse battery"}
        (await ada.post("/api/account", json=account)).raise_for_status()
        seats = [{"kind": "me"}, {"kind": "open"}]
        opened = (await ada.post("/api/tables", json={"game": "trois_six", "seats": seats})).json()
        async with httpx.AsyncClient(base_url=f"http://{two}", timeout=60, verify=False) as bob:
            path = f"/api/tables/{opened['id']}"
            (await bob.post(f"{path}/join", json={"token": opened["invites"]["1"]})).raise_for_status()
            cookies = [f"quatuor={client.cookies['quatuor']}" for client in (ada, bob)]
        where = f"ws://{two}{path}/socket"
        async with (
            connect(where, additional_headers={"Cookie": cookies[0]}, proxy=None) as stolen,
            connect(where, additional_headers={"Cookie": cookies[1]}, proxy=None) as line,
        ):
            legal = (await _next(line, "state"))["legal"]["1"]
            await _next(stolen, "state")
            network.silence(b"LISTEN")
            (await ada.delete("/api/account/session?everywhere=true")).raise_for_status()
            await asyncio.sleep(DEAF)
            move = {"t": "move", "ack": "1", "ply": 0, "seat": 1, "move": legal[0]}
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.05):  # what was sent before
                    while True:
                        await stolen.recv()
            await line.send(json.dumps(move))
            await _next(line, "ack")
            found = 0
            with contextlib.suppress(*crash.GONE):
                async with asyncio.timeout(DEAF):
                    async for text in stolen:
                        message = json.loads(text)
                        found += bool(message.get("orders") or message.get("legal"))
            network.heal()
            return found


async def _next(line: Any, kind: str) -> dict[str, Any]:
    async with asyncio.timeout(30):
        while (message := json.loads(await line.recv()))["t"] != kind:
            pass
    found: dict[str, Any] = message
    return found


async def disk_full(plan: Plan) -> AsyncIterator[Outcome]:
    began, lost, moves = time.monotonic(), [], 0
    for number in range(plan.times):
        folder = plan.folder / f"disk {number}"
        folder.mkdir()
        command = ["unshare", "-rm", sys.executable, "-m", "tests.server.full_disk", str(folder)]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"no disk can be mounted here: {done.stderr.strip()[-200:]}")
        facts = json.loads(done.stdout)
        moves += len(facts["acknowledged"])
        lost += [f"event {event} was acknowledged" for event in set(facts["acknowledged"]) - set(facts["kept"])]
        lost += facts["damaged"]
    seconds = round(time.monotonic() - began, 1)
    yield Outcome("disk full", "SQLite", plan.times, moves, len(lost), seconds=seconds, wrong=lost)


async def migration(plan: Plan) -> AsyncIterator[Outcome]:
    """An upgrade from every earlier release is killed after a statement; the next start must find everything."""
    for kind in ("SQLite", "PostgreSQL"):
        began = time.monotonic()
        outcome = Outcome("upgrade of the store killed", kind, 0, 0, 0)
        for old in known_revisions()[:-1]:
            await asyncio.to_thread(_killed_upgrades, outcome, old, plan)
        outcome.lost, outcome.seconds = len(outcome.wrong), round(time.monotonic() - began, 1)
        yield outcome


def _killed_upgrades(outcome: Outcome, old: str, plan: Plan) -> None:
    on_file = outcome.store == "SQLite"
    made = str(plan.folder / f"{old}.sqlite") if on_file else plan.database.database()
    old_stores.make(made, old)
    program = [sys.executable, "-m", "bench.old_stores"]
    after, died = 0, True
    while died:
        after += max(1, 12 // plan.times)
        store = shutil.copy(made, f"{made}-{after}") if on_file else plan.database.database(copy_of=made)
        order = json.dumps([str(store), after]) + "\n"
        died = json.loads(subprocess.run(program, input=order, capture_output=True, text=True, check=True).stdout)
        outcome.times += died
        opened = Store(Settings(store=str(store)).url)
        kept = opened.read("t")
        moves = [event.data["move"] for event in kept.events] if kept else []
        outcome.moves = (outcome.moves or 0) + len(old_stores.MOVES)
        if moves != list(old_stores.MOVES):
            outcome.wrong.append(f"from {old}, killed after {after} statements: {moves}")
        outcome.wrong += [f"{d.table}: {d.what}" for d in examine(opened.engine) if isinstance(d, Damage)]
        opened.close()


# ---- the command


async def run(plan: Plan, chosen: list[str]) -> list[Outcome]:
    outcomes = []
    for name in chosen:
        async for outcome in globals()[name](plan):
            facts = {key: value for key, value in asdict(outcome).items() if key != "wrong"}
            print(", ".join(f"{COLUMNS[key]} {value}" for key, value in facts.items() if value is not None), flush=True)
            for line in outcome.wrong:
                print(f"  {line}", flush=True)
            outcomes.append(outcome)
    return outcomes


def page(outcomes: list[Outcome], command: str) -> dict[str, Any]:
    """The outcomes as tools/measurements.py reads them."""
    rows = [
        {key: value for key, value in asdict(outcome).items() if key in COLUMNS and value is not None}
        for outcome in outcomes
    ]
    text = (
        "Guests play while something fails again and again; then every acknowledged move is looked for. At one more "
        "table a player claims the win all the time while the opponent is there. An empty cell does not apply."
    )
    section = {
        "title": f"Results of {datetime.date.today().isoformat()}",
        "command": [command],
        "columns": [{"key": key, "title": title} for key, title in COLUMNS.items()],
        "rows": rows,
    }
    return {"title": "Failures: measurements", "text": [text], "sections": [section]}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=10, help="how often each thing fails (10)")
    parser.add_argument("--kills", type=int, default=100, help="of the server, for each store (100)")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--fault", choices=FAULTS, action="append", help="by default all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="such as docs/measurements/faults.json")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="quatuor-faults-") as name, postgres.running(durable=True) as database:
        plan = Plan(given.times, given.kills, given.tables, Path(name), database)
        outcomes = asyncio.run(run(plan, given.fault or list(FAULTS)))
    if given.json:
        command = f"python -m bench.faults --times {given.times} --kills {given.kills} --tables {given.tables}"
        given.json.write_text(json.dumps(page(outcomes, command), indent=2) + "\n", encoding="utf-8")
    sys.exit(any(outcome.wrong or outcome.given_away or outcome.private for outcome in outcomes))


if __name__ == "__main__":
    main()
