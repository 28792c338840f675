"""Python functions as players: ``python:MODULE:NAME`` or ``python:FILE.py:NAME``.

The function gets a copy of the game and the seat, and returns a move. One with a third parameter also gets the list of
its answers for this turn that were not legal.
"""

import inspect
import time
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from quatuor.game import Game
from quatuor.match.process import Failed

PYTHON = "python:"
WITH_REFUSED = 3  # parameters of a function that wants to know its illegal answers


def spec_of(function: Callable[..., str]) -> str:
    """The spec that names a function; other processes load the function by it."""
    if not callable(function) or not hasattr(function, "__qualname__"):
        raise TypeError(f"an engine is text, such as 'level=3', or a function, not {function!r}")
    module, name = function.__module__, function.__qualname__
    if module == "__main__":
        module = str(Path(inspect.getfile(function)).resolve())
    spec = f"{PYTHON}{module}:{name}"
    load(spec)
    return spec


@cache
def load(spec: str) -> Callable[..., str]:
    """The function that a spec names; ValueError if there is none."""
    where, _, name = spec.removeprefix(PYTHON).rpartition(":")
    if not where or not name:
        raise ValueError(f"{spec!r}: write python:MODULE:FUNCTION or python:FILE.py:FUNCTION")
    try:
        found: Any = _file(where) if where.endswith(".py") else import_module(where)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError, OSError) as error:
        raise ValueError(f"{spec!r}: {error}") from None
    if not callable(found):
        raise ValueError(f"{spec!r} is not a function")
    function: Callable[..., str] = found
    return function


@cache
def _file(path: str) -> Any:
    file_spec = spec_from_file_location(f"player_{Path(path).stem}", path)
    if file_spec is None or file_spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = module_from_spec(file_spec)
    file_spec.loader.exec_module(module)
    return module


class CallablePlayer:
    """A Python function. What it raises loses the game."""

    def __init__(self, spec: str) -> None:
        self._function, self.cpu = load(spec), 0.0
        self._wants_refused = len(inspect.signature(self._function).parameters) >= WITH_REFUSED

    def choose(self, game: Game, seat: int, refused: tuple[str, ...] = ()) -> str:
        began = time.process_time()
        more = [list(refused)] if self._wants_refused else []
        try:
            move = self._function(game.copy(), seat, *more)
        except Exception as error:
            raise Failed(f"{type(error).__name__}: {error}") from error
        finally:
            self.cpu += time.process_time() - began
        return str(move)

    def close(self) -> None: ...
