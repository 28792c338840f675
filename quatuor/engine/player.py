"""The engine: an opponent for every game at every level, and an analyst."""

import math
import secrets
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol, TypedDict

from quatuor.engine.flat import Trials
from quatuor.engine.solve import Solution, at_hand
from quatuor.engine.uct import Search, Simultaneous
from quatuor.game import Game
from quatuor.kernel import below, seeded

SECONDS = 0.9  # to answer, unless told
CHUNK_SECONDS = 0.01  # how often time and stop are looked at
TIE_BREAK = 20_000  # simulations to choose among moves that are proven equal
LINE = 12  # turns shown
DICE = 1 << 30
PERFECT = 8  # the level from which proven results are used

# By level: simulations for each legal move, and how much a move may seem worse (in mean reward, 0 to 1) and still be
# chosen now and then. The last level takes all its time.
LEVELS = {
    1: (1, 0.20),
    2: (3, 0.12),
    3: (8, 0.06),
    4: (20, 0.03),
    5: (60, 0.0),
    6: (200, 0.0),
    7: (700, 0.0),
    8: (1 << 30, 0.0),
}


class Row(TypedDict):
    """What the engine thinks of one move."""

    move: str
    value: float  # from -1 (beaten by all) to 1 (beats all)
    outcome: str | None  # "win", "draw" or "loss" where proven
    distance: int | None  # turns to the end, where proven
    visits: int | None
    line: list[str]  # the move and what may follow, in games played in turns


class Analysis(TypedDict):
    """The moves, the best first; ``exact`` if they are proven."""

    moves: list[Row]
    exact: bool


class _Searcher(Protocol):
    done: int

    def run(self, simulations: int) -> None: ...
    def children(self, node: int = 0) -> dict[int, tuple[int, float, int]]: ...
    def line(self, node: int) -> list[int]: ...


