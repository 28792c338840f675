"""Nothing acknowledged is lost, whatever fails: ``python -m bench.faults``.

Guests play at many tables while something fails repeatedly: the server is killed, the store freezes, restarts,
becomes read-only or unreachable, the notifications between two processes stop, a clock jumps, processes are replaced by
those of another release, the disk is full, or an upgrade of the store is killed. At one more table a player claims the
win all the time while the opponent is there. One guest after the other signs out at one process while a socket of the
same session is open at another. Afterwards every acknowledged move must be in the store, no player may have lost on
time or by a claim, and no socket may have received anything private after its session was signed out.
"""

import argparse
import asyncio
import contextlib
import datetime
import itertools
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import asdict, dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx
import psycopg

from bench import old_stores, pages, postgres
from bench.actors import SignedOut
from bench.machine import machine
from bench.proxy import proxied
from bench.under_load import Inject, Load, Outcome, Server, measured, serving
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.database import known_revisions
from quatuor.server.store.doctor import Damage, examine

FAILURE = (0.5, 7.0)  # seconds that a failure lasts
PACE = {"total": 35}  # seconds for a game where clocks are wrong: less than their error
SKEW = 40  # seconds
TITLE = "All failures"
FAULTS = (
    "kill", "frozen", "restarted", "read_only", "read_only_file", "partition", "silent", "sign_out", "clocks",
    "releases", "disk_full", "migration",
)  # fmt: skip
COLUMNS = {
    "fault": "fault", "store": "store", "times": "times", "moves": "acknowledged moves", "lost": "lost or damaged",
    "claims": "claims of a win", "given_away": "wins given away", "sign_outs": "sign-outs",
    "private": "private frames after sign-out", "seconds": "seconds",
}  # fmt: skip


@dataclass
class Plan:
    """How much is done, and where."""

    times: int
    kills: int
    tables: int
    folder: Path
    database: postgres.Postgres


async def of_the_database(fault: str, plan: Plan, inject: Inject, url: str) -> Outcome:
    """A failure of PostgreSQL."""
    async with serving(plan.folder, url) as (server,):
        return await measured(fault, url, Load([server.address], plan.times, plan.tables), inject)


# ---- failures


async def kill(plan: Plan) -> AsyncIterator[Outcome]:
    for kind in ("sqlite", "postgresql"):
        folder = plan.folder / kind
        folder.mkdir()
        store = str(folder / "games.sqlite") if kind == "sqlite" else plan.database.database()
        async with serving(folder, store) as (server,):

            async def inject(_: random.Random, server: Server = server) -> None:
                await asyncio.to_thread(server.replace)

            load = Load([server.address], plan.kills, plan.tables)
            yield await measured("server killed (kill -9)", store, load, inject)


async def frozen(plan: Plan) -> AsyncIterator[Outcome]:
    async def inject(dice: random.Random) -> None:
        with plan.database.frozen():
            await asyncio.sleep(dice.uniform(*FAILURE))

    yield await of_the_database("PostgreSQL frozen", plan, inject, plan.database.database())


async def restarted(plan: Plan) -> AsyncIterator[Outcome]:
    url = plan.database.database()
    with psycopg.connect(url, autocommit=True) as connection:  # off in the PostgreSQL of tests
        connection.execute(f"ALTER DATABASE {url.rpartition('/')[2]} SET synchronous_commit = on")

    async def inject(_: random.Random) -> None:
        await asyncio.to_thread(plan.database.restart)

    yield await of_the_database("PostgreSQL crashed and restarted", plan, inject, url)


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

    yield await of_the_database("PostgreSQL read-only", plan, inject, url)


async def read_only_file(plan: Plan) -> AsyncIterator[Outcome]:
    """No user, not even root, may write to the files of the store, even through files that are open already."""
    store = plan.folder / "read_only.sqlite"

    def switch(attribute: str) -> None:
        files = [file for file in (store, store.with_name(f"{store.name}-wal")) if file.exists()]
        done = subprocess.run(["chattr", attribute, *files], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"no file can be made immutable here: {done.stderr.strip()}")

    async def inject(dice: random.Random) -> None:
        try:
            await asyncio.to_thread(switch, "+i")
            await asyncio.sleep(dice.uniform(*FAILURE))
        finally:
            switch("-i")

    async with serving(plan.folder, str(store)) as (server,):
        load = Load([server.address], plan.times, plan.tables)
        yield await measured("SQLite file read-only", str(store), load, inject)


