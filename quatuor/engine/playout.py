"""Play whole games at random: a test of a rulebook, the measure of its speed, the leaf of a tree search."""

import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quatuor.engine.repetition import History, forget, memo_size, remember
from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.games.contract import Rulebook, legal, outcome, play, setup, to_move
from quatuor.kernel import Rng, Rngs, Words, Words1, Words2, below, bind, exports, seeds, template

MOST = 100_000_000  # games, or plies of one: memory is taken for all of them
CAP = 2000  # plies; a game that lasts longer counts as it stands; chosen, not measured


@template
def turn(rng: Rng, state: Words, acting: int, moves: Words) -> None:
    """One uniformly random turn: every acting seat (a bit each, lowest first) draws one of its actions."""
    seat = 0
    while acting:
        if acting & 1:
            n = legal(state, seat, moves)
            play(state, seat, moves[below(rng, n)])
        acting >>= 1
        seat += 1


class Scratch(NamedTuple):
    """Room for one game at a time."""

    state: Words1
    moves: Words1
    key: Words1
    memo: Words1  # all zeros between games
    slots: Words1


class Results(NamedTuple):
    """Where the results go, a row for each game."""

    scores: Words2
    places: Words2
    plies: Words


@template
def playout(rng: Rng, state: Words, cap: int, moves: Words, history: History) -> int:
    """Play on at random to the end or for ``cap`` turns; return how many were played.

    The history begins empty, has room for cap + 1 positions, and is empty again afterwards.
    """
    plies = 0
    kept = remember(state, history, 0)
    while plies < cap:
        acting = to_move(state)
        if acting == 0:
            break
        turn(rng, state, acting, moves)
        plies += 1
        kept = remember(state, history, kept)
    forget(history, 0, kept)
    return plies


@template
def playouts(rngs: Rngs, options: Words, cap: int, scratch: Scratch, results: Results) -> None:
    """One whole game from the start for every generator in ``rngs``."""
    state, history = scratch.state, History(scratch.memo, scratch.slots, scratch.key)
    for i in range(len(rngs)):
        setup(state, options)
        results.plies[i] = playout(rngs[i], state, cap, scratch.moves, history)
        outcome(state, results.scores[i], results.places[i])


EXPORTS = exports(playouts)


def scratch_sizes(book: Rulebook, cap: int) -> Scratch:
    """How long each array of a Scratch is for games of at most ``cap`` turns."""
    return Scratch(book.state_size, book.max_moves, book.state_size, memo_size(cap + 1), cap + 1)


@dataclass(frozen=True)
class RandomGames:
    """Many finished games: a row of points and of places for each, and its number of turns."""

    scores: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    plies: npt.NDArray[np.int64]


def random_games(
    name: str, variant: str | None = None, seed: int = 0, count: int = 1, cap: int = CAP, **options: Any
) -> RandomGames:
    """Play ``count`` uniformly random games; game i is the same for the same seed + i on every machine.

    >>> random_games("plus4", seed=7, count=3).plies.shape
    (3,)

    Raises:
        ValueError: There is no such game, variant or option.
    """
    for key, value in (("seed", seed), ("count", count), ("cap", cap)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise TypeError(f"{key}={value!r}: give a whole number")
        if key != "seed" and not 0 <= value <= MOST:
            raise ValueError(f"{key}={value}: choose a whole number from 0 to {MOST}")
    game = Game(rulebook(name), variant, options)
    book, seats = game.book, game.seats
    found = RandomGames(
        np.zeros((count, seats), np.int64), np.zeros((count, seats), np.int64), np.zeros(count, np.int64)
    )
    scratch = Scratch(*(np.zeros(size, np.int64) for size in scratch_sizes(book, cap)))
    kernel = bind(sys.modules[__name__], book.rules, book.name)
    kernel.playouts(
        seeds(seed, count), game.option_values, cap, scratch, Results(found.scores, found.places, found.plies)
    )
    return found
