"""Time and memory of the exact solutions: ``python -m bench.engine_solve [points]`` (default: 2)."""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from quatuor.engine.solve import Solution, solve


def measured(work: Callable[[], Solution], folder: Path) -> tuple[str, ...]:
    """Value of the start, processor and wall time, size on disk."""
    before = _bytes(folder)
    cpu, wall = time.process_time(), time.perf_counter()
    found = work().summary()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    worth = found["value"] + (f" in {found['distance']}" if found["distance"] else "")
    return worth, f"{cpu:.2f}", f"{wall:.2f}", f"{(_bytes(folder) - before) / 1e6:,.1f}"


def _bytes(folder: Path) -> int:
    return sum(file.stat().st_blocks * 512 for file in folder.rglob("*") if file.is_file())


def main() -> None:
    points = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    table = Table(title="Solving Plus 4", title_justify="left")
    for heading in ("game", "start", "CPU s", "wall s", "MB"):
        table.add_column(heading, justify="left" if heading in ("game", "start") else "right")
    with tempfile.TemporaryDirectory() as name:
        os.environ["QUATUOR_DATA"] = name + "/compile"
        solve("plus4", "elementary")
        solve("plus4", "endless", target=1)
        os.environ["QUATUOR_DATA"] = name + "/measure"
        for ruling in ("draw", "mover", "opponent", "continue"):
            row = measured(lambda ruling=ruling: solve("plus4", "elementary", both_lines=ruling), Path(name))
            table.add_row(f"elementary, {ruling}", *row)
        for target in range(1, points + 1):  # each continues from the one before
            row = measured(lambda target=target: solve("plus4", "endless", target=target), Path(name))
            table.add_row(f"endless, {target} points", *row)
        for target in range(1, points + 1):
            row = measured(lambda target=target: solve("plus4", "rounds", target=target), Path(name))
            table.add_row(f"rounds, {target} points", *row)
    Console().print(table)


if __name__ == "__main__":
    main()
