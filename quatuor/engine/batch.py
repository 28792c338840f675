"""Many games at once for learners: arrays in, arrays out, everything between in compiled code on all cores or a GPU.

Rows of arrays are games. Where seats act one after the other there is one *place* a game, for the seat to move; where
they act at once there is one a seat. What happens in the rows is in ``batch_kernels.py``, where they lie and run in
``batch_backend.py``, ``thread_pool.py`` and ``batch_cuda.py``; here are the checks and what a user sees.
"""

import os
from typing import Any

import numpy as np

from quatuor.engine.batch_backend import Array, Backend, SingleThread
from quatuor.engine.batch_kernels import ALL_LEGAL, Games, StepRules, forms
from quatuor.engine.observation import sizes
from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.games.contract import IllegalMove
from quatuor.kernel import seeds
from quatuor.kernel.jit import INTERPRETED, MODE

CAP = 1000  # turns after which a game is cut off; chosen, not measured
GRAIN = 1 << 16  # bytes of states that are worth one more thread; chosen, not measured
NOBODY, MOST_SEATS = -1, 4
LOWEST = np.array([NOBODY, *((bits & -bits).bit_length() - 1 for bits in range(1, 1 << MOST_SEATS))])  # by set of seats
SHOWN = 10  # legal actions in an error message


class Batch:
    """Many games of one kind, stepped together in compiled code. ``quatuor.batch(…)`` makes one.

    >>> games = Batch("plus4", n=4, seed=1)
    >>> for _ in range(10):
    ...     games.step(games.sample())
    >>> games.mask.shape, games.planes.shape, games.rewards.shape
    ((4, 8), (4, 4, 4, 4), (4, 2))

    The arrays are views that change with every step: copy what you keep.

    Args:
        name: The game.
        n: The number of games.
        variant: The game's first variant by default.
        device: ``"cpu"`` or ``"cuda"``. On a GPU all arrays are PyTorch tensors or CuPy arrays.
        seed: The same seed gives the same samples, with any number of threads and on any device.
        cap: A game is cut off after this many turns.
        auto_reset: Start a new game in the step in which one ends.
        observe: Compute ``planes`` and ``facts``.
        check: Check that actions are legal.
        threads: By default as many as the size of the batch is worth.
        options: Options of the game's rules.

    Raises:
        ValueError: There is no such game, variant, option or device, or a number is out of range.
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
        if self.game.seats > MOST_SEATS:
            raise ValueError(f"{name} has {self.game.seats} seats: a batch is for games of up to {MOST_SEATS}")
        observe = observe and self.game.book.planes is not None
        self.n, self.cap, self.auto_reset, self.check, self._observe = n, cap, auto_reset, check, observe
        self.simultaneous = len(self.game.to_move) > 1
        self._backend = _backend_for(device, self.game, n, threads)
        arrays = {
            key: self._backend.put(seeds(seed, n)) if key == "rngs" else self._backend.zeros(key, *form)
            for key, form in forms(self.game, n, cap, observe).items()
        }
        self._games = Games(**arrays)
        self._options, self._lowest = self._backend.put(self.game.option_values), self._backend.put(LOWEST)
        self.reset()

    # ---- where the games stand (views: they change with every step)

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
        """Facts about the whole that the acting seats see: (n, facts), or (n, seats, facts)."""
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
        """The games that this step ended. With ``auto_reset``, all other arrays are about the next game already."""
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
        """(n, cells): the states of the games."""
        return self._games.states

    # ---- playing

    def reset(self) -> None:
        """Restart all games."""
        for array in (self._games.rewards, self._games.ended, self._games.cut):
            array[:] = 0
        self._backend.run("restart", self._options, self._games)

    def step(self, actions: Any) -> None:
        """Play one action in each game: (n,), or (n, seats) where seats act at once. Finished games ignore theirs.

        Raises:
            IllegalMove: An action is not legal; no game has changed. Not checked with ``check=False``.
            ValueError: The array has another shape.
        """
        given = self._backend.take(actions)
        shape, wanted = tuple(given.shape), (self.n, self.game.seats) if self.simultaneous else (self.n,)
        if shape != wanted:
            raise ValueError(f"actions of shape {shape}: give {wanted}")
        given = given.reshape(self.n, -1)
        rules = StepRules(self.game.seats, self.cap, int(self.auto_reset))
        first = self._backend.step(given, self.check, rules, self._options, self._games)
        if first != ALL_LEGAL:
            self._refuse(first, given)

    def sample(self) -> Array:
        """A random legal action for each seat that acts; the same for the same seed."""
        games = self._games
        actions = self._backend.zeros("actions", tuple(games.counts.shape), np.int64)
        self._backend.run("draw", actions, games.moves, games.counts, games.rngs)
        return self._squeeze(actions)

    # ---- inside

    def _refuse(self, i: int, actions: Array) -> None:
        """Raise the error for game ``i``."""
        for place, action in enumerate(actions[i].tolist()):
            legal = sorted(self._games.moves[i, place, : int(self._games.counts[i, place])].tolist())
            if legal and action not in legal:
                seat = place if self.simultaneous else int(self.seat[i])
                more = ", …" if len(legal) > SHOWN else ""
                choices = ", ".join(map(str, legal[:SHOWN])) + more
                raise IllegalMove(f"game {i}: seat {seat} cannot play action {action}; legal: {choices}")

    def _squeeze(self, array: Array) -> Array:
        return array if self.simultaneous else array[:, 0]


def _backend_for(device: str, game: Game, n: int, threads: int | None) -> Backend:
    if device == "cpu":
        most = threads or min(os.cpu_count() or 1, n * game.book.state_size * 8 // GRAIN + 1)
        if min(most, n) == 1 or MODE == INTERPRETED:
            return SingleThread(game.book, n)
        from quatuor.engine.thread_pool import ThreadPool  # here: its atomic operations cannot run interpreted

        return ThreadPool(game.book, n, min(most, n))
    if device != "cuda":
        raise ValueError(f"device={device!r}: choose cpu or cuda")
    if threads is not None:
        raise ValueError(f"threads={threads} is for the CPU: leave it out with device='cuda'")
    from quatuor.engine.batch_cuda import Cuda  # here: it needs packages that the CPU does not

    return Cuda(game, n)
