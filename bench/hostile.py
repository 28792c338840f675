"""No input crashes anything: ``python -m bench.hostile --inputs 1000000``.

Damaged and invented websocket frames, HTTP requests, records, SGF files, GTP commands and backups. Each is accepted or
refused with a reason. It counts crashes (any other exception, or an error in the server's log) and answers of 500 and
above; the game of two other people must be unchanged.
"""

import argparse
import asyncio
import contextlib
import datetime
import gzip
import hashlib
import json
import random
import re
import string
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import websockets
from rich.console import Console
from rich.table import Table
from sqlalchemy import delete
from websockets.asyncio.client import connect

import quatuor
from bench import pages
from bench.load import stores
from bench.machine import machine
from bench.processes import Process
from quatuor.games import names, rulebook
from quatuor.interop import gtp, sgf
from quatuor.server.settings import Settings
from quatuor.server.store import Store, backup
from quatuor.server.store.schema import metadata
from quatuor.table import Event, Seat, Setup

SHARES = {"frames": 0.25, "requests": 0.15, "records": 0.25, "sgf": 0.15, "gtp": 0.15, "backups": 0.05}
TITLES = {
    "frames": "websocket frames", "requests": "HTTP requests", "records": "records", "sgf": "SGF files",
    "gtp": "GTP commands", "backups": "backups",
}  # fmt: skip
ODD = [
    "\0", "\ud800", "\x85", "\u2028", "\u202e", "é", "٣", "½", "💥", "9" * 400, "[" * 200, '"', "\\", "\r\n", "%00",
    "-1", "1e999",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, -1, 1e308, 10**30, "", "\0", "💥" * 50, [], {}, [[[]]], "9" * 400, "\ud800", 2**63, -(2**63) - 1,
]  # fmt: skip
GONE = (OSError, TimeoutError, websockets.WebSocketException)
MOVES = 12  # in the games that are damaged
FRAMES = 10  # on one socket: the server closes a socket that sends many malformed frames
ANSWERED_WITHIN = 10.0  # seconds after the last of some frames
ANSWERS = {"ack": "accepted", "error": "refused", "bye": "refused"}
LANES = 8  # sockets that send frames at the same time
OWN = {"game": "plus4", "seats": [{"kind": "me"}, {"kind": "me"}]}
FRAME = {"t": "move", "ack": "a", "ply": 0, "seat": 0, "move": "a"}
BODIES: list[dict[str, Any]] = [
    OWN,
    {"game": "plus4", "seats": [{"kind": "me"}, {"kind": "open"}], "pace": {"total": 60}, "listed": True},
    {"game": "plus4", "seats": [{"kind": "me"}, {"kind": "engine", "level": 1}], "opening": [{"0": "a"}]},
    {"title": "Cup", "game": "plus4", "format": "swiss", "most": 4},
    {"name": "Ada"},
    {"name": "Ada", "password": "correct horse battery"},
    {"token": "x"},
    {"record": '[Game "plus4"]\n\n1. a b'},
    {"game": "blokus", "text": "(;GM[Blokus])"},
]
TITLE = "Inputs of all runs"
OUTCOMES = ("accepted", "refused", "unanswered", "5xx", "crashes")
SOCKETS = 3  # times as many as are enough if the server closes none early; no more are opened


def damaged(text: str, dice: random.Random) -> str:
    """A text with some characters removed, inserted, doubled or moved, or with parts in another order."""
    for _ in range(dice.randint(1, 4)):
        at, until = sorted(dice.randrange(len(text) + 1) for _ in range(2))
        how = dice.randrange(6)
        if how == 0:
            text = text[:at] + text[min(until, at + 5) :]
        elif how == 1:
            text = text[:at] + dice.choice(ODD) + text[at:]
        elif how == 2:
            text = text[:at] + dice.choice(string.printable) + text[at + 1 :]
        elif how == 3:
            text = text[:until] + text[at:until][:200] + text[until:]
        elif how == 4:
            text = "\n".join(dice.sample(lines := text.split("\n"), len(lines)))
        else:
            text = text[:at]
    return text


