"""The engine: an opponent for every game at every level, and an analyst."""

import math
import os
import secrets
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from quatuor.engine import flat_monte_carlo, levels, search_registry
from quatuor.engine.analysis import Analysis, Update, among_only, order, proven, searched
from quatuor.engine.search_api import Finding, Searcher
from quatuor.engine.solve import Solution, at_hand
from quatuor.engine.uct import Simultaneous
from quatuor.game import Game
from quatuor.games.contract import IllegalMove
from quatuor.games.steps import Steps, finished
from quatuor.kernel import below, exp, seeded

if TYPE_CHECKING:  # else only where a network is given: browsers start without it
    from quatuor.engine.network import Evaluate

CHUNK_SECONDS = 0.01  # how often time and stop are checked; chosen, not measured
TIE_BREAK = 20_000  # units to choose among moves that are proven equal; chosen, not measured
DICE = 1 << 30
PERFECT = levels.TOP  # the level from which solved tables are used
MOST_THREADS = 64  # the seeds of two answers never overlap with as many
UPDATES = (0.1, 1.0)  # seconds until the first update of an analysis, and the most between two; chosen, not measured
SIMULATIONS = 800  # of an answer with a network, as in Silver et al. 2017
LOOKS = 32  # how often a search is asked whether it is settled, always after the same work; chosen, not measured


