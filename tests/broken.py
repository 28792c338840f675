"""Games that break the contract, each in one way: the torus of the guide with one change."""

from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np

from examples import torus
from quatuor.games.contract import Rulebook
from quatuor.kernel import Bytes, Words, jit

CELLS, TURN, WINNER = torus.CELLS, torus.TURN, torus.WINNER
CELL_COUNT = np.array([9], np.int64)  # compiled code keeps the contents it had when it was compiled


def module(**changed: Any) -> ModuleType:
    """The module of the torus with some functions replaced."""
    made = ModuleType("broken")
    made.__dict__.update({name: value for name, value in vars(torus).items() if not name.startswith("__")})
    made.__dict__.update(changed)
    made.__file__ = __file__
    return made


def with_rules(**changed: Any) -> Rulebook:
    made = module(**changed)
    return replace(torus.RULEBOOK, rules=made, planes=made)


@jit
def legal_none(state: Words, seat: int, out: Words) -> int:
    return 0


@jit
def legal_twice(state: Words, seat: int, out: Words) -> int:
    n = torus.legal(state, seat, out)
    out[n - 1] = out[0]
    return n


@jit
def legal_by_table(state: Words, seat: int, out: Words) -> int:
    n = 0
    for cell in range(CELL_COUNT[0]):
        if (state[CELLS] | state[CELLS + 1]) >> cell & 1 == 0:
            out[n] = cell
            n += 1
    return n


@jit
def legal_shuffled(state: Words, seat: int, out: Words) -> int:
    n = torus.legal(state, seat, out)
    first = np.random.randint(0, n) if n else 0
    out[0], out[first] = out[first], out[0]
    return n


@jit
def legal_that_plays(state: Words, seat: int, out: Words) -> int:
    state[TURN] = 1 - state[TURN]
    return torus.legal(state, seat, out)


@jit
def play_nothing(state: Words, seat: int, action: int) -> None:
    if action != 4:
        torus.play(state, seat, action)


@jit
def play_backwards(state: Words, seat: int, action: int) -> None:
    torus.play(state, seat, action)
    state[-1] = state[WINNER]


@jit
def play_large(state: Words, seat: int, action: int) -> None:
    torus.play(state, seat, action)
    state[CELLS + seat] |= 1 << 62


@jit
def to_move_third(state: Words) -> int:
    return 4


@jit
def outcome_of_seconds(state: Words, scores: Words, places: Words) -> None:
    for seat in range(2):
        scores[seat] = 0
        places[seat] = 2


@jit
def key_too_long(state: Words, out: Words) -> int:
    return 100


@jit
def setup_half(state: Words, options: Words) -> None:
    state[CELLS] = 0
    state[CELLS + 1] = 0
    state[WINNER] = torus.RUNNING  # and not the seat to move


@jit
def observe_beyond(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    torus.observe(state, seat, planes, facts)
    facts[1] = 1


@jit
def observe_and_change(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    state[TURN] = 1 - state[TURN]


@jit
def index_zero(state: Words) -> int:
    return 0
