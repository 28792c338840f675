"""What a cluster costs and gains: ``python -m bench.cluster``.

The same games by a bare loop, on processes of this machine, and on a Ray cluster of one and two workers with a core
each; then the time that a piece of work takes beside the work itself. ``--target N`` also solves the endless game of
Plus 4 up to N points, on one core here and on the two clusters, and compares the tables byte by byte.

The machine must be quiet and have two cores to spare. The cluster runs on this machine alone: what a network adds is
not in the figures.
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from quatuor.jobs import Processes, Workers
from quatuor.jobs.cluster import Cluster, imported
from quatuor.match.arena import Arena, precompile, run
from quatuor.match.arena_game import play

HOST = "127.0.0.1"
EMPTY = 2000  # pieces of work that do nothing
Row = tuple[str, float, float]  # who, pieces a second, processor seconds of this process for a piece


def nothing(number: int) -> int:
    return number


@contextmanager
def cluster(machines: int) -> Iterator[Cluster]:
    """A head that computes nothing, and this number of workers with one core each."""
    imported(loopback=True)
    from ray.cluster_utils import Cluster as Machines

    found = Machines(initialize_head=True, head_node_args={"num_cpus": 0, "node_ip_address": HOST})
    try:
        for _ in range(machines):
            found.add_node(num_cpus=1, node_ip_address=HOST)
        with Cluster(found.address) as pool:
            yield pool
    finally:
        found.shutdown()


CREWS: dict[str, Callable[[], Any]] = {
    "1 process": lambda: Processes(1),
    "2 processes": lambda: Processes(2),
    "Ray, 1 worker": lambda: cluster(1),
    "Ray, 2 workers": lambda: cluster(2),
}


def bare(arena: Arena) -> float:
    """Games a second, one after the other in this process."""
    precompile(tuple(arena.engines), arena.meetings[0])
    began = time.perf_counter()
    for meeting in arena.meetings:
        play(meeting)
    return len(arena.meetings) / (time.perf_counter() - began)


def played(arena: Arena, pool: Workers) -> float:
    """Games a second from the first result on: until then processes are started and kernels loaded."""
    ends = [time.perf_counter() for _ in run(arena.meetings, pool)]
    skipped = 2 * pool.room  # they were begun while other processes were still starting
    return (len(ends) - skipped) / (ends[-1] - ends[skipped - 1])


def empty(pool: Workers) -> tuple[float, float]:
    """Empty pieces of work a second, and the processor seconds that handing one out takes here."""
    ends, spent = [], []
    for _ in pool.map(nothing, {str(n): (n,) for n in range(EMPTY)}):
        ends.append(time.perf_counter())
        spent.append(time.process_time())
    half = EMPTY // 2
    return half / (ends[-1] - ends[half - 1]), (spent[-1] - spent[half - 1]) / half


def solved(target: int, pool: Cluster | None, folder: Path) -> tuple[float, bytes]:
    """Seconds to solve a race, and the table."""
    from quatuor.engine.solve import solve

    os.environ["QUATUOR_DATA"] = str(folder)
    began = time.perf_counter()
    solve("plus4", "endless", threads=1, cluster=pool, target=target)
    seconds = time.perf_counter() - began
    (file,) = folder.rglob("*.layers")
    return seconds, file.read_bytes()


def tables(target: int, console: Console) -> dict[str, float]:
    found = {}
    with tempfile.TemporaryDirectory() as root:
        solved(1, None, Path(root) / "warm")
        found["1 thread"], wanted = solved(target, None, Path(root) / "here")
        for machines in (1, 2):
            with cluster(machines) as pool:
                seconds, got = solved(target, pool, Path(root) / str(machines))
            if got != wanted:
                raise SystemExit(f"Ray with {machines} workers has computed other tables")
            found[f"Ray, {machines} workers"] = seconds
    table = Table("Plus 4 endless", "seconds", "ratio", title=f"Race to {target}: the same bytes", title_justify="left")
    for name, seconds in found.items():
        table.add_row(name, f"{seconds:.1f}", f"{found['1 thread'] / seconds:.2f} ×")
    console.print(table)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.cluster", description=__doc__)
    parser.add_argument("--game", default="blokus:duo")
    parser.add_argument("--engine", default="level=5")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--target", type=int, help="solve Plus 4 endless, too")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    console = Console()
    name, _, variant = given.game.partition(":")
    arena = Arena([given.engine], name, variant or None, games=given.games)
    base = bare(arena)
    table = Table("who", "games a second", "ratio", "empty pieces a second", "ms of this process for one")
    table.title, table.title_justify = f"{given.engine} against itself, {given.game}", "left"
    table.add_row("a bare loop", f"{base:.2f}", "1.00 ×", "", "")
    figures: dict[str, Any] = {"bare": base}
    for who, hire in CREWS.items():
        with hire() as pool:
            games = played(arena, pool)
        with hire() as pool:
            rate, cost = empty(pool)
        figures[who] = {"games": games, "empty": rate, "cost": cost}
        table.add_row(who, f"{games:.2f}", f"{games / base:.2f} ×", f"{rate:,.0f}", f"{1000 * cost:.2f}")
    console.print(table)
    if given.target:
        figures["tables"] = tables(given.target, console)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
