"""Which kernels the libraries export: for each game, the searches and other modules that are compiled against it.

A module declares what it exports as ``EXPORTS`` (quatuor/kernel/signature.py). Besides the modules listed here, all
modules in the folder of a game count, and the seven functions of its rules.
"""

from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from quatuor.engine import (
    batch_kernels,
    flat_monte_carlo,
    network_kernels,
    no_observation,
    perft,
    playout,
    repetition,
    retrograde,
    search_registry,
    thread_pool,
    uct,
)
from quatuor.games import rulebook
from quatuor.games.contract import Rulebook
from quatuor.games.hooks import RULES
from quatuor.kernel import maths, rng
from quatuor.kernel.jit import bind, hook_signature
from quatuor.kernel.library import CORE
from quatuor.kernel.signature import Signature, symbol

CORE_MODULES = (maths, rng, repetition)  # kernels without a game that Python calls
THREADS = (thread_pool,)  # not for WebAssembly, where there are none


class Export(NamedTuple):
    """A kernel, and the name and the types of the function that the library exports."""

    symbol: str
    kernel: Any
    signature: Signature
    threads: bool = False  # whether it is for threads


class Binding(NamedTuple):
    """A module whose templates are compiled against a game."""

    module: ModuleType
    rules: Any
    advice: Any = None


def bindings(book: Rulebook) -> list[Binding]:
    """All that is compiled against a game."""
    words = book.option_values(book.variants[0], {})
    observation = book.planes or no_observation
    plain = flat_monte_carlo if _at_once(book, words) else uct
    found = [Binding(module, book.rules) for module in (playout, perft, plain)]
    found += [Binding(module, book.rules, observation) for module in (batch_kernels, thread_pool)]
    if plain is uct and book.planes is not None:
        found.append(Binding(network_kernels, book.rules, book.planes))
    if book.advice is not None:
        found.append(Binding(search_registry.SEARCHES[book.advice.SEARCH], book.rules, book.advice))
    if book.space is not None:
        found.append(Binding(retrograde, book.space))
    return found


def exports(name: str) -> list[Export]:
    """What the library of a game exports, or ``core``."""
    if name == CORE:
        return [export for module in CORE_MODULES for export in _of(module)]
    book = rulebook(name)
    hooks: list[tuple[Any, str]] = [(book.rules, rule) for rule in RULES] + (
        [(book.planes, "observe")] if book.planes else []
    )
    found = [Export(symbol(module.__name__, key), getattr(module, key), hook_signature(key)) for module, key in hooks]
    package = import_module(f"quatuor.games.{name}")
    for info in walk_packages(package.__path__, f"{package.__name__}."):
        found += _of(import_module(info.name))
    for module, rules, advice in bindings(book):
        bound = bind(module, rules, book.name, advice)
        found += [
            Export(symbol(module.__name__, key), getattr(bound, key), types, module in THREADS)
            for key, types in module.EXPORTS.items()
        ]
    return found


def _of(module: ModuleType) -> list[Export]:
    listed = getattr(module, "EXPORTS", {})
    return [Export(symbol(module.__name__, key), getattr(module, key), types) for key, types in listed.items()]


def _at_once(book: Rulebook, words: list[int]) -> bool:
    """Whether several seats act at once when the game begins."""
    state = np.zeros(book.state_size, np.int64)
    book.rules.setup(state, np.array(words, np.int64))
    return int(book.rules.to_move(state)).bit_count() > 1
