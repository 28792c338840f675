"""The compiled part of a batch: what happens in some rows of its arrays, on the CPU and on a GPU alike.

What batches call takes games ``first`` to ``last - 1``, one call for many: the arrays of Games are over a hundred words
of arguments. What is done for a single game takes only what it needs, and becomes part of who calls it. Games are
numbered without sign, since for numbers that might be negative every access would ask from which end they count.
"""

from typing import Any, NamedTuple

import numpy as np

from quatuor.engine.observation import sizes
from quatuor.engine.repetition import digest
from quatuor.engine.uct import share
from quatuor.game import Game
from quatuor.games.contract import key, legal, observe, outcome, play, repeat, setup, to_move
from quatuor.kernel import Words, below, inlined, jit, template

FINE = -1
BITS = 4  # words (a power of two) in which every digest of a history has set a bit

Form = tuple[tuple[int, ...], type[np.generic]]  # shape and type of an array


class Games(NamedTuple):
    """Every array of a batch; the first index is the game."""

    states: Any
    plies: Any
    acting: Any  # a bit for each seat that acts
    moves: Any  # game, place, list of legal actions
    counts: Any  # game, place: how many of them there are
    mask: Any  # game, place, action: 1 if legal
    planes: Any  # game, place, what is seen of the board; nothing where nobody looks
    facts: Any  # game, place, what is known besides
    rewards: Any  # game, seat: -1 to 1 when the game ends, else 0
    ended: Any
    cut: Any
    scores: Any  # game, seat: of the last game that ended
    places: Any
    rngs: Any
    seen: Any  # game, BITS words about its history
    scratch: Any  # room for a key; whoever works on some games uses the row of the first
    history: Any  # digests of the positions so far, where the repetition rule counts them


def forms(game: Game, n: int, cap: int, look: bool) -> dict[str, Form]:
    """What every array of ``n`` such games looks like."""
    book, seats = game.book, game.seats
    places = seats if len(game.to_move) > 1 else 1
    shape, facts = sizes(book) if look else ((0,), 0)
    return {
        "states": ((n, book.state_size), np.int64),
        "plies": ((n,), np.int64),
        "acting": ((n,), np.int64),
        "moves": ((n, places, book.max_moves), np.int64),
        "counts": ((n, places), np.int64),
        "mask": ((n, places, book.actions), np.int8),
        "planes": ((n, places, int(np.prod(shape))), np.int8),
        "facts": ((n, places, facts), np.int8),
        "rewards": ((n, seats), np.float32),
        "ended": ((n,), np.bool_),
        "cut": ((n,), np.bool_),
        "scores": ((n, seats), np.int64),
        "places": ((n, seats), np.int64),
        "rngs": ((n, 1), np.uint64),
        "seen": ((n, BITS), np.int64),
        "scratch": ((n, book.state_size), np.int64),
        "history": ((n, cap + 1 if game.occurred else 0), np.int64),
    }


@template
@inlined
def occur(state: Words, scratch: Words, seen: Words, history: Words, kept: int) -> int:
    """Keep a position behind the ``kept`` ones; return how often it has occurred, 0 where nobody counts.

    A game's history is short and searched from end to end: a table would lie somewhere in memory for every game. Most
    positions are new, and their bit mostly tells so without a search.
    """
    n = key(state, scratch)
    if n == 0:
        return 0
    number = digest(scratch, n)
    if kept == 0:
        for j in range(BITS):
            seen[j] = 0
    word = number & BITS - 1
    bit = 1 << (number >> 8 & 31)
    times = 1
    if seen[word] & bit:
        for j in range(kept):
            times += 1 if history[j] == number else 0
    seen[word] |= bit
    history[kept] = number
    return times


@jit
def seat_at(acting: int, place: int, several: bool) -> int:
    """Whose place it is: each seat has its own, or the one that acts has the only one.

    Without a branch, since which seat acts is what neither a CPU can predict nor the threads of a GPU have in common.
    """
    return place if several else (acting >> 1) - (acting >> 3)  # the bits 1, 2, 4, 8 are the seats 0, 1, 2, 3


