"""What a game provides, on one page.

A game is a folder: ``rules.py`` holds the seven functions below over one flat array of int64 words; ``notation.py``
turns actions into text and back; ``picture.py`` draws a position; ``__init__.py`` puts it together as ``RULEBOOK``.
Searches, records, tables, pages and adapters read a game through this page alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from quatuor.kernel import Bytes, Words, advised, provided

State = npt.NDArray[np.int64]

# ---- the kernel: what rules.py defines, each under @jit, plain integers and arrays only --------------------------


@provided
def setup(state: Words, options: Words) -> None:
    """Fill ``state`` with the start position. ``options``: the variant's number, then the words of every option."""
    raise NotImplementedError


@provided
def to_move(state: Words) -> int:
    """The seats that act now, one bit each (1: seat 0, 2: seat 1, 3: both at once, …); 0 when the game is over."""
    raise NotImplementedError


@provided
def legal(state: Words, seat: int, out: Words) -> int:
    """Write the action ids that ``seat`` may choose into ``out``; return how many (at least one if it acts now)."""
    raise NotImplementedError


@provided
def play(state: Words, seat: int, action: int) -> None:
    """Carry out one seat's action, unchecked. Where several act at once, orders wait in the state for the last."""
    raise NotImplementedError


@provided
def outcome(state: Words, scores: Words, places: Words) -> None:
    """Points and place (from 1; equal seats share the better one) of every seat, as the position stands."""
    raise NotImplementedError


@provided
def key(state: Words, out: Words) -> int:
    """Write the words that identify the position for the repetition rule; return how many, 0 if nothing counts."""
    raise NotImplementedError


@provided
def repeat(state: Words) -> None:
    """End the game: the position has occurred for the third time. Called by whoever keeps the history."""
    raise NotImplementedError


@advised
def observe(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    """What ``seat`` may know, for learners. In ``planes.py``, which may be missing, with what the numbers mean:
    ``VERSION``, ``ROWS``, ``COLUMNS``, ``PLANES`` (a name for each, one after the other, row by row), ``FACTS``.
    """
    raise NotImplementedError


# ---- the rest: names, choices, text, pictures --------------------------------------------------------------------


@dataclass(frozen=True)
class Text:
    """A short text in the three languages."""

    en: str
    fr: str
    de: str


@dataclass(frozen=True)
class Variant:
    """One way to play."""

    name: str
    title: Text
    text: Text  # one line
    seats: int
    minutes: tuple[int, int]
    sides: tuple[int, ...] = ()  # for which side each seat plays, where seats are allies; empty: each for itself


class IllegalMove(ValueError):
    """A move that cannot be played; the message says why and what could be."""


@dataclass(frozen=True)
class Choice:
    """An option with named values; the first is the default."""

    name: str
    title: Text
    text: Text  # one line
    values: Mapping[str, Text]
    variants: tuple[str, ...] = ()  # where it applies; empty: everywhere

    @property
    def default(self) -> Any:
        return next(iter(self.values))

    def check(self, value: Any) -> Any:
        """The value in its plain form; ValueError lists what would be right."""
        if not isinstance(value, str) or value not in self.values:
            raise ValueError(f"{self.name}={value!r}: choose one of {', '.join(self.values)}")
        return value

    def words(self, value: Any) -> Sequence[int]:
        """The value as the words that ``setup`` reads."""
        return (list(self.values).index(value),)


@dataclass(frozen=True)
class Number:
    """An option with a whole number, or none where ``none`` says what that means."""

    name: str
    title: Text
    text: Text
    default: int | None
    low: int
    high: int
    none: Text | None = None
    variants: tuple[str, ...] = ()

    def check(self, value: Any) -> Any:
        if self.none is not None and value in (None, "none"):
            return None
        try:
            number = int(str(value))
        except ValueError:
            number = self.low - 1
        if not self.low <= number <= self.high:
            orelse = " or none" if self.none else ""
            raise ValueError(f"{self.name}={value!r}: choose a whole number from {self.low} to {self.high}{orelse}")
        return number

    def words(self, value: Any) -> Sequence[int]:
        return (0 if value is None else value,)


def win_points(variant: str, scores: tuple[int, ...], ranking: tuple[int, ...]) -> tuple[int, ...]:
    """The points of one game in a match where the rulebook names none: a win 2, a shared first place 1."""
    win = 2 if ranking.count(1) == 1 else 1
    return tuple(win if place == 1 else 0 for place in ranking)


@dataclass(frozen=True)
class Rulebook:
    """A whole game. ``state`` is its array; ``actions`` maps orders such as {0: id} to what happened."""

    name: str
    title: Text
    text: Text  # one line
    variants: tuple[Variant, ...]  # the first is the default
    options: tuple[Any, ...]  # Choice, Number or a class of the game's own with the same members
    rules: Any  # the module with the seven functions
    state_size: int  # words of a state, whatever the variant
    max_moves: int  # no position has more legal actions for one seat
    actions: int  # action ids are 0 .. actions - 1
    write: Callable[[State, int, int], str]  # (state before, seat, action) -> text
    read: Callable[[State, int, str], int]  # (state before, seat, text) -> action; IllegalMove says why not
    view: Callable[[State], dict[str, Any]]  # the position as plain data, for pages and tools
    effects: Callable[[State, Mapping[int, int], State], dict[str, Any]]  # what a turn did, for animation and speech
    reason: Callable[[State], dict[str, Any]]  # how a finished game was decided, as codes and numbers
    svg: Callable[[State], str]
    text_board: Callable[[State], str]  # for the terminal; rich markup
    conceal: Callable[[State, int | None], State] = lambda state, seat: state  # hide others' secret orders from a seat
    # (variant, scores, ranking) -> what one game of a match is worth to each seat
    match_points: Callable[[str, tuple[int, ...], tuple[int, ...]], tuple[int, ...]] = win_points
    # what a strong engine needs beyond the rules (advice.py): its SEARCH names a search of quatuor.engine, which says
    # in its file what else it asks for; without one, the engine plays by random games. judge(state, seat), if there
    # is one, says what a running game is worth to a seat at a glance: the arena's greedy player goes by it
    advice: ModuleType | None = None
    planes: Any = None  # the module with ``observe``
