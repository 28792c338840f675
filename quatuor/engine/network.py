"""Tree search with a network of your own: in one game for the engine, in all games of a batch for self-play.

A network is a function ``evaluate(planes, facts, mask) -> policy, value`` for many positions at once:

- ``planes`` (m, planes, rows, columns), ``facts`` (m, facts) and ``mask`` (m, actions) are int8, as in a batch, seen by
  the seat that acts (docs/planes.md).
- ``policy`` (m, actions) holds logits; illegal actions are left out of their softmax. Logarithms of probabilities are
  logits, too.
- ``value`` (m,) or (m, 1) is the expected result of the seat that acts, from -1 to 1, where there are two seats;
  (m, seats) has the result of every seat: of the one that acts, then of those after it.

Both may be NumPy arrays or tensors on any device. The arrays given are reused: copy what you keep.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from quatuor.engine import network_kernels
from quatuor.engine.arguments import NUMBER, WHOLE, check_function, check_numbers
from quatuor.engine.batch import CAP, Batch
from quatuor.engine.network_kernels import (
    AT_ONCE,
    COLUMNS,
    PRIOR,
    TOTAL,
    VALUES,
    VISITS,
    Forest,
    Leaves,
    Room,
    Roots,
    Settings,
)
from quatuor.engine.observation import sizes
from quatuor.engine.search_api import Finding, Searcher, turns_between
from quatuor.engine.tree import ACTION, FIRST, KIDS, refuse_ended
from quatuor.game import Game
from quatuor.kernel import bind

Evaluate = Callable[[Any, Any, Any], tuple[Any, Any]]
Int64s = npt.NDArray[np.int64]
Float64s = npt.NDArray[np.float64]

EXPLORE = 1.5  # the weight of the bonus; chosen, not measured
DEPTH = 256  # of a tree; chosen, not measured
LEAVES = 8  # positions of one tree that are evaluated at once; chosen, not measured
TOGETHER = 64  # with as many games at once, one position of each fills a call; chosen, not measured
MOST_LEAVES = 1 << 16  # that a caller may ask for; chosen, not measured
NODES = 1 << 20  # of a single tree at most; chosen, not measured
FOREST_BYTES = 1 << 30  # of all trees of a batch by default; chosen, not measured
NODE_BYTES = 8 * (COLUMNS + VALUES)
MOST = 1 << 40  # simulations: no limit
CONCENTRATION = 10.0  # of the noise, divided by the number of moves: about as in Silver et al. 2018


class BatchSearch:
    """A tree search with a network in every game of a batch at once; ``quatuor.search(games, evaluate)`` makes one.

    >>> import numpy as np, quatuor
    >>> games = quatuor.batch("plus4", n=64, seed=1)
    >>> def evaluate(planes, facts, mask):  # knows nothing
    ...     return np.zeros(mask.shape), np.zeros(len(mask))
    >>> search = quatuor.search(games, evaluate, noise=0.25)
    >>> for _ in range(3):
    ...     search.run(16)
    ...     search.step(search.sample())
    >>> search.visits.shape, int(games.plies[0])
    ((64, 8), 3)

    The same seed and network give the same search. Change the games only through ``step`` of the search, or call
    ``restart`` afterwards.

    Args:
        games: A batch on the CPU of a game played in turns, with observations.
        evaluate: The network; the module's docstring says what it takes and returns.
        seed: For noise and samples.
        explore: The weight of the exploration bonus.
        noise: The share of noise in the priors at the roots, for self-play: 0.25 in AlphaZero.
        leaves: How many positions of each tree are evaluated at once; by default 1 for 64 games or more, else 8.
        nodes: The most nodes of each tree, by default what a gigabyte holds; a full tree evaluates but does not grow.

    Raises:
        TypeError: ``games`` is not a batch, ``evaluate`` not a function, or a setting not a number.
        ValueError: The game has no planes, seats act at once, or a number is out of range.
    """

    def __init__(
        self,
        games: Batch,
        evaluate: Evaluate,
        *,
        seed: int = 0,
        explore: float = EXPLORE,
        noise: float = 0.0,
        leaves: int | None = None,
        nodes: int | None = None,
    ) -> None:
        _check_games(games)
        check_function(evaluate)
        check_numbers(NUMBER, explore=explore, noise=noise)
        check_numbers(WHOLE, seed=seed)
        check_numbers(WHOLE | None, leaves=leaves, nodes=nodes)
        if not 0 <= noise <= 1:
            raise ValueError(f"noise={noise}: choose a number from 0 to 1")
        if (leaves is not None and not 1 <= leaves <= MOST_LEAVES) or (nodes is not None and nodes < 1):
            raise ValueError(f"leaves={leaves}, nodes={nodes}: choose whole numbers from 1, leaves to {MOST_LEAVES}")
        book, n, seats = games.game.book, games.n, games.game.seats
        self._shape, facts = sizes(book)
        self.games, self.evaluate = games, evaluate
        self._noise, self._dice = noise, np.random.Generator(np.random.PCG64(seed % 2**64))
        each = leaves or (1 if n >= TOGETHER else LEAVES)
        self._settings = Settings(each, MOST, float(explore))
        self._roots = Roots(games._games.states, games._games.plies, games._games.history)
        self._most = nodes or min(NODES, max(FOREST_BYTES // NODE_BYTES // n, book.max_moves + 1))
        self._reach = each * book.max_moves  # nodes that one call of the network may add to a tree
        self._forest = _forest(n, min(self._most, 1 + self._reach))
        self._spare = _forest(1, self._forest.nodes.shape[1])
        rows = n * each
        widths = book.actions, int(np.prod(self._shape)), facts
        numbers: list[Any] = [np.zeros(rows, np.int64) for _ in range(3)]
        seen: list[Any] = [np.zeros((rows, width), np.int8) for width in widths]
        self._leaves = Leaves(*[*numbers, np.zeros((rows, book.max_moves), np.int64), *seen])
        lengths = book.state_size, book.state_size, DEPTH + 1, seats, seats
        words: list[Any] = [np.zeros(length, np.int64) for length in lengths]
        self._room = Room(*[*words, np.zeros(seats)])
        self._kernel = bind(network_kernels, book.rules, book.name, book.planes)
        self.restart()

    def __repr__(self) -> str:
        return f"<BatchSearch in {self.games!r}, by {getattr(self.evaluate, '__name__', self.evaluate)}>"

    # ---- what was found

    @property
    def visits(self) -> Int64s:
        """(n, actions): how often each action was tried."""
        return self._report()[0]

    @property
    def policy(self) -> Float64s:
        """(n, actions): the share of the visits of each action; what a policy learns from. Zeros where nothing ran."""
        visits = self.visits
        shares: Float64s = visits / np.maximum(visits.sum(axis=1, keepdims=True), 1)
        return shares

    @property
    def value(self) -> Float64s:
        """(n,): the mean result of the seat that acts, from -1 to 1."""
        return self._report()[1]

    def best(self) -> Int64s:
        """(n,): the action with most visits; of equal ones the one with the lowest number. 0 where a game is over."""
        best: Int64s = self.visits.argmax(axis=1)
        return best

    def sample(self, temperature: float | npt.ArrayLike = 1.0) -> Int64s:
        """(n,): an action drawn by its share of the visits, to the power of 1 / temperature; 0 is ``best``.

        ``temperature`` is one number, or one for each game.
        """
        try:
            heat = np.broadcast_to(np.asarray(temperature, np.float64), self.games.n)[:, None]
        except (TypeError, ValueError):
            raise ValueError(
                f"temperature={temperature!r}: give a number, or one for each of the {self.games.n} games"
            ) from None
        visits = self.visits
        with np.errstate(divide="ignore"):
            drawn = np.log(visits) / np.where(heat > 0, heat, 1.0) + self._dice.gumbel(size=visits.shape)
        actions: Int64s = np.where(heat[:, 0] > 0, drawn.argmax(axis=1), visits.argmax(axis=1))
        return actions

    # ---- searching and playing

    def run(self, simulations: int) -> None:
        """Search until every game has this many simulations; those of an earlier position that still count are kept."""
        _check_simulations(simulations=simulations)
        running = self.games._games.acting != 0  # type: ignore[comparison-overlap]
        while (self._forest.nodes[running, 0, VISITS] < simulations).any():
            self.round(simulations)

    def step(self, actions: Any) -> None:
        """Play one action in each game and keep the part of its tree below; new games begin with new trees.

        Raises:
            IllegalMove: An action is not legal; no game has changed.
        """
        played = np.array(self.games._backend.take(actions))
        self.games.step(played)
        self._follow(played, self.games.ended | self.games.cut)

    def restart(self) -> None:
        """Forget all trees: for a network that has learned, or games that were changed from outside."""
        self._follow(np.zeros(self.games.n, np.int64), np.ones(self.games.n, np.bool_))

    def round(self, target: int = MOST) -> None:
        """One call of the network, for some positions of every tree with fewer simulations than ``target``."""
        _check_simulations(target=target)
        self._make_room()
        settings = self._settings._replace(target=target)
        count = self._kernel.descend(settings, self._roots, self._forest, self._leaves, self._room)
        if count == AT_ONCE:
            raise ValueError(f"{self.games.game.name}: several seats act at once")
        if count:
            self._kernel.expand(count, *self._ask(count), self._forest, self._leaves, self._room.points)
        if self._noise and self._quiet.any():
            self._add_noise()

    # ---- inside

    def _make_room(self) -> None:
        """Double the room of the trees if the next call of the network may need more: memory is taken as trees grow."""
        forest, used = self._forest, int(np.asarray(self._forest.used).max())
        room = forest.nodes.shape[1]
        if used + self._reach <= room or room == self._most:
            return
        larger = _forest(self.games.n, min(self._most, max(2 * room, used + self._reach)))
        larger.nodes[:, :used], larger.values[:, :used] = forest.nodes[:, :used], forest.values[:, :used]
        self._forest, self._spare = larger._replace(used=forest.used), _forest(1, larger.nodes.shape[1])

    def _ask(self, count: int) -> tuple[npt.NDArray[np.float32], Float64s]:
        """Policy and value of the first leaves, checked: kernels trust them."""
        leaves, seats = self._leaves, self.games.game.seats
        planes = leaves.planes[:count].reshape(count, *self._shape)
        answer = self.evaluate(planes, leaves.facts[:count], leaves.mask[:count])
        try:
            policy, value = answer
        except (TypeError, ValueError):
            raise TypeError(f"evaluate returned {type(answer).__name__}: give policy and value, two arrays") from None
        policy, value = _host(policy), _host(value)
        for array in (policy, value):
            if array.dtype.kind not in "biuf":
                raise TypeError(f"evaluate returned an array of type {array.dtype}: give numbers")
        if policy.shape != leaves.mask[:count].shape:
            raise ValueError(f"evaluate returned a policy of shape {policy.shape}: give {leaves.mask[:count].shape}")
        if value.shape == (count,):
            value = value[:, None]
        if value.shape == (count, 1) and seats == 2:
            value = np.concatenate([value, -value], axis=1)
        if value.shape != (count, seats):
            short = f"({count},) or " if seats == 2 else ""
            raise ValueError(f"evaluate returned values of shape {value.shape}: give {short}({count}, {seats})")
        if np.isnan(policy).any() or not np.isfinite(value).all():
            raise ValueError("evaluate returned numbers that are not finite")
        return np.ascontiguousarray(policy, np.float32), np.ascontiguousarray(value, np.float64)

    def _follow(self, actions: Int64s, fresh: Any) -> None:
        self._kernel.follow(actions, np.ascontiguousarray(fresh), self._forest, self._spare)
        self._quiet = np.ones(self.games.n, np.bool_)  # the roots without noise

    def _report(self) -> tuple[Int64s, Float64s]:
        visits, value = np.zeros((self.games.n, self.games.game.book.actions), np.int64), np.zeros(self.games.n)
        self._kernel.report(self._forest, visits, value)
        return visits, value

    def _add_noise(self) -> None:
        """Mix noise (Dirichlet's distribution) into the priors of the roots that have children by now."""
        nodes, values = self._forest.nodes, self._forest.values
        rows = np.flatnonzero(self._quiet & (nodes[:, 0, KIDS] > 0))
        kids = nodes[rows, 0, KIDS]
        if not len(rows):
            return
        there = np.arange(kids.max()) < kids[:, None]
        noise = np.where(there, self._dice.standard_gamma(CONCENTRATION / kids[:, None], there.shape) + 1e-12, 0.0)
        noise /= noise.sum(axis=1, keepdims=True)
        tree = np.repeat(rows, kids)
        at = (nodes[rows, 0, FIRST][:, None] + np.arange(kids.max()))[there]
        values[tree, at, PRIOR] = (1 - self._noise) * values[tree, at, PRIOR] + self._noise * noise[there]
        self._quiet[rows] = False


class Search(Searcher):
    """The same in one game, as the engine runs it; a unit of work is a simulation.

    Every call of the network is for up to ``LEAVES`` positions, however the work is divided among calls of ``run``: the
    same network grows the same tree.
    """

    finished = False

    def __init__(self, game: Game, evaluate: Evaluate, nodes: int = NODES) -> None:
        refuse_ended(game)
        sizes(game.book)  # without planes there is nothing to evaluate
        longest = max(game.ply, len(game.occurred)) + CAP
        rules = {"variant": game.variant.name, "cap": longest, "observe": False, "check": False, "threads": 1}
        self._games = Batch(game.name, 1, **rules, **game.options)  # type: ignore[arg-type]
        self._games.load(game)
        self._search = BatchSearch(self._games, evaluate, nodes=nodes)
        self.game, self.done = game.copy(), 0

    def run(self, count: int) -> None:
        """Simulate about ``count`` times more."""
        end = self.done + count
        while self.done < end:
            self._search.round()
            self.done = int(self._nodes[0, VISITS])

    def found(self) -> dict[int, Finding]:
        """Visits and mean reward of every action; half a point for one without visits."""
        kids = self._children(0)
        total = max(sum(int(self._nodes[kid, VISITS]) for kid in kids.values()), 1)
        found = {}
        for action, kid in kids.items():
            visits, points = int(self._nodes[kid, VISITS]), float(self._values[kid, TOTAL])
            found[action] = Finding(visits, (points / visits + 1) / 2 if visits else 0.5, visits / total)
        return found

    def line(self, action: int) -> list[int]:
        """The action, and then those most visited."""
        line, kids = [], self._children(0)
        while action in kids:
            line.append(action)
            kids = {a: kid for a, kid in self._children(kids[action]).items() if self._nodes[kid, VISITS]}
            action = max(kids, key=lambda a: int(self._nodes[kids[a], VISITS]), default=-1)
        return line or [action]

    def restrict(self, actions: set[int]) -> None:
        """Leave only these actions at the root, which has no grandchildren yet."""
        kept = [kid for action, kid in self._children(0).items() if action in actions]
        first = int(self._nodes[0, FIRST])
        self._nodes[first : first + len(kept)] = self._nodes[kept]
        self._values[first : first + len(kept)] = self._values[kept]
        self._nodes[0, KIDS] = len(kept)

    def advance(self, game: Game) -> bool:
        """Keep the part of the tree below a later position; its visits count as work done."""
        turns = turns_between(self.game, game)
        if turns is None or game.over or max(game.ply, len(game.occurred)) >= self._games.cap:
            return False
        for (action,) in map(dict.values, turns):
            self._search._follow(np.array([action]), np.zeros(1, np.bool_))
        self._games.load(game)
        self.game, self.done = game.copy(), int(self._nodes[0, VISITS])
        return True

    @property
    def _nodes(self) -> Any:
        return self._search._forest.nodes[0]

    @property
    def _values(self) -> Any:
        return self._search._forest.values[0]

    def _children(self, node: int) -> dict[int, int]:
        """The node of every action at a node."""
        first, count = int(self._nodes[node, FIRST]), int(self._nodes[node, KIDS])
        return {int(self._nodes[kid, ACTION]): kid for kid in range(first, first + max(count, 0))}


def _check_simulations(**given: int) -> None:
    """TypeError or ValueError if this is not a number of simulations."""
    check_numbers(WHOLE, **given)
    for name, value in given.items():
        if not 1 <= value <= MOST:
            raise ValueError(f"{name}={value}: choose a whole number from 1 to {MOST}")


def _check_games(games: Batch) -> None:
    if not isinstance(games, Batch):
        raise TypeError(f"games={games!r}: give a batch, such as quatuor.batch('plus4', 64)")
    sizes(games.game.book)
    if games.simultaneous:
        name = games.game.book.name
        raise ValueError(f"{name}: several seats act at once; a search with a network is for games in turns")
    if games.game.seats < 2:
        raise ValueError("a search with a network is for two seats or more: this game has one")


def _forest(trees: int, nodes: int) -> Forest:
    """Room for trees."""
    rows = np.zeros((trees, nodes, COLUMNS), np.int64), np.zeros((trees, nodes, VALUES))
    return Forest(*rows, np.zeros(trees, np.int64))


def _host(array: Any) -> npt.NDArray[Any]:
    """A network's answer as a NumPy array: tensors are brought here."""
    for step in ("detach", "cpu"):
        array = getattr(array, step)() if hasattr(array, step) else array
    return np.asarray(array.get() if hasattr(array, "get") else array)
