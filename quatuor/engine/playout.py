"""Play whole games at random: the oldest test of a rulebook, the yardstick of its speed, the leaf of every search."""

import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from quatuor.engine.repetition import digest, forget, occurred, table_size
from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.games.contract import key, legal, outcome, play, repeat, setup, to_move
from quatuor.kernel import Rng, Words, below, bind, seeds, template

CAP = 2000  # plies; a game that lasts longer counts as it stands


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


@template
def playout(rng: Rng, state: Words, cap: int, moves: Words, words: Words, table: Words, slots: Words) -> int:
    """Play on at random to the end or for ``cap`` turns; return how many were played.

    The scratch arrays: ``moves`` for the game's most moves, ``words`` as long as a state, ``table`` of zeros, a power
    of two longer than cap + 1, and ``slots`` of cap + 1. The table is all zeros again afterwards.
    """
    plies = 0
    kept = 0
    n = key(state, words)
    if n:
        occurred(table, slots, kept, digest(words, n))
        kept += 1
    while plies < cap:
        acting = to_move(state)
        if acting == 0:
            break
        turn(rng, state, acting, moves)
        plies += 1
        n = key(state, words)
        if n:
            times = occurred(table, slots, kept, digest(words, n))
            kept += 1
            if times == 3 and to_move(state):
                repeat(state)
    forget(table, slots, 0, kept)
    return plies


@template
def playouts(
    rngs: Any,
    options: Words,
    cap: int,
    state: Words,
    moves: Words,
    words: Words,
    table: Words,
    slots: Words,
    scores: Any,
    places: Any,
    plies: Words,
) -> None:
    """One whole game from the start for every generator in ``rngs``; game i fills row i of the last three arrays."""
    for i in range(len(rngs)):
        setup(state, options)
        plies[i] = playout(rngs[i], state, cap, moves, words, table, slots)
        outcome(state, scores[i], places[i])


@dataclass(frozen=True)
class RandomGames:
    """Many finished games: a row of points and of places for each, and how many turns it took."""

    scores: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]
    plies: npt.NDArray[np.int64]


def random_games(
    name: str, variant: str | None = None, seed: int = 0, count: int = 1, cap: int = CAP, **options: Any
) -> RandomGames:
    """Play ``count`` uniformly random games; game i is the same for the same seed + i on every machine.

    >>> random_games("plus4", seed=7, count=3).plies.shape
    (3,)
    """
    game = Game(rulebook(name), variant, options)
    book, seats = game.book, game.seats
    found = RandomGames(
        np.zeros((count, seats), np.int64), np.zeros((count, seats), np.int64), np.zeros(count, np.int64)
    )
    bind(sys.modules[__name__], book.rules, book.name).playouts(
        seeds(seed, count),
        game.words,
        cap,
        *(np.zeros(size, np.int64) for size in (book.state_size, book.max_moves, book.state_size)),
        *(np.zeros(size, np.int64) for size in (table_size(cap + 1), cap + 1)),
        found.scores,
        found.places,
        found.plies,
    )
    return found
