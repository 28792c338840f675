"""The compiled part of a batch: what happens in some rows of its arrays, on the CPU and on a GPU alike.

The functions that batches call take games ``first`` to ``last - 1``, many in one call, because the arrays of Games are
over a hundred words of arguments. The functions for a single game take only what they need and are inlined. Numbers of
games are unsigned: with a signed index, every access to an array would check for numbers below zero.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from quatuor.engine.observation import sizes
from quatuor.engine.repetition import FILTER, end_if_third, remember_in_list
from quatuor.engine.seats import share
from quatuor.game import Game
from quatuor.games.contract import legal, observe, outcome, play, setup, to_move
from quatuor.kernel import Array, Bytes3, Rngs, Singles2, Words, Words2, Words3, below, exports, inlined, jit, template

ALL_LEGAL = -1  # instead of the number of a game with an illegal action

Form = tuple[tuple[int, ...], type[np.generic]]  # shape and type of an array


Flags = Annotated[Any, Array("bool")]
ByColumn = Annotated[Any, Array("int64", 2, "F")]


class Games(NamedTuple):
    """Every array of a batch; the first index is the game."""

    states: Words2
    plies: Words
    acting: Words  # a bit for each seat that acts
    moves: Words3  # game, place, list of legal actions
    counts: Words2  # game, place: how many of them there are
    mask: Bytes3  # game, place, action: 1 if legal
    planes: Bytes3  # game, place, planes of the board; empty without observations
    facts: Bytes3  # game, place, facts about the whole
    rewards: Singles2  # game, seat: -1 to 1 when the game ends, else 0
    ended: Flags
    cut: Flags
    scores: Words2  # game, seat: of the last game that ended
    places: Words2
    rngs: Rngs
    seen: Words2  # game, FILTER words: which digests its history may hold
    scratch: Words2  # room for a key; a call that works on several games uses the row of the first
    history: ByColumn  # digests of the positions so far, where the repetition rule counts them
    active: Flags  # the games that a call is about; all of them between calls
    final_planes: Bytes3  # game, seat: what each seat saw when its last game ended or was cut off; may be empty
    final_facts: Bytes3


class StepRules(NamedTuple):
    """What a step needs to know besides the arrays; whole numbers, since a GPU's kernels take words."""

    seats: int
    cap: int  # turns after which a game is cut off
    auto_reset: int  # 1: a game that ended or was cut off begins anew


def forms(game: Game, n: int, cap: int, look: bool, final: bool = False) -> dict[str, Form]:
    """Shape and type of every array of ``n`` such games; ``look``: with observations, ``final``: of ends as well."""
    book, seats = game.book, game.seats
    places = seats if len(game.to_move) > 1 else 1
    shape, facts = sizes(book) if look else ((0,), 0)
    cells = int(np.prod(shape))
    return {
        "states": ((n, book.state_size), np.int64),
        "plies": ((n,), np.int64),
        "acting": ((n,), np.int64),
        "moves": ((n, places, book.max_moves), np.int64),
        "counts": ((n, places), np.int64),
        "mask": ((n, places, book.actions), np.int8),
        "planes": ((n, places, cells), np.int8),
        "facts": ((n, places, facts), np.int8),
        "rewards": ((n, seats), np.float32),
        "ended": ((n,), np.bool_),
        "cut": ((n,), np.bool_),
        "scores": ((n, seats), np.int64),
        "places": ((n, seats), np.int64),
        "rngs": ((n, 1), np.uint64),
        "seen": ((n, FILTER), np.int64),
        "scratch": ((n, book.state_size), np.int64),
        "history": ((n, cap + 1 if game.occurred else 0), np.int64),
        "active": ((n,), np.bool_),
        "final_planes": ((n, seats, cells if final else 0), np.int8),
        "final_facts": ((n, seats, facts if final else 0), np.int8),
    }


