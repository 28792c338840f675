"""The engine: an opponent for every game at every level, and an analyst."""

import math
import os
import secrets
import time
from collections.abc import Iterable, Iterator
from copy import copy
from typing import TYPE_CHECKING, Any

from quatuor.engine import levels, search_registry
from quatuor.engine.analysis import Analysis, Update, among_only, listing, order, proven, searched
from quatuor.engine.arguments import (
    NUMBER,
    WHOLE,
    acting_seat,
    actions_of,
    bare,
    check_evaluate,
    check_game,
    check_lines,
    check_numbers,
)
from quatuor.engine.choice import pick
from quatuor.engine.searches import MOST_THREADS, Searches, Task
from quatuor.engine.solve import Solution, at_hand
from quatuor.game import Game
from quatuor.games.steps import Steps, finished

if TYPE_CHECKING:  # else only where a network is given: browsers start without it
    from quatuor.engine.network import Evaluate

TIE_BREAK = 20_000  # units to choose among moves that are proven equal; chosen, not measured
PERFECT = levels.TOP  # the level from which solved tables are used
SIMULATIONS = 800  # of an answer with a network, as in Silver et al. 2017


class Engine:
    """A player for every game. ``quatuor.engine(…)`` makes one.

    >>> import quatuor
    >>> game = quatuor.new("plus4")
    >>> engine = Engine(level=3, seed=1)
    >>> game.play(engine.choose(game))
    >>> game.ply
    1

    Levels below 8 stop after a fixed amount of work: the same seed plays the same on every machine that is fast enough.
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
        check_numbers(WHOLE | None, seed=seed, threads=threads, units=units)
        check_numbers(NUMBER | None, seconds=seconds)
        check_numbers(NUMBER, slack=slack)
        if level not in range(1, levels.TOP + 1):
            raise ValueError(f"level={level!r}: choose a whole number from 1 to {levels.TOP}")
        if seconds is not None and not seconds > 0:
            raise ValueError(f"seconds={seconds!r}: choose a number above 0")
        if threads is not None and not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"threads={threads!r}: choose a whole number from 1 to {MOST_THREADS}")
        if units is not None and units < 1:
            raise ValueError(f"units={units!r}: choose a whole number from 1")
        if not slack >= 0 or (slack and units is None):
            raise ValueError(f"slack={slack!r}: choose a number from 0, and units with it")
        if evaluate is not None:
            check_evaluate(evaluate, level, threads, plain)
            units, threads = units or (None if seconds else SIMULATIONS), 1
        self.level, self.units, self.slack, self.plain, self.evaluate = level, units, slack, plain, evaluate
        self.seconds = seconds or (math.inf if units else levels.seconds(level))
        cores = min(os.cpu_count() or 1, MOST_THREADS)
        self.threads = threads or (cores if level == levels.TOP and units is None else 1)
        self._searches = Searches(secrets.randbits(60) if seed is None else seed)

    def __repr__(self) -> str:
        chosen = [f"level={self.level}", f"seconds={self.seconds:g}", f"threads={self.threads}"]
        chosen += [f"units={self.units}"] if self.units else []
        chosen += ["plain=True"] if self.plain else []
        return f"Engine({', '.join([*chosen, *(['evaluate=…'] if self.evaluate else [])])})"

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_searches": copy(self._searches)}

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
        check_game(game)
        if self.evaluate is not None:
            return search_registry.NETWORK
        return search_registry.PLAIN if self.plain or self._level(game).plain else search_registry.kind(game)

    def stop(self) -> None:
        """End the answer under way; it is returned at once. May be called from another thread.

        Without an answer under way nothing happens: a stop that comes too late is dropped.
        """
        self._searches.stop()

    def close(self) -> None:
        """End the answer under way and every later one at once. For a caller that no longer waits for an answer.

        Unlike ``stop``, it also works before the answering thread has begun.
        """
        self._searches.close()

    def choose(self, game: Game, seat: int | None = None, *, moves: Iterable[str] | None = None) -> str:
        """Choose a legal move for the seat to move, one of ``moves`` if given; name the seat where several act.

        Raises:
            ValueError: The game is over, or ``seat`` does not act now.
            IllegalMove: One of ``moves`` cannot be played.
        """
        return finished(self.choosing(game, seat, moves=moves))

    def choosing(self, game: Game, seat: int | None = None, *, moves: Iterable[str] | None = None) -> Steps[str]:
        """``choose`` as a generator that pauses about every hundredth of a second, for programs with one thread."""
        seat = acting_seat(game, seat)
        among = actions_of(game, seat, moves)
        self._searches.begin()
        return (yield from self._choose(bare(game), seat, among))

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

    def analysing(self, game: Game, seat: int | None = None, *, lines: int | None = None) -> Steps[Analysis]:
        """``analyse`` as a generator that pauses about every hundredth of a second, for programs with one thread."""
        seat = acting_seat(game, seat)
        check_lines(lines)
        self._searches.begin()
        game = bare(game)
        solution = None if self._unaided else at_hand(game)
        if solution is not None:
            return proven(game, seat, solution, lines=lines)
        searchers = yield from self._searches.run(self._task(game, seat))
        return (yield from listing(game, seat, searchers, lines=lines))

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
        seat = acting_seat(game, seat)
        among = actions_of(game, seat, moves)
        check_lines(lines)
        self._searches.begin()
        game, began = bare(game), time.monotonic()
        solution = None if self._unaided else at_hand(game)
        if solution is not None:
            yield {**proven(game, seat, solution, among, lines), "units": 0, "seconds": 0.0, "final": True}
            return
        task = self._task(game, seat, among)
        slices = self._searches.slices(task) if _updates else [(finished(self._searches.run(task)), True)]
        for searchers, final in slices:
            found = searched(game, seat, searchers, among, lines)
            done = sum(searcher.done for searcher in searchers)
            yield {**found, "units": done, "seconds": time.monotonic() - began, "final": final}

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

    def _task(self, game: Game, seat: int, among: set[int] | None = None, units: int | None = None) -> Task:
        """A search of a position, by default as long as the level says."""
        work = units or self._units(game, seat, self._level(game))
        return Task(game, seat, among, self.kind(game), self.threads, self.evaluate, work, self.seconds)

    # ---- choosing

    def _choose(self, game: Game, seat: int, among: set[int] | None) -> Steps[str]:
        actions = list(among or game.actions(seat))
        if len(actions) == 1:
            return game.book.write(game.state, seat, actions[0])
        solution = at_hand(game) if self.perfect else None
        if solution is not None:
            return (yield from self._perfect(game, seat, solution, among))
        slack = self._level(game).slack
        task = self._task(game, seat, among)._replace(settle=slack == 0.0)
        found = among_only(search_registry.merged((yield from self._searches.run(task))), among)
        action = pick(found, slack, search_registry.at_once(game) > 1, self._searches.seed)
        return game.book.write(game.state, seat, action)

    def _perfect(self, game: Game, seat: int, solution: Solution, among: set[int] | None) -> Steps[str]:
        """A best move by the table; among equals the one that a search prefers, which sets the harder problems."""
        read = game.book.read
        moves = solution.moves(game)
        moves = {move: moves[move] for move in moves if among is None or read(game.state, seat, move) in among}
        top = next(iter(moves.values())).rank
        best = [move for move, result in moves.items() if result.rank == top]
        if len(best) == 1:
            return best[0]
        found = search_registry.merged((yield from self._searches.run(self._task(game, seat, among, TIE_BREAK))))
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
