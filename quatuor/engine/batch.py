"""Many games at once for learners: arrays in, arrays out, everything between in compiled code on all cores.

Rows of arrays are games. Where seats act one after the other there is one *place* a game, for the seat to move; where
they act at once there is one a seat.
"""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quatuor.engine import observation
from quatuor.engine.observation import Int8s, sizes
from quatuor.engine.repetition import digest
from quatuor.engine.uct import share
from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.games.contract import IllegalMove, key, legal, outcome, play, repeat, setup, to_move
from quatuor.kernel import Words, below, bind, seeds, template

CAP = 1000  # turns; then a game is cut off
GRAIN = 1 << 16  # bytes of states that are worth a thread of their own
NOBODY, FINE = -1, -1
SHOWN = 10  # legal actions in an error message


class Games(NamedTuple):
    """Every array of a batch; the first index is the game."""

    states: Any
    plies: Any
    acting: Any  # a bit for each seat that acts
    moves: Any  # game, place, list of legal actions
    counts: Any  # game, place: how many of them there are
    mask: Any  # game, place, action: 1 if legal
    rewards: Any  # game, seat: -1 to 1 when the game ends, else 0
    ended: Any
    cut: Any
    scores: Any  # game, seat: of the last game that ended
    places: Any
    rngs: Any
    words: Any  # scratch
    history: Any  # digests of the positions so far, where the repetition rule counts them


# Every function takes games ``first`` to ``last - 1``, one call for many: the arrays of Games are over a hundred words
# of arguments. What is called for a single game takes only what it needs.


@template
def occur(state: Words, words: Words, history: Words, kept: int) -> int:
    """Keep a position behind the ``kept`` ones; return how often it has occurred, 0 where nobody counts.

    A game's history is short and searched from end to end: a table would lie somewhere in memory for every game.
    """
    n = key(state, words)
    if n == 0:
        return 0
    number = digest(words, n)
    times = 1
    for j in range(kept):
        times += 1 if history[j] == number else 0
    history[kept] = number
    return times


@template
def begin(first: int, last: int, options: Words, games: Any) -> None:
    """Set the games up."""
    for i in range(first, last):
        setup(games.states[i], options)
        games.plies[i] = 0
        occur(games.states[i], games.words[i], games.history[i], 0)


@template
def list_moves(first: int, last: int, seats: int, games: Any) -> None:
    """Find out who acts and what is legal; of the mask only what changes is written."""
    several = games.counts.shape[1] > 1
    for i in range(first, last):
        for place in range(games.counts.shape[1]):
            for j in range(games.counts[i, place]):
                games.mask[i, place, games.moves[i, place, j]] = 0
            games.counts[i, place] = 0
        acting = to_move(games.states[i])
        games.acting[i] = acting
        for seat in range(seats):
            if acting >> seat & 1:
                place = seat if several else 0
                n = legal(games.states[i], seat, games.moves[i, place])
                games.counts[i, place] = n
                for j in range(n):
                    games.mask[i, place, games.moves[i, place, j]] = 1


@template
def turns(first: int, last: int, actions: Any, seats: int, cap: int, again: bool, options: Words, games: Any) -> None:
    """Play a turn of each game. If that ends it, reward the seats and (``again``) begin anew."""
    several = games.counts.shape[1] > 1
    for i in range(first, last):
        state = games.states[i]
        games.ended[i] = False
        games.cut[i] = False
        for seat in range(seats):
            games.rewards[i, seat] = 0.0
        acting = games.acting[i]
        if acting == 0:
            continue
        for seat in range(seats):
            if acting >> seat & 1:
                play(state, seat, actions[i, seat if several else 0])
        games.plies[i] += 1
        if occur(state, games.words[i], games.history[i], games.plies[i]) == 3 and to_move(state):
            repeat(state)
        if to_move(state) == 0:
            games.ended[i] = True
            outcome(state, games.scores[i], games.places[i])
            for seat in range(seats):
                games.rewards[i, seat] = 2.0 * share(games.places[i], seats, seat) - 1.0
        elif games.plies[i] == cap:
            games.cut[i] = True
        if again and (games.ended[i] or games.cut[i]):
            begin(i, i + 1, options, games)


