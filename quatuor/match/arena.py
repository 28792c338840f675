"""The arena: engines play each other on all cores, and what comes of it is kept line by line.

Every two engines meet in the same number of games, with all ways to share out the sides in turn. A game has a name
made of everything that matters for it, so a file of results can be continued and nothing is counted twice.
"""

import functools
import itertools
import json
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any

from quatuor.engine.choice import PLAIN
from quatuor.engine.choice import kind as kind_of
from quatuor.engine.warmup import rehearse
from quatuor.game import Game, new
from quatuor.match.bout import Meeting, Outcome, play
from quatuor.match.contenders import Ours, check, contender
from quatuor.match.elo import Pair


class Arena:
    """What is to be played: all pairs of engines, or those at most ``near`` places apart, ``games`` games each.

    >>> arena = Arena(["random", "greedy"], "plus4", games=2)
    >>> [meeting.seats for meeting in arena.meetings]
    [('random', 'greedy'), ('greedy', 'random')]
    """

    def __init__(
        self,
        engines: Sequence[str],
        name: str,
        variant: str | None = None,
        *,
        games: int,
        seed: int = 1,
        near: int | None = None,
        **options: Any,
    ) -> None:
        self.start = new(name, variant, **options)
        for word in engines:
            check(word, self.start)
        if len(engines) < 2 or len(set(engines)) < len(engines):
            raise ValueError(f"engines {' '.join(engines)!r}: name at least two different ones")
        if games < 1:
            raise ValueError(f"games={games}: play at least 1")
        self.engines = list(engines)
        reach = near or len(engines)
        met = [(a, b) for i, a in enumerate(engines) for b in engines[i + 1 : i + 1 + reach]]
        shares = [(a, b, _shares(self.start, a, b)) for a, b in met]
        self.games = -(-games // len(shares[0][2])) * len(shares[0][2])  # every seating equally often
        self.meetings = [  # the pairs take turns: a part of them is balanced, too
            self._meeting(seatings[number % len(seatings)], number, seed + number)
            for number in range(self.games)
            for _, _, seatings in shares
        ]

    def _meeting(self, seats: tuple[str, ...], number: int, seed: int) -> Meeting:
        options = tuple(self.start.options.items())
        return Meeting(self.start.name, self.start.variant.name, options, seats, number, seed)

    def pairs(self, outcome: Outcome) -> list[Pair]:
        """A game as the pairs of its sides that different engines played."""
        sides: dict[int, tuple[int, int]] = {}
        for seat, side in enumerate(_sides(self.start)):
            sides.setdefault(side, (self.engines.index(outcome["seats"][seat]), outcome["ranking"][seat]))
        found = []
        for (a, place_a), (b, place_b) in itertools.combinations(sides.values(), 2):
            if a != b:
                found.append((a, b, 0.5 + 0.5 * (place_b > place_a) - 0.5 * (place_b < place_a)))
        return found


def _sides(game: Game) -> tuple[int, ...]:
    return game.variant.sides or tuple(range(game.seats))


def _shares(game: Game, a: str, b: str) -> list[tuple[str, ...]]:
    """All ways to share out the sides between two engines, as evenly as can be."""
    sides = sorted(set(_sides(game)))
    sizes = {len(sides) // 2, len(sides) - len(sides) // 2}
    chosen = [own for size in sorted(sizes) for own in itertools.combinations(sides, size)]
    return [tuple(a if side in own else b for side in _sides(game)) for own in chosen]


# ---- playing and keeping


def kept(file: Path) -> list[Outcome]:
    """The games in a file of results, each once. A line that was not finished is passed over."""
    found: dict[str, Outcome] = {}
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        try:
            outcome: Outcome = json.loads(line)
            found.setdefault(name(outcome), outcome)
        except (ValueError, KeyError, TypeError):
            continue
    return list(found.values())


def name(outcome: Outcome) -> str:
    """The name of the meeting that this was."""
    options = tuple(outcome["options"].items())
    seats = tuple(outcome["seats"])
    return Meeting(outcome["game"], outcome["variant"], options, seats, outcome["number"], outcome["seed"]).name


def append(file: Path, outcome: Outcome) -> None:
    """Keep a game at the end of a file, on a line of its own even if the last one was not finished."""
    with file.open("a+b") as stream:
        if stream.tell():
            stream.seek(-1, os.SEEK_END)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
        stream.write(json.dumps(outcome, ensure_ascii=False).encode() + b"\n")


def run(meetings: Sequence[Meeting], jobs: int, keep: bool = False, until: float = float("inf")) -> Iterator[Outcome]:
    """Play on so many cores; each game comes as it ends. After ``until`` (time.monotonic) none is begun.

    Whoever stops iterating, or interrupts, need not wait for the games under way: they are given up.
    """
    todo, strangers = iter(meetings), set(multiprocessing.active_children())
    words = sorted({word for meeting in meetings for word in meeting.seats})
    prepare = functools.partial(_prepare, words, meetings[0]) if meetings else None
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), prepare)
    try:
        running: set[Future[Outcome]] = set()
        while True:
            while len(running) < jobs and time.monotonic() < until and (meeting := next(todo, None)):
                running.add(pool.submit(play, meeting, keep))
            if not running:
                break
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for game in ended:
                yield game.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in set(multiprocessing.active_children()) - strangers:
            worker.terminate()


def _prepare(words: Sequence[str], meeting: Meeting) -> None:
    """Make a process ready. Ctrl-C reaches all of a terminal's: the one that began the arena decides what happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warm(words, meeting)


def warm(words: Sequence[str], meeting: Meeting) -> None:
    """Load, or compile, what will be needed, so that it does not count as thinking."""
    game = new(meeting.game, meeting.variant, **dict(meeting.options))
    ours = [player for player in (contender(word, 0) for word in words) if isinstance(player, Ours)]
    for kind in {PLAIN if player.engine.plain else kind_of(game) for player in ours}:
        rehearse(game, kind)
    for player in ours:
        player.engine.stop()
        player.choose(game, game.to_move[0])