async def _unreachable(fault: str, plan: Plan, marker: bytes) -> Outcome:
    url = plan.database.database()
    async with proxied(url) as network, serving(plan.folder, url, network.url) as (one, two):

        async def inject(dice: random.Random) -> None:
            network.silence(marker)
            await asyncio.sleep(dice.uniform(*FAILURE))
            network.heal()

        return await measured(fault, url, Load([one.address, two.address], plan.times, plan.tables), inject)


async def partition(plan: Plan) -> AsyncIterator[Outcome]:
    yield await _unreachable("one of two processes cut off from PostgreSQL", plan, b"")


async def silent(plan: Plan) -> AsyncIterator[Outcome]:
    yield await _unreachable("LISTEN of one of two processes silent", plan, b"LISTEN")


async def sign_out(plan: Plan) -> AsyncIterator[Outcome]:
    """A session is signed out at one process while the other one does not receive messages."""
    began, url, signed = time.monotonic(), plan.database.database(), SignedOut()
    async with proxied(url) as network, serving(plan.folder, url, network.url) as (one, two):
        while signed.times < plan.times:
            await signed.once(one.address, two.address, lambda: network.silence(b"LISTEN"))
            network.heal()
    yield Outcome(
        "signed out while LISTEN is silent", "PostgreSQL", plan.times, sign_outs=signed.times, private=signed.private,
        seconds=round(time.monotonic() - began, 1),
    )  # fmt: skip


async def clocks(plan: Plan) -> AsyncIterator[Outcome]:
    """The clock of one of two processes is 40 seconds ahead, then 40 behind, and so on."""
    url, shift, library = plan.database.database(), plan.folder / "shift", plan.folder / "clock_shift.so"
    compiler = ["cc"] if shutil.which("cc") else [sys.executable, "-m", "ziglang", "cc"]
    source = Path(__file__).parent / "clock_shift.c"
    subprocess.run([*compiler, "-shared", "-fPIC", "-O2", "-o", library, source], check=True)
    _write_shift(shift, SKEW)
    async with serving(plan.folder, url, url, LD_PRELOAD=str(library), CLOCK_SHIFT=str(shift)) as (one, two):
        if not SKEW - 5 < await _ahead(two.address) - await _ahead(one.address) < SKEW + 5:
            raise RuntimeError("the clock of the second process is not wrong")
        jumps = itertools.cycle((-SKEW, SKEW))

        async def inject(dice: random.Random) -> None:
            _write_shift(shift, next(jumps))
            await asyncio.sleep(dice.uniform(*FAILURE))

        load = Load([one.address, two.address], plan.times, plan.tables, PACE)
        yield await measured(f"clock of one of two processes wrong by {SKEW} s", url, load, inject)


def _write_shift(file: Path, seconds: int) -> None:
    with file.open("r+b" if file.exists() else "wb") as out:  # the process has mapped it: it is not cut in between
        out.write(seconds.to_bytes(8, sys.byteorder, signed=True))


async def _ahead(address: str) -> float:
    """Seconds by which the clock of a process is ahead, by the date of its answers."""
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=60, verify=False) as http:
        date = (await http.get("/health")).headers["date"]
    return parsedate_to_datetime(date).timestamp() - time.time()


