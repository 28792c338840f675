"""Random games on a GPU: the CPU's ``playout``, one game a thread. Only compiling needs the extra ``cuda``.

Every thread owns one row of each scratch array and plays games i, i + threads, … on it. Arrays are stored column
by column, so that neighbouring threads read neighbouring words.
"""

import sys
from typing import Any

from numba import cuda, int64, uint64
from numba.types import Array, NamedTuple, NamedUniTuple

from quatuor.engine.playout import Results, Scratch, playout
from quatuor.engine.repetition import History
from quatuor.games.contract import Rulebook, outcome, setup
from quatuor.kernel import Words, bind, template
from quatuor.kernel.cuda import HOPPER, Architecture, Ptx, compile_ptx


@template
def play_games(rngs: Any, options: Words, cap: int, scratch: Scratch, results: Results) -> None:
    """The kernel: like ``playout.playouts``, with a row of scratch space for every thread. Memos begin as zeros."""
    row = cuda.grid(1)
    state = scratch.state[row]
    history = History(scratch.memo[row], scratch.slots[row], scratch.key[row])
    for i in range(row, len(results.plies), cuda.gridsize(1)):
        setup(state, options)
        results.plies[i] = playout(rngs[i], state, cap, scratch.moves[row], history)
        outcome(state, results.scores[i], results.places[i])


_ROWS, _LIST = Array(int64, 2, "F"), Array(int64, 1, "C")
SIGNATURE = (
    Array(uint64, 2, "F"),
    _LIST,
    int64,
    NamedUniTuple(_ROWS, len(Scratch._fields), Scratch),
    NamedTuple([_ROWS, _ROWS, _LIST], Results),
)


def build(book: Rulebook, architecture: Architecture = HOPPER) -> Ptx:
    """``play_games`` for one game."""
    bound = bind(sys.modules[__name__], book.rules, book.name)
    return compile_ptx(bound.play_games.py_func, SIGNATURE, architecture)
