"""Servers in separate processes, to be stopped and killed."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from quatuor.server.budgets import LIMITS

QUATUOR = [sys.executable, "-c", "from quatuor.cli import main; main()"]


class Process:
    """``quatuor serve`` in a separate process."""

    def __init__(
        self, store: str, secret: Path, *arguments: str, port: int = 0, release: Path | None = None, **environment: str
    ) -> None:
        """``release``: a folder with the package of another release."""
        command = [*QUATUOR, "serve", "--port", str(port), "--store", store, "--secret", str(secret), *arguments]
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115
        budgets = {"QUATUOR_BUDGETS": " ".join(f"{name}=1e9" for name in LIMITS)}  # all from one address
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self._log, text=True, cwd=release,
            env={**os.environ, **budgets, **environment},
        )  # fmt: skip
        self._found = re.search(r"http://([\d.:]+)/", self._process.stdout.readline())
        if not self._found:
            raise RuntimeError(self.log)

    @property
    def address(self) -> str:
        return self._found[1]

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def log(self) -> str:
        self._log.seek(0)
        return self._log.read()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def stop(self) -> int:
        """Ask it to stop; how it ended."""
        self._process.terminate()
        return self._process.wait()
