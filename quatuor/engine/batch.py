"""Many games at once for learners: arrays in, arrays out, everything between in compiled code on all cores or a GPU.

Each row of an array is a game. Where seats act one after the other, a game has one *place*, for the seat to move; where
they act at once, it has one for each seat. ``batch_kernels.py`` computes the rows; ``batch_backend.py``,
``thread_pool.py`` and ``batch_cuda.py`` hold the arrays and run the kernels. This file has the checks and what users
see.
"""

import operator
import os
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quatuor.engine.arguments import WHOLE, check_numbers
from quatuor.engine.batch_backend import Array, Backend, SingleThread
from quatuor.engine.batch_kernels import ALL_LEGAL, Games, StepRules, forms
from quatuor.engine.observation import sizes
from quatuor.engine.repetition import FILTER, digest
from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.games.contract import IllegalMove
from quatuor.kernel import seeds
from quatuor.kernel.jit import INTERPRETED, MODE

CAP = 1000  # turns after which a game is cut off; chosen, not measured
MOST = (1 << 31) - 1  # games, and turns of a game
GRAIN = 1 << 16  # bytes of states that are worth one more thread; chosen, not measured
NOBODY, MOST_SEATS = -1, 4
LOWEST = np.array([NOBODY, *((bits & -bits).bit_length() - 1 for bits in range(1, 1 << MOST_SEATS))])  # by set of seats
SHOWN = 10  # legal actions in an error message
ALL = slice(None)  # rows

# What users see of the arrays. On a GPU they are tensors or CuPy arrays with the same shapes and types.
Int8s = npt.NDArray[np.int8]
Int64s = npt.NDArray[np.int64]
Float32s = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


class Saved(NamedTuple):
    """Some games of a batch as ``Batch.save`` returns them: arrays with a row for each game."""

    states: Int64s  # (games, cells)
    plies: Int64s  # (games,): turns so far
    seen: Int64s  # which positions ``history`` may hold
    history: Int64s  # digests of the positions so far, for the repetition rule
    generators: npt.NDArray[np.uint64]  # the random generators of ``sample``; int64 on a GPU


