"""``quatuor serve --processes N``: a supervisor and N server processes behind one port.

The supervisor opens the listening socket and passes it to every process, so connections that arrive while one of them
stops are accepted by the others. A process that dies is restarted, after a growing pause if it dies again and again. On
SIGHUP each process is replaced by a new one, which loads the code that is installed now; the old one stops only when
the new one is ready. If the supervisor dies, its processes stop.
"""

import asyncio
import contextlib
import logging
import pickle
import signal
import socket
import struct
import sys
import time
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from sqlalchemy import make_url

from quatuor.server.settings import Settings
from quatuor.server.workers import cores

log = logging.getLogger("quatuor.server")

LENGTH = struct.Struct(">I")
READY = b"ready\n"
READY_WITHIN = 120.0  # seconds; a migration of a large store may take long
STOP_WITHIN = 12.0  # seconds after which a process that does not stop is killed
FIRST_PAUSE, LONGEST_PAUSE = 0.25, 15.0  # seconds before a process is started again
STABLE = 60.0  # seconds after which a death is no longer counted together with the one before
START = "import sys; sys.path[:] = {path!r}; from quatuor.server.serve import serve_inherited; serve_inherited({fds})"


def check_processes(settings: Settings, count: int) -> None:
    """ValueError says why there cannot be that many processes."""
    if count > 1 and make_url(settings.url).get_backend_name() == "sqlite":
        raise ValueError(
            "--processes needs PostgreSQL: an SQLite file has one writer at a time, and processes cannot notify each "
            "other through it. docs/deploy.md says how to move the games to PostgreSQL"
        )
    if count > 1 and sys.platform == "win32":
        raise ValueError("--processes does not work on Windows: a listening socket cannot be shared there")


def share(settings: Settings, number: int, count: int) -> Settings:
    """The settings of one of ``count`` processes: the engine workers are divided, at least one for each."""
    total = settings.engine_workers or settings.engine_threads or cores()
    own = max(1, total // count + (number < total % count))
    return replace(settings, engine_workers=own, engine_threads=None)


def pack(settings: Settings) -> bytes:
    """Settings for another process, which may be of another release."""
    data = pickle.dumps({field.name: getattr(settings, field.name) for field in fields(settings)})
    return LENGTH.pack(len(data)) + data


def unpack(stream: Any) -> Settings:
    """Read what ``pack`` wrote; settings that this release does not know are left out."""
    (length,) = LENGTH.unpack(stream.read(LENGTH.size))
    found = pickle.loads(stream.read(length))
    known = {field.name for field in fields(Settings)}
    return Settings(**{name: value for name, value in found.items() if name in known})


class Slot:
    """Keeps one server process running: another one starts whenever it ends."""

    def __init__(self, number: int, settings: Settings, sockets: Sequence[socket.socket]) -> None:
        self.number, self._settings, self._sockets = number, settings, sockets
        self._process: asyncio.subprocess.Process | None = None
        self._changing = asyncio.Lock()
        self._deaths, self._started = 0, 0.0

    async def keep(self) -> None:
        """Start a process, and another one whenever it ends."""
        while True:
            process = self._process
            if process:
                await process.wait()
            async with self._changing:
                if self._process is process:  # else it was replaced
                    self._count_death(process)
                    self._process = None
                    await asyncio.sleep(min(LONGEST_PAUSE, FIRST_PAUSE * 2**self._deaths) if self._deaths else 0)
                    self._process = await self._start()
                    self._deaths += self._process is None

    async def replace(self) -> bool:
        """Start a new process, then stop the old one. False if the new one did not start: the old one stays."""
        async with self._changing:
            fresh = await self._start()
            if fresh is None:
                return False
            old, self._process, self._deaths = self._process, fresh, 0
        if old:
            await _stop(old)
        return True

    async def stop(self) -> None:
        """Stop the process; ``keep`` must have ended."""
        if self._process:
            await _stop(self._process)

    def _count_death(self, process: asyncio.subprocess.Process | None) -> None:
        if process:
            self._deaths = 1 if time.monotonic() - self._started > STABLE else self._deaths + 1
            log.error("a server process ended", extra={"slot": self.number, "status": process.returncode})

    async def _start(self) -> asyncio.subprocess.Process | None:
        """Start a process; returned once it is ready, None if it never is."""
        fds = [listening.fileno() for listening in self._sockets]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", START.format(path=sys.path, fds=fds),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, pass_fds=fds,
        )  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(pack(self._settings))  # and stays open: its end means that the supervisor is gone
            async with asyncio.timeout(READY_WITHIN):
                ready = await process.stdout.readline() == READY
        except TimeoutError:
            ready = False
        except BaseException:
            await _stop(process)
            raise
        if not ready:
            await _stop(process)
            log.error("a server process did not start", extra={"slot": self.number, "status": process.returncode})
            return None
        self._started = time.monotonic()
        log.info("a server process is ready", extra={"slot": self.number})
        return process


class Supervisor:
    """Keeps all processes running until SIGTERM or SIGINT; replaces them one by one on SIGHUP."""

    def __init__(self, settings: Settings, listening: socket.socket, own: Sequence[socket.socket], count: int) -> None:
        """``own``: a socket for each process alone, or none at all."""
        extra = [[one] for one in own] or [[]] * count
        self._slots = [
            Slot(number, share(settings, number, count), [listening, *extra[number]]) for number in range(count)
        ]

    async def run(self) -> None:
        """Returns once everything has stopped."""
        loop, stop, reload = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        loop.add_signal_handler(signal.SIGHUP, reload.set)
        tasks: list[asyncio.Future[Any]] = [asyncio.ensure_future(slot.keep()) for slot in self._slots]
        tasks.append(asyncio.ensure_future(self._replace_on(reload)))
        tasks.append(asyncio.ensure_future(stop.wait()))
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(slot.stop() for slot in self._slots))
        for task in done:
            task.result()  # an error of the supervisor itself ends everything, and whatever started it starts it again

    async def _replace_on(self, reload: asyncio.Event) -> None:
        while True:
            await reload.wait()
            reload.clear()
            for slot in self._slots:
                if not await slot.replace():
                    log.error("a new server process did not start; the remaining ones are not replaced")
                    break


async def _stop(process: asyncio.subprocess.Process) -> None:
    """Ask a process to stop, and wait until it has; kill it if that takes too long."""
    with contextlib.suppress(ProcessLookupError):  # it has already ended
        process.terminate()
        try:
            async with asyncio.timeout(STOP_WITHIN):
                await process.wait()
        except TimeoutError:
            log.error("a server process did not stop and was killed")
            process.kill()
    await process.wait()
