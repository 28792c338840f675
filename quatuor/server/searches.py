"""What worker processes do: plain functions whose arguments say everything."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from quatuor.engine import levels
from quatuor.engine.analysis import Analysis
from quatuor.engine.player import Engine
from quatuor.game import Game
from quatuor.games.steps import Steps, finished

T = TypeVar("T")

HINT_SECONDS = levels.SECONDS  # a person waits for it
HINTS = 5  # moves shown
REVIEW_SECONDS = 0.5  # for each position of a game that is analysed
KEPT = 2  # analyses whose search trees a worker keeps
_analysts: OrderedDict[str, Engine] = OrderedDict()  # of this worker


def choose(game: Game, seat: int, level: int, seed: int) -> str:
    """The move of an engine in that seat."""
    return Engine(level, seed=seed, threads=1).choose(game, seat)  # one thread: there is a worker for each core


def hint(game: Game, seat: int) -> dict[str, Any]:
    """What an engine thinks of the best moves."""
    found = Engine(seconds=HINT_SECONDS, threads=1).analyse(game, seat)
    return {"moves": found["moves"][:HINTS], "exact": found["exact"]}


def analyse(stream: str, game: Game, seat: int) -> Analysis:
    """What every move of one position is worth; what was found of earlier positions of the same stream is used."""
    engine = _analysts.pop(stream, None) or Engine(seconds=REVIEW_SECONDS, threads=1)
    found = engine.analyse(game, seat)
    _analysts[stream] = engine  # unless it was stopped
    if len(_analysts) > KEPT:
        _analysts.popitem(last=False)
    return found


def finish(work: Callable[..., Steps[T]], *arguments: Any) -> T:
    """The result of work in steps."""
    return finished(work(*arguments))
