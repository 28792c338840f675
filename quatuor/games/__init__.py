"""The games. ``rulebook(name)`` returns one; it is imported, and later compiled, only when it is asked for.

A bundled game is a folder beside this file that defines ``RULEBOOK``; there is no list of their names. In the
environment, ``QUATUOR_GAMES`` names further modules that define ``RULEBOOK``, separated by commas. ``register`` adds a
game from Python. Every part of this package then knows all of them.
"""

import os
import pkgutil
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module

from quatuor.games.contract import Rulebook

NAMES = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))  # the bundled games
_extra: dict[str, Rulebook] = {}


def names() -> tuple[str, ...]:
    """The name of every game."""
    _load_own()
    return NAMES + tuple(_extra)


def rulebooks() -> list[Rulebook]:
    """Every game, in the order in which lists show them."""
    return sorted(map(rulebook, names()), key=lambda book: (book.order, book.name))


def named_modules() -> Iterator[tuple[str, Rulebook]]:
    """The modules that ``QUATUOR_GAMES`` names and their rulebooks, which may be wrong in any way."""
    for module in filter(None, map(str.strip, os.environ.get("QUATUOR_GAMES", "").split(","))):
        try:
            yield module, import_module(module).RULEBOOK
        except Exception as error:  # importing runs the module, which may raise anything
            last = traceback.extract_tb(error.__traceback__)[-1]
            why = f"{type(error).__name__}: {error}, at {last.filename}:{last.lineno}"
            if isinstance(error, ModuleNotFoundError) and error.name == module.partition(".")[0]:
                why = f"{error}: its folder must be on PYTHONPATH"
            raise ValueError(f"QUATUOR_GAMES={module}: name modules that define RULEBOOK ({why})") from None


@cache
def _load_own() -> None:
    for module, book in named_modules():
        try:
            _add(book)
        except ValueError as error:
            raise ValueError(f"QUATUOR_GAMES={module}: {error}") from None


def register(book: Rulebook) -> None:
    """Add a game: ``quatuor.new`` and everything built on it then know it.

    The fields are checked, and a random game of every variant is played. ``quatuor check`` looks for more.

    Raises:
        ValueError: The rulebook is wrong; the message says what would be right.
    """
    _load_own()
    _add(book)


@contextmanager
def provisional(book: Rulebook) -> Iterator[None]:
    """Let a game that is being checked be found by its name."""
    _load_own()
    if book.name in (*NAMES, *_extra):
        yield
        return
    _extra[book.name] = book
    try:
        yield
    finally:
        del _extra[book.name]


def _add(book: Rulebook) -> None:
    from quatuor.games.validation import validate  # only games of one's own need it

    if getattr(book, "name", None) in (*NAMES, *_extra):
        raise ValueError(f"a game named {book.name!r} is registered already")
    validate(book)
    _extra[book.name] = book


def rulebook(name: str) -> Rulebook:
    """A game by its name. ValueError lists the names if there is none."""
    _load_own()
    if not isinstance(name, str) or name not in (*NAMES, *_extra):
        raise ValueError(f"unknown game {name!r}; the games are {', '.join(names())}")
    if name in _extra:
        return _extra[name]
    book: Rulebook = import_module(f"quatuor.games.{name}").RULEBOOK
    if book.name != name:
        raise ValueError(f"the folder quatuor/games/{name} holds a game named {book.name!r}: rename one of them")
    return book
