"""Nothing that anybody sends crashes anything: ``python -m bench.hostile --inputs 1000000``.

Damaged and invented websocket frames, HTTP requests, records, SGF files, GTP commands and backups. Each is accepted or
refused with a reason. Counted are crashes (any other exception, or an error in the server's log) and answers of 500 and
above; the game of two other people must be as it was.
"""

import argparse
import asyncio
import contextlib
import gzip
import json
import random
import string
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import websockets
from rich.console import Console
from rich.table import Table
from websockets.asyncio.client import connect

import quatuor
from bench.processes import Process
from quatuor.games import names, rulebook
from quatuor.interop import gtp, sgf
from quatuor.server.store import Store, backup
from quatuor.table import Event, Seat, Setup

SHARES = {"frames": 0.25, "requests": 0.15, "records": 0.25, "sgf": 0.15, "gtp": 0.15, "backups": 0.05}
ODD = [
    "\0",
    "\ud800",
    "\x85",
    "\u2028",
    "\u202e",
    "é",
    "٣",
    "½",
    "💥",
    "9" * 400,
    "[" * 200,
    '"',
    "\\",
    "\r\n",
    "%00",
    "-1",
    "1e999",
]
VALUES: list[Any] = [None, True, -1, 1e308, 10**30, "", "\0", "💥" * 50, [], {}, [[[]]], "9" * 400, "\ud800", 2**63]
GONE = (OSError, TimeoutError, websockets.WebSocketException)
MOVES = 12  # of the games that are damaged
ANSWERED_WITHIN = 1.0  # seconds after the last of some frames
ANSWERS = {"ack": "accepted", "pong": "accepted", "error": "refused"}
LANES = 4  # sockets that send frames at the same time
OUTCOMES = ("accepted", "refused", "5xx", "crashes")


def damaged(text: str, dice: random.Random) -> str:
    """A text with some characters taken out, put in, doubled or moved, or with parts in another order."""
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


# ---- without a server


def game_after(name: str, variant: str, dice: random.Random) -> quatuor.Game:
    game = quatuor.new(name, variant)
    while not game.over and game.ply < MOVES:
        for seat in game.to_move:
            actions = game.actions(seat)
            game.play_actions({seat: actions[dice.randrange(len(actions))]})
    return game


def texts(read: Callable[[str], Any], valid: list[str], count: int, dice: random.Random, found: Counter[str]) -> None:
    """Read damaged texts; a ValueError is a refusal."""
    for _ in range(count):
        text = damaged(dice.choice(valid), dice)
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
    """The quickest player."""

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
        line = damaged(line, dice).replace("loadsgf", "") if dice.random() < 0.8 else line
        try:
            answer = session.answer(line)
            if answer and answer[0] not in "=?":
                raise RuntimeError(f"no answer of the protocol: {answer!r}")
        except Exception as error:
            crashed(found, error, line)
        else:
            found["refused" if answer.startswith("?") else "accepted"] += 1


def backups(count: int, dice: random.Random, found: Counter[str], folder: Path) -> None:
    source = Store(f"sqlite:///{folder / 'source.sqlite'}")
    setup = Setup("plus4", "elementary", {}, (Seat("human", "ada"), Seat("human", "bob")), "ada", "2026-11-15")
    asyncio.run(_fill(source, setup))
    path = folder / "backup.jsonl.gz"
    backup.save(source.engine, path)
    source.close()
    whole = gzip.decompress(path.read_bytes()).decode()
    target = Store(f"sqlite:///{folder / 'target.sqlite'}")

    def restore(text: str) -> None:
        data = gzip.compress(text.encode("utf-8", "surrogatepass"), 1)
        if dice.random() < 0.2:
            data = data[: dice.randrange(len(data))] + dice.randbytes(dice.randrange(4))
        path.write_bytes(data)
        backup.restore(target.engine, path, unverified=dice.random() < 0.5)

    texts(restore, [whole], count, dice, found)
    target.close()


async def _fill(store: Store, setup: Setup) -> None:
    await store.open("t", setup)
    for version in range(1, 6):
        await store.append("t", version, Event("chat", {"seat": 0, "words": "hello"}, "ada", str(version), 1))


# ---- with a server


async def frames(address: str, table: str, count: int, dice: random.Random, found: Counter[str]) -> None:
    """A visitor without a seat sends frames until the server closes the socket, and comes back."""
    sent = 0
    good = {"t": "move", "ack": "a", "ply": 0, "seat": 0, "move": "a"}
    kinds = ["move", "undo", "resign", "claim", "fill", "say", "words", "hint", "ping", "heard", "offer", "abort", "x"]
    while sent < count:
        visitor = f"10.{dice.randrange(256)}.{dice.randrange(256)}.{dice.randrange(256)}"
        with contextlib.suppress(*GONE):
            where = f"ws://{address}/api/tables/{table}/socket"
            async with connect(
                where, additional_headers={"X-Forwarded-For": visitor}, proxy=None, max_size=None
            ) as line:
                for _ in range(20):
                    sent += 1
                    await line.send(_frame(good | {"t": dice.choice(kinds)}, dice))
                async with asyncio.timeout(ANSWERED_WITHIN):
                    async for text in line:
                        found[ANSWERS.get(json.loads(text)["t"], "other")] += 1


