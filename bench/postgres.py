"""A temporary PostgreSQL: in a temporary folder, on a free port of the loopback, deleted afterwards."""

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg

UNPRIVILEGED = ("postgres", "nobody")  # PostgreSQL refuses to run as root
QUICK = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}  # the machine does not fail in a test


class Postgres:
    """A running server; each call of ``database`` makes a new one."""

    def __init__(self, port: int, data: Path, user: str | None) -> None:
        self.port, self._data, self._user = port, data, user
        self._numbers = itertools.count()

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all processes of the server for a while: it neither answers nor closes connections."""
        first = int((self._data / "postmaster.pid").read_text().splitlines()[0])
        os.kill(first, signal.SIGSTOP)  # from now on it starts no more
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        try:
            for pid in children:
                os.kill(int(pid), signal.SIGSTOP)
            yield
        finally:
            for pid in (*children, str(first)):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGCONT)

    def restart(self) -> None:
        """Stop the server without warning and start it again, as after a crash."""
        log = self._data.parent / "log"
        _run(self._user, "pg_ctl", "-D", self._data, "-l", log, "-m", "immediate", "-w", "restart")

    def database(self, copy_of: str | None = None) -> str:
        """The URL of a new database: empty, or a copy of another one that no client is connected to."""
        name = f"quatuor{next(self._numbers)}"
        template = f" TEMPLATE {copy_of.rpartition('/')[2]}" if copy_of else ""
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}{template}")
        return self._url(name)

    def drop(self, url: str) -> None:
        """Delete a database."""
        with psycopg.connect(self._url("postgres"), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)")

    def _url(self, database: str) -> str:
        return f"postgresql://quatuor@127.0.0.1:{self.port}/{database}"


@contextlib.contextmanager
def running(durable: bool = False) -> Iterator[Postgres]:
    """Start a server and stop it at the end. Unless ``durable``, it is quick, but may lose data in a crash."""
    user = _user()
    folder = Path(tempfile.mkdtemp(prefix="quatuor-postgres-"))
    try:
        if user:
            shutil.chown(folder, user)
        port = _free_port()
        settings = {"port": port, "listen_addresses": "127.0.0.1", "unix_socket_directories": ""}
        options = " ".join(f"-c {key}='{value}'" for key, value in (settings | ({} if durable else QUICK)).items())
        _run(user, "initdb", "-D", folder / "data", "-U", "quatuor", "-A", "trust", "-E", "UTF8", "--no-sync")
        _run(user, "pg_ctl", "-D", folder / "data", "-l", folder / "log", "-w", "-o", options, "start")
        try:
            yield Postgres(port, folder / "data", user)
        finally:
            _run(user, "pg_ctl", "-D", folder / "data", "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


def _run(user: str | None, program: str, *arguments: object) -> None:
    done = subprocess.run(
        [_program(program), *map(str, arguments)],
        user=user, cwd="/", env={**os.environ, "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{program} failed: {done.stderr.strip()}")


def _program(name: str) -> str:
    """Debian keeps the server's programs outside the path, the newest release last."""
    found = shutil.which(name) or max(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), default=None)
    if found is None:
        raise FileNotFoundError(f"no {name}: tools/postgres installs PostgreSQL")
    return found


def _user() -> str | None:
    """The user that runs the server; None: the current user."""
    if os.getuid() != 0:
        return None
    known = {entry.pw_name for entry in pwd.getpwall()}
    return next(name for name in UNPRIVILEGED if name in known)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
