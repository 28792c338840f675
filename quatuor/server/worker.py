"""A process that searches for the server. It makes one call at a time, answers it, and can be stopped in between.

The server writes frames to its standard input and reads the answers from its standard output. When the server is gone,
the input ends, and so does the worker.
"""

import _thread
import os
import pickle
import signal
import struct
import sys
import threading
import time
import traceback
from contextlib import suppress
from queue import SimpleQueue
from types import FrameType
from typing import Any, BinaryIO, NamedTuple

LENGTH = struct.Struct(">I")
NICE = 5  # the web server goes first
RETRY_STOP = 0.02  # seconds between two attempts to stop a call
UNSTOPPABLE = ("importlib", f"{os.sep}numba{os.sep}", f"{os.sep}llvmlite{os.sep}")
HARD_LIMIT = 4  # times the memory at which a worker is replaced: more than that fails at once


class Answer(NamedTuple):
    """The outcome of a call."""

    number: int
    status: str  # done, invalid (a ValueError), failed, stopped
    value: Any  # the result; the message of a ValueError; where another error was raised, without its message
    seconds: float  # of the processor
    memory: int  # of the worker, in MiB


class Stopped(BaseException):
    """Nobody waits for the call any more."""


def write_frame(stream: BinaryIO, content: Any) -> None:
    """Write one pickled object."""
    data = pickle.dumps(content, pickle.HIGHEST_PROTOCOL)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def read_frame(stream: BinaryIO) -> Any:
    """Read one pickled object. EOFError if the other end is gone."""
    head = stream.read(LENGTH.size)
    size = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else 0
    data = stream.read(size)
    if not size or len(data) < size:
        raise EOFError
    return pickle.loads(data)


class Caller:
    """Makes the calls that the server asks for, in the main thread: only there can a signal stop them."""

    def __init__(self, calls: BinaryIO, answers: BinaryIO) -> None:
        self._calls, self._answers = calls, answers
        self._waiting: SimpleQueue[tuple[int, bytes]] = SimpleQueue()
        self._running: int | None = None
        self._unwanted = 0  # the call that was stopped last

    def run(self) -> None:
        """Answer calls until the server is gone."""
        signal.signal(signal.SIGINT, self._interrupt)  # Ctrl-C in a terminal reaches workers too: it is the server's
        threading.Thread(target=self._listen, daemon=True).start()
        while True:
            number, call = self._waiting.get()
            began = time.process_time()
            try:
                status, value = self._answer(number, call)
            except Stopped:
                status, value = "stopped", None
            self._running = None
            answer = Answer(number, status, value, time.process_time() - began, memory())
            write_frame(self._answers, tuple(answer))

    def _answer(self, number: int, call: bytes) -> tuple[str, Any]:
        self._running = number
        if number == self._unwanted:
            return "stopped", None
        try:
            return "done", pickle.loads(call)()
        except ValueError as error:
            return "invalid", str(error)
        except Exception as error:
            frames = [f"{f.filename}:{f.lineno} {f.name}" for f in traceback.extract_tb(error.__traceback__)]
            return "failed", [*frames, type(error).__qualname__]

    def _listen(self) -> None:
        while True:
            try:
                number, call = read_frame(self._calls)
            except (EOFError, OSError):
                os._exit(0)
            if call is not None:
                self._waiting.put((number, call))
                continue
            self._unwanted = number
            while self._running == number:
                self._signal()
                time.sleep(RETRY_STOP)

    @staticmethod
    def _signal() -> None:
        if sys.platform == "win32":
            _thread.interrupt_main()
        else:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    def _interrupt(self, _: int, frame: FrameType | None) -> None:
        if self._running is not None and self._running == self._unwanted and not _loading(frame):
            self._running = None
            raise Stopped


def _loading(frame: FrameType | None) -> bool:
    """Whether a module is being imported or a function compiled: stopped half way, neither would work later."""
    while frame:
        if any(part in frame.f_code.co_filename for part in UNSTOPPABLE):
            return True
        frame = frame.f_back
    return False


def memory() -> int:
    """What this process holds in memory, in MiB; 0 where that is unknown."""
    with suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    return 0


def main(most_memory: int) -> None:
    """Serve calls from standard input; nothing that a library prints mixes with the answers."""
    calls, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    if sys.platform != "win32":
        import resource

        with suppress(ValueError, OSError):  # the system's own limit may be lower
            os.nice(NICE)
            resource.setrlimit(resource.RLIMIT_DATA, (HARD_LIMIT * most_memory << 20,) * 2)
    Caller(calls, answers).run()
