"""What a learner sees of a Plateau X position. A plane's row 0 is row 1 of the board, its column 0 is column A.

Seats are listed in the order of play from the observing one. A brick is open while nothing covers it, and is marked at
the lower left cell of its box (PX-13 depends on open bricks).
"""

from quatuor.games.plateau_x.rules import (
    DOUBLES_LEFT,
    EDITION,
    OPEN,
    PAWN,
    PLY,
    SINCE,
    SINGLES_LEFT,
    TRIPLES_LEFT,
    VARIANT,
    barred,
    level_of,
    to_move,
)
from quatuor.games.plateau_x.tables import BIT, BOARDS, CELLS, IN_HAND, KINDS, PAWNS, SEATS, SIDE, UP
from quatuor.kernel import Bytes, Words, rule

VERSION = 1
ROWS, COLUMNS = SIDE, SIDE
ORDER = ("own", "the next seat's", "the third seat's", "the fourth seat's")
KIND_NAMES = (
    "singles",
    "doubles across",
    "doubles upright",
    *(f"triples lacking {corner}" for corner in ("lower left", "lower right", "upper left", "upper right")),
)
PLANES = (
    "the board",
    "level",
    *(f"{seat} pawns" for seat in ORDER),
    "cells of plateaus that enemies bar",
    *(f"open {kind}" for kind in KIND_NAMES),
)
FACTS = (
    "acts now",
    "triples left",
    "French edition",
    *(f"{seat} {what}" for seat in ORDER for what in ("singles left", "doubles left", "pawns in hand")),
    *(f"turns since {seat} {pawn} pawn moved" for seat in ORDER for pawn in ("first", "second")),
)
LEVEL_PLANE, PAWN_PLANE, BARRED_PLANE, OPEN_PLANE = 1, 2, 6, 7
STOCK, REST = 3, 15  # among the facts
MOST = 127


@rule
def observe(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    variant = state[VARIANT] & 3
    _write(BOARDS[variant], 0, planes)
    for cell in range(CELLS):
        planes[LEVEL_PLANE * CELLS + cell] = level_of(state, BIT[cell])
    _write(barred(state, seat), BARRED_PLANE, planes)
    for kind in range(KINDS):
        _write(state[OPEN + kind], OPEN_PLANE + kind, planes)
    facts[0] = to_move(state) >> seat & 1
    facts[1] = state[TRIPLES_LEFT]
    facts[2] = state[EDITION]
    for i in range(4):
        other = (seat + i) % SEATS[variant]
        there = i < SEATS[variant]
        facts[STOCK + 3 * i] = state[SINGLES_LEFT + other] if there else 0
        facts[STOCK + 3 * i + 1] = state[DOUBLES_LEFT + other] if there else 0
        cells = 0
        waiting = 0
        for k in range(PAWNS[variant]):
            pawn = PAWN + 2 * other + k
            cells |= BIT[state[pawn]]
            waiting += 1 if state[pawn] == IN_HAND else 0
        for k in range(2):
            pawn = PAWN + 2 * other + k
            out = there and k < PAWNS[variant] and state[pawn] != IN_HAND
            facts[REST + 2 * i + k] = min(state[PLY] - state[pawn + SINCE - PAWN], MOST) if out else 0
        facts[STOCK + 3 * i + 2] = waiting if there else 0
        _write(cells if there else 0, PAWN_PLANE + i, planes)


@rule
def _write(cells: int, plane: int, planes: Bytes) -> None:
    for row in range(SIDE):
        for column in range(SIDE):
            planes[plane * CELLS + row * SIDE + column] = cells >> row * UP + column & 1