def exchanged(text: str, dice: random.Random) -> str:
    """Some words or numbers of a text replaced by others of it or by odd ones: most of it is still well-formed."""
    parts = re.split(r"(\w+)", text)
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(1, len(parts), 2) if len(parts) > 1 else 0
        parts[place] = dice.choice(ODD) if dice.random() < 0.3 else dice.choice(parts[1::2] or ODD)
    return "".join(parts)


def spoiled(text: str, dice: random.Random) -> str:
    return (damaged if dice.random() < 0.5 else exchanged)(text, dice)


# ---- without a server


def game_after(name: str, variant: str, dice: random.Random) -> quatuor.Game:
    game = quatuor.new(name, variant)
    while not game.over and game.ply < MOVES:
        for seat in game.to_move:
            actions = game.actions(seat)
            game.play_actions({seat: actions[dice.randrange(len(actions))]})
    return game


def texts(
    read: Callable[[str], Any],
    valid: list[str],
    count: int,
    dice: random.Random,
    found: Counter[str],
    spoil: Callable[[str, random.Random], str] = spoiled,
) -> None:
    """Read spoiled texts; a ValueError is a refusal."""
    for _ in range(count):
        text = spoil(dice.choice(valid), dice)
        try:
            read(text)
        except ValueError:
            found["refused"] += 1
        except Exception as error:
            crashed(found, error, text)
        else:
            found["accepted"] += 1


def crashed(found: Counter[str], error: Exception, given: object) -> None:
    found["crashes"] += 1
    if found["crashes"] <= 5:
        print(f"{type(error).__name__}: {error} for {given!r:.300}", flush=True)


def records(count: int, dice: random.Random, found: Counter[str]) -> None:
    pairs = [(name, variant.name) for name in names() for variant in rulebook(name).variants]
    texts(quatuor.load, [game_after(*pair, dice).record() for pair in pairs], count, dice, found)


def sgf_files(count: int, dice: random.Random, found: Counter[str]) -> None:
    variants = [variant.name for variant in rulebook("blokus").variants]
    valid = [sgf.write(game_after("blokus", variant, dice), {0: "say [this]", 5: "\\ and ]"}) for variant in variants]
    texts(lambda text: sgf.read(text).game(), valid, count, dice, found)


class FirstMove:
    """The quickest possible player."""

    def choose(self, game: quatuor.Game) -> str:
        return game.legal()[0]


def gtp_commands(count: int, dice: random.Random, found: Counter[str]) -> None:
    commands = [*gtp.COMMANDS, "play 1 a20", "play b e10", "genmove w", "7 play 1 pass", "set_game Blokus Duo"]
    commands = [command for command in commands if command != "loadsgf"]  # it would read files of this machine
    session = gtp.Session(dice.choice(list(gtp.GAMES)), FirstMove())
    for number in range(count):
        if number % 50 == 0:
            session = gtp.Session(dice.choice(list(gtp.GAMES)), FirstMove())
        line = dice.choice(commands)
        line = spoiled(line, dice).replace("loadsgf", "") if dice.random() < 0.8 else line
        try:
            answer = session.answer(line)
            if answer and answer[0] not in "=?":
                raise RuntimeError(f"no answer of the protocol: {answer!r}")
        except Exception as error:
            crashed(found, error, line)
        else:
            found["refused" if answer.startswith("?") else "accepted"] += 1


