"""Starts processes of Quatuor for tests without a second of imports for each.

A process that has imported what they need, and has no threads, forks for each of them. ``Popen`` in place of
``subprocess.Popen`` has it do so for commands that run Quatuor as it is here; any other command starts as always.
tests/test_forks.py compares both ways.
"""

import atexit
import ctypes
import functools
import gc
import inspect
import json
import os
import runpy
import socket
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from quatuor.server.workers import ALONE

PROGRAMS = ("from quatuor.cli import main; main()", "import sys; sys.path[:] = ")  # the latter is an engine worker
MODULES = ("quatuor", "quatuor.cli")
# These are read when they are needed. A process starts anew if anything else differs: it may be read by an import
READ_LATE = {*ALONE, *(f"QUATUOR_{name}" for name in ("BUDGETS", "DATA", "SECRET", "STORE")), "PYTEST_CURRENT_TEST"}
PR_SET_CHILD_SUBREAPER = 36
LARGEST = 1 << 17  # bytes of a request


class Popen(subprocess.Popen):
    """A process that is forked if that makes no difference. It is a child of this process like any other."""

    def _execute_child(self, *given: Any) -> None:
        asked = inspect.signature(super()._execute_child).bind(*given).arguments
        if not can_fork(asked):
            return super()._execute_child(*given)
        pipes = {name: asked[name] for name in ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")}
        try:
            own = (pipes[name] for name in ("p2cread", "c2pwrite", "errwrite"))
            files = [number if pipe == -1 else pipe for number, pipe in enumerate(own)]
            what = {"command": asked["args"][1:], "folder": os.getcwd(), "session": asked["start_new_session"]}
            self.pid = forker().fork(what | {"environment": dict(asked["env"] or os.environ)}, files)
            self._child_created = True
        finally:
            self._close_pipe_fds(**pipes)
        return None


def can_fork(asked: dict[str, Any]) -> bool:
    """Whether the command runs Quatuor in a process as ``subprocess.Popen`` makes it by default."""
    command = asked["args"]
    if isinstance(command, str | bytes | os.PathLike) or len(command) < 3 or not _is_text(command):
        return False
    unusual = ("preexec_fn", "cwd", "shell", "executable", "pass_fds", "gids")
    if any(asked[name] for name in unusual) or asked["umask"] != -1 or (asked["uid"], asked["gid"]) != (None, None):
        return False
    program, how, what = command[:3]
    runs = (how == "-c" and what.startswith(PROGRAMS)) or (how == "-m" and what in MODULES)
    environment = os.environ if asked["env"] is None else asked["env"]
    return program == sys.executable and runs and _same(environment)


def _is_text(command: Any) -> bool:
    return all(isinstance(word, str) for word in command)


def _same(environment: Any) -> bool:
    """Whether it equals the forker's, except for what is read late."""
    first = forker().environment
    return all(first.get(name) == environment.get(name) for name in {*first, *environment} - READ_LATE)


class Forker:
    """The process that forks, seen from this one."""

    def __init__(self) -> None:
        self.environment = dict(os.environ)
        self._lock = threading.Lock()
        self._line, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with other:
            program = [sys.executable, "-m", "tests.forks", str(other.fileno())]
            self._process = START(
                program, pass_fds=[other.fileno()], env=os.environ | ALONE, stdin=subprocess.DEVNULL, cwd=ROOT
            )
        atexit.register(self.close)

    def fork(self, what: dict[str, Any], files: list[int]) -> int:
        """The number of a new process, which is adopted by this one."""
        with self._lock:
            _adopt(True)
            try:
                socket.send_fds(self._line, [json.dumps(what).encode()], files)
                received = [self._line.recv(100) for _ in range(2)]  # the number, and then that it was left alone
            finally:
                _adopt(False)
        if not all(received):
            raise RuntimeError("the process that forks has ended")
        return int(received[0])

    def close(self) -> None:
        """End it."""
        self._line.close()
        self._process.wait()


START = subprocess.Popen
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@functools.cache
def forker() -> Forker:
    """The one of this process; it starts when it is first needed."""
    return Forker()


def _adopt(yes: bool) -> None:
    """Become the parent of processes whose parent ends, or leave them to the system again."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, int(yes), 0, 0, 0)


# ---- in the process that forks


def wait_for_orders(line: socket.socket) -> list[str]:
    """Fork for every order. This returns in a forked process, with its command."""
    while True:
        data, files, _, _ = socket.recv_fds(line, LARGEST, 3)
        if not data:
            os._exit(0)
        between = os.fork()
        if not between:
            if child := os.fork():
                line.send(str(child).encode())
                os._exit(0)  # so the child is an orphan, and the process that asked adopts it
            line.close()
            return _become(json.loads(data), files)
        for file in files:
            os.close(file)
        os.waitpid(between, 0)
        line.send(b"left alone")


def _become(order: dict[str, Any], files: list[int]) -> list[str]:
    """Take over the files, environment and folder of the order; return its command."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    for file in files:
        os.close(file)
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # noqa: SIM115
    sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(order["environment"])
    os.chdir(order["folder"])
    if order["session"]:
        os.setsid()
    sys.path[0] = ""
    return order["command"]


def run(command: list[str]) -> None:
    """Do what ``python`` would do with these words."""
    how, what, *arguments = command
    sys.argv = ["-c" if how == "-c" else what, *arguments]
    if how == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})


if __name__ == "__main__":
    import psycopg  # noqa: F401

    import quatuor.cli
    import quatuor.server.searches
    import quatuor.server.serve
    from quatuor.server.precompile import load_games
    from quatuor.server.settings import Settings

    quatuor.cli.program()  # made here, so that no forked process has to make it
    load_games()
    with tempfile.TemporaryDirectory() as folder:  # likewise what the upgrade of a new store imports and caches
        quatuor.server.serve.prepare(Settings(store=f"{folder}/games.sqlite", secret=Path(folder, "secret")))
    assert len(os.listdir("/proc/self/task")) == 1, "only a process without threads can fork safely"
    gc.collect()
    gc.freeze()
    run(wait_for_orders(socket.socket(fileno=int(sys.argv[1]))))
