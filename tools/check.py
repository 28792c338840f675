"""Run the checks, each to its end, and say which ones failed: all (`make test`), or the ``fast`` ones (`make check`).

Three run at the same time: more would only take the processor's caches from each other, and make tests wait too long.
The output of the first one is shown at once, that of the others after it.
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
BESIDE = 2  # how many run at the same time as the first
PYTEST = "pytest --dist worksteal --durations 5"
# Processes and browsers run in no fixed order: a test that fails is run once more, and both runs are shown
TWICE = "--reruns 1 --max-suite-reruns 4 --rerun-show-tracebacks"
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
# Each imports only what its own tests need. Browsers are apart also because Playwright keeps an event loop of its own
ALL = {
    "Browser: tests": f"{PYTEST} {TWICE} -n 2 tests/browser",
    "Python: servers": f"{PYTEST} {TWICE} -n 3 tests/server",  # they mostly wait
}
LAST = {"Python: other tests": f"{PYTEST} {TWICE} -n 2 --ignore tests/browser --ignore tests/server"}


def check(command: str, **how: int) -> tuple[int, float, bytes]:
    """The exit status, how many seconds it took, and what it printed if that is kept."""
    began = time.monotonic()
    done = subprocess.run(shlex.split(command), cwd=ROOT, **how)  # type: ignore[call-overload]
    return done.returncode, time.monotonic() - began, done.stdout or b""


def main(fast: bool) -> int:
    console = Console()
    table = Table("check", "", "seconds", title="Summary", title_justify="left")
    tests, beside, last = (FAST, STATIC, {}) if fast else (ALL, STATIC | BUILT, LAST)
    checks = tests | beside | last
    first, *others = checks
    failed = 0
    with ThreadPoolExecutor(BESIDE) as pool:
        kept = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        running = {name: pool.submit(check, checks[name], **kept) for name in others}
        for name, command in checks.items():
            console.rule(f"[bold]{name}[/]  [dim]{command}[/]", align="left")
            code, seconds, printed = check(command) if name == first else running[name].result()
            sys.stdout.buffer.write(printed)
            sys.stdout.flush()
            failed += code != 0
            table.add_row(name, "[bold red]failed[/]" if code else "[green]passed[/]", f"{seconds:.0f}")
    console.print(table)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(fast="fast" in sys.argv[1:]))