def backups(count: int, dice: random.Random, found: Counter[str], folder: Path, store: str) -> None:
    """Restore spoiled backups into an empty store."""
    source = Store(f"sqlite:///{folder / 'source.sqlite'}")
    setup = Setup("plus4", "elementary", {}, (Seat("human", "ada"), Seat("human", "bob")), "ada", "2026-11-15")
    asyncio.run(_fill(source, setup))
    path = folder / "backup.jsonl.gz"
    backup.save(source.engine, path)
    source.close()
    whole = gzip.decompress(path.read_bytes()).decode()
    target = Store(Settings(store=store).url)

    def restore(text: str) -> None:
        data = gzip.compress(text.encode("utf-8", "surrogatepass"), 1)
        if dice.random() < 0.2:
            data = data[: dice.randrange(len(data))] + dice.randbytes(dice.randrange(4))
        path.write_bytes(data)
        if backup.restore(target.engine, path, unverified=dice.random() < 0.5).new:
            with target.engine.begin() as connection:
                for relation in reversed(metadata.sorted_tables):
                    connection.execute(delete(relation))

    def spoil(text: str, dice: random.Random) -> str:
        return resealed(text, dice) if dice.random() < 0.5 else spoiled(text, dice)

    texts(restore, [whole], count, dice, found, spoil)
    target.close()


def resealed(text: str, dice: random.Random) -> str:
    """A backup with other values in some rows, whose last line counts and signs them."""
    head, *lines, _ = text.splitlines()
    rows = [json.loads(line) for line in lines]
    for _ in range(dice.randint(1, 3)):
        row = dice.choice(rows)[1]
        values = row["data"] if dice.random() < 0.3 and isinstance(row.get("data"), dict) and row["data"] else row
        values[dice.choice(list(values))] = dice.choice(VALUES)
    if dice.random() < 0.2:
        rows.append(dice.choice(rows))
    body = "\n".join([head, *map(json.dumps, rows), ""])
    digest = hashlib.sha256(body.encode()).hexdigest()
    return body + json.dumps(["end", {"rows": Counter(name for name, _ in rows), "sha256": digest}]) + "\n"


async def _fill(store: Store, setup: Setup) -> None:
    await store.open("t", setup)
    for version in range(1, 6):
        await store.append("t", version, Event("chat", {"seat": 0, "words": "hello"}, "ada", str(version), 1))


# ---- with a server