@jit
def seat_at(acting: int, place: int, several: bool) -> int:
    """The seat of a place: with ``several`` places each seat has its own, else the seat that acts has the only one.

    Without a branch: a CPU cannot predict which seat acts, and it differs between the threads of a GPU.
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
    """List the legal actions; write only the cells of the mask that change."""
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
    """Write the observations of the seats that act. Those of the others stay as they were."""
    if facts.shape[1] == 0:
        return
    for place in range(len(planes)):
        seat = seat_at(acting, place, len(planes) > 1)
        if acting >> seat & 1:
            observe(state, seat, planes[place], facts[place])


@template
def show_final(state: Words, planes: Any, facts: Any) -> None:
    """Write what every seat sees of a game that ends or is cut off, if that is kept."""
    if facts.shape[1]:
        for seat in range(len(facts)):
            observe(state, seat, planes[seat], facts[seat])


@template
def restart(first: int, last: int, options: Words, games: Games) -> None:
    """Begin the active games and fill in their arrays."""
    for i in range(np.uint64(first), np.uint64(last)):
        if not games.active[i]:
            continue
        state = games.states[i]
        setup(state, options)
        games.plies[i] = 0
        remember_in_list(state, games.scratch[first], games.seen[i], games.history[i], 0)
        games.acting[i] = to_move(state)
        offer(state, games.acting[i], games.moves[i], games.counts[i], games.mask[i])
        show(state, games.acting[i], games.planes[i], games.facts[i])


@template
def refresh(first: int, last: int, cap: int, games: Games) -> None:
    """Fill in the arrays of the active games after their states have been written from outside."""
    for i in range(np.uint64(first), np.uint64(last)):
        if not games.active[i]:
            continue
        state = games.states[i]
        games.acting[i] = to_move(state) if games.plies[i] < cap else 0
        offer(state, games.acting[i], games.moves[i], games.counts[i], games.mask[i])
        show(state, games.acting[i], games.planes[i], games.facts[i])


@template
def step(first: int, last: int, actions: Words2, rules: StepRules, options: Words, games: Games) -> None:
    """Play a turn of each active game and fill in its arrays; a game that ends gives rewards and may begin anew."""
    seats, cap, again = rules.seats, rules.cap, rules.auto_reset != 0
    for i in range(np.uint64(first), np.uint64(last)):
        state = games.states[i]
        games.ended[i] = False
        games.cut[i] = False
        for seat in range(seats):
            games.rewards[i, seat] = 0.0
        if games.acting[i] == 0 or not games.active[i]:
            continue
        turn(state, games.acting[i], actions[i])
        ply = games.plies[i] + 1
        end_if_third(state, remember_in_list(state, games.scratch[first], games.seen[i], games.history[i], ply))
        if to_move(state) == 0:
            games.ended[i] = True
            outcome(state, games.scores[i], games.places[i])
            for seat in range(seats):
                games.rewards[i, seat] = 2.0 * share(games.places[i], seats, seat) - 1.0
        elif ply == cap:
            games.cut[i] = True
        if games.ended[i] or games.cut[i]:
            show_final(state, games.final_planes[i], games.final_facts[i])
            if again:
                ply = 0
                setup(state, options)
                remember_in_list(state, games.scratch[first], games.seen[i], games.history[i], 0)
        games.plies[i] = ply
        games.acting[i] = to_move(state) if ply < cap else 0
        offer(state, games.acting[i], games.moves[i], games.counts[i], games.mask[i])
        show(state, games.acting[i], games.planes[i], games.facts[i])


@template
def first_illegal(first: int, last: int, actions: Words2, active: Flags, counts: Words2, mask: Bytes3) -> int:
    """The first active game with an illegal action, or ALL_LEGAL."""
    for i in range(np.uint64(first), np.uint64(last)):
        if not active[i]:
            continue
        for place in range(counts.shape[1]):
            action = actions[i, place]
            if counts[i, place] and not (0 <= action < mask.shape[2] and mask[i, place, action]):
                return i
    return ALL_LEGAL


@template
def draw(first: int, last: int, actions: Words2, moves: Words3, counts: Words2, rngs: Rngs) -> None:
    """A random legal action for each seat that acts, 0 for the others."""
    for i in range(np.uint64(first), np.uint64(last)):
        for place in range(counts.shape[1]):
            n = counts[i, place]
            actions[i, place] = moves[i, place, below(rngs[i], n)] if n else 0


EXPORTS = exports(restart, refresh, step, first_illegal, draw)
