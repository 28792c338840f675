"""Many games at once for learners: arrays in, arrays out, everything between in compiled code on all cores or a GPU.

Rows of arrays are games. Where seats act one after the other there is one *place* a game, for the seat to move; where
they act at once there is one a seat. What happens in the rows is in ``rows.py``; here are the arrays and the checks.
"""

import os
from typing import Any, Protocol

import numpy as np
from numba import config

from quatuor.engine import blind, rows
from quatuor.engine.observation import sizes
from quatuor.engine.rows import FINE, Games, forms
from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.games.contract import IllegalMove, Rulebook
from quatuor.kernel import Words, bind, seeds

CAP = 1000  # turns; then a game is cut off
GRAIN = 1 << 16  # bytes of states that are worth a thread of their own
NOBODY, SEATS = -1, 4
LOWEST = np.array([NOBODY, *((bits & -bits).bit_length() - 1 for bits in range(1, 1 << SEATS))])  # of a set of seats
SHOWN = 10  # legal actions in an error message

Array = Any  # NumPy's on the CPU; on a GPU PyTorch's or CuPy's


class Home(Protocol):
    """Where arrays lie and kernels run."""

    def zeros(self, name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> Array:
        """A new array; its name may decide how it lies in memory."""

    def put(self, array: Array) -> Array:
        """A NumPy array, brought here."""

    def take(self, actions: Any) -> Array:
        """Actions as a caller gives them, as an array; ValueError if they are none."""

    def run(self, kernel: str, *arguments: Any) -> None:
        """Have a function of ``rows.py`` done for all games."""

    def wrong(self, actions: Array, games: Games) -> int:
        """``rows.wrong`` for all games."""

    def step(self, actions: Array, check: bool, seats: int, cap: int, again: bool, options: Words, games: Games) -> int:
        """``rows.step`` for all games, unless (``check``) an action is wrong: then the first game that has one."""
        first = self.wrong(actions, games) if check else FINE
        if first == FINE:
            self.run("step", actions, seats, cap, again, options, games)
        return first


class Batch:
    """``n`` games of one kind. ``step`` plays a turn in each; the arrays below always tell how things stand.

    >>> games = Batch("plus4", n=4, seed=1)
    >>> for _ in range(10):
    ...     games.step(games.sample())
    >>> games.mask.shape, games.planes.shape, games.rewards.shape
    ((4, 8), (4, 4, 4, 4), (4, 2))

    With ``device="cuda"`` everything lies and happens on the GPU, and arrays are PyTorch's or CuPy's.
    """

    def __init__(
        self,
        name: str,
        n: int,
        variant: str | None = None,
        *,
        device: str = "cpu",
        seed: int = 0,
        cap: int = CAP,
        auto_reset: bool = True,
        observe: bool = True,
        check: bool = True,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        if n < 1 or cap < 1 or (threads is not None and threads < 1):
            raise ValueError(f"n={n}, cap={cap}, threads={threads}: choose whole numbers from 1")
        self.game = Game(rulebook(name), variant, options)
        if self.game.seats > SEATS:
            raise ValueError(f"{name} has {self.game.seats} seats: a batch is for games of up to {SEATS}")
        observe = observe and self.game.book.planes is not None
        self.n, self.cap, self.auto_reset, self.check, self._observe = n, cap, auto_reset, check, observe
        self.simultaneous = len(self.game.to_move) > 1
        self._home = _home(device, self.game, n, threads)
        arrays = {
            key: self._home.put(seeds(seed, n)) if key == "rngs" else self._home.zeros(key, *form)
            for key, form in forms(self.game, n, cap, observe).items()
        }
        self._games = Games(**arrays)
        self._options, self._lowest = self._home.put(self.game.words), self._home.put(LOWEST)
        self.reset()

    # ---- how things stand (views: they change with every step)

    @property
    def mask(self) -> Array:
        """1 where an action is legal: (n, actions), or (n, seats, actions) where seats act at once."""
        return self._squeeze(self._games.mask)

    @property
    def planes(self) -> Array:
        """What the acting seats see: (n, planes, rows, columns), or (n, seats, …) where seats act at once."""
        shape, _ = sizes(self.game.book)
        if not self._observe:
            raise ValueError("this batch was made with observe=False")
        return self._squeeze(self._games.planes.reshape(self.n, -1, *shape))

    @property
    def facts(self) -> Array:
        """What they know besides: (n, facts), or (n, seats, facts)."""
        sizes(self.game.book)
        if not self._observe:
            raise ValueError("this batch was made with observe=False")
        return self._squeeze(self._games.facts)

    @property
    def seat(self) -> Array:
        """The (lowest) seat that acts in each game, -1 where the game is over."""
        return self._lowest[self._games.acting]

    @property
    def rewards(self) -> Array:
        """(n, seats): from 1 (ahead of all others) to -1 (behind all) in the step in which a game ends, else 0."""
        return self._games.rewards

    @property
    def ended(self) -> Array:
        """The games that this step ended. With ``auto_reset``, all else is already about the next game."""
        return self._games.ended

    @property
    def cut(self) -> Array:
        """The games that were cut off after ``cap`` turns."""
        return self._games.cut

    @property
    def scores(self) -> Array:
        """(n, seats): the points of the last game that ended."""
        return self._games.scores

    @property
    def states(self) -> Array:
        """(n, words): the positions themselves."""
        return self._games.states

    # ---- playing

    def reset(self) -> None:
        """Begin all games anew."""
        for array in (self._games.rewards, self._games.ended, self._games.cut):
            array[:] = 0
        self._home.run("restart", self._options, self._games)

    def step(self, actions: Any) -> None:
        """Play one action in each game: (n,), or (n, seats) where seats act at once. Finished games take no notice."""
        given = self._home.take(actions)
        shape, wanted = tuple(given.shape), (self.n, self.game.seats) if self.simultaneous else (self.n,)
        if shape != wanted:
            raise ValueError(f"actions of shape {shape}: give {wanted}")
        given = given.reshape(self.n, -1)
        rules = self.game.seats, self.cap, self.auto_reset, self._options
        self._refuse(self._home.step(given, self.check, *rules, self._games), given)

    def sample(self) -> Array:
        """A random legal action for everyone who acts; the same for the same seed."""
        games = self._games
        actions = self._home.zeros("actions", tuple(games.counts.shape), np.int64)
        self._home.run("draw", actions, games.moves, games.counts, games.rngs)
        return self._squeeze(actions)

    # ---- inside

    def _refuse(self, i: int, actions: Array) -> None:
        if i == FINE:
            return
        for place, action in enumerate(actions[i].tolist()):
            fine = sorted(self._games.moves[i, place, : int(self._games.counts[i, place])].tolist())
            if fine and action not in fine:
                seat = place if self.simultaneous else int(self.seat[i])
                more = ", …" if len(fine) > SHOWN else ""
                choices = ", ".join(map(str, fine[:SHOWN])) + more
                raise IllegalMove(f"game {i}: seat {seat} cannot play action {action}; legal: {choices}")

    def _squeeze(self, array: Array) -> Array:
        return array if self.simultaneous else array[:, 0]


class Host(Home):
    """The CPU, the calling thread alone."""

    def __init__(self, book: Rulebook, n: int) -> None:
        self._kernels, self._all = bind(rows, book.rules, book.name, book.planes or blind), (0, n)

    def zeros(self, name: str, shape: tuple[int, ...], dtype: type[np.generic]) -> Array:
        # column by column: neighbouring games, short as they mostly are, share cache lines and pages
        return np.zeros(shape, dtype, order="F" if name == "history" else "C")

    def put(self, array: Array) -> Array:
        return array

    def take(self, actions: Any) -> Array:
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise ValueError(f"actions of type {given.dtype}: give whole numbers")
        return given.astype(np.int64, order="C", copy=False)

    def run(self, kernel: str, *arguments: Any) -> None:
        getattr(self._kernels, kernel)(*self._all, *arguments)

    def wrong(self, actions: Array, games: Games) -> int:
        return int(self._kernels.wrong(*self._all, actions, games.counts, games.mask))


def _home(device: str, game: Game, n: int, threads: int | None) -> Home:
    if device == "cpu":
        most = threads or min(os.cpu_count() or 1, n * game.book.state_size * 8 // GRAIN + 1)
        if min(most, n) == 1 or config.DISABLE_JIT:
            return Host(game.book, n)
        from quatuor.engine.crew import Crew  # here, since it is nothing for where rules run interpreted

        return Crew(game.book, n, min(most, n))
    if device != "cuda":
        raise ValueError(f"device={device!r}: choose cpu or cuda")
    if threads is not None:
        raise ValueError(f"threads={threads} is for the CPU: leave it out with device='cuda'")
    from quatuor.engine.batch_cuda import Cuda  # here, since it needs packages that the CPU does not

    return Cuda(game, n)
