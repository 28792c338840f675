"""Tic-tac-toe on a torus: the board's edges are joined, so a diagonal that leaves it comes back opposite."""

import sys

import numpy as np

from quatuor.games.contract import IllegalMove, Rulebook, State, Text, Variant
from quatuor.kernel import Bytes, Words, rule

# ---- the rules: a state is a few words, an action is a number

CELLS, TURN, WINNER, SIZE = 0, 2, 3, 4  # CELLS: two words, the cells of each seat as bits
RUNNING, DRAW = -1, 2
STEPS = ((0, 1), (1, 0), (1, 1), (1, 2))
LINES = np.array(sorted({
    sum(1 << (row + i * down) % 3 * 3 + (column + i * right) % 3 for i in range(3))
    for row in range(3) for column in range(3) for down, right in STEPS
}), np.int64)  # fmt: skip


@rule
def setup(state: Words, options: Words) -> None:
    for i in range(SIZE):
        state[i] = 0
    state[WINNER] = RUNNING


@rule
def to_move(state: Words) -> int:
    return 1 << state[TURN] if state[WINNER] == RUNNING else 0


@rule
def legal(state: Words, seat: int, out: Words) -> int:
    n = 0
    for cell in range(9):
        if (state[CELLS] | state[CELLS + 1]) >> cell & 1 == 0:
            out[n] = cell
            n += 1
    return n


@rule
def play(state: Words, seat: int, action: int) -> None:
    state[CELLS + seat] |= 1 << action
    state[TURN] = 1 - seat
    if state[CELLS] | state[CELLS + 1] == 0x1FF:
        state[WINNER] = DRAW
    for line in LINES:
        if state[CELLS + seat] & line == line:
            state[WINNER] = seat


@rule
def outcome(state: Words, scores: Words, places: Words) -> None:
    for seat in range(2):
        scores[seat] = 1 if state[WINNER] == seat else 0
        places[seat] = 2 if state[WINNER] == 1 - seat else 1


@rule
def key(state: Words, out: Words) -> int:
    return 0  # no position comes again


@rule
def repeat(state: Words) -> None:
    """Never called."""


# ---- what learners see

VERSION, ROWS, COLUMNS = 1, 3, 3
PLANES, FACTS = ("own cells", "the other's cells"), ("acts now",)


@rule
def observe(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    for cell in range(9):
        planes[cell] = state[CELLS + seat] >> cell & 1
        planes[9 + cell] = state[CELLS + 1 - seat] >> cell & 1
    facts[0] = to_move(state) >> seat & 1


# ---- text and pictures

NAMES = [f"{column}{row}" for row in "123" for column in "abc"]


def read(state: State, seat: int, text: str) -> int:
    if text not in NAMES:
        raise IllegalMove(f"{text!r} is not a cell; the cells are {', '.join(NAMES)}")
    if (state[CELLS] | state[CELLS + 1]) >> NAMES.index(text) & 1:
        raise IllegalMove(f"{text} is taken")
    return NAMES.index(text)


def marks(state: State) -> str:
    return "".join("XO·"[0 if state[CELLS] >> i & 1 else 1 if state[CELLS + 1] >> i & 1 else 2] for i in range(9))


def text_board(state: State) -> str:
    return "\n".join(" ".join(marks(state)[i : i + 3]) for i in (6, 3, 0))


def svg(state: State) -> str:
    cells = "".join(
        f'<text x="{20 + 40 * (i % 3)}" y="{112 - 40 * (i // 3)}" text-anchor="middle" font-size="32">{mark}</text>'
        for i, mark in enumerate(marks(state))
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 120">{cells}</svg>'


NAME = Text("Torus", "Tore", "Torus")
LINE = Text("Three in line wins.", "Trois alignés gagnent.", "Drei in einer Reihe gewinnen.")
HERE = sys.modules[__name__]
RULEBOOK = Rulebook(
    name="torus", title=NAME, text=LINE, variants=(Variant("torus", NAME, LINE, seats=2, minutes=(1, 3)),), options=(),
    rules=HERE, planes=HERE, state_size=SIZE, max_moves=9, actions=9,
    write=lambda state, seat, action: NAMES[action], read=read, view=lambda state: {"cells": marks(state)},
    effects=lambda before, actions, after: {}, reason=lambda state: {"code": "line", "winner": int(state[WINNER])},
    svg=svg, text_board=text_board,
)  # fmt: skip
