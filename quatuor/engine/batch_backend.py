"""Where the arrays of a batch lie and its kernels run. Here: on the CPU, in the calling thread."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from quatuor.engine import batch_kernels, no_observation
from quatuor.engine.batch_kernels import ALL_LEGAL, Games, StepRules
from quatuor.games.contract import Rulebook
from quatuor.kernel import Words, bind
from quatuor.kernel.jit import prebound

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

    def prepare(self, options: Words, games: Games) -> None:
        """Called once with the arrays of the batch, before anything is run on them."""

    def run(self, kernel: str, *arguments: Any) -> None:
        """Run ``restart`` or ``refresh`` of ``batch_kernels.py`` on all games."""

    def sample(self, games: Games) -> Array:
        """A new array of actions that ``batch_kernels.draw`` has drawn for all games."""

    def step(self, actions: Array, check: bool, rules: StepRules, options: Words, games: Games) -> int:
        """``batch_kernels.step`` on all games. With ``check``, an illegal action leaves all games as they are.

        Returns the first game with an illegal action, or ALL_LEGAL.
        """


class SingleThread(Backend):
    """The CPU, in the calling thread alone. Its arrays stay the same, so calls of kernels are prepared once."""

    def __init__(self, book: Rulebook, n: int) -> None:
        self._kernels = bind(batch_kernels, book.rules, book.name, book.planes or no_observation)
        self._n = n
        self._calls: dict[str, Callable[[int], int]] = {}  # by kernel; the argument is the first game, always 0
        self._rules: StepRules | None = None  # of the prepared step

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

    def prepare(self, options: Words, games: Games) -> None:
        self._actions = np.zeros(games.counts.shape, np.int64)  # what steps play and samples are drawn into
        self._call("restart", options, games)
        self._call("draw", self._actions, games.moves, games.counts, games.rngs)
        self._call("first_illegal", self._actions, games.active, games.counts, games.mask)

    def run(self, kernel: str, *arguments: Any) -> None:
        if kernel == "refresh":
            self._kernels.refresh(0, self._n, *arguments)
        else:
            self._calls[kernel](0)

    def sample(self, games: Games) -> Array:
        self._calls["draw"](0)
        return self._actions.copy()

    def step(self, actions: Array, check: bool, rules: StepRules, options: Words, games: Games) -> int:
        self._actions[:] = actions
        first = int(self._calls["first_illegal"](0)) if check else ALL_LEGAL
        if first == ALL_LEGAL:
            if rules != self._rules:
                self._rules = rules
                self._call("step", self._actions, rules, options, games)
            self._calls["step"](0)
        return first

    def _call(self, kernel: str, *arguments: Any) -> None:
        """Prepare the calls of a kernel on all games."""
        self._calls[kernel] = prebound(getattr(self._kernels, kernel), self._n, *arguments)
