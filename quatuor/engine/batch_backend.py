"""Where the arrays of a batch lie and its kernels run. Here: on the CPU, in the calling thread."""

from typing import Any, Protocol

import numpy as np

from quatuor.engine import batch_kernels, no_observation
from quatuor.engine.batch_kernels import ALL_LEGAL, Games, StepRules
from quatuor.games.contract import Rulebook
from quatuor.kernel import Words, bind

Array = Any  # NumPy's on the CPU; on a GPU PyTorch's or CuPy's


class Backend(Protocol):
    """What a batch needs of the processor it runs on."""

    def zeros(self, name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> Array:
        """A new array; its name may decide its order in memory."""

    def put(self, array: Array) -> Array:
        """Copy a NumPy array to this processor's memory."""

    def take(self, actions: Any) -> Array:
        """The caller's actions as an array; ValueError if they are not whole numbers."""

    def index(self, rows: Any) -> Array:
        """The caller's choice of games as an array of this processor."""

    def run(self, kernel: str, *arguments: Any) -> None:
        """Run a function of ``batch_kernels.py`` on all games."""

    def first_illegal(self, actions: Array, games: Games) -> int:
        """``batch_kernels.first_illegal`` on all games."""

    def step(self, actions: Array, check: bool, rules: StepRules, options: Words, games: Games) -> int:
        """``batch_kernels.step`` on all games. With ``check``, an illegal action leaves all games as they are.

        Returns the first game with an illegal action, or ALL_LEGAL.
        """
        first = self.first_illegal(actions, games) if check else ALL_LEGAL
        if first == ALL_LEGAL:
            self.run("step", actions, rules, options, games)
        return first


class SingleThread(Backend):
    """The CPU, in the calling thread alone."""

    def __init__(self, book: Rulebook, n: int) -> None:
        self._kernels = bind(batch_kernels, book.rules, book.name, book.planes or no_observation)
        self._all = (0, n)

    def zeros(self, name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> Array:
        # column by column: most games are short, so the histories of neighbouring games share cache lines and pages
        return np.zeros(shape, dtype, order="F" if name == "history" else "C")

    def put(self, array: Array) -> Array:
        return array

    def take(self, actions: Any) -> Array:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise ValueError(f"actions of type {given.dtype}: give whole numbers")
        return given.astype(np.int64, order="C", copy=False)

    def index(self, rows: Any) -> Array:
        return np.asarray(rows)

    def run(self, kernel: str, *arguments: Any) -> None:
        getattr(self._kernels, kernel)(*self._all, *arguments)

    def first_illegal(self, actions: Array, games: Games) -> int:
        return int(self._kernels.first_illegal(*self._all, actions, games.active, games.counts, games.mask))