class Engine:
    """A player for every game. ``quatuor.engine(…)`` makes one.

    >>> import quatuor
    >>> game = quatuor.new("plus4")
    >>> engine = Engine(level=3, seed=1)
    >>> game.play(engine.choose(game))
    >>> game.ply
    1

    Levels below 8 stop after an amount of work, so the same seed plays the same on every machine that is fast enough.
    An engine keeps its search tree for later positions of the same game; a copy or a pickled engine starts without it.

    Args:
        level: From 1 (beginner) to 8.
        seconds: The most time for an answer; 4.5 by default at level 8.
        seed: The same seed plays the same below level 8; random by default.
        threads: One below level 8 and all cores at level 8 by default.
        units: The amount of work for an answer, instead of that of the level.
        slack: With ``units``: how much worse than the best a move may look and still be chosen.
        plain: Search by random games alone, without the game's advice and solved tables.
        evaluate: A network of your own that guides the search: a function of many positions at once, see
            ``quatuor.engine.network``. 800 simulations by default, one thread, no solved tables; for games in turns.

    Raises:
        ValueError: A setting is out of range; the message says what is allowed.
    """

    def __init__(
        self,
        level: int = levels.TOP,
        seconds: float | None = None,
        seed: int | None = None,
        threads: int | None = None,
        *,
        units: int | None = None,
        slack: float = 0.0,
        plain: bool = False,
        evaluate: "Evaluate | None" = None,
    ) -> None:
        _check_numbers(seconds=(seconds, float), seed=(seed, int), threads=(threads, int), units=(units, int))
        if level not in range(1, levels.TOP + 1):
            raise ValueError(f"level={level!r}: choose a whole number from 1 to {levels.TOP}")
        if seconds is not None and not seconds > 0:
            raise ValueError(f"seconds={seconds!r}: choose a number above 0")
        if threads is not None and not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"threads={threads!r}: choose a whole number from 1 to {MOST_THREADS}")
        if units is not None and units < 1:
            raise ValueError(f"units={units!r}: choose a whole number from 1")
        if slack < 0 or (slack and units is None):
            raise ValueError(f"slack={slack!r}: choose a number from 0, and units with it")
        if evaluate is not None:
            _check_evaluate(evaluate, level, threads, plain)
            units, threads = units or (None if seconds else SIMULATIONS), 1
        self.level, self.units, self.slack, self.plain, self.evaluate = level, units, slack, plain, evaluate
        self.seconds = seconds or (math.inf if units else levels.seconds(level))
        cores = min(os.cpu_count() or 1, MOST_THREADS)
        self.threads = threads or (cores if level == levels.TOP and units is None else 1)
        self._seed = secrets.randbits(60) if seed is None else seed
        self._kept: tuple[int, Sequence[Searcher]] | None = None  # of the latest answer, with the seat
        self._stop = threading.Event()
        self._closed = False

    def __repr__(self) -> str:
        chosen = [f"level={self.level}", f"seconds={self.seconds:g}", f"threads={self.threads}"]
        chosen += [f"units={self.units}"] if self.units else []
        chosen += ["plain=True"] if self.plain else []
        return f"Engine({', '.join([*chosen, *(['evaluate=…'] if self.evaluate else [])])})"

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name not in ("_kept", "_stop")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._kept, self._stop = None, threading.Event()

    @property
    def perfect(self) -> bool:
        """Whether the engine uses solved tables where there are some."""
        return self.level >= PERFECT and self.units is None and not self._unaided

    @property
    def _unaided(self) -> bool:
        """Whether the engine searches without what the package knows of the game."""
        return self.plain or self.evaluate is not None

    def kind(self, game: Game) -> str:
        """The search that plays this game: ``guided``, ``bestfirst``, ``matrix``, ``plain`` or ``network``."""
        if self.evaluate is not None:
            return search_registry.NETWORK
        return search_registry.PLAIN if self.plain or self._level(game).plain else search_registry.kind(game)

    def stop(self) -> None:
        """End the answer under way; it is returned at once. May be called from another thread.

        Without an answer under way nothing happens: a stop that comes too late is dropped.
        """
        self._stop.set()

    def close(self) -> None:
        """End the answer under way and every later one at once. For a caller that no longer waits for an answer.

        Unlike ``stop``, it also works before the answering thread has begun.
        """
        self._closed = True
        self._stop.set()

    def choose(self, game: Game, seat: int | None = None, *, moves: Iterable[str] | None = None) -> str:
        """Choose a legal move for the seat to move, one of ``moves`` if given; name the seat where several act.

        Raises:
            ValueError: The game is over, or ``seat`` does not act now.
            IllegalMove: One of ``moves`` cannot be played.
        """
        return finished(self.choosing(game, seat, moves=moves))

    def choosing(self, game: Game, seat: int | None = None, *, moves: Iterable[str] | None = None) -> Steps[str]:
        """``choose`` as a generator that pauses about every ``CHUNK_SECONDS``, for programs with one thread."""
        seat = _acting(game, seat)
        among = _actions(game, seat, moves)
        self._begin()
        return (yield from self._choose(_bare(game), seat, among))

    def analyse(
        self, game: Game, seat: int | None = None, *, moves: Iterable[str] | None = None, lines: int | None = None
    ) -> Analysis:
        """Evaluate every move, the best first; ``moves`` alone if given, and only the best ``lines``.

        The rows in ``["moves"]`` have ``move``, ``value`` (-1 to 1), ``line`` and, where known, ``outcome`` (win, draw
        or loss), ``distance``, ``score``, ``visits``, ``weight`` and ``regret``.

        Raises:
            ValueError: The game is over, or ``seat`` does not act now.
            IllegalMove: One of ``moves`` cannot be played.
        """
        *_, last = self.analysis(game, seat, moves=moves, lines=lines, _updates=False)
        return {"moves": last["moves"], "exact": last["exact"]}

    def analysing(self, game: Game, seat: int | None = None) -> Steps[Analysis]:
        """``analyse`` as a generator that pauses about every ``CHUNK_SECONDS``, for programs with one thread."""
        seat = _acting(game, seat)
        self._begin()
        game = _bare(game)
        solution = None if self._unaided else at_hand(game)
        if solution is not None:
            return proven(game, seat, solution)
        return searched(game, seat, (yield from self._search(game, seat, self._units(game, seat, self._level(game)))))

    def analysis(
        self,
        game: Game,
        seat: int | None = None,
        *,
        moves: Iterable[str] | None = None,
        lines: int | None = None,
        _updates: bool = True,
    ) -> Iterator[Update]:
        """Evaluate the moves while searching: several updates a second, then fewer, until one is ``final``.

        >>> import quatuor
        >>> for update in quatuor.engine(seconds=0.2, threads=1).analysis(quatuor.new("blokus", "duo"), lines=3):
        ...     best = update["moves"][0]["move"]
        >>> update["final"], len(update["moves"])
        (True, 3)

        Leaving the loop ends the search.
        """
        seat = _acting(game, seat)
        among = _actions(game, seat, moves)
        if lines is not None and lines < 1:
            raise ValueError(f"lines={lines!r}: choose a whole number from 1")
        self._begin()
        game, began = _bare(game), time.monotonic()
        solution = None if self._unaided else at_hand(game)
        if solution is not None:
            yield {**proven(game, seat, solution, among, lines), "units": 0, "seconds": 0.0, "final": True}
            return
        units = self._units(game, seat, self._level(game))
        for searchers, final in self._slices(game, seat, units, among, _updates):
            found = searched(game, seat, searchers, among, lines)
            done = sum(searcher.done for searcher in searchers)
            yield {**found, "units": done, "seconds": time.monotonic() - began, "final": final}

    def _begin(self) -> None:
        """Drop a stop that came after the last answer."""
        self._stop.clear()
        if self._closed:  # read after clearing: close() sets both, so neither order loses it
            self._stop.set()

    def _choose(self, game: Game, seat: int, among: set[int] | None) -> Steps[str]:
        actions = list(among or game.actions(seat))
        if len(actions) == 1:
            return game.book.write(game.state, seat, actions[0])
        solution = at_hand(game) if self.perfect else None
        if solution is not None:
            return (yield from self._perfect(game, seat, solution, among))
        level = self._level(game)
        units = self._units(game, seat, level)
        searchers = yield from self._search(game, seat, units, among, level.slack == 0.0)
        found = among_only(search_registry.merged(searchers), among)
        return game.book.write(game.state, seat, self._pick(found, level.slack, search_registry.at_once(game) > 1))

    # ---- how much

    def _level(self, game: Game) -> levels.Level:
        if self.units is not None:
            return levels.Level(self.units, self.slack, self.plain)
        if self.evaluate is not None:
            return levels.FULL
        ladder = (
            levels.LADDERS[search_registry.PLAIN] if self.plain else levels.ladder(game, search_registry.kind(game))
        )
        return ladder[self.level - 1]

    def _units(self, game: Game, seat: int, level: levels.Level) -> int:
        each = self.units is None and self.kind(game) == search_registry.PLAIN
        return level.units * (len(game.actions(seat)) if each else 1)

    # ---- searching

    def _search(
        self, game: Game, seat: int, units: int, among: set[int] | None = None, settle: bool = False
    ) -> Steps[Sequence[Searcher]]:
        """Search until the work is done, time is up or ``stop`` is called; with ``settle``, until the choice stands."""
        searchers = self._searchers(game, seat, among)
        deadline = time.monotonic() + self.seconds
        try:
            yield from self._run_all(searchers, units, deadline, settle)
        except Simultaneous:  # seats act at once later in the game
            searchers = self._started(self._begun(game, seat, flat_monte_carlo), among)
            yield from self._run_all(searchers, units, deadline, settle)
        self._kept = None if among else (seat, searchers)
        return searchers

    def _slices(
        self, game: Game, seat: int, units: int, among: set[int] | None, updates: bool
    ) -> Iterator[tuple[Sequence[Searcher], bool]]:
        """The same in slices of time, if ``updates`` are wanted: the searches, whether they are done."""
        if not updates:
            yield finished(self._search(game, seat, units, among)), True
            return
        end = time.monotonic() + self.seconds
        pause, most = UPDATES
        searchers = self._searchers(game, seat, among)
        final = False
        while not final:
            try:
                finished(self._run_all(searchers, units, min(end, time.monotonic() + pause), False))
            except Simultaneous:
                searchers = self._started(self._begun(game, seat, flat_monte_carlo), among)
                continue
            worked = all(searcher.finished or searcher.done >= units // len(searchers) for searcher in searchers)
            final = worked or self._stop.is_set() or time.monotonic() >= end
            pause = min(most, 2 * pause)
            self._kept = None if among else (seat, searchers)
            yield searchers, final

    def _searchers(self, game: Game, seat: int, among: set[int] | None) -> Sequence[Searcher]:
        """The searches of a position, which have begun: those of an earlier one where they can go on."""
        self._seed += 1  # other random numbers for each move, the same ones for the same seed
        kept = self._continued(game, seat)
        if kept and not among:
            return self._started(kept, None)
        if self.evaluate is not None:
            from quatuor.engine.network import Search

            return self._started([Search(game, self.evaluate)], among)
        return self._started(self._begun(game, seat, search_registry.module(game, self.kind(game))), among)

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

    def _begun(self, game: Game, seat: int, module: ModuleType) -> Sequence[Searcher]:
        count = 1 if getattr(module, "ALONE", False) else self.threads
        return [module.search(game, seat, self._seed * MOST_THREADS + i) for i in range(count)]

    def _continued(self, game: Game, seat: int) -> Sequence[Searcher] | None:
        """The latest searches, if they can go on from here."""
        kept, self._kept = self._kept, None
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
        chunk = 1
        stride = -(-units // LOOKS)
        while searcher.done < units and not searcher.finished and not self._stop.is_set():
            began = time.monotonic()
            look = settle and searcher.done % stride == 0
            if began >= deadline or (look and searcher.settled(units - searcher.done)):
                break
            chunk = min(chunk, units - searcher.done, stride - searcher.done % stride)
            searcher.run(chunk)
            pace = (time.monotonic() - began) / chunk
            left = min(CHUNK_SECONDS, deadline - time.monotonic())
            chunk = max(1, min(4 * chunk, int(left / max(pace, 1e-9))))
            yield

    # ---- choosing

    def _pick(self, found: dict[int, Finding], slack: float, mixed: bool) -> int:
        """The best action, or one drawn from the mix; at low levels sometimes one that seems a little worse."""
        if slack == 0.0:
            if not mixed:
                return max(found, key=lambda action: order(found[action]))
            return self._draw({action: finding.weight for action, finding in found.items()})
        tried = search_registry.looked_at(found)
        top = max(tried.values())
        near = {action: value - top for action, value in tried.items() if value >= top - slack}
        return self._draw({action: exp(2 * loss / slack) for action, loss in near.items()})

    def _draw(self, weights: dict[int, float]) -> int:
        dart = below(seeded(self._seed), DICE) / DICE * sum(weights.values())
        for action, weight in weights.items():
            dart -= weight
            if dart < 0:
                return action
        return max(weights, key=weights.__getitem__)

    def _perfect(self, game: Game, seat: int, solution: Solution, among: set[int] | None) -> Steps[str]:
        """A best move by the table; among equals the one that a search prefers, which sets the harder problems."""
        read = game.book.read
        moves = solution.moves(game)
        moves = {move: moves[move] for move in moves if among is None or read(game.state, seat, move) in among}
        top = next(iter(moves.values())).rank
        best = [move for move, result in moves.items() if result.rank == top]
        if len(best) == 1:
            return best[0]
        found = search_registry.merged((yield from self._search(game, seat, TIE_BREAK, among)))
        return max(best, key=lambda move: order(found[read(game.state, seat, move)]))


def engine(
    level: int = levels.TOP,
    seconds: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    *,
    units: int | None = None,
    slack: float = 0.0,
    plain: bool = False,
    evaluate: "Evaluate | None" = None,
) -> Engine:
    """A player for every game, from level 1 (a beginner) to 8. ``Engine`` says what the settings mean.

    >>> import quatuor
    >>> game = quatuor.new("plus4")
    >>> quatuor.engine(level=8, seed=1).choose(game) in game.legal()
    True
    """
    return Engine(level, seconds, seed, threads, units=units, slack=slack, plain=plain, evaluate=evaluate)


def _check_evaluate(evaluate: Any, level: int, threads: int | None, plain: bool) -> None:
    """TypeError or ValueError if settings do not go with a network."""
    if not callable(evaluate):
        raise TypeError(f"evaluate={evaluate!r}: give a function of planes, facts and mask")
    if level != levels.TOP or plain or threads not in (None, 1):
        raise ValueError("evaluate=…: leave out level, plain and threads; units or seconds say how much to search")


def _check_numbers(**given: tuple[Any, type]) -> None:
    """TypeError if a setting is no number."""
    for name, (value, kind) in given.items():
        allowed = (int, float, np.integer, np.floating) if kind is float else (int, np.integer)
        if value is not None and (isinstance(value, bool) or not isinstance(value, allowed)):
            raise TypeError(f"{name}={value!r}: give a {'number' if kind is float else 'whole number'}")


def _bare(game: Game) -> Game:
    """The game without its comments and variations: copies of it are quick."""
    return game if game._root is None else game.copy(tree=False)


def _actions(game: Game, seat: int, moves: Iterable[str] | None) -> set[int] | None:
    """The actions of some moves; None for all."""
    if moves is None:
        return None
    legal = dict(zip(game.legal(seat), game.actions(seat), strict=True))
    chosen = [moves] if isinstance(moves, str) else list(moves)
    if not chosen:
        raise ValueError("moves=(): name one move or more, or leave it out")
    for move in chosen:
        if move not in legal:
            raise IllegalMove(f"{move!r} is no legal move of seat {seat}; legal({seat}) lists them")
    return {legal[move] for move in chosen}


def _acting(game: Game, seat: int | None) -> int:
    if not isinstance(game, Game):
        raise TypeError(f"an engine plays a quatuor.Game, not {type(game).__name__}")
    acting = game.to_move
    if not acting:
        raise ValueError("the game is over: there is nothing to choose")
    if seat is None and len(acting) == 1:
        return acting[0]
    if seat not in acting:
        raise ValueError(f"seat={seat!r}: choose one that acts now: {', '.join(map(str, acting))}")
    return seat
