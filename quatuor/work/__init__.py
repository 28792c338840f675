"""Work in many pieces: on the processes of this machine or on a Ray cluster, with the same results.

A piece is a function and its arguments, which say everything: whoever does it, wherever and however often, the result
is the same. So a piece whose worker dies is simply done again; each comes back once, as it is found.

>>> from quatuor.work import workers
>>> with workers(jobs=2) as crew:
...     sorted(crew.map(pow, {"a": (2, 10), "b": (3, 4)}))
[('a', 1024), ('b', 81)]
"""

import math
import multiprocessing
import os
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from queue import SimpleQueue
from typing import Any, Self, TypeVar

LIVES = 4  # as many workers may die over a piece before it is taken to be their death

R = TypeVar("R")


class Died(Exception):
    """The worker of a piece is gone, and the piece with it."""


class Workers(ABC):
    """Who does the work. ``redone`` counts the pieces that were done again, since their workers died."""

    def __init__(self) -> None:
        self.redone = 0

    @property
    @abstractmethod
    def room(self) -> int:
        """How many pieces to have under way."""

    @abstractmethod
    def begin(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Future[Any]:
        """Hand out a piece."""

    @abstractmethod
    def result(self, future: Future[Any]) -> Any:
        """What came of a piece that has ended; ``Died`` if nothing did."""

    @abstractmethod
    def give_up(self) -> None:
        """Forget the pieces under way."""

    def map(
        self, function: Callable[..., R], pieces: Mapping[str, tuple[Any, ...]], until: float = math.inf
    ) -> Iterator[tuple[str, R]]:
        """The name and result of every piece, in the order they are found.

        After ``until`` (time.monotonic) none is handed out. Who stops iterating, or interrupts, need not wait for the
        pieces under way: they are given up.
        """
        todo, again = iter(pieces), list[str]()
        running, ended, losses = dict[Future[R], str](), SimpleQueue[Future[R]](), Counter[str]()
        try:
            while True:
                while len(running) < self.room and time.monotonic() < until:
                    name = again.pop() if again else next(todo, None)
                    if name is None:
                        break
                    future = self.begin(function, pieces[name])
                    running[future] = name
                    future.add_done_callback(ended.put)
                if not running:
                    return
                future = ended.get()
                name = running.pop(future)
                try:
                    result = self.result(future)
                except Died as death:
                    losses[name] += 1
                    if losses[name] == LIVES:
                        raise ChildProcessError(f"{name}: given up, {LIVES} workers died over it ({death})") from None
                    self.redone += 1
                    again.append(name)
                else:
                    yield name, result
        finally:
            self.give_up()

    @abstractmethod
    def close(self) -> None:
        """Let the workers go."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Processes(Workers):
    """Processes of this machine, as many as it has cores unless told. Each is a pool of one: it dies alone."""

    def __init__(self, jobs: int | None = None) -> None:
        super().__init__()
        self._jobs = jobs or os.cpu_count() or 1
        self._idle: list[ProcessPoolExecutor] = []
        self._pools: list[ProcessPoolExecutor] = []
        self._strangers = set(multiprocessing.active_children())

    @property
    def room(self) -> int:
        return self._jobs

    def begin(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Future[Any]:
        pool = self._idle.pop() if self._idle else self._hire()
        try:
            future = pool.submit(function, *arguments)
        except BrokenProcessPool:  # it died with nothing to do
            return self.begin(function, arguments)

        def free(ended: Future[Any]) -> None:
            if not ended.cancelled() and not isinstance(ended.exception(), BrokenProcessPool):
                self._idle.append(pool)

        future.add_done_callback(free)
        return future

    def result(self, future: Future[Any]) -> Any:
        try:
            return future.result()
        except BrokenProcessPool as error:
            raise Died(str(error)) from None

    def give_up(self) -> None:
        for pool in self._pools:
            pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - self._strangers:
            process.terminate()
        self._pools, self._idle = [], []

    def close(self) -> None:
        self.give_up()

    def _hire(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin)
        self._pools.append(pool)
        return pool


def _begin() -> None:
    """Leave it to who began the work what Ctrl-C, which reaches all processes of a terminal, shall do. Die with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def workers(jobs: int | None = None, ray: str | None = None) -> Workers:
    """Processes of this machine; or a Ray cluster: ``local`` (begun here), ``auto`` (that of this machine), HOST:PORT.

    ``jobs`` is how many pieces to have under way; unless told, what the cores can do.
    """
    if ray is None:
        return Processes(jobs)
    from quatuor.work.cluster import Cluster

    return Cluster(ray, jobs)
