"""Workers that are processes of this machine."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from quatuor.jobs.base import Died, Workers


class Processes(Workers):
    """Processes of this machine, by default one for each core. Each is a pool of one, so it dies alone."""

    def __init__(self, jobs: int | None = None) -> None:
        super().__init__()
        self._jobs = jobs or os.cpu_count() or 1
        self._idle: list[ProcessPoolExecutor] = []
        self._pools: list[ProcessPoolExecutor] = []
        self._others = set(multiprocessing.active_children())

    @property
    def room(self) -> int:
        return self._jobs

    def begin(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Future[Any]:
        pool = self._idle.pop() if self._idle else self._start()
        try:
            future = pool.submit(function, *arguments)
        except BrokenProcessPool:  # it died while idle
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
        for process in set(multiprocessing.active_children()) - self._others:
            process.terminate()
        self._pools, self._idle = [], []

    def close(self) -> None:
        self.give_up()

    def _start(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin)
        self._pools.append(pool)
        return pool


def _begin() -> None:
    """Ignore Ctrl-C, which reaches all processes of a terminal and is the parent's to handle; end with the parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(multiprocessing.parent_process(),), daemon=True).start()


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)
