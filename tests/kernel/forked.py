"""Runs code in new processes that have imported Numba and nothing of this package: that takes half a second each time.

``python -m tests.kernel.forked`` is the process that forks them. This module imports nothing of the package either.
"""

import contextlib
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent


class Forker:
    """The process that forks."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._out, self._err = folder / "out", folder / "err"
        command = [sys.executable, "-m", "tests.kernel.forked"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, code: str, folder: Path, environment: dict[str, str]) -> tuple[int, str, str]:
        """What ``python -c`` does with this code in this folder: exit status, output and errors."""
        order = {"code": code, "folder": folder, "environment": environment, "out": self._out, "err": self._err}
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(order, default=str), file=self.process.stdin, flush=True)
        status = int(self.process.stdout.readline())
        return status, self._out.read_text(), self._err.read_text()


@contextlib.contextmanager
def forker(folder: Path, environment: dict[str, str]) -> Iterator[Forker]:
    """Start it; its files lie in the folder."""
    started = Forker(folder, environment)
    with started.process:
        yield started
        assert started.process.stdin
        started.process.stdin.close()


def _become(order: dict[str, Any]) -> None:
    """Run the code of an order; this process ends with it."""
    for number, name in enumerate(("out", "err"), 1):
        os.dup2(os.open(order[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.path[:1] = ["", *order["environment"].get("PYTHONPATH", "").split(os.pathsep)]
    status = 0
    try:
        exec(compile(order["code"], "<string>", "exec"), {"__name__": "__main__"})
    except BaseException:
        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def serve() -> None:
    """Fork for each line of the input; answer with the exit status."""
    __import__("numba")
    assert "quatuor" not in sys.modules
    for line in sys.stdin:
        if not (child := os.fork()):
            _become(json.loads(line))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    serve()