async def frames(address: str, table: str, count: int, dice: random.Random, found: Counter[str]) -> None:
    """A visitor sends frames, in turn without a seat at the table of others and at their own table."""
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=60, verify=False) as http:
        sent = 0
        for number in range(SOCKETS * count // FRAMES):
            if sent >= count:
                break
            visitor = {"X-Forwarded-For": _visitor(dice)}
            where = table
            if number % 2:
                http.cookies.clear()
                opened = await http.post("/api/tables", json=OWN, headers=visitor)
                where = opened.json()["id"]
                visitor["Cookie"] = f"quatuor={http.cookies['quatuor']}"
            most = min(FRAMES, count - sent)
            sent += await _send_frames(f"ws://{address}/api/tables/{where}/socket", visitor, most, dice, found)


async def _send_frames(where: str, headers: dict[str, str], most: int, dice: random.Random, found: Counter[str]) -> int:
    """Send frames on one socket until the server closes it; return how many were sent. ``found`` counts the answers."""
    kinds = ["move", "undo", "resign", "claim", "fill", "say", "words", "hint", "ping", "heard", "offer", "abort", "x"]
    sent = answered = 0
    with contextlib.suppress(*GONE):
        async with connect(where, additional_headers=headers, proxy=None, max_size=None) as line:
            for _ in range(most):
                await line.send(_frame(FRAME | {"t": dice.choice(kinds)}, dice))
                sent += 1
            await line.send(json.dumps({"t": "ping"}))
            async with asyncio.timeout(ANSWERED_WITHIN):
                async for text in line:
                    message = json.loads(text)
                    if answered < sent and (answer := ANSWERS.get(message["t"])):
                        answered += 1
                        found[answer] += 1
                    if message["t"] == "pong":
                        break
    found["unanswered"] += sent - answered  # no answer is due to some kinds, or the socket was closed
    return sent


def _visitor(dice: random.Random) -> str:
    return f"10.{dice.randrange(256)}.{dice.randrange(256)}.{dice.randrange(256)}"


def _frame(good: dict[str, Any], dice: random.Random) -> str | bytes:
    kind = dice.randrange(4)
    if kind == 0:
        return dice.randbytes(dice.randrange(300))
    if kind == 1:
        text = json.dumps(good | {dice.choice([*good, "words", "phrase", "win", "level"]): dice.choice(VALUES)})
    elif kind == 2:
        text = spoiled(json.dumps(good), dice)
    else:
        text = "".join(dice.choices(string.printable, k=200))
    return text.encode("utf-8", "replace").decode()


async def requests(address: str, table: str, count: int, dice: random.Random, found: Counter[str]) -> None:
    """Requests of the API with a spoiled path, body or header; the table belongs to others."""
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=60, verify=False) as http:
        paths = list((await http.get("/api/openapi.json")).json()["paths"].items())
        for _ in range(count):
            path, methods = dice.choice(paths)
            path = path.replace("{table}", table if dice.random() < 0.5 else "x").replace("{", "").replace("}", "")
            if dice.random() < 0.5:
                path = "/api/" + spoiled(path[5:], dice).encode("utf-8", "replace").decode()
            method = dice.choice([*methods, "post", "put"]).upper()
            try:
                answer = await http.request(
                    method, "/", content=_body(dice), headers={"X-Forwarded-For": _visitor(dice)},
                    extensions={"target": _raw(path)},
                )  # fmt: skip
            except httpx.TransportError:
                found["unanswered"] += 1
                continue
            http.cookies.clear()
            group = "5xx" if answer.status_code >= 500 else "refused" if answer.status_code >= 400 else "accepted"
            found[group] += 1
            if group == "5xx":
                print(f"{answer.status_code} {method} {path!r}: {answer.text:.200}", flush=True)


def _body(dice: random.Random) -> bytes:
    body = dict(dice.choice(BODIES))
    if dice.random() < 0.5:
        body[dice.choice(list(body))] = dice.choice(VALUES)
        return json.dumps(body).encode()
    return spoiled(json.dumps(body), dice).encode("utf-8", "replace")


def _raw(path: str) -> bytes:
    return "".join(c if c.isascii() and c.isprintable() and c != " " else "%0a" for c in path).encode()


