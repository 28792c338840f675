"""Worker processes that search for the server, so that no search takes the event loop's time or memory.

A few general workers do any work; one more, the quick one, does only short work that a person waits for. A worker that
dies is replaced, and its job is done once more. Processes start when there is something to do.
"""

import asyncio
import contextlib
import logging
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue
from typing import BinaryIO, NamedTuple, TypeVar

from quatuor.server.budgets import Budgets
from quatuor.server.engine_budget import EngineBudget
from quatuor.server.engine_queue import RETRY_AFTER, Asker, Bounds, EngineQueue, Job, Priority
from quatuor.server.metrics import Metrics
from quatuor.server.worker import Answer, read_frame, write_frame
from quatuor.table import Refused

log = logging.getLogger("quatuor.server")

T = TypeVar("T")

LONGEST_WAIT = 120.0  # seconds in the queue
LONGEST_JOB = 300.0  # seconds; a search takes ten at most, compiling a game for the first time much longer
STOP_WITHIN = 5.0  # seconds after which a worker that does not stop is killed
DEATHS = 2  # workers that may die over a job
ALONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


class WorkerError(Exception):
    """A job failed: its function raised an error, or the workers died over it."""


class Size(NamedTuple):
    """How many workers there are, and when one is replaced."""

    general: int  # besides these there is the quick one
    memory: int = 512  # MiB after a job
    jobs: int = 2000


class Worker:
    """One process. Two threads talk to it, since pipes may block; the event loop gets what they read."""

    def __init__(
        self, number: int, quick: bool, memory: int, on_answer: Callable[["Worker", Answer | None], None]
    ) -> None:
        self.number, self.quick = number, quick
        self.job: Job | None = None
        self.jobs, self.since = 0, 0.0  # so far, and when the latest one began
        self.deadline: asyncio.TimerHandle | None = None
        self.killed_for = ""
        self._on_answer, self._loop = on_answer, asyncio.get_running_loop()
        self._calls: SimpleQueue[tuple[int, bytes | None] | None] = SimpleQueue()
        start = f"import sys; sys.path[:] = {sys.path!r}; from quatuor.server.worker import main; main({memory})"
        self._process = subprocess.Popen(
            [sys.executable, "-c", start], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ | ALONE
        )
        for talk, pipe in ((self._write, self._process.stdin), (self._read, self._process.stdout)):
            threading.Thread(target=talk, args=(pipe,), daemon=True).start()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def give(self, job: Job) -> None:
        """Have the worker do a job."""
        self.job, self.since = job, time.monotonic()
        self.jobs += 1
        self.deadline = self._loop.call_later(LONGEST_JOB, self.kill, "a job took too long")
        self._calls.put((job.number, job.call))

    def stop(self, job: Job) -> None:
        """Nobody waits for the job any more."""
        self._calls.put((job.number, None))
        if self.deadline:
            self.deadline.cancel()
        self.deadline = self._loop.call_later(STOP_WITHIN, self.kill, "it did not stop")

    def free(self) -> None:
        """The job is done."""
        self.job = None
        if self.deadline:
            self.deadline.cancel()

    def kill(self, cause: str) -> None:
        """End the process at once."""
        self.killed_for = self.killed_for or cause
        self._process.kill()
        self._calls.put(None)

    def close(self) -> None:
        """End the process once it has nothing to do: its input ends."""
        self._calls.put(None)

    def cause(self) -> str:
        """Why the process ended."""
        return self.killed_for or f"exit status {self._process.returncode}"

    def _write(self, stream: BinaryIO) -> None:
        with contextlib.suppress(OSError), stream:
            while (call := self._calls.get()) is not None:
                write_frame(stream, call)

    def _read(self, stream: BinaryIO) -> None:
        with contextlib.suppress(EOFError, OSError, pickle.UnpicklingError), stream:
            while True:
                self._tell(Answer(*read_frame(stream)))
        self._process.kill()
        self._process.wait()
        self._calls.put(None)
        self._tell(None)

    def _tell(self, answer: Answer | None) -> None:
        with contextlib.suppress(RuntimeError):  # the event loop has ended
            self._loop.call_soon_threadsafe(self._on_answer, self, answer)


