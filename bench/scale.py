"""What 1, 2 and 4 processes reach, for docs/scale.md: ``python -m bench.scale --json docs/measurements/scale.json``.

Measures our server and a bare one under load, how fast PostgreSQL commits by itself (pgbench), and what a move of an
engine costs. About 6 minutes on a quiet machine with 2 cores. ``python tools/measurements.py`` then writes the page.
"""

import argparse
import json
import os
import re
import subprocess
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench import load, postgres
from bench.__main__ import machine
from quatuor import engine, new

PACE = 2.0  # seconds between two moves at a table
ENGINES = (("plus4", "endless", 3), ("plus4", "endless", 5), ("blokus", "classic", 3), ("blokus", "classic", 5))
INSERT = "INSERT INTO written (data) VALUES (repeat('x', 200));\n"


def commits(rows: int, seconds: int = 5, clients: int = 8) -> float:
    """Transactions a second that PostgreSQL takes, each inserting ``rows`` rows of 200 bytes."""
    with postgres.running(durable=True) as server, tempfile.NamedTemporaryFile("w", suffix=".sql") as script:
        address = server.database()
        subprocess.run([postgres._program("psql"), address, "-qc", "CREATE TABLE written (data text)"], check=True)
        script.write(f"BEGIN;\n{INSERT * rows}COMMIT;\n")
        script.flush()
        options = ["-n", "-c", str(clients), "-j", "1", "-T", str(seconds), "-f", script.name]
        done = subprocess.run(
            [postgres._program("pgbench"), *options, address], check=True, capture_output=True, text=True
        )
    found = re.search(r"^tps = ([\d.]+)", done.stdout, re.MULTILINE)
    assert found, done.stdout
    return float(found[1])


def engine_seconds(name: str, variant: str, level: int, moves: int = 4) -> float:
    """Processor seconds of one move of an engine, from the start of a game."""
    game, player = new(name, variant=variant), engine(level=level)
    player.choose(game)  # loaded and compiled
    began = time.process_time()
    for _ in range(moves):
        game.play(player.choose(game))
    return (time.process_time() - began) / moves


def measured(tables: int, most: int, seconds: float) -> dict[str, Any]:
    """All figures of the page."""

    def plan(count: int) -> load.Plan:
        return load.Plan(count, PACE, seconds)

    rows = [load.run("sqlite", plan(tables))]
    rows += [load.run("postgresql", plan(tables), processes) for processes in (1, 2, 4)]
    rows.append(load.run("postgresql", plan(tables), 2, any_process=True))
    rows.append(load.run("postgresql", plan(most), 2))
    rows.append(load.echo(plan(tables)))
    load.show(rows)
    return {
        "machine": {**machine(), "cores": os.cpu_count()},
        "pace": PACE,
        "seconds": seconds,
        "rows": [asdict(row) for row in rows],
        "commits": {str(count): round(commits(count)) for count in (1, 20)},
        "engines": [[*which, round(engine_seconds(*which), 4)] for which in ENGINES],
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--most", type=int, default=5000, help="tables of the largest run, with two processes (5000)")
    parser.add_argument("--seconds", type=float, default=12.0, help="of each measurement (12)")
    parser.add_argument("--note", default="", help="what a reader of the page has to know about this run")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the numbers to a file")
    given = parser.parse_args()
    found = {"note": given.note, **measured(given.tables, given.most, given.seconds)}
    if given.json:
        given.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