async def served(
    store: str, counts: dict[str, int], dice: random.Random, found: dict[str, Counter[str]], folder: Path
) -> list[str]:
    """Frames and requests at the same time; what is wrong afterwards."""
    server = await asyncio.to_thread(Process, store, folder / "secret")
    try:
        async with httpx.AsyncClient(base_url=f"http://{server.address}", timeout=60, verify=False) as ada:
            table = (await ada.post("/api/tables", json=OWN)).json()["id"]
            before = await _state(ada, table)
            sending = [
                frames(server.address, table, counts["frames"] // LANES, random.Random(dice.random()), found["frames"])
                for _ in range(LANES)
            ]
            asking = requests(
                server.address, table, counts["requests"], random.Random(dice.random()), found["requests"]
            )
            await asyncio.gather(*sending, asking)
            wrong = [] if await _state(ada, table) == before else ["the game of others has changed"]
            if (await ada.get("/health")).status_code != 200:
                wrong.append("the server does not answer")
    finally:
        await asyncio.to_thread(server.stop)
    return wrong + [line for line in server.log.splitlines() if " ERROR " in line or "Traceback" in line]


async def _state(http: httpx.AsyncClient, table: str) -> dict[str, Any]:
    state: dict[str, Any] = (await http.get(f"/api/tables/{table}")).json()
    return {key: value for key, value in state.items() if key not in ("seats", "watching")}


@dataclass
class Hostile:
    """What was found: for each kind the number of outcomes, and what else is wrong."""

    found: dict[str, Counter[str]]
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [
            {"kind": TITLES[kind], "inputs": numbers.total(), **{name: numbers[name] for name in OUTCOMES}}
            for kind, numbers in self.found.items()
        ]

    @property
    def failed(self) -> bool:
        return bool(self.wrong) or any(numbers["crashes"] or numbers["5xx"] for numbers in self.found.values())


def run(inputs: int, seed: int) -> Hostile:
    """All kinds; what needs a store or a server, half with SQLite and half with PostgreSQL."""
    dice, began = random.Random(seed), time.monotonic()
    share = {kind: max(LANES * FRAMES, int(inputs * part) // 2) for kind, part in SHARES.items()}
    outcome = Hostile({kind: Counter() for kind in SHARES})
    for kind in ("sqlite", "postgresql"):
        with tempfile.TemporaryDirectory(prefix="quatuor-hostile-") as name, stores(kind, Path(name)) as store:
            outcome.wrong += asyncio.run(served(store, share, dice, outcome.found, Path(name)))
        with tempfile.TemporaryDirectory(prefix="quatuor-hostile-") as name, stores(kind, Path(name)) as store:
            backups(share["backups"], dice, outcome.found["backups"], Path(name), store)
    for read, kind in ((records, "records"), (sgf_files, "sgf"), (gtp_commands, "gtp")):
        read(2 * share[kind], dice, outcome.found[kind])
    outcome.seconds = time.monotonic() - began
    return outcome


def page(outcome: Hostile, command: str, earlier: pages.Section | None = None) -> pages.Page:
    """The outcome as tools/measurements.py reads it; the inputs of earlier runs are added."""
    before = earlier or {"command": [], "rows": [], "notes": []}
    rows = pages.sums(before["rows"], outcome.rows, "kind")
    wrong = before["notes"] + outcome.wrong
    titles = {"kind": "kind", "inputs": "inputs", "unanswered": "no answer"}
    section = {
        "title": TITLE,
        "text": [
            f"{machine()}. {sum(row['inputs'] for row in rows):,} inputs were sent, in all runs together.",
            *(() if wrong else ("No other game changed; no error in the log of a server.",)),
        ],
        "command": [*before["command"], f"{command}  # {datetime.date.today().isoformat()}"],
        "columns": [{"key": key, "title": titles.get(key, key)} for key in ("kind", "inputs", *OUTCOMES)],
        "rows": rows,
        "notes": wrong,
    }
    text = [
        "Damaged and invented inputs: each must be accepted or refused with a reason. A crash is an exception that is",
        "no refusal; 5xx are answers of 500 and above. Counted is what was sent: a frame has no answer if none is due,",
        "or if the server has closed the socket; a request has none if the server closed the connection. Another game",
        "on the same server must stay as it was, and the server's log free of errors. Frames, requests and backups:",
        "half with SQLite, half with PostgreSQL.",
    ]
    return {"title": "Hostile inputs: measurements", "text": text, "sections": [section]}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.hostile", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--inputs", type=int, default=10_000, help="in all (10,000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="FILE", help="add the results to a page of docs/measurements")
    given = parser.parse_args()
    outcome = run(given.inputs, given.seed)
    shown = Table(title=f"Hostile inputs, {outcome.seconds:.0f} s", title_justify="left")
    for column in ("kind", "inputs", *OUTCOMES):
        shown.add_column(column, justify="left" if column == "kind" else "right")
    for row in outcome.rows:
        shown.add_row(row["kind"], *(f"{row[column]:,}" for column in ("inputs", *OUTCOMES)))
    Console().print(shown)
    for line in outcome.wrong:
        print(line)
    if given.json:
        command = f"python -m bench.hostile --inputs {given.inputs} --seed {given.seed}"
        pages.save(given.json, page(outcome, command, pages.section(given.json, TITLE)))
    sys.exit(outcome.failed)


if __name__ == "__main__":
    main()