def _frame(good: dict[str, Any], dice: random.Random) -> str | bytes:
    kind = dice.randrange(4)
    if kind == 0:
        return dice.randbytes(dice.randrange(300))
    if kind == 1:
        text = json.dumps(good | {dice.choice([*good, "words", "phrase", "win", "level"]): dice.choice(VALUES)})
        return text.encode("utf-8", "replace").decode()
    text = damaged(json.dumps(good), dice) if kind == 2 else "".join(dice.choices(string.printable, k=200))
    return text.encode("utf-8", "replace").decode()


async def requests(address: str, table: str, count: int, dice: random.Random, found: Counter[str]) -> None:
    """Requests of the API with a damaged path, body or header; the table belongs to others."""
    async with httpx.AsyncClient(base_url=f"http://{address}", timeout=60, verify=False) as http:
        paths = list((await http.get("/api/openapi.json")).json()["paths"].items())
        bodies = [{"game": "plus4", "seats": [{"kind": "me"}, {"kind": "open"}]}, {"name": "Ada"}, {"token": "x"}]
        for _ in range(count):
            path, methods = dice.choice(paths)
            path = path.replace("{table}", table if dice.random() < 0.5 else "x").replace("{", "").replace("}", "")
            if dice.random() < 0.5:
                path = "/api/" + damaged(path[5:], dice).encode("utf-8", "replace").decode()
            body = damaged(json.dumps(dice.choice(bodies)), dice).encode("utf-8", "replace")
            visitor = f"10.{dice.randrange(256)}.{dice.randrange(256)}.{dice.randrange(256)}"
            method = dice.choice([*methods, "post", "put"]).upper()
            try:
                answer = await http.request(
                    method, "/", content=body, headers={"X-Forwarded-For": visitor}, extensions={"target": _raw(path)}
                )
            except httpx.TransportError:
                found["refused"] += 1
                continue
            http.cookies.clear()
            group = "5xx" if answer.status_code >= 500 else "refused" if answer.status_code >= 400 else "accepted"
            found[group] += 1
            if group == "5xx":
                print(f"{answer.status_code} {method} {path!r} {body!r:.200}: {answer.text:.200}", flush=True)


def _raw(path: str) -> bytes:
    return "".join(c if c.isascii() and c.isprintable() and c != " " else "%0a" for c in path).encode()


async def served(
    counts: dict[str, int], dice: random.Random, found: dict[str, Counter[str]], folder: Path
) -> list[str]:
    """Frames and requests at the same time; what is wrong afterwards."""
    server = await asyncio.to_thread(Process, str(folder / "games.sqlite"), folder / "secret")
    try:
        async with httpx.AsyncClient(base_url=f"http://{server.address}", timeout=60, verify=False) as ada:
            seats = [{"kind": "me"}, {"kind": "me"}]
            table = (await ada.post("/api/tables", json={"game": "plus4", "seats": seats})).json()["id"]
            before = await _state(ada, table)
            await asyncio.gather(
                *(
                    frames(server.address, table, counts["frames"] // LANES, random.Random(lane), found["frames"])
                    for lane in range(LANES)
                ),
                requests(server.address, table, counts["requests"], random.Random(dice.random()), found["requests"]),
            )
            wrong = [] if await _state(ada, table) == before else ["the game of others has changed"]
            if (await ada.get("/health")).status_code != 200:
                wrong.append("the server does not answer")
    finally:
        await asyncio.to_thread(server.stop)
    return wrong + [line for line in server.log.splitlines() if " ERROR " in line or "Traceback" in line]


async def _state(http: httpx.AsyncClient, table: str) -> dict[str, Any]:
    state: dict[str, Any] = (await http.get(f"/api/tables/{table}")).json()
    return {key: value for key, value in state.items() if key not in ("seats", "watching")}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.hostile", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--inputs", type=int, default=10_000, help="in all (10,000)")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    dice, began = random.Random(given.seed), time.monotonic()
    counts = {kind: max(1, int(given.inputs * share)) for kind, share in SHARES.items()}
    found = {kind: Counter[str]() for kind in SHARES}
    with tempfile.TemporaryDirectory(prefix="quatuor-hostile-") as name:
        wrong = asyncio.run(served(counts, dice, found, Path(name)))
        records(counts["records"], dice, found["records"])
        sgf_files(counts["sgf"], dice, found["sgf"])
        gtp_commands(counts["gtp"], dice, found["gtp"])
        backups(counts["backups"], dice, found["backups"], Path(name))
    shown = Table(title=f"Hostile inputs, {time.monotonic() - began:.0f} s", title_justify="left")
    for column in ("kind", "inputs", *OUTCOMES):
        shown.add_column(column, justify="left" if column == "kind" else "right")
    for kind, numbers in found.items():
        shown.add_row(kind, f"{counts[kind]:,}", *(f"{numbers[outcome]:,}" for outcome in OUTCOMES))
    Console().print(shown)
    for line in wrong:
        print(line)
    sys.exit(bool(wrong) or any(numbers["crashes"] or numbers["5xx"] for numbers in found.values()))


if __name__ == "__main__":
    main()
