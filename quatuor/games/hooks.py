"""The kernel side of a game: the functions that its modules define, and the types that describe those modules.

Rules and observations are written under ``@rule``, all else under ``@jit``, with plain integers and arrays only
(docs/kernel.md). The functions marked ``@rule_hook`` stand for the game's own: code that works for any game imports
them from ``quatuor.games.contract``, and ``bind`` replaces them by the functions of one game.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from quatuor.kernel import Bytes, Floats, Rng, Words, rule_hook, search_hook

State = npt.NDArray[np.int64]
Int8s = npt.NDArray[np.int8]
Uint8s = npt.NDArray[np.uint8]
Float64s = npt.NDArray[np.float64]


class Module(Protocol):
    """A module: its file says whether its compiled code can be kept, and it can be the key of a cache."""

    __file__: str | None

    def __hash__(self) -> int: ...


# ---- the rules ---------------------------------------------------------------------------------------------------


@rule_hook
def setup(state: Words, options: Words) -> None:
    """Fill ``state`` with the start position. ``options``: the number of the variant, then the words of every option.

    The state comes with arbitrary contents: write every word.
    """
    raise NotImplementedError


@rule_hook
def to_move(state: Words) -> int:
    """The seats that act now, one bit each (1: seat 0, 2: seat 1, 3: both at once, …); 0 when the game is over."""
    raise NotImplementedError


@rule_hook
def legal(state: Words, seat: int, out: Words) -> int:
    """Write the legal action ids of ``seat`` into ``out`` and return their number: at least one if it acts now."""
    raise NotImplementedError


@rule_hook
def play(state: Words, seat: int, action: int) -> None:
    """Play one seat's action, unchecked. Where several seats act at once, the state keeps their orders until the last
    one is in, and a seat whose order is in no longer acts."""
    raise NotImplementedError


@rule_hook
def outcome(state: Words, scores: Words, places: Words) -> None:
    """The points and the place (from 1; equal seats share the better one) of every seat in the current position."""
    raise NotImplementedError


@rule_hook
def key(state: Words, out: Words) -> int:
    """Write the words that identify the position for the repetition rule and return their number; 0: no such rule."""
    raise NotImplementedError


@rule_hook
def repeat(state: Words) -> None:
    """End the game because the position has occurred for the third time. The caller counts the occurrences."""
    raise NotImplementedError


RULES = ("setup", "to_move", "legal", "play", "outcome", "key", "repeat")


class Rules(Module, Protocol):
    """The module with the seven functions above."""

    def setup(self, state: Words, options: Words, /) -> None: ...
    def to_move(self, state: Words, /) -> int: ...
    def legal(self, state: Words, seat: int, out: Words, /) -> int: ...
    def play(self, state: Words, seat: int, action: int, /) -> None: ...
    def outcome(self, state: Words, scores: Words, places: Words, /) -> None: ...
    def key(self, state: Words, out: Words, /) -> int: ...
    def repeat(self, state: Words, /) -> None: ...


# ---- a position as text ------------------------------------------------------------------------------------------


class PositionText(Module, Protocol):
    """A module that writes a position as text and reads it back to the same state (docs/positions.md).

    The text has no word for the variant and the options: ``quatuor.position`` writes them before it.
    """

    def write_position(self, state: State, /) -> str:
        """The position in fields separated by single spaces. An end by repetition is left out: it follows from the
        earlier positions."""

    def read_position(self, state: State, text: str, /) -> None:
        """Turn a state that is set up into the position of a text; PositionError says why it is impossible."""

    def write_earlier(self, now: State, earlier: State, /) -> str:
        """An earlier position of the same game as one word for the repetition rule; empty if it cannot come again."""

    def read_earlier(self, now: State, text: str, /) -> State:
        """The state of such a word, equal to the earlier one in all that ``key`` looks at."""


# ---- observations, for learners ----------------------------------------------------------------------------------


@search_hook
def observe(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    """Write what ``seat`` may know into two arrays of zeros: the planes, one after the other, row by row; the facts."""
    raise NotImplementedError


class Observation(Module, Protocol):
    """The module with ``observe`` and the meaning of its numbers. Raise ``VERSION`` whenever that meaning changes."""

    @property
    def VERSION(self) -> int: ...
    @property
    def ROWS(self) -> int: ...
    @property
    def COLUMNS(self) -> int: ...
    @property
    def PLANES(self) -> Sequence[str]:
        """The name of every plane."""

    @property
    def FACTS(self) -> Sequence[str]:
        """The name of every fact."""

    def observe(self, state: Words, seat: int, planes: Bytes, facts: Bytes, /) -> None: ...


# ---- advice: what a search can use beyond the rules --------------------------------------------------------------
#
# A game without advice is searched by random games: UCT where seats move in turn, flat Monte Carlo where they move at
# once. Neither asks for any hook. ``SEARCH`` says for which search of quatuor.engine the advice is meant.


class GuidedAdvice(Module, Protocol):
    """For the guided search: PUCT with priors, and playouts that may stop before the end."""

    SEARCH: Literal["guided"]

    @property
    def MEMORY(self) -> int:
        """How many words of working memory the functions need."""

    @property
    def MAPS(self) -> int:
        """How many floats of working memory ``weigh`` needs."""

    @property
    def KINDS(self) -> int:
        """``alike`` returns numbers below this one."""

    def weigh(self, state: Words, count: int, moves: Words, memory: Words, maps: Floats, out: Floats, /) -> None:
        """For each move, the logarithm of the probability that a strong player makes it, up to a constant."""

    def alike(self, state: Words, action: int, /) -> int:
        """The kind of an action: what the search learns about one action holds for all actions of its kind."""

    def choose(self, rng: Rng, state: Words, memory: Words, gains: Floats, moves: Words, /) -> int:
        """A quick action in a playout. ``gains``: how much utility each kind of action has gained so far."""

    def horizon(self, root: Words, done: int, /) -> int:
        """How many turns after the root a playout may stop, once ``done`` simulations have been made."""

    def foresee(self, state: Words, seats: int, memory: Words, scores: Words, wins: Floats, /) -> None:
        """Where a playout stops: the expected final scores, and the share of the other seats that each one beats."""

    def utility(self, seats: int, scores: Words, wins: Floats, out: Floats, /) -> None:
        """What every seat maximises, 0 to 1, from the final scores and the shares of seats beaten."""


class BestFirstAdvice(Module, Protocol):
    """For the best-first search, which evaluates positions instead of playing them out."""

    SEARCH: Literal["bestfirst"]

    def workspace(self, seed: int, /) -> Float64s:
        """The working memory of ``evaluate``; seeds may make its values differ slightly, so that games differ."""

    def evaluate(self, state: Words, values: Floats, work: Floats, /) -> None:
        """For every seat the share of the others that it is expected to beat, in a position that is not over."""


class MatrixAdvice(Module, Protocol):
    """For the equilibrium search: two seats that act at once."""

    SEARCH: Literal["matrix"]

    @property
    def SCRATCH(self) -> int:
        """How many floats of working memory ``expected_result`` needs."""

    def expected_result(self, state: Words, scratch: Floats, /) -> float:
        """The expected result of seat 0: 1 for a win, 0 for a loss, a draw half."""

    def identity(self, state: Words, words: Words, /) -> int:
        """Write the words that distinguish this position from others of the same game; return their number."""


Advice = GuidedAdvice | BestFirstAdvice | MatrixAdvice

# ---- solvers -----------------------------------------------------------------------------------------------------


class PositionSpace(Module, Protocol):
    """A module that numbers all positions of a two-player game in turns, besides the functions of its rules.

    The solver (quatuor/engine/retrograde.py) computes the value of every position in the list.
    """

    def setup(self, state: Words, options: Words, /) -> None: ...
    def to_move(self, state: Words, /) -> int: ...
    def legal(self, state: Words, seat: int, out: Words, /) -> int: ...
    def play(self, state: Words, seat: int, action: int, /) -> None: ...
    def outcome(self, state: Words, scores: Words, places: Words, /) -> None: ...

    def positions(self, state: Words, /) -> int:
        """The number of positions under the options of this state; 0: too many to be listed."""

    def index(self, state: Words, /) -> int:
        """The number of a position."""

    def unindex(self, i: int, state: Words, /) -> None:
        """Turn a state that is set up into the position of this number."""


Unit = tuple[int, ...]  # numbers of layers that depend on each other


class Race(Protocol):
    """A two-player game whose score only grows, solved layer by layer (quatuor/engine/solve_race.py).

    A layer holds one byte for each position with the same points to go.
    """

    @property
    def MODULES(self) -> tuple[ModuleType, ...]:
        """The modules that the layers depend on besides the rules: if one changes, they are computed anew.

        A game may declare a ``VERSION`` instead, and change it itself when the layers change.
        """

    @property
    def size(self) -> int:
        """The number of positions in a layer."""

    def need(self, state: State, /) -> int | None:
        """How far the position is from the end; None if its variant is not a race."""

    def layers(self, need: int, /) -> int:
        """The number of layers up to a need."""

    def units(self, need: int, /) -> list[Unit]:
        """Those layers in an order in which they can be computed."""

    def reads(self, unit: Unit, /) -> set[int]:
        """The layers from which a unit is computed."""

    def solve(self, unit: Unit, layers: Uint8s, pool: ThreadPoolExecutor, /) -> list[Uint8s]:
        """Compute the layers of a unit."""

    def place(self, state: State, /) -> tuple[int, int]:
        """The layer of a running position, and its place there."""

    def result(self, byte: int, /) -> int:
        """A byte of a layer as a number: turns to a win, minus turns to a loss, 0 for a draw."""


Stakes = tuple[int, ...]


class Rounds(Protocol):
    """A two-player game in rounds that each begin anew, solved round by round (quatuor/engine/solve_rounds.py).

    A *standing* is what a round begins with; its *stakes* say for every score of the round who then wins the game.
    Rounds with equal stakes share a table.
    """

    @property
    def MODULES(self) -> tuple[ModuleType, ...]:
        """The modules that a table depends on besides the rules; or a ``VERSION``, as in ``Race``."""

    @property
    def SCORES(self) -> Sequence[tuple[int, int]]:
        """The possible scores of a round, for the seat that begins it and for the other."""

    def standing(self, state: State, /) -> Any:
        """The standing of the current round; None if the variant has no rounds."""

    def after(self, standing: Any, own: int, other: int, /) -> tuple[Any, bool]:
        """The standing after a score, or the outcome (1, 0, -1) if it ends the game; and whether the same seat begins
        the next round, so that it is seen from the same side."""

    def solve(self, stakes: Stakes, pool: ThreadPoolExecutor, /) -> Uint8s:
        """Compute the table of a round."""

    def place(self, state: State, /) -> tuple[int, int]:
        """The layer of a running position in its table, and its place there."""

    def begin(self, layers: Uint8s, /) -> int:
        """The outcome of the game at the start of the round, for the seat that begins it."""

    def result(self, byte: int, /) -> int:
        """A byte as a number: turns to the end of a round on the way to a win, minus those to a loss, or 0."""

    def same(self, before: State, after: State, /) -> bool:
        """Whether two states belong to the same round."""
