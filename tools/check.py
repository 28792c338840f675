"""Run every check, each to its end, and say at the end which ones failed. ``make test`` calls this.

Those that need little run beside the tests, which now and then wait, give way to them and are told after them.
"""

import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parent.parent
PYTEST = "pytest --dist worksteal --durations 5"
QUICK = {
    "Python: style": "ruff check .",
    "Python: format": "ruff format --check .",
    "Python: types": "mypy",
    "Page: types and style": "npm --prefix web run --silent check",
    "Page: tests": "npm --prefix web run --silent test",
    "Page: weight": "python tools/weight.py",
}
TESTS = {
    "Python: tests": f"{PYTEST} -n 4 --ignore tests/browser",
    "Browser: tests": f"{PYTEST} -n 2 tests/browser",  # apart: Playwright keeps an event loop of its own
}


def check(command: str, **how: int) -> tuple[int, float, bytes]:
    """Whether it passed (0), how many seconds it took, and what it printed if that is kept."""
    began = time.monotonic()
    done = subprocess.run(shlex.split(command), cwd=ROOT, **how)  # type: ignore[call-overload]
    return done.returncode, time.monotonic() - began, done.stdout or b""


def main() -> int:
    console = Console()
    table = Table("check", "", "seconds", title="Summary", title_justify="left")
    failed = 0
    with ThreadPoolExecutor() as pool:
        kept = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        quick = {name: pool.submit(check, f"nice {command}", **kept) for name, command in QUICK.items()}
        for name, command in (TESTS | QUICK).items():
            console.rule(f"[bold]{name}[/]  [dim]{command}[/]", align="left")
            code, seconds, printed = quick[name].result() if name in quick else check(command)
            sys.stdout.buffer.write(printed)
            sys.stdout.flush()
            failed += code != 0
            table.add_row(name, "[bold red]failed[/]" if code else "[green]passed[/]", f"{seconds:.0f}")
    console.print(table)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