class Workers:
    """Does jobs in worker processes, the next one as the queue decides."""

    def __init__(self, size: Size, metrics: Metrics, bounds: Bounds | None = None) -> None:
        self.size, self.budget = size, EngineBudget(Budgets())
        self.queue = EngineQueue(bounds)
        self.all: list[Worker] = []
        self._metrics, self._numbers, self._closed = metrics, 0, False
        self._timers: dict[Job, asyncio.TimerHandle] = {}
        self._watch()

    @property
    def busy(self) -> int:
        """Workers that do a job."""
        return sum(worker.job is not None for worker in self.all)

    async def run(
        self,
        asker: Asker,
        priority: Priority,
        call: partial[T],
        short: bool = True,
        prefer: int | None = None,
    ) -> tuple[T, int]:
        """Call a function in a worker: its result, and the worker's number. Cancelled, the work stops.

        ValueError if the function raised one; WorkerError if it failed otherwise; Refused if too much waits already.
        """
        if self.budget.left(asker.visitor) <= 0:
            priority = Priority.BACKGROUND
        answer: asyncio.Future[tuple[T, int]] = asyncio.get_running_loop().create_future()
        data = pickle.dumps(call, pickle.HIGHEST_PROTOCOL)
        job = Job(asker, priority, data, call.func.__name__, answer, short, prefer)
        self._push(job)
        self._dispatch()
        try:
            return await answer
        finally:
            self._drop(job)

    def close(self) -> None:
        """End all workers, and forget what waits."""
        self._closed = True
        for worker in list(self.all):
            worker.kill("the server stops")
        for timer in self._timers.values():
            timer.cancel()

    # ---- jobs

    def _push(self, job: Job) -> None:
        try:
            displaced = self.queue.push(job)
        except Refused as refused:
            self._count_refusal(job, refused.code)
            raise
        if displaced:
            self._refuse(displaced)
        loop = asyncio.get_running_loop()
        self._timers[job] = loop.call_later(LONGEST_WAIT, self._expire, job)

    def _expire(self, job: Job) -> None:
        if job in self.queue:
            self.queue.remove(job)
            self._refuse(job)

    def _refuse(self, job: Job) -> None:
        self._count_refusal(job, "busy")
        self._timers.pop(job).cancel()
        if not job.answer.done():
            job.answer.set_exception(Refused("busy", retry_after=RETRY_AFTER))

    def _count_refusal(self, job: Job, code: str) -> None:
        self._metrics.engine_refusals.labels(job.priority.name.lower(), code).inc()
        log.warning("engine work was refused", extra={"priority": job.priority.name.lower(), "code": code})

    def _drop(self, job: Job) -> None:
        """Nobody waits for the job any more."""
        if job in self.queue:
            self.queue.remove(job)
        if timer := self._timers.pop(job, None):
            timer.cancel()
        for worker in self.all:
            if worker.job is job:
                worker.stop(job)

    def _dispatch(self) -> None:
        """Give jobs to workers that are free, and start workers that are missing."""
        for quick in (False, True):
            while not self._closed and self._free(quick):
                job = self.queue.pop(_suits_quick if quick else _suits_general)
                if job is None:
                    break
                self._timers.pop(job).cancel()
                self._give(job, quick)

    def _free(self, quick: bool) -> bool:
        lane = [worker for worker in self.all if worker.quick == quick]
        return len(lane) < (1 if quick else self.size.general) or any(worker.job is None for worker in lane)

    def _give(self, job: Job, quick: bool) -> None:
        idle = [worker for worker in self.all if worker.quick == quick and worker.job is None]
        idle.sort(key=lambda worker: worker.number != job.prefer)
        try:
            worker = idle[0] if idle else self._start(quick)
        except OSError as error:
            log.error("a worker did not start", exc_info=error)
            job.answer.set_exception(WorkerError("a worker did not start"))
        else:
            worker.give(job)

    # ---- workers

    def _start(self, quick: bool) -> Worker:
        self._numbers += 1
        worker = Worker(self._numbers, quick, self.size.memory, self._on_answer)
        self.all.append(worker)
        return worker

    def _on_answer(self, worker: Worker, answer: Answer | None) -> None:
        """A worker has answered, or has ended."""
        job = worker.job
        worker.free()
        if answer is None:
            self._lost(worker, job)
        elif job and answer.number == job.number:
            self.budget.charge(job.asker.visitor, answer.seconds)
            _settle(job, answer, worker.number)
            self._replace_if_worn(worker, answer)
        if not self._closed:
            self._dispatch()

    def _lost(self, worker: Worker, job: Job | None) -> None:
        if worker in self.all:
            self.all.remove(worker)
        elif job is None:
            return  # it was replaced
        if self._closed:
            return
        cause = worker.cause()
        self._metrics.worker_restarts.labels(cause).inc()
        log.warning("an engine worker ended", extra={"cause": cause, "quick": worker.quick, "at_work": job is not None})
        if job is None:
            return
        self.budget.charge(job.asker.visitor, time.monotonic() - worker.since)
        if job.answer.done():
            return
        job.deaths += 1
        if job.deaths < DEATHS:
            self._give(job, worker.quick)
        else:
            job.answer.set_exception(WorkerError(cause))

    def _replace_if_worn(self, worker: Worker, answer: Answer) -> None:
        if answer.memory > self.size.memory or worker.jobs >= self.size.jobs:
            cause = "memory" if answer.memory > self.size.memory else "age"
            self._metrics.worker_restarts.labels(cause).inc()
            log.info("an engine worker is replaced", extra={"cause": cause, "memory": answer.memory})
            self.all.remove(worker)
            worker.close()

    def _watch(self) -> None:
        watch = self._metrics.watch
        for priority in Priority:
            name = priority.name.lower()
            watch("engine_queue", "Engine jobs that wait", partial(self.queue.length, priority), priority=name)
            watch("engine_queue_seconds", "The longest wait", partial(self.queue.age, priority), priority=name)
        watch("workers", "Worker processes", lambda: len(self.all))
        watch("workers_busy", "Worker processes that do a job", lambda: self.busy)


def cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _suits_general(_job: Job) -> bool:
    return True


def _suits_quick(job: Job) -> bool:
    """Short work that a person waits for."""
    return job.short and job.priority <= Priority.PUZZLE


def _settle(job: Job, answer: Answer, worker: int) -> None:
    if job.answer.done():
        return
    if answer.status == "done":
        job.answer.set_result((answer.value, worker))
    elif answer.status == "invalid":
        job.answer.set_exception(ValueError(answer.value))
    else:
        log.error("engine work failed: %s", job.name, extra={"status": answer.status, "at": answer.value})
        job.answer.set_exception(WorkerError(answer.status))