class Batch:
    """Many games of one kind, stepped together in compiled code. ``quatuor.batch(…)`` makes one.

    >>> games = Batch("plus4", n=4, seed=1)
    >>> for _ in range(10):
    ...     games.step(games.sample())
    >>> games.mask.shape, games.planes.shape, games.rewards.shape
    ((4, 8), (4, 4, 4, 4), (4, 2))

    The arrays are views that change with every step: copy what you keep. ``np.from_dlpack``, ``torch.from_dlpack`` and
    other readers of DLPack take them without a copy.

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
        final: Keep what every seat saw when a game ended or was cut off (``final_planes``, ``final_facts``).
        threads: By default as many as the size of the batch is worth.
        options: Options of the game's rules.

    Raises:
        TypeError: A value that must be a whole number is not one.
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
        final: bool = False,
        threads: int | None = None,
        **options: Any,
    ) -> None:
        check_numbers(WHOLE, n=n, seed=seed, cap=cap)
        check_numbers(WHOLE | None, threads=threads)
        if not 1 <= n <= MOST or not 1 <= cap <= MOST or (threads is not None and threads < 1):
            raise ValueError(f"n={n}, cap={cap}, threads={threads}: choose whole numbers from 1, n and cap to {MOST}")
        self.game = Game(rulebook(name), variant, options)
        if self.game.seats > MOST_SEATS:
            raise ValueError(f"{name} has {self.game.seats} seats: a batch is for games of up to {MOST_SEATS}")
        observe = observe and self.game.book.planes is not None
        self.n, self.cap, self.auto_reset, self.check, self._observe = n, cap, auto_reset, check, observe
        self._all_active = True
        self.simultaneous = len(self.game.to_move) > 1
        self._backend = _backend_for(device, self.game, n, threads)
        arrays = {
            key: self._backend.put(seeds(seed, n)) if key == "rngs" else self._backend.zeros(key, *form)
            for key, form in forms(self.game, n, cap, observe, final and observe).items()
        }
        self._games = Games(**arrays)
        self._games.active[:] = True
        self._options, self._lowest = self._backend.put(self.game.option_values), self._backend.put(LOWEST)
        self._backend.prepare(self._options, self._games)
        self.reset()

    def __repr__(self) -> str:
        return f"<Batch {self.game.name}:{self.game.variant.name}, {self.n} games>"

    def __reduce__(self) -> Any:
        raise TypeError("a batch cannot be pickled: make one in each process, and hand games over by save and load")

    # ---- where the games stand (views: they change with every step)

    @property
    def mask(self) -> Int8s:
        """1 where an action is legal: (n, actions), or (n, seats, actions) where seats act at once."""
        mask: Int8s = self._squeeze(self._games.mask)
        return mask

    @property
    def planes(self) -> Int8s:
        """What the acting seats see: (n, planes, rows, columns), or (n, seats, …) where seats act at once."""
        shape, _ = sizes(self.game.book)
        if not self._observe:
            raise ValueError("this batch was made with observe=False")
        planes: Int8s = self._squeeze(self._games.planes.reshape(self.n, -1, *shape))
        return planes

    @property
    def facts(self) -> Int8s:
        """Facts about the whole that the acting seats see: (n, facts), or (n, seats, facts)."""
        sizes(self.game.book)
        if not self._observe:
            raise ValueError("this batch was made with observe=False")
        facts: Int8s = self._squeeze(self._games.facts)
        return facts

    @property
    def seat(self) -> Int64s:
        """The (lowest) seat that acts in each game, -1 where the game is over."""
        seats: Int64s = self._lowest[self._games.acting]
        return seats

    @property
    def rewards(self) -> Float32s:
        """(n, seats): from 1 (ahead of all others) to -1 (behind all) in the step in which a game ends, else 0."""
        rewards: Float32s = self._games.rewards
        return rewards

    @property
    def ended(self) -> Bools:
        """The games that this step ended. With ``auto_reset``, all other arrays are about the next game already."""
        ended: Bools = self._games.ended
        return ended

    @property
    def cut(self) -> Bools:
        """The games that were cut off after ``cap`` turns."""
        cut: Bools = self._games.cut
        return cut

    @property
    def scores(self) -> Int64s:
        """(n, seats): the points of the last game that ended."""
        scores: Int64s = self._games.scores
        return scores

    @property
    def states(self) -> Int64s:
        """(n, cells): the states of the games."""
        states: Int64s = self._games.states
        return states

    @property
    def plies(self) -> Int64s:
        """How many turns of each game have been played."""
        plies: Any = self._games.plies
        return plies  # type: ignore[no-any-return]

    @property
    def final_planes(self) -> Int8s:
        """(n, seats, planes, rows, columns): what every seat saw at the end of the last game, ended or cut off."""
        self._check_final()
        planes: Int8s = self._games.final_planes.reshape(self.n, -1, *sizes(self.game.book)[0])
        return planes

    @property
    def final_facts(self) -> Int8s:
        """(n, seats, facts): the facts at the end of the last game."""
        self._check_final()
        facts: Int8s = self._games.final_facts
        return facts

    # ---- playing

    def reset(self, rows: Any = None, *, seed: int | Sequence[int] | None = None) -> None:
        """Restart all games, or some: their numbers, or n booleans.

        ``seed``: with new random numbers. Game i gets those of ``seed`` + i, or with n numbers those of ``seed[i]``.
        """
        chosen = self._choose(rows)
        if seed is not None:
            rngs = self._games.rngs
            fresh = self._generators(seed)
            rngs[chosen] = self._backend.index(fresh if "uint" in str(rngs.dtype) else fresh.view(np.int64))[chosen]
        for array in (self._games.rewards, self._games.ended, self._games.cut):
            array[chosen] = 0
        self._run(chosen, "restart", self._options, self._games)

    def step(self, actions: Any, rows: Any = None) -> None:
        """Play one action in each game: (n,), or (n, seats) where seats act at once. Finished games ignore theirs.

        With ``rows``, numbers of games or n booleans, the other games stay as they are, whatever their actions.

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
        chosen = self._choose(rows)
        self._activate(chosen)
        first = self._backend.step(given, self.check, rules, self._options, self._games)
        self._activate(ALL)
        if first != ALL_LEGAL:
            self._refuse(first, given)

    def sample(self, rows: Any = None) -> Int64s:
        """A random legal action for each seat that acts; the same for the same seed.

        With ``rows``, numbers of games or n booleans, the other games use up no random numbers: the next call draws
        the same actions for them.
        """
        chosen, rngs = self._choose(rows), self._games.rngs
        kept: Array = None if chosen is ALL else _copy(rngs)
        drawn: Int64s = self._squeeze(self._backend.sample(self._games))
        if kept is not None:
            kept[chosen] = rngs[chosen]
            rngs[:] = kept
        return drawn

    # ---- states in and out

    def save(self, rows: Any = None) -> Saved:
        """Copy all games, or some (their numbers, or n booleans), for ``load`` in this or another batch."""
        chosen, games = self._choose(rows), self._games
        plies = _copy(self.plies[chosen])
        longest = min(int(plies.max()) + 1 if len(plies) else 0, games.history.shape[1])
        history = _copy(games.history[chosen][:, :longest])
        return Saved(_copy(games.states[chosen]), plies, _copy(games.seen[chosen]), history, _copy(games.rngs[chosen]))

    def load(self, saved: Saved | Game, rows: Any = None) -> None:
        """Put saved games into ``rows`` (all by default), in order; a ``quatuor.Game`` goes into each of them.

        A row continues as the saved game would have: the repetition rule knows its earlier positions, and ``sample``
        draws the same actions. With a ``Game``, rows keep their random numbers. ``load`` does not check saved states.

        Raises:
            ValueError: The games are of another kind or too long for ``cap``, or their number is wrong.
        """
        chosen, games = self._choose(rows), self._games
        count = len(games.states[chosen])
        given = self._of_game(saved, count) if isinstance(saved, Game) else saved
        if not isinstance(given, Saved):
            raise TypeError(f"load takes what save() returned, or a quatuor.Game, not {type(saved).__name__}")
        if len(given.states) != count or given.states.shape[1] != games.states.shape[1]:
            raise ValueError(f"saved states of shape {tuple(given.states.shape)} for {count} games of {self.game.name}")
        longest = int(given.plies.max()) if count else 0
        if longest >= self.cap:
            raise ValueError(f"a saved game has {longest} turns: this batch cuts off at cap={self.cap}")
        if games.history.shape[1] and given.history.shape[1] <= longest:
            raise ValueError("the saved games lack the earlier positions that the repetition rule counts")
        games.states[chosen], games.seen[chosen], self.plies[chosen] = given.states, given.seen, given.plies
        if games.history.shape[1]:
            games.history[chosen, : given.history.shape[1]] = given.history
        if not isinstance(saved, Game):
            games.rngs[chosen] = given.generators
        for array in (games.rewards, games.ended, games.cut):
            array[chosen] = 0
        self._run(chosen, "refresh", self.cap, games)

    def copy_rows(self, source: Any, target: Any) -> None:
        """Copy games over others: ``source`` and ``target`` are numbers of games, as many of each.

        The target rows keep their random numbers, so copies of one game go different ways.
        """
        kept = _copy(self._games.rngs[self._choose(target)])
        self.load(self.save(source)._replace(generators=kept), target)

    def to_game(self, row: int) -> Game:
        """One game as a ``quatuor.Game``, to show or to analyse. It does not know the turns before."""
        check_numbers(WHOLE, row=row)
        if not -self.n <= row < self.n:
            raise ValueError(f"row={row}: games have the numbers 0 to {self.n - 1}")
        game = Game(self.game.book, self.game.variant.name, self.game.options)
        game.state = np.array(self._games.states[row].tolist(), np.int64)
        game._begin(())
        return game

    # ---- inside

    def _choose(self, rows: Any) -> Array:
        """Rows as an index of arrays: a slice for all, numbers, or booleans."""
        if rows is None:
            return ALL
        chosen = self._backend.index(rows)
        kind = str(chosen.dtype)
        if not ("bool" in kind and tuple(chosen.shape) == (self.n,)) and not ("int" in kind and len(chosen.shape) == 1):
            raise ValueError(f"rows={rows!r}: give a list of numbers from 0 to {self.n - 1}, or {self.n} booleans")
        if "int" in kind and len(chosen) and not (int(chosen.min()) >= 0 and int(chosen.max()) < self.n):
            raise ValueError(f"rows={rows!r}: games have the numbers 0 to {self.n - 1}")
        return chosen

    def _generators(self, seed: Any) -> npt.NDArray[np.uint64]:
        """Random numbers of a seed, or of one for each game."""
        if isinstance(seed, WHOLE):
            return seeds(int(seed), self.n)
        try:
            each = [operator.index(one) for one in seed]
        except TypeError:
            raise TypeError(f"seed={seed!r}: give a whole number, or one for each of the {self.n} games") from None
        if len(each) != self.n:
            raise ValueError(f"{len(each)} seeds: give one number, or one for each of the {self.n} games")
        return np.concatenate([seeds(one, 1) for one in each])

    def _activate(self, chosen: Array) -> None:
        """Choose the games for the next call of a kernel; between calls all of them are chosen."""
        if chosen is not ALL:
            self._games.active[:] = False
            self._games.active[chosen] = True
        elif not self._all_active:
            self._games.active[:] = True
        self._all_active = chosen is ALL

    def _run(self, chosen: Array, kernel: str, *arguments: Any) -> None:
        self._activate(chosen)
        self._backend.run(kernel, *arguments)
        self._activate(ALL)

    def _of_game(self, game: Game, count: int) -> Saved:
        """A game, saved ``count`` times."""
        mine = self.game
        if (game.book, game.variant, game.options) != (mine.book, mine.variant, mine.options):
            raise ValueError(f"a game of {game.name}:{game.variant.name}: this batch plays {mine!r} with other rules")
        keys = [np.array(np.frombuffer(key, np.int64)) for key in game.occurred]
        history = np.array([digest(key, len(key)) for key in keys], np.int64)
        full = np.full((1, FILTER), (1 << 32) - 1)  # a filter that excludes nothing
        parts = game.common[None], np.array([max(game.ply, len(keys) - 1)]), full, history[None]
        states, plies, seen, past = (self._backend.index(np.repeat(part, count, axis=0)) for part in parts)
        return Saved(states, plies, seen, past, seeds(0, 0))  # the random numbers stay as they are

    def _check_final(self) -> None:
        sizes(self.game.book)
        if not self._games.final_facts.shape[2]:
            raise ValueError("this batch was made without final=True")

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


def _copy(array: Array) -> Array:
    """A copy of an array of NumPy, CuPy or PyTorch."""
    return array.clone() if hasattr(array, "clone") else array.copy()


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
