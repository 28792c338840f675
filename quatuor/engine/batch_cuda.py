"""A batch on an NVIDIA GPU: the functions of ``batch_kernels.py``, one thread a game. Compiling needs the extra cuda.

The arrays that learners read are stored row by row, as on the CPU. All others are stored column by column, so that
neighbouring threads touch neighbouring words.
"""

import contextlib
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from quatuor.engine import no_observation
from quatuor.engine.batch_backend import Array, Backend
from quatuor.engine.batch_kernels import ALL_LEGAL, Games, StepRules, draw, first_illegal, forms, refresh, restart, step
from quatuor.game import Game
from quatuor.games.contract import Rulebook
from quatuor.kernel import Words, bind, template
from quatuor.kernel.device import Driver, array_words, library
from quatuor.kernel.jit import ours

with contextlib.suppress(ImportError):  # only the compiler needs it, see ``compiled``
    from numba import cuda

KERNELS = ("restart", "refresh", "step", "draw", "first_illegal")
BY_ROW = (
    "mask", "planes", "facts", "rewards", "ended", "cut", "scores", "actions", "final_planes", "final_facts",
)  # fmt: skip


@template
def restart_each(options: Words, games: Any) -> None:
    i = cuda.grid(1)
    if i < len(games.plies):
        restart(i, i + 1, options, games)


@template
def refresh_each(cap: int, games: Any) -> None:
    i = cuda.grid(1)
    if i < len(games.plies):
        refresh(i, i + 1, cap, games)


@template
def step_each(actions: Any, rules: StepRules, options: Words, games: Any) -> None:
    i = cuda.grid(1)
    if i < len(games.plies):
        step(i, i + 1, actions, rules, options, games)


@template
def draw_each(actions: Any, moves: Any, counts: Any, rngs: Any) -> None:
    i = cuda.grid(1)
    if i < len(counts):
        draw(i, i + 1, actions, moves, counts, rngs)


@template
def first_illegal_each(actions: Any, found: Words, active: Any, counts: Any, mask: Any) -> None:
    """``found[0]`` becomes the first game with an illegal action, if that is lower."""
    i = cuda.grid(1)
    if i < len(counts) and first_illegal(i, i + 1, actions, active, counts, mask) != ALL_LEGAL:
        cuda.atomic.min(found, 0, i)


class Cuda(Backend):
    """The GPU that PyTorch or CuPy is using."""

    def __init__(self, game: Game, n: int) -> None:
        self._n = n
        self._kept: dict[int, tuple[Array, list[int]]] = {}  # arrays that stay, and the words that describe them
        self._library = library()
        self._found = self.put(np.array([n]))
        self._driver = Driver()
        self._kernels = {
            kernel: self._driver.load(code, f"{kernel}_each_{game.name}")
            for kernel, code in compiled(game.book, self._library.capability).items()
        }

    def prepare(self, options: Words, games: Games) -> None:
        pass  # ``_keep`` has done it

    def zeros(self, name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> Array:
        array = self._library.zeros(shape, dtype, by_column=name not in BY_ROW)
        return array if name == "actions" else self._keep(array)

    def put(self, array: Array) -> Array:
        return self._keep(self._library.put(array.view(np.int64)))  # PyTorch has few operations on unsigned words

    def take(self, actions: Any) -> Array:
        if not hasattr(actions, "__cuda_array_interface__"):
            raise ValueError(f"actions in a {type(actions).__name__}: give an array that lies on the GPU")
        given = self._library.wrap(actions)
        if str(given.dtype) not in ("int64", "torch.int64"):
            raise ValueError(f"actions of type {given.dtype}: give int64, since they are read where they lie")
        return given

    def index(self, rows: Any) -> Array:
        on_gpu = hasattr(rows, "__cuda_array_interface__")
        return self._library.wrap(rows) if on_gpu else self._library.put(np.asarray(rows))

    def run(self, kernel: str, *arguments: Any) -> None:
        words = [word for argument in arguments for word in self._words(argument)]
        self._driver.launch(self._kernels[kernel], self._n, words, self._library.stream())

    def sample(self, games: Games) -> Array:
        actions = self.zeros("actions", tuple(games.counts.shape), np.int64)
        self.run("draw", actions, games.moves, games.counts, games.rngs)
        return actions

    def step(self, actions: Array, check: bool, rules: StepRules, options: Words, games: Games) -> int:
        first = self._first_illegal(actions, games) if check else ALL_LEGAL
        if first == ALL_LEGAL:
            self.run("step", actions, rules, options, games)
        return first

    def _first_illegal(self, actions: Array, games: Games) -> int:
        self._found[0] = self._n
        self.run("first_illegal", actions, self._found, games.active, games.counts, games.mask)
        first = int(self._found[0])  # waits for the GPU
        return ALL_LEGAL if first == self._n else first

    def _keep(self, array: Array) -> Array:
        self._kept[id(array)] = array, array_words(array)
        return array

    def _words(self, argument: Any) -> Iterable[int]:
        """An argument as a kernel takes it."""
        if isinstance(argument, Games):
            return (word for array in argument for word in self._kept[id(array)][1])
        if isinstance(argument, StepRules):
            return argument
        if isinstance(argument, int):
            return (argument,)
        return self._kept[id(argument)][1] if id(argument) in self._kept else array_words(argument)


_codes: dict[tuple[Any, tuple[int, int]], dict[str, bytes]] = {}


def compiled(book: Rulebook, architecture: tuple[int, int]) -> Mapping[str, bytes]:
    """The kernels of a game as machine code: ``step_each_plus4`` and so on.

    Raises:
        ImportError: Numba is missing.
    """
    made = book.rules, architecture
    if made not in _codes:
        try:
            from quatuor.kernel.cuda import machine_code
        except ImportError as missing:
            raise ImportError("device='cuda' needs Numba for its kernels: pip install 'quatuor[cuda]'") from missing

        planes = book.planes or no_observation
        bound = bind(sys.modules[__name__], book.rules, book.name, planes)
        keep = ours(book.rules.__file__) and ours(planes.__file__)
        _codes[made] = {
            kernel: machine_code(getattr(bound, f"{kernel}_each").py_func, types, architecture, keep)
            for kernel, types in zip(KERNELS, signatures(book), strict=True)
        }
    return _codes[made]


def signatures(book: Rulebook) -> list[tuple[Any, ...]]:
    """The types of every kernel's arguments, in the order of KERNELS."""
    from numba import from_dtype, int64
    from numba.types import Array, NamedTuple, NamedUniTuple

    arrays = {
        name: Array(from_dtype(np.dtype(kind)), len(shape), "C" if name in BY_ROW or len(shape) == 1 else "F")
        for name, (shape, kind) in forms(Game(book), 1, 1, look=False).items()
    }
    games, actions, some = NamedTuple(list(arrays.values()), Games), Array(int64, 2, "A"), Array(int64, 1, "C")
    rules = NamedUniTuple(int64, len(StepRules._fields), StepRules)
    return [
        (some, games),
        (int64, games),
        (actions, rules, some, games),
        (actions, arrays["moves"], arrays["counts"], arrays["rngs"]),
        (actions, some, arrays["active"], arrays["counts"], arrays["mask"]),
    ]
