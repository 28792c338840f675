"""Measure, and print one table. ``python -m bench --json FILE`` keeps the numbers too."""

import argparse
import json
import platform
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench import openspiel, ours
from bench.machine import processor
from bench.measure import Rate
from quatuor.games import names

# The rows of a group count the same thing; all others are compared with the first row
GROUPS: list[list[Callable[..., Rate]]] = [
    [openspiel.random_plies, lambda **how: ours.random_plies("plus4", **how)],
    [openspiel.uct, lambda **how: ours.uct("plus4", **how)],
    [lambda **how: ours.uct("blokus", **how)],
    *([partial(ours.whole_games, name), partial(ours.engine, name)] for name in names()),
    [lambda **how: ours.random_plies("plateau_x", **how)],
    [lambda **how: ours.random_plies("trois_six", "random joint turns", **how)],
]


def machine() -> dict[str, str]:
    """The machine and the packages that were measured."""
    packages = {name: version(name) for name in ("quatuor", "numba", "numpy", "open_spiel")}
    return {"machine": processor(), "python": platform.python_version()} | packages


def rows(groups: list[list[Rate]]) -> Iterator[tuple[str, ...]]:
    for group in groups:
        for number, rate in enumerate(group):
            ratio = f"{rate.median / group[0].median:.1f} ×" if len(group) > 1 and number else ""
            spread = f"±{(rate.high - rate.low) / 2 / rate.median:.0%}"
            yield rate.name, rate.unit, f"{rate.median:,.0f}", spread, ratio


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers to a file too")
    parser.add_argument("--runs", type=int, default=7, help="of each measurement; the median counts (7)")
    parser.add_argument("--seconds", type=float, default=0.5, help="of a run (0.5)")
    given = parser.parse_args()
    console = Console()
    count = sum(map(len, GROUPS))
    steps = iter(track([step for group in GROUPS for step in group], "Measuring", total=count, transient=True))
    groups = [[next(steps)(runs=given.runs, seconds=given.seconds) for _ in group] for group in GROUPS]
    table = Table(title="Per second of one processor core", title_justify="left")
    for name in ("what", "unit", "rate", "spread", "ratio"):
        table.add_column(name, justify="left" if name in ("what", "unit") else "right")
    for row in rows(groups):
        table.add_row(*row)
    console.print(table)
    console.print("[dim]" + ", ".join(f"{k} {v}" for k, v in machine().items()) + "[/]")
    if given.json:
        given.json.parent.mkdir(parents=True, exist_ok=True)
        rates = [asdict(rate) for group in groups for rate in group]
        given.json.write_text(json.dumps({"machine": machine(), "rates": rates}, indent=2) + "\n")


if __name__ == "__main__":
    main()