class Engine:
    """A player. ``level`` 1 (a beginner) to 8; ``seconds`` bounds an answer; the same ``seed`` plays the same.

    Levels below 8 stop after a number of simulations, so they play the same on every machine fast enough for it.
    ``stop`` may be called from another thread: the answer under way comes at once.
    """

    def __init__(self, level: int = 8, seconds: float | None = None, seed: int | None = None, threads: int = 1) -> None:
        if level not in LEVELS:
            raise ValueError(f"level={level!r}: choose a whole number from 1 to {max(LEVELS)}")
        if seconds is not None and not seconds > 0:
            raise ValueError(f"seconds={seconds!r}: choose a number above 0")
        if threads < 1:
            raise ValueError(f"threads={threads!r}: choose a whole number from 1")
        self.level, self.seconds, self.threads = level, seconds or SECONDS, threads
        self._seed = secrets.randbits(60) if seed is None else seed
        self._stop = threading.Event()

    def stop(self) -> None:
        """Have the answer under way come now."""
        self._stop.set()

    def choose(self, game: Game, seat: int | None = None) -> str:
        """A legal move for the seat to move (say which where several act at once)."""
        seat = _acting(game, seat)
        actions = game.actions(seat)
        if len(actions) == 1:
            return game.book.write(game.state, seat, actions[0])
        solution = at_hand(game) if self.level >= PERFECT else None
        if solution is not None:
            return self._perfect(game, seat, solution)
        searchers = self._search(game, seat, self._simulations(game, seat))
        return game.book.write(game.state, seat, self._pick(_merged(searchers)))

    def analyse(self, game: Game, seat: int | None = None) -> Analysis:
        """What every move is worth, the best first."""
        seat = _acting(game, seat)
        solution = at_hand(game)
        if solution is not None:
            return {"moves": _proven(game, solution), "exact": True}
        searchers = self._search(game, seat, self._simulations(game, seat))
        rows = [_row(game, seat, action, found, searchers[0]) for action, found in _merged(searchers).items()]
        rows.sort(key=lambda row: (row["visits"], row["value"]), reverse=True)
        return {"moves": rows, "exact": False}

    # ---- inside

    def _simulations(self, game: Game, seat: int) -> int:
        return LEVELS[self.level][0] * len(game.actions(seat))

    def _search(self, game: Game, seat: int, simulations: int) -> Sequence[_Searcher]:
        """Search until simulations or time run out or ``stop`` is called; one tree a thread."""
        self._stop.clear()
        self._seed += 1  # another move: other dice, but the same ones for the same seed
        seeds = [self._seed * 64 + i for i in range(self.threads)]
        if int(game.book.rules.to_move(game.common)).bit_count() == 1:
            with suppress(Simultaneous):
                return self._run_all([Search(game, seed) for seed in seeds], simulations)
        return self._run_all([Trials(game, seat, seed) for seed in seeds], simulations)

    def _run_all(self, searchers: Sequence[_Searcher], simulations: int) -> Sequence[_Searcher]:
        share = -(-simulations // self.threads)
        if self.threads == 1:
            self._run(searchers[0], share)
        else:
            with ThreadPoolExecutor(self.threads) as pool:
                list(pool.map(lambda searcher: self._run(searcher, share), searchers))
        return searchers

    def _run(self, searcher: _Searcher, simulations: int) -> None:
        searcher.run(1)  # there is always an answer; and compiling, the first time, does not count
        deadline = time.monotonic() + self.seconds
        chunk = 1
        while searcher.done < simulations and not self._stop.is_set():
            began = time.monotonic()
            if began >= deadline:
                break
            searcher.run(min(chunk, simulations - searcher.done))
            pace = (time.monotonic() - began) / chunk
            left = min(CHUNK_SECONDS, deadline - time.monotonic())
            chunk = max(1, min(4 * chunk, int(left / max(pace, 1e-9))))

    def _pick(self, found: dict[int, tuple[int, float]]) -> int:
        """The action most visited; at low levels now and then one that seems a little worse."""
        slack = LEVELS[self.level][1]
        if slack == 0.0:
            return max(found, key=lambda action: found[action])
        tried = {action: value for action, (visits, value) in found.items() if visits}
        top = max(tried.values())
        weights = {a: math.exp((v - top) / slack) for a, v in tried.items() if v >= top - 2 * slack}
        dart = below(seeded(self._seed), DICE) / DICE * sum(weights.values())
        for action, weight in weights.items():
            dart -= weight
            if dart <= 0:
                return action
        return action

    def _perfect(self, game: Game, seat: int, solution: Solution) -> str:
        """A best move by the table; among equals the one that a search likes, which sets the harder problems."""
        moves = solution.moves(game)
        top = next(iter(moves.values())).rank
        best = [move for move, result in moves.items() if result.rank == top]
        if len(best) == 1:
            return best[0]
        visits = _merged(self._search(game, seat, TIE_BREAK))
        return max(best, key=lambda move: visits[game.book.read(game.state, seat, move)])


def _acting(game: Game, seat: int | None) -> int:
    acting = game.to_move
    if not acting:
        raise ValueError("the game is over: there is nothing to choose")
    if seat is None and len(acting) == 1:
        return acting[0]
    if seat not in acting:
        raise ValueError(f"seat={seat!r}: choose one that acts now: {', '.join(map(str, acting))}")
    return seat


def _merged(searchers: Sequence[_Searcher]) -> dict[int, tuple[int, float]]:
    """Visits and mean reward of every action at the root, over all trees."""
    visits: dict[int, int] = {}
    rewards: dict[int, float] = {}
    for searcher in searchers:
        for action, (count, mean, _) in searcher.children().items():
            visits[action] = visits.get(action, 0) + count
            rewards[action] = rewards.get(action, 0.0) + count * mean
    return {action: (count, rewards[action] / max(count, 1)) for action, count in visits.items()}


def _row(game: Game, seat: int, action: int, found: tuple[int, float], searcher: _Searcher) -> Row:
    visits, mean = found
    line = [game.book.write(game.state, seat, action)]
    if isinstance(searcher, Search):
        line = _texts(game, [action, *searcher.line(searcher.children()[action][2])][:LINE])
    value = 2 * mean - 1 if visits else 0.0
    return {"move": line[0], "value": value, "outcome": None, "distance": None, "visits": visits, "line": line}


def _texts(game: Game, actions: list[int]) -> list[str]:
    """A line of actions as text."""
    after, line = game.copy(), []
    for action in actions:
        (seat,) = after.to_move
        line.append(game.book.write(after.state, seat, action))
        after.play_actions({seat: action})
        if after.over:
            break
    return line


def _proven(game: Game, solution: Solution) -> list[Row]:
    value = {"win": 1.0, "draw": 0.0, "loss": -1.0}
    rows: list[Row] = []
    for move, result in solution.moves(game).items():
        after, line = game.copy(), [move]
        after.play(move)
        while not after.over and len(line) < LINE:
            line.append(next(iter(solution.moves(after))))
            after.play(line[-1])
        rows.append({
            "move": move, "value": value[result.outcome], "outcome": result.outcome, "distance": result.distance,
            "visits": None, "line": line,
        })  # fmt: skip
    return rows
