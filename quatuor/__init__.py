"""Quatuor: four board games from their paper rulebooks.

>>> import quatuor
>>> game = quatuor.new("plus4")
>>> game.legal()
['a', 'b', 'c', 'd']
"""

import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quatuor.engine.batch import Batch as batch
    from quatuor.engine.player import Engine as engine
    from quatuor.game import Game, new
    from quatuor.games.contract import IllegalMove
    from quatuor.match import Match
    from quatuor.record import load

__version__ = "0.1.0"
KERNEL_FOLDERS = ("kernel", "games", "engine")  # machine code depends on all files there, and on no others
__all__ = ["Game", "IllegalMove", "Match", "batch", "engine", "load", "new"]

_HOMES = {
    "Game": "quatuor.game",
    "new": "quatuor.game",
    "IllegalMove": "quatuor.games.contract",
    "Match": "quatuor.match",
    "load": "quatuor.record",
}

# Where colorama is installed, Numba puts it before the standard output for every word it colours, thousands of times a
# kernel; kernels are compiled in threads, and what another thread prints meanwhile would be lost now and then.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")


def __getattr__(name: str) -> Any:
    """Import on first use: the compiler takes half a second to load, and ``quatuor --help`` does not need it."""
    from importlib import import_module

    if name == "engine":
        return import_module("quatuor.engine")  # a package that can be called
    if name == "batch":
        return import_module("quatuor.engine.batch").Batch
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'quatuor' has no attribute {name!r}")
