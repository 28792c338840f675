"""Advice for the ring without any knowledge: all moves are equally likely."""

from quatuor.kernel import Floats, Rng, Words, below, jit
from tests.engine.ring import legal

SEARCH = "guided"
MEMORY = MAPS = KINDS = 1


@jit
def weigh(state: Words, count: int, moves: Words, memory: Words, maps: Floats, out: Floats) -> None:
    for i in range(count):
        out[i] = 0.0


@jit
def alike(state: Words, action: int) -> int:
    return 0


@jit
def choose(rng: Rng, state: Words, memory: Words, gains: Floats, moves: Words) -> int:
    return moves[below(rng, legal(state, 0, moves))]


@jit
def utility(seats: int, scores: Words, wins: Floats, out: Floats) -> None:
    for seat in range(seats):
        out[seat] = wins[seat]


@jit
def horizon(root: Words, done: int) -> int:
    return 400


@jit
def foresee(state: Words, seats: int, memory: Words, scores: Words, wins: Floats) -> None:
    for seat in range(seats):
        scores[seat], wins[seat] = 0, 0.5
