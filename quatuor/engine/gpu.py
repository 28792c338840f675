"""Random games on a GPU: the CPU's ``playout``, one game a thread. Needs the extra ``cuda`` to compile, not to run.

Every thread owns one row of each scratch array and plays games i, i + threads, … on it. Arrays lie in memory column
by column, so that neighbouring threads read neighbouring words.
"""

import sys
from dataclasses import dataclass
from typing import Any

from numba import cuda, int64, uint64
from numba.types import Array

from quatuor.engine.playout import playout
from quatuor.engine.repetition import table_size
from quatuor.games.contract import Rulebook, outcome, setup
from quatuor.kernel import Words, bind, template
from quatuor.kernel.cuda import HOPPER, Architecture, Ptx, compile_ptx


@template
def play_games(
    rngs: Any,
    options: Words,
    cap: int,
    states: Any,
    moves: Any,
    words: Any,
    tables: Any,
    slots: Any,
    scores: Any,
    places: Any,
    plies: Words,
) -> None:
    """The kernel: like ``playout.playouts``, with a row of scratch space for every thread. Tables begin as zeros."""
    row = cuda.grid(1)
    for i in range(row, len(plies), cuda.gridsize(1)):
        setup(states[row], options)
        plies[i] = playout(rngs[i], states[row], cap, moves[row], words[row], tables[row], slots[row])
        outcome(states[row], scores[i], places[i])


_ROWS, _LIST = Array(int64, 2, "F"), Array(int64, 1, "C")
SIGNATURE = (Array(uint64, 2, "F"), _LIST, int64, *[_ROWS] * 7, _LIST)


@dataclass(frozen=True)
class Scratch:
    """How many words of each scratch array a thread needs, in the order of ``play_games``."""

    state: int
    moves: int
    words: int
    table: int
    slots: int


def scratch(book: Rulebook, cap: int) -> Scratch:
    """The scratch space for games of at most ``cap`` turns."""
    return Scratch(book.state_size, book.max_moves, book.state_size, table_size(cap + 1), cap + 1)


def build(book: Rulebook, architecture: Architecture = HOPPER) -> Ptx:
    """``play_games`` for one game."""
    bound = bind(sys.modules[__name__], book.rules, book.name)
    return compile_ptx(bound.play_games.py_func, SIGNATURE, architecture)
