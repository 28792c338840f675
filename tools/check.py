"""Run the checks, each to its end, and say which ones failed: all (`make test`), or the ``fast`` ones (`make check`).

Checks that use little memory run beside the tests, with a lower priority; their output is printed after the tests'.
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
STATIC = {
    "Python: style": "ruff check .",
    "Python: format": "ruff format --check .",
    "Python: layers": "lint-imports --no-cache",
    "Python: types": "mypy",
    "Page: types and style": "npm --prefix web run --silent check",
    "Page: tests": "npm --prefix web run --silent test",
}
BUILT = {"Page: weight": "python tools/weight.py"}
FAST = {"Python: fast tests": f"{PYTEST} -n 2 -m 'not slow'"}
ALL = {
    "Python: tests": f"{PYTEST} -n 4 --ignore tests/browser",
    "Browser: tests": f"{PYTEST} -n 2 tests/browser",  # apart: Playwright keeps an event loop of its own
}


def check(command: str, **how: int) -> tuple[int, float, bytes]:
    """Whether it passed (0), how many seconds it took, and what it printed if that is kept."""
    began = time.monotonic()
    done = subprocess.run(shlex.split(command), cwd=ROOT, **how)  # type: ignore[call-overload]
    return done.returncode, time.monotonic() - began, done.stdout or b""


def main(fast: bool) -> int:
    console = Console()
    table = Table("check", "", "seconds", title="Summary", title_justify="left")
    tests, beside = (FAST, STATIC) if fast else (ALL, STATIC | BUILT)
    failed = 0
    with ThreadPoolExecutor(len(beside)) as pool:
        kept = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        running = {name: pool.submit(check, f"nice {command}", **kept) for name, command in beside.items()}
        for name, command in (tests | beside).items():
            console.rule(f"[bold]{name}[/]  [dim]{command}[/]", align="left")
            code, seconds, printed = running[name].result() if name in running else check(command)
            sys.stdout.buffer.write(printed)
            sys.stdout.flush()
            failed += code != 0
            table.add_row(name, "[bold red]failed[/]" if code else "[green]passed[/]", f"{seconds:.0f}")
    console.print(table)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(fast="fast" in sys.argv[1:]))
