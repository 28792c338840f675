"""The machine that a measurement was made on, in words."""

import os
import platform
from pathlib import Path


def processor() -> str:
    """The model of the processor."""
    info = Path("/proc/cpuinfo")
    for line in info.read_text(encoding="utf-8").splitlines() if info.exists() else ():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def machine() -> str:
    """For the page of a measurement."""
    return f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
