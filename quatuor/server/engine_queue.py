"""Work that waits for a worker process: bounded, by priority, and fair by network, then person, then table."""

import itertools
import time
from asyncio import Future
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

from quatuor.server.visitors import Visitor
from quatuor.table import Refused

STARVED_AFTER = 2.0  # seconds without a turn, after which a priority is served once before the higher ones
RETRY_AFTER = 5  # seconds that a refused visitor should wait
_numbers = itertools.count(1)


class Priority(IntEnum):
    """What is served first."""

    MOVE = 0  # of a game that a person plays
    HINT = 1
    PUZZLE = 2
    ANALYSIS = 3  # and games that only engines play
    BACKGROUND = 4  # of visitors who have used up their engine seconds


class Asker(NamedTuple):
    """On whose behalf work is done."""

    visitor: Visitor
    table: str = ""  # or whatever else a person has several of

    @property
    def path(self) -> tuple[str, str, str]:
        """The levels of fairness, outermost first."""
        return self.visitor.network, self.visitor.person or "", self.table


@dataclass(eq=False)
class Job:
    """A call of a function in a worker process."""

    asker: Asker
    priority: Priority
    call: bytes  # pickled
    name: str  # of the function
    answer: "Future[Any]"
    short: bool = True  # whether it takes about a second at most
    prefer: int | None = None  # the number of the worker that has kept something for it
    deaths: int = 0  # workers that died over it
    number: int = field(default_factory=lambda: next(_numbers))
    since: float = field(default_factory=time.monotonic)


class Bounds(NamedTuple):
    """How many jobs may wait."""

    person: int = 32
    network: int = 64
    total: int = 1024


class Turns:
    """Round robin at every level of a path: each key gets one turn before any gets a second."""

    def __init__(self) -> None:
        self._branches: OrderedDict[str, Turns] = OrderedDict()
        self._jobs: deque[Job] = deque()  # of the innermost level

    def __iter__(self) -> Iterator[Job]:
        yield from self._jobs
        for branch in self._branches.values():
            yield from branch

    def push(self, job: Job, path: tuple[str, ...]) -> None:
        """Append a job behind the others of its path."""
        if not path:
            self._jobs.append(job)
            return
        self._branches.setdefault(path[0], Turns()).push(job, path[1:])

    def pop(self, suits: Callable[[Job], bool]) -> Job | None:
        """The next job that suits; its network, person and table then wait for the others."""
        found = next(filter(suits, self._jobs), None)
        if found:
            self._jobs.remove(found)
            return found
        for key, branch in self._branches.items():
            found = branch.pop(suits)
            if found:
                self._branches.move_to_end(key)
                self._prune(key)
                return found
        return None

    def remove(self, job: Job, path: tuple[str, ...]) -> None:
        """Take out a job that waits."""
        if not path:
            self._jobs.remove(job)
            return
        self._branches[path[0]].remove(job, path[1:])
        self._prune(path[0])

    def _prune(self, key: str) -> None:
        branch = self._branches[key]
        if not branch._jobs and not branch._branches:
            del self._branches[key]


class EngineQueue:
    """Jobs that wait. Higher priorities go first, but none is starved; within a priority visitors take turns."""

    def __init__(self, bounds: Bounds | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.bounds = bounds or Bounds()
        self._clock = clock
        self._turns = {priority: Turns() for priority in Priority}
        self._served = dict.fromkeys(Priority, 0.0)  # when it had its last turn, or began to wait
        self._waiting: set[Job] = set()
        self._networks: Counter[str] = Counter()
        self._people: Counter[tuple[str, ...]] = Counter()  # of a network

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, job: Job) -> bool:
        return job in self._waiting

    def length(self, priority: Priority) -> int:
        """How many jobs of a priority wait."""
        return sum(1 for _ in self._turns[priority])

    def age(self, priority: Priority) -> float:
        """How long the oldest job of a priority has waited, in seconds."""
        return max((time.monotonic() - job.since for job in self._turns[priority]), default=0.0)

    def push(self, job: Job) -> Job | None:
        """Add a job. Refused if its person or network has too many.

        In a queue that is full, the network with the most jobs loses its newest one, which is returned.
        """
        network, person, _ = job.asker.path
        if self._networks[network] >= self.bounds.network or self._people[network, person] >= self.bounds.person:
            raise Refused("rate_limited", retry_after=RETRY_AFTER)
        displaced = self._displaced(network) if len(self) >= self.bounds.total else None
        if displaced:
            self.remove(displaced)
        if not any(True for _ in self._turns[job.priority]):
            self._served[job.priority] = self._clock()
        self._turns[job.priority].push(job, job.asker.path)
        self._count(job, 1)
        return displaced

    def pop(self, suits: Callable[[Job], bool] = lambda _: True) -> Job | None:
        """The job to do next, of those that suit."""
        late = self._clock() - STARVED_AFTER
        starved = sorted((p for p in Priority if self._served[p] < late), key=lambda p: self._served[p])
        for priority in (*starved, *Priority):
            job = self._turns[priority].pop(suits)
            if job:
                self._served[priority] = self._clock()
                self._count(job, -1)
                return job
        return None

    def remove(self, job: Job) -> None:
        """Take out a job that waits."""
        self._turns[job.priority].remove(job, job.asker.path)
        self._count(job, -1)

    def _displaced(self, network: str) -> Job:
        largest, count = self._networks.most_common(1)[0]
        if count <= self._networks[network] + 1:
            raise Refused("busy", retry_after=RETRY_AFTER)
        theirs = [job for job in self._waiting if job.asker.visitor.network == largest]
        return max(theirs, key=lambda job: (job.priority, job.number))

    def _count(self, job: Job, change: int) -> None:
        (self._waiting.add if change > 0 else self._waiting.discard)(job)
        network, person = job.asker.path[:2]
        self._networks[network] += change
        self._people[network, person] += change
        if not self._people[network, person]:
            del self._people[network, person]
        if not self._networks[network]:
            del self._networks[network]