async def releases(plan: Plan) -> AsyncIterator[Outcome]:
    """Two processes, one of this release and one of the release before, are replaced in turn by the other release."""
    url, before = plan.database.database(), plan.folder / "before"
    revision = await asyncio.to_thread(release_before, before)
    interpreted = {"NUMBA_DISABLE_JIT": "1", "QUATUOR_BUDGETS": ""}  # no libraries; budgets have other names
    async with serving(plan.folder, url, url) as servers:
        await asyncio.to_thread(servers[1].replace, before, **interpreted)
        turns = itertools.cycle([(0, True), (1, False), (1, True), (0, False)])

        async def inject(_: random.Random) -> None:
            number, old = next(turns)
            how = {"release": before, **interpreted} if old else {}
            await asyncio.to_thread(servers[number].replace, **how)

        load = Load([server.address for server in servers], plan.times, plan.tables)
        yield await measured(f"this release beside the one before ({revision[:7]})", url, load, inject)


def release_before(folder: Path) -> str:
    """Unpack the package of the last tag, or without tags of the time before the newest schema; which commit it is."""
    root = Path(__file__).parent.parent

    def git(*arguments: str) -> bytes:
        return subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=True).stdout

    newest = f"quatuor/server/store/migrations/versions/v{known_revisions()[-1]}_*.py"
    tags = git("tag", "--sort=-creatordate", "--no-contains", "HEAD").decode().split()
    added = git("log", "--first-parent", "--diff-filter=A", "--format=%H", "-1", "--", newest).decode().strip()
    revision = git("rev-parse", tags[0] if tags else f"{added}^").decode().strip()
    folder.mkdir()
    subprocess.run(["tar", "-x", "-C", folder], input=git("archive", revision, "quatuor"), check=True)
    return revision


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


async def run(plan: Plan, chosen: list[str], keep: Callable[[list[Outcome]], None] = lambda _: None) -> list[Outcome]:
    """All that is chosen; ``keep`` gets the outcomes so far, after each: a run takes hours."""
    outcomes: list[Outcome] = []
    for name in chosen:
        async for outcome in globals()[name](plan):
            facts = {key: value for key, value in asdict(outcome).items() if key != "wrong"}
            print(", ".join(f"{COLUMNS[key]} {value}" for key, value in facts.items() if value is not None), flush=True)
            for line in outcome.wrong:
                print(f"  {line}", flush=True)
            outcomes.append(outcome)
            keep(outcomes)
    return outcomes


def page(outcomes: list[Outcome], command: str) -> pages.Page:
    """The outcomes as tools/measurements.py reads them."""
    rows = [
        {key: value for key, value in asdict(outcome).items() if key in COLUMNS and value is not None}
        for outcome in outcomes
    ]
    text = [
        "Guests play while something fails repeatedly; then every acknowledged move is looked for. At one more",
        "table a player claims the win all the time while the opponent is there; a win that is given away is a game",
        "lost by such a claim or on time. Guests sign out one after the other while a socket of their session is open,",
        "at another process where there are two; orders and legal moves are private. An empty cell does not apply.",
    ]
    section = {
        "title": TITLE,
        "text": [f"{datetime.date.today().isoformat()}, {machine()}."],
        "command": [command],
        "columns": [{"key": key, "title": title} for key, title in COLUMNS.items()],
        "rows": rows,
    }
    return {"title": "Failures: measurements", "text": text, "sections": [section]}


@contextlib.contextmanager
def planned(times: int, kills: int, tables: int) -> Iterator[Plan]:
    with tempfile.TemporaryDirectory(prefix="quatuor-faults-") as name, postgres.running(durable=True) as database:
        yield Plan(times, kills, tables, Path(name), database)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.faults", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--times", type=int, default=10, help="how often each thing fails (10)")
    parser.add_argument("--kills", type=int, default=100, help="of the server, for each store (100)")
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--fault", choices=FAULTS, action="append", help="by default all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="such as docs/measurements/faults.json")
    given = parser.parse_args()
    chosen = "".join(f" --fault {name}" for name in given.fault or [])
    command = f"python -m bench.faults --times {given.times} --kills {given.kills} --tables {given.tables}{chosen}"

    def keep(outcomes: list[Outcome]) -> None:
        if given.json:
            pages.save(given.json, page(outcomes, command))

    with planned(given.times, given.kills, given.tables) as plan:
        outcomes = asyncio.run(run(plan, given.fault or list(FAULTS), keep))
    sys.exit(any(outcome.failed for outcome in outcomes))


if __name__ == "__main__":
    main()
