"""What a learner sees of a Blokus position. A plane's row 0 is row 1 of the board, its column 0 is column a.

Colours are listed in the order of play from the *first* one: the colour to move if the seat acts now, else the colour
that it plays next. In ``three`` the shared green is first only if it is to move.
"""

from quatuor.games.blokus.rules import (
    ATTACH,
    CELLS,
    COLOUR,
    FREE,
    GREEN,
    HAND,
    LAYER,
    OUT,
    PIECES,
    TEAMS,
    THREE,
    TWO,
    VARIANT,
    colours,
    seat_of,
    side,
    to_move,
)
from quatuor.games.blokus.tables import NAMES, PAD, SIDE
from quatuor.kernel import Bytes, Words, rule

VERSION = 1
ROWS, COLUMNS = SIDE, SIDE
ORDER = ("first colour", "second colour", "third colour", "fourth colour")
PLANES = (*ORDER, "cells the colour to move may cover", "its attach points", "the board")
FACTS = (
    "acts now",
    *(f"{colour} is the seat's or its partner's" for colour in ORDER),
    *(f"{colour} can place no more" for colour in ORDER),
    *(f"{colour} holds {name}" for colour in ORDER for name in NAMES),
)
FREE_PLANE, ATTACH_PLANE, BOARD_PLANE = 4, 5, 6
MINE, STUCK, HELD = 1, 5, 9  # among the facts


@rule
def first_colour(state: Words, seat: int) -> int:
    """The colour that a seat plays now or next."""
    count = colours(state)
    for i in range(count):
        colour: int = (state[COLOUR] + i) % count
        shared = state[VARIANT] == THREE and colour == GREEN
        if seat_of(state, colour) == seat and (i == 0 or not shared):
            return colour
    return 0


@rule
def _counts_for(state: Words, seat: int, colour: int) -> bool:
    """Whether a colour's score is the seat's, wholly or as a team's."""
    if state[VARIANT] == TWO or state[VARIANT] == TEAMS:
        return (colour - seat) % 2 == 0
    return colour == seat


@rule
def observe(state: Words, seat: int, planes: Bytes, facts: Bytes) -> None:
    count = colours(state)
    first = first_colour(state, seat)
    acts = to_move(state) >> seat & 1
    height = side(state)
    facts[0] = acts
    for i in range(4):
        colour = (first + i) % count
        there = i < count
        facts[MINE + i] = 1 if there and _counts_for(state, seat, colour) else 0
        facts[STUCK + i] = state[OUT] >> colour & 1 if there else 0
        for piece in range(PIECES):
            facts[HELD + i * PIECES + piece] = state[HAND + colour] >> piece & 1 if there else 0
        for row in range(SIDE):
            _write(state[CELLS + colour * LAYER + row] if there else 0, i, row, planes)
    for row in range(SIDE):
        _write(state[FREE + row] if acts else 0, FREE_PLANE, row, planes)
        _write(state[ATTACH + row] if acts else 0, ATTACH_PLANE, row, planes)
        _write((1 << height) - 1 << PAD if row < height else 0, BOARD_PLANE, row, planes)


@rule
def _write(cells: int, plane: int, row: int, planes: Bytes) -> None:
    start = (plane * SIDE + row) * SIDE
    for column in range(SIDE):
        planes[start + column] = cells >> PAD + column & 1
