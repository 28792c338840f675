"""Quatuor: four board games from their paper rulebooks.

>>> import quatuor
>>> game = quatuor.new("plus4")
>>> game.legal()
['a', 'b', 'c', 'd']
>>> game.play("a")
>>> quatuor.engine(level=8).choose(game) in game.legal()
True
"""

import os
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quatuor.engine.batch import Batch as batch
    from quatuor.engine.network import BatchSearch as search
    from quatuor.engine.player import Engine
    from quatuor.engine.player import Engine as engine
    from quatuor.game import Game, new
    from quatuor.games.contract import IllegalMove, PositionError
    from quatuor.match import Match
    from quatuor.node import GameNode
    from quatuor.record import RecordError, load, load_all

__version__ = "0.1.0"
KERNEL_FOLDERS = ("kernel", "games", "engine")  # machine code depends on all files there, and on no others
__all__ = [
    "Engine", "Game", "GameNode", "IllegalMove", "Match", "PositionError", "RecordError", "batch", "engine", "load",
    "load_all", "new", "search",
]  # fmt: skip

_HOMES = {
    "Engine": "quatuor.engine.player",
    "Game": "quatuor.game",
    "GameNode": "quatuor.node",
    "IllegalMove": "quatuor.games.contract",
    "Match": "quatuor.match",
    "PositionError": "quatuor.games.contract",
    "RecordError": "quatuor.record",
    "load": "quatuor.record",
    "load_all": "quatuor.record",
    "new": "quatuor.game",
}

# Where colorama is installed, Numba puts it before the standard output for every word it colours, thousands of times a
# kernel; kernels are compiled in threads, and what another thread prints meanwhile would be lost now and then.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")


class _Package(ModuleType):
    """The package itself. Its attribute ``engine`` is a function, although a subpackage has the same name."""

    _engine: Callable[..., Any] | None = None

    @property
    def engine(self) -> Callable[..., Any]:
        if self._engine is None:
            function = import_module("quatuor.engine.player").engine
            function.__dict__ = vars(sys.modules["quatuor.engine"])  # so that quatuor.engine.review is the module
            self._engine = function
        return self._engine

    @engine.setter
    def engine(self, module: ModuleType) -> None:
        """The import system sets a subpackage as an attribute here; it stays in ``sys.modules`` all the same."""

    def __dir__(self) -> list[str]:
        """What is public: not what this file imports."""
        inside = {name for name in super().__dir__() if name.startswith("__") or f"{__name__}.{name}" in sys.modules}
        return sorted({*inside, *__all__})


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    """Import on first use: the compiler takes half a second to load, and ``quatuor --help`` does not need it."""
    if name == "batch":
        return import_module("quatuor.engine.batch").Batch
    if name == "search":
        return import_module("quatuor.engine.network").BatchSearch
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'quatuor' has no attribute {name!r}")
