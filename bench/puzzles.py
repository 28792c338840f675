"""Solver times for every puzzle, beside OR-tools' CP-SAT on the same model: ``python -m bench.puzzles``.

Ours: one core, wall time until the checker has accepted the solution, every seed. CP-SAT: all cores, the time of the
search alone without building the model, and a time limit. Its model of all84 asks for less than the puzzle, plain or
hard: that every piece touches another of its colour by a corner, not that there is an order of placing.
"""

import argparse
import ctypes
import gc
import json
import os
import statistics
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import cpsat
from bench.__main__ import machine
from quatuor import puzzles

PUZZLES = [(name, hard) for name in ("tetro20", "pento48", "all84") for hard in (False, True)]


@dataclass(frozen=True)
class Times:
    """Seconds, one number for each seed; None where nothing was found in time."""

    puzzle: str
    solver: str
    seconds: list[float | None]
    megabytes: float | None = None  # memory that the search needed in addition to what was loaded

    @property
    def solved(self) -> list[float]:
        return [second for second in self.seconds if second is not None]

    def row(self) -> tuple[str, ...]:
        if not self.solved:
            return self.puzzle, self.solver, f"0 of {len(self.seconds)}", "", "", ""
        memory = "" if self.megabytes is None else f"{self.megabytes:.1f} MB"
        middle, longest = statistics.median(self.solved), max(self.solved)
        count = f"{len(self.solved)} of {len(self.seconds)}"
        return self.puzzle, self.solver, count, f"{middle * 1e3:,.1f} ms", f"{longest * 1e3:,.1f} ms", memory


def ours(name: str, hard: bool, seeds: int) -> Times:
    puzzles.solve(name, hard, seed=seeds)  # compile, load
    before = _memory("VmRSS", reset=True)
    seconds: list[float | None] = []
    for seed in range(seeds):
        began = time.perf_counter()
        puzzles.solve(name, hard, seed)
        seconds.append(time.perf_counter() - began)
    after = _memory("VmHWM")
    return Times(_label(name, hard), "quatuor", seconds, None if after is None else max(0.0, after - (before or 0.0)))


def theirs(name: str, hard: bool, seeds: int, limit: float) -> Times:
    model = cpsat.model(puzzles.empty(name, hard))
    seconds = [cpsat.seconds(model, seed, limit) for seed in range(seeds)]
    return Times(_label(name, hard), "CP-SAT", seconds)


def _label(name: str, hard: bool) -> str:
    return f"{name}, hard" if hard else name


def _memory(field: str, reset: bool = False) -> float | None:
    """Megabytes from /proc; ``reset`` gives back what is free and lets the peak begin anew. None without /proc."""
    if not os.path.exists("/proc/self/clear_refs"):
        return None
    if reset:
        gc.collect()
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc: else old free memory would be reused unseen
        if trim is not None:
            trim(0)
        Path("/proc/self/clear_refs").write_text("5")
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) / 1024
    return None


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.puzzles", description=__doc__)
    parser.add_argument("--seeds", type=int, default=20, help="of ours (20)")
    parser.add_argument("--peer-seeds", type=int, default=3, help="of CP-SAT (3)")
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for CP-SAT to find one solution (20)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers to a file too")
    given = parser.parse_args()
    console, found = Console(), []
    table = Table(title=f"Time to one solution; CP-SAT within {given.limit:g} s", title_justify="left")
    for column in ("puzzle", "solver", "solved", "median", "longest", "memory"):
        table.add_column(column, justify="left" if column in ("puzzle", "solver") else "right")
    with console.status("measuring"):
        for name, hard in PUZZLES:
            found.append(ours(name, hard, given.seeds))
        for name, hard in PUZZLES[:-1]:
            found.append(theirs(name, hard, given.peer_seeds, given.limit))
    for times in sorted(found, key=lambda times: [_label(*puzzle) for puzzle in PUZZLES].index(times.puzzle)):
        table.add_row(*times.row())
    console.print(table)
    if given.json:
        given.json.write_text(json.dumps({"machine": machine(), "times": [asdict(t) for t in found]}, indent=2) + "\n")


if __name__ == "__main__":
    main()
