"""Pieces of work for the tests, in a module that workers import."""

import os
import signal
import time
from pathlib import Path


def square(number: int) -> int:
    return number * number


def refuse(number: int) -> int:
    raise ValueError(f"{number} is refused")


def linger(folder: str) -> None:
    """Write down which worker does this, and take long."""
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(600)


def mortal(number: int, folder: str, deaths: int, whom: str = "worker") -> int:
    """The square of a number. The first times, it kills its worker, or all processes of Ray on its machine."""
    for death in range(deaths):
        try:
            (Path(folder) / f"{number}-{death}").touch(exist_ok=False)
        except FileExistsError:
            continue
        if whom == "machine":
            os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
    (Path(folder) / f"{number}-done-{os.urandom(8).hex()}").touch()
    return number * number


def times_done(folder: Path, number: int) -> int:
    return len(list(folder.glob(f"{number}-done-*")))
