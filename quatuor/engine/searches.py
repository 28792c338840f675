"""The searches of one engine: begun, continued at a later position, run until their work is done or time is up."""

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from quatuor.engine import flat_monte_carlo, search_registry
from quatuor.engine.search_api import Searcher
from quatuor.engine.uct import Simultaneous
from quatuor.game import Game
from quatuor.games.steps import STEP_SECONDS, Steps, finished

if TYPE_CHECKING:  # else only where a network is given: browsers start without it
    from quatuor.engine.network import Evaluate

MOST_THREADS = 64  # with this many, the seeds of two answers never overlap
UPDATES = (0.1, 1.0)  # seconds until the first update of an analysis, and the most between two; chosen, not measured
LOOKS = 32  # how often a search is asked whether it is settled, always after the same work; chosen, not measured


class Task(NamedTuple):
    """What to search, how, and for how long."""

    game: Game
    seat: int
    among: set[int] | None  # the actions to search; None: all
    kind: str  # of search, see search_registry
    threads: int
    evaluate: "Evaluate | None"
    units: int
    seconds: float
    settle: bool = False  # end the search when its choice stands


class Searches:
    """The latest searches of an engine, and the seed of the next ones. A copy, pickled or not, starts without them."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.kept: tuple[int, Sequence[Searcher]] | None = None  # of the latest answer, with the seat
        self._stop = threading.Event()
        self._closed = False

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("kept", "_stop")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.kept, self._stop = None, threading.Event()

    def stop(self) -> None:
        """End the answer under way."""
        self._stop.set()

    def close(self) -> None:
        """End the answer under way and every later one."""
        self._closed = True
        self._stop.set()

    def begin(self) -> None:
        """Drop a stop that came after the last answer."""
        self._stop.clear()
        if self._closed:  # read after clearing: close() sets both, so neither order loses it
            self._stop.set()

    def run(self, task: Task) -> Steps[Sequence[Searcher]]:
        """Search until the work is done, time is up or ``stop`` is called; with ``settle``, until the choice stands."""
        searchers = yield from self._searchers(task)
        deadline = time.monotonic() + task.seconds
        yield
        try:
            yield from self._run_all(searchers, task.units, deadline, task.settle)
        except Simultaneous:  # seats act at once later in the game
            searchers = self._started(self._begun(task, flat_monte_carlo), task.among)
            yield from self._run_all(searchers, task.units, deadline, task.settle)
        self.kept = None if task.among else (task.seat, searchers)
        return searchers

    def slices(self, task: Task) -> Iterator[tuple[Sequence[Searcher], bool]]:
        """The same in slices of time: the searches, and whether they are done."""
        end = time.monotonic() + task.seconds
        pause, most = UPDATES
        searchers = finished(self._searchers(task))
        final = False
        while not final:
            try:
                finished(self._run_all(searchers, task.units, min(end, time.monotonic() + pause), False))
            except Simultaneous:
                searchers = self._started(self._begun(task, flat_monte_carlo), task.among)
                continue
            worked = all(searcher.finished or searcher.done >= task.units // len(searchers) for searcher in searchers)
            final = worked or self._stop.is_set() or time.monotonic() >= end
            pause = min(most, 2 * pause)
            self.kept = None if task.among else (task.seat, searchers)
            yield searchers, final

    def _searchers(self, task: Task) -> Steps[Sequence[Searcher]]:
        """The searches of a position, which have begun: those of an earlier one where they can go on.

        In steps: the first time, a browser takes tens of milliseconds to load a game's kernels and tables.
        """
        self.seed += 1  # other random numbers for each move, the same ones for the same seed
        kept = self._continued(task.game, task.seat)
        if kept and not task.among:
            return self._started(kept, None)
        if task.evaluate is not None:
            from quatuor.engine.network import Search

            return self._started([Search(task.game, task.evaluate)], task.among)
        module = search_registry.module(task.game, task.kind)
        yield
        begun = self._begun(task, module)
        yield
        return self._started(begun, task.among)

    def _started(self, searchers: Sequence[Searcher], among: set[int] | None) -> Sequence[Searcher]:
        """Do the first unit: there is always an answer, and the time to compile does not count."""
        for searcher in searchers:
            try:
                searcher.run(1)
            except Simultaneous:
                return searchers  # the next run says so again
            if among:
                searcher.restrict(among)
        return searchers

    def _begun(self, task: Task, module: ModuleType) -> Sequence[Searcher]:
        count = 1 if getattr(module, "ALONE", False) else task.threads
        return [module.search(task.game, task.seat, self.seed * MOST_THREADS + i) for i in range(count)]

    def _continued(self, game: Game, seat: int) -> Sequence[Searcher] | None:
        """The latest searches, if they can go on from here."""
        kept, self.kept = self.kept, None
        if kept is None or (kept[0] != seat and search_registry.at_once(game) > 1):
            return None
        return kept[1] if all(searcher.advance(game) for searcher in kept[1]) else None

    def _run_all(self, searchers: Sequence[Searcher], units: int, deadline: float, settle: bool) -> Steps[None]:
        share = -(-units // len(searchers))
        if len(searchers) == 1:
            yield from self._run(searchers[0], share, deadline, settle)
            return
        with ThreadPoolExecutor(len(searchers)) as pool:
            try:
                list(pool.map(lambda searcher: finished(self._run(searcher, share, deadline)), searchers))
            except BaseException:
                self._stop.set()  # end the other threads now
                raise

    def _run(self, searcher: Searcher, units: int, deadline: float, settle: bool = False) -> Steps[None]:
        chunk, pace = 1, 0.0
        stride = -(-units // LOOKS)
        while searcher.done < units and not searcher.finished and not self._stop.is_set():
            began = time.monotonic()
            look = settle and searcher.done % stride == 0
            if began >= deadline or (look and searcher.settled(units - searcher.done)):
                break
            chunk = min(chunk, units - searcher.done, stride - searcher.done % stride)
            searcher.run(chunk)
            pace = max((time.monotonic() - began) / chunk, pace / 2)  # units differ: more slow ones may follow
            left = min(STEP_SECONDS, deadline - time.monotonic())
            chunk = max(1, min(4 * chunk, int(left / max(pace, 1e-9))))
            yield
