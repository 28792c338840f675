"""Run every check, each to its end, and say at the end which ones failed. ``make test`` calls this."""

import shlex
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parent.parent
PYTEST = "pytest --dist worksteal --durations 5"
CHECKS = {
    "Python: style": "ruff check .",
    "Python: format": "ruff format --check .",
    "Python: types": "mypy",
    "Page: types and style": "npm --prefix web run --silent check",
    "Page: tests": "npm --prefix web run --silent test",
    "Page: weight": "python tools/weight.py",
    "Python: tests": f"{PYTEST} -n 3 -m 'not browser'",
    "Browser: tests": f"{PYTEST} -n 2 -m browser",  # apart: Playwright keeps an event loop of its own
}


def main() -> int:
    console = Console()
    table = Table("check", "", "seconds", title="Summary", title_justify="left")
    failed = 0
    for name, command in CHECKS.items():
        console.rule(f"[bold]{name}[/]  [dim]{command}[/]", align="left")
        began = time.monotonic()
        broken = subprocess.run(shlex.split(command), cwd=ROOT).returncode != 0
        failed += broken
        table.add_row(name, "[bold red]failed[/]" if broken else "[green]passed[/]", f"{time.monotonic() - began:.0f}")
    console.print(table)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
