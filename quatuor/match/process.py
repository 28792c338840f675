"""A program that is asked line by line, on its standard input and output."""

import os
import queue
import shlex
import subprocess
import threading
from pathlib import Path

PATIENCE = 900.0  # seconds for a line


class Failed(Exception):
    """A player has answered wrongly, or not at all."""


class LineProcess:
    """A running program. ``Failed`` if it ends or says nothing for long."""

    def __init__(self, command: str) -> None:
        self._process = subprocess.Popen(
            shlex.split(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def write(self, line: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError:
            raise Failed(f"it has ended before {line!r}") from None

    def read(self, asked: str) -> str:
        """The next line, which answers what was ``asked``."""
        try:
            line = self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise Failed(f"no answer to {asked!r} for {PATIENCE:.0f} s") from None
        if line is None:
            raise Failed(f"it has ended at {asked!r}")
        return line

    def close(self) -> None:
        """Have it quit; end it if it does not."""
        try:
            self._process.communicate("quit\n", timeout=2)
        except (subprocess.TimeoutExpired, OSError, ValueError):
            self._process.kill()
            self._process.wait()

    @property
    def cpu(self) -> float:
        """Processor time in seconds; 0 where the system does not report it."""
        try:
            stat = Path(f"/proc/{self._process.pid}/stat").read_text()
        except OSError:
            return 0.0
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.strip())
        self._lines.put(None)
