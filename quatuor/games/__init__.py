"""The rulebooks. ``rulebook(name)`` finds one; a game is imported, and compiled, only when it is asked for.

``QUATUOR_GAMES`` in the environment names modules with a ``RULEBOOK`` each, separated by commas: games of one's own,
which every part of this package then knows like the four.
"""

import os
from functools import cache
from importlib import import_module

from quatuor.games.contract import Rulebook

NAMES = ("plus4", "blokus", "plateau_x", "trois_six")
_extra: dict[str, Rulebook] = {}


def names() -> tuple[str, ...]:
    """Every game's name."""
    _load_own()
    return NAMES + tuple(_extra)


@cache
def _load_own() -> None:
    for module in filter(None, os.environ.get("QUATUOR_GAMES", "").split(",")):
        try:
            book = import_module(module.strip()).RULEBOOK
        except (ImportError, AttributeError) as why:
            raise ValueError(f"QUATUOR_GAMES={module}: name modules that define RULEBOOK ({why})") from None
        _extra[book.name] = book


def register(book: Rulebook) -> None:
    """Add a game of one's own: from then on ``quatuor.new`` and everything built on it knows the game."""
    if book.name in names():
        raise ValueError(f"a game named {book.name!r} is registered already")
    _extra[book.name] = book


def rulebook(name: str) -> Rulebook:
    """A game by its name."""
    if name in names() and name in _extra:
        return _extra[name]
    if name not in NAMES:
        raise ValueError(f"unknown game {name!r}; the games are {', '.join(names())}")
    book: Rulebook = import_module(f"quatuor.games.{name}").RULEBOOK
    return book