@template
@inlined
def turn(state: Words, acting: int, actions: Words) -> None:
    """Play an action for each seat that acts."""
    for place in range(len(actions)):
        seat = seat_at(acting, place, len(actions) > 1)
        if acting >> seat & 1:
            play(state, seat, actions[place])


@template
@inlined
def offer(state: Words, acting: int, moves: Any, counts: Words, mask: Any) -> None:
    """List what is legal; of the mask only what changes is written."""
    for place in range(len(counts)):
        for j in range(counts[place]):
            mask[place, moves[place, j]] = 0
        seat = seat_at(acting, place, len(counts) > 1)
        n = legal(state, seat, moves[place]) if acting >> seat & 1 else 0
        counts[place] = n
        for j in range(n):
            mask[place, moves[place, j]] = 1


@template
@inlined
def show(state: Words, acting: int, planes: Any, facts: Any) -> None:
    """Have the seats that act look. Others see what they saw before."""
    if facts.shape[1] == 0:
        return
    for place in range(len(planes)):
        seat = seat_at(acting, place, len(planes) > 1)
        if acting >> seat & 1:
            observe(state, seat, planes[place], facts[place])


@template
def restart(first: int, last: int, options: Words, games: Any) -> None:
    """Begin the games and tell how they stand."""
    for i in range(np.uint64(first), np.uint64(last)):
        state = games.states[i]
        setup(state, options)
        games.plies[i] = 0
        occur(state, games.scratch[first], games.seen[i], games.history[i], 0)
        games.acting[i] = to_move(state)
        offer(state, games.acting[i], games.moves[i], games.counts[i], games.mask[i])
        show(state, games.acting[i], games.planes[i], games.facts[i])


@template
def step(first: int, last: int, actions: Any, seats: int, cap: int, again: bool, options: Words, games: Any) -> None:
    """Play a turn of each game and tell how they stand; those that it ended give rewards and (``again``) begin anew."""
    for i in range(np.uint64(first), np.uint64(last)):
        state = games.states[i]
        games.ended[i] = False
        games.cut[i] = False
        for seat in range(seats):
            games.rewards[i, seat] = 0.0
        if games.acting[i] == 0:
            continue
        turn(state, games.acting[i], actions[i])
        ply = games.plies[i] + 1
        if occur(state, games.scratch[first], games.seen[i], games.history[i], ply) == 3 and to_move(state):
            repeat(state)
        if to_move(state) == 0:
            games.ended[i] = True
            outcome(state, games.scores[i], games.places[i])
            for seat in range(seats):
                games.rewards[i, seat] = 2.0 * share(games.places[i], seats, seat) - 1.0
        elif ply == cap:
            games.cut[i] = True
        if again and (games.ended[i] or games.cut[i]):
            ply = 0
            setup(state, options)
            occur(state, games.scratch[first], games.seen[i], games.history[i], 0)
        games.plies[i] = ply
        games.acting[i] = to_move(state) if ply < cap else 0
        offer(state, games.acting[i], games.moves[i], games.counts[i], games.mask[i])
        show(state, games.acting[i], games.planes[i], games.facts[i])


@template
def wrong(first: int, last: int, actions: Any, counts: Any, mask: Any) -> int:
    """The first game for which an action is given that is not legal, or FINE."""
    for i in range(np.uint64(first), np.uint64(last)):
        for place in range(counts.shape[1]):
            action = actions[i, place]
            if counts[i, place] and not (0 <= action < mask.shape[2] and mask[i, place, action]):
                return i
    return FINE


@template
def draw(first: int, last: int, actions: Any, moves: Any, counts: Any, rngs: Any) -> None:
    """A random legal action for everyone who acts, 0 for the others."""
    for i in range(np.uint64(first), np.uint64(last)):
        for place in range(counts.shape[1]):
            n = counts[i, place]
            actions[i, place] = moves[i, place, below(rngs[i], n)] if n else 0
