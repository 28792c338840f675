"""The players of the arena, by the texts that name them.

``level=5``, ``seconds=0.2``, ``units=2000``, ``threads=2`` (several with commas) are our engine; ``plain`` is it
without the game's advice and tables (``plain,units=500``); ``greedy`` looks one move ahead; ``random`` plays any move;
``gtp:COMMAND LINE`` is any program that speaks the Go Text Protocol about Blokus; ``engine:COMMAND LINE``, or
``engine,seconds=1,Level=3:COMMAND LINE``, one that speaks the engine protocol; ``python:MODULE:FUNCTION`` a function.
"""

import time
from typing import Any, Protocol

import numpy as np

from quatuor.engine.player import Engine
from quatuor.game import Game
from quatuor.games.contract import State
from quatuor.kernel import below, seeded
from quatuor.match.callables import PYTHON, CallablePlayer, load
from quatuor.match.gtp import Program, plays
from quatuor.match.protocol import ProtocolPlayer, parse

SETTINGS = {"level": int, "seconds": float, "units": int, "slack": float, "threads": int}
CERTAIN = 1e6  # more than any number of points: who is ahead at the end is ahead
GUESSES = 8  # at what the others may order at the same time
CHOICES = (
    "level=1 to level=8, seconds=S, units=N, threads=N, plain, greedy, random, gtp:COMMAND LINE, engine:COMMAND LINE "
    "or python:MODULE:FUNCTION"
)


class Player(Protocol):
    """A player for one game."""

    @property
    def cpu(self) -> float:
        """The processor time it has used, in seconds."""

    def choose(self, game: Game, seat: int) -> str: ...
    def close(self) -> None: ...


def check(spec: str, game: Game) -> None:
    """ValueError if the text does not name a player of this game."""
    if spec.startswith("gtp:"):
        if not plays(game):
            raise ValueError(f"{spec!r}: GTP is for blokus:classic, :two, :three and :duo with fixed corners")
    elif _speaks_protocol(spec):
        parse(spec)
    elif spec.startswith(PYTHON):
        load(spec)
    elif spec not in ("greedy", "random"):
        Engine(**_settings(spec))


def make_player(spec: str, seed: int) -> Player:
    """The player of this name, with its own random numbers."""
    if spec.startswith("gtp:"):
        return Program(spec.removeprefix("gtp:"), seed)
    if _speaks_protocol(spec):
        return ProtocolPlayer(spec, seed)
    if spec.startswith(PYTHON):
        return CallablePlayer(spec)
    if spec == "random":
        return RandomPlayer(seed)
    if spec == "greedy":
        return GreedyPlayer(seed)
    return EnginePlayer(Engine(seed=seed, **_settings(spec)))


def _speaks_protocol(spec: str) -> bool:
    return spec.startswith(("engine:", "engine,"))


def _settings(spec: str) -> dict[str, Any]:
    """The arguments of ``Engine``: by default one thread, since several games are played at the same time."""
    found: dict[str, Any] = {"threads": 1}
    for part in spec.split(","):
        name, equals, value = part.strip().partition("=")
        if name == "plain" and not equals:
            found["plain"] = True
            continue
        if name not in SETTINGS or not value:
            raise ValueError(f"{spec!r} names no engine: choose {CHOICES}")
        try:
            found[name] = SETTINGS[name](value)
        except ValueError:
            raise ValueError(f"{part!r} in {spec!r}: {value!r} is not a number") from None
    return found


class EnginePlayer:
    """The engine of this package."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.cpu = engine, 0.0

    def choose(self, game: Game, seat: int) -> str:
        began = time.process_time()
        move = self.engine.choose(game, seat)
        self.cpu += time.process_time() - began
        return move

    def close(self) -> None: ...


class RandomPlayer:
    """Plays any legal move."""

    def __init__(self, seed: int) -> None:
        self.cpu, self._rng = 0.0, seeded(seed)

    def choose(self, game: Game, seat: int) -> str:
        moves = game.legal(seat)
        return moves[below(self._rng, len(moves))]

    def close(self) -> None: ...


class GreedyPlayer:
    """Looks at the position after each of its moves and takes the best: by the game's advice, else by points."""

    def __init__(self, seed: int) -> None:
        self.cpu, self._rng = 0.0, seeded(seed)

    def choose(self, game: Game, seat: int) -> str:
        began = time.process_time()
        worth = {action: self.worth(game, seat, action) for action in game.actions(seat)}
        best = [action for action, value in worth.items() if value == max(worth.values())]
        move = game.book.write(game.state, seat, best[below(self._rng, len(best))])
        self.cpu += time.process_time() - began
        return move

    def close(self) -> None: ...

    def worth(self, game: Game, seat: int, action: int) -> float:
        """What the position after an action is worth; a few guesses stand for what others do at the same time."""
        others = [other for other in game.to_move if other != seat]
        tries = GUESSES if others else 1
        return sum(self._after(game, seat, action, others) for _ in range(tries)) / tries

    def _after(self, game: Game, seat: int, action: int, others: list[int]) -> float:
        state = game.common.copy()
        rules = game.book.rules
        for other in others:
            orders = game.actions(other)
            rules.play(state, other, orders[below(self._rng, len(orders))])
        rules.play(state, seat, action)
        return judged(game, state, seat)


def judged(game: Game, state: State, seat: int) -> float:
    """A quick estimate of a position for a seat: by the game's ``judge``, else by points ahead."""
    seats, rules = game.seats, game.book.rules
    scores, places = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    rules.outcome(state, scores, places)
    ended = rules.to_move(state) == 0
    if ended:
        ahead = sum(int(place > places[seat]) - int(place < places[seat]) for place in places)
        return CERTAIN * ahead
    if game.book.judge is not None:
        return float(game.book.judge(state, seat))
    return float(scores[seat] - max(score for other, score in enumerate(scores) if other != seat))