@template
def wrong(first: int, last: int, actions: Any, games: Any) -> int:
    """The first game for which an action is given that is not legal, or FINE."""
    for i in range(first, last):
        for place in range(games.counts.shape[1]):
            action = actions[i, place]
            if games.counts[i, place] and not (0 <= action < games.mask.shape[2] and games.mask[i, place, action]):
                return i
    return FINE


@template
def draw(first: int, last: int, actions: Any, games: Any) -> None:
    """A random legal action for everyone who acts, 0 for the others."""
    for i in range(first, last):
        for place in range(games.counts.shape[1]):
            n = games.counts[i, place]
            actions[i, place] = games.moves[i, place, below(games.rngs[i], n)] if n else 0


class Batch:
    """``n`` games of one kind. ``step`` plays a turn in each; the arrays below always tell how things stand.

    >>> games = Batch("plus4", n=4, seed=1)
    >>> for _ in range(10):
    ...     games.step(games.sample())
    >>> games.mask.shape, games.planes.shape, games.rewards.shape
    ((4, 8), (4, 4, 4, 4), (4, 2))
    """

    def __init__(
        self,
        name: str,
        n: int,
        variant: str | None = None,
        *,
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
        self.n, self.cap, self.auto_reset, self.check = n, cap, auto_reset, check
        book, seats = self.game.book, self.game.seats
        self.simultaneous = len(self.game.to_move) > 1
        places = seats if self.simultaneous else 1
        self._games = _arrays(self.game, n, places, cap, seed)
        self._actions = np.zeros((n, places), np.int64)
        self._options = self.game.words
        self._kernel = bind(sys.modules[__name__], book.rules, book.name)
        self._planes: Int8s | None = None
        if observe:
            shape, facts = sizes(book)
            self._eyes = bind(observation, book.rules, book.name, book.planes)
            self._planes = np.zeros((n, places, int(np.prod(shape))), np.int8)
            self._facts, self._shape = np.zeros((n, places, facts), np.int8), shape
        wanted = threads or min(os.cpu_count() or 1, self._games.states.nbytes // GRAIN + 1)
        self._parts = np.linspace(0, n, min(wanted, n) + 1).astype(int).tolist()
        self._pool = ThreadPoolExecutor(len(self._parts) - 2) if len(self._parts) > 2 else None
        self.reset()

    # ---- how things stand (views: they change with every step)

    @property
    def mask(self) -> Int8s:
        """1 where an action is legal: (n, actions), or (n, seats, actions) where seats act at once."""
        return self._squeeze(self._games.mask)

    @property
    def planes(self) -> Int8s:
        """What the acting seats see: (n, planes, rows, columns), or (n, seats, …) where seats act at once."""
        if self._planes is None:
            raise ValueError("this batch was made with observe=False")
        return self._squeeze(self._planes.reshape(self.n, -1, *self._shape))

    @property
    def facts(self) -> Int8s:
        """What they know besides: (n, facts), or (n, seats, facts)."""
        if self._planes is None:
            raise ValueError("this batch was made with observe=False")
        return self._squeeze(self._facts)

    @property
    def seat(self) -> npt.NDArray[np.int64]:
        """The (lowest) seat that acts in each game, -1 where the game is over."""
        acting = self._games.acting
        return np.where(acting > 0, np.bitwise_count((acting & -acting) - 1).astype(np.int64), NOBODY)

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """(n, seats): from 1 (ahead of all others) to -1 (behind all) in the step in which a game ends, else 0."""
        return self._games.rewards  # type: ignore[no-any-return]

    @property
    def ended(self) -> npt.NDArray[np.bool_]:
        """The games that this step ended. With ``auto_reset``, all else is already about the next game."""
        return self._games.ended  # type: ignore[no-any-return]

    @property
    def cut(self) -> npt.NDArray[np.bool_]:
        """The games that were cut off after ``cap`` turns."""
        return self._games.cut  # type: ignore[no-any-return]

    @property
    def scores(self) -> npt.NDArray[np.int64]:
        """(n, seats): the points of the last game that ended."""
        return self._games.scores  # type: ignore[no-any-return]

    @property
    def states(self) -> npt.NDArray[np.int64]:
        """(n, words): the positions themselves."""
        return self._games.states  # type: ignore[no-any-return]

    # ---- playing

    def reset(self) -> None:
        """Begin all games anew."""
        for array in (self._games.rewards, self._games.ended, self._games.cut):
            array[:] = 0
        self._spread(lambda a, b: self._kernel.begin(a, b, self._options, self._games))

    def step(self, actions: npt.ArrayLike) -> None:
        """Play one action in each game: (n,), or (n, seats) where seats act at once. Finished games take no notice."""
        given = np.asarray(actions)
        if given.shape != self._actions.shape and given.shape != self._actions[:, 0].shape:
            wanted = self._actions.shape if self.simultaneous else (self.n,)
            raise ValueError(f"actions of shape {given.shape}: give {wanted}")
        if not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"actions of type {given.dtype}: give whole numbers")
        if self.simultaneous and given.ndim == 1:
            raise ValueError(f"actions of shape {given.shape}: give {self._actions.shape}")
        self._actions[:] = given.reshape(self._actions.shape)
        if self.check:
            self._refuse(self._kernel.wrong(0, self.n, self._actions, self._games))
        rules = self.game.seats, self.cap, self.auto_reset, self._options
        self._spread(lambda a, b: self._kernel.turns(a, b, self._actions, *rules, self._games))

    def sample(self) -> npt.NDArray[np.int64]:
        """A random legal action for everyone who acts; the same for the same seed."""
        actions = np.zeros_like(self._actions)
        self._kernel.draw(0, self.n, actions, self._games)
        return actions if self.simultaneous else actions[:, 0]

    # ---- inside

    def _refuse(self, i: int) -> None:
        if i == FINE:
            return
        for place, action in enumerate(self._actions[i].tolist()):
            fine = sorted(self._games.moves[i, place, : self._games.counts[i, place]].tolist())
            if fine and action not in fine:
                seat = place if self.simultaneous else int(self.seat[i])
                more = ", …" if len(fine) > SHOWN else ""
                choices = ", ".join(map(str, fine[:SHOWN])) + more
                raise IllegalMove(f"game {i}: seat {seat} cannot play action {action}; legal: {choices}")

    def _spread(self, work: Callable[[int, int], Any]) -> None:
        """Have every thread do its part of the games and look at them; the first part is this thread's."""
        parts = list(pairwise(self._parts))
        futures = [self._pool.submit(self._do, work, *part) for part in parts[1:]] if self._pool else []
        self._do(work, *parts[0])
        for future in futures:
            future.result()

    def _do(self, work: Callable[[int, int], Any], first: int, last: int) -> None:
        seats, games = self.game.seats, self._games
        work(first, last)
        self._kernel.list_moves(first, last, seats, games)
        if self._planes is not None:
            self._eyes.see(first, last, seats, games.states, games.acting, self._planes, self._facts)

    def _squeeze(self, array: Int8s) -> Int8s:
        return array if self.simultaneous else array[:, 0]


def _arrays(game: Game, n: int, places: int, cap: int, seed: int) -> Games:
    book, seats = game.book, game.seats
    words: Callable[..., Any] = lambda *shape: np.zeros((n, *shape), np.int64)  # noqa: E731
    return Games(
        states=words(book.state_size),
        plies=words(),
        acting=words(),
        moves=words(places, book.max_moves),
        counts=words(places),
        mask=np.zeros((n, places, book.actions), np.int8),
        rewards=np.zeros((n, seats), np.float32),
        ended=np.zeros(n, np.bool_),
        cut=np.zeros(n, np.bool_),
        scores=words(seats),
        places=words(seats),
        rngs=seeds(seed, n),
        words=words(book.state_size),
        # column by column: neighbouring games, short as they mostly are, share cache lines and pages
        history=np.zeros((n, cap + 1 if game.occurred else 0), np.int64, order="F"),
    )
