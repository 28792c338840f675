"""A position and what a turn did, as plain data. Colours are numbers: 0 blue, 1 yellow, 2 red, 3 green."""

from collections.abc import Mapping
from typing import Any

from quatuor.games.blokus import rules
from quatuor.games.blokus.board import attach_points, bits
from quatuor.games.blokus.notation import cell_name
from quatuor.games.blokus.tables import NAMES, PAD, PIECE, SIDE, cells_of
from quatuor.games.contract import State

LETTERS = "byrg"
EMPTY = "."


def rows(state: State) -> list[str]:
    """The board, the top row first: ``.`` empty, else the colour's letter."""
    side = rules.side(state)
    layers = state[rules.CELLS : rules.CELLS + 4 * rules.LAYER].tolist()
    return [_row([layers[colour * rules.LAYER + row] >> PAD for colour in range(4)], side) for row in range(side)][::-1]


def _row(colours: list[int], side: int) -> str:
    """One row, from the cells of each colour as bits."""
    marks = [EMPTY] * side
    for letter, cells in zip(LETTERS, colours, strict=True):
        while cells:
            marks[(cells & -cells).bit_length() - 1] = letter
            cells &= cells - 1
    return "".join(marks)


def pieces_left(state: State, colour: int) -> list[str]:
    return [NAMES[piece] for piece in bits(int(state[rules.HAND + colour]))]


def is_out(state: State, colour: int) -> bool:
    return bool(state[rules.OUT] >> colour & 1)


def starts(state: State, colour: int) -> list[str]:
    """The cells of which a colour's first piece must cover one; none after that piece."""
    if state[rules.HAND + colour] != rules.FULL_HAND or is_out(state, colour):
        return []
    asked = state.copy()
    rules.give_turn(asked, colour)
    return [cell_name(*cell) for cell in attach_points(asked)]


def cell_names(action: int) -> list[str]:
    return [cell_name(*cell) for cell in cells_of(action)]


def view(state: State) -> dict[str, Any]:
    running = bool(rules.to_move(state))
    last = int(state[rules.LAST_ACTION])
    return {
        "size": int(rules.side(state)),
        "board": rows(state),
        "colour": int(state[rules.COLOUR]) if running else None,  # to move
        "attach": [cell_name(*cell) for cell in attach_points(state)] if running else [],  # a placement covers one
        "last": [] if last == rules.NONE else cell_names(last),
        "last_colour": None if last == rules.NONE else int(state[rules.LAST_COLOUR]),
        "colours": [
            {
                "colour": colour,
                "seat": int(rules.seat_of(state, colour)),  # the seat that places its next piece
                "pieces": pieces_left(state, colour),
                "score": int(rules.score(state, colour)),
                "out": is_out(state, colour),
                "start": starts(state, colour),
            }
            for colour in range(rules.colours(state))
        ],
    }


def effects(before: State, actions: Mapping[int, int], after: State) -> dict[str, Any]:
    """The piece that was placed, and the colours that can place no more since this turn."""
    ((seat, action),) = actions.items()
    return {
        "seat": seat,
        "colour": int(before[rules.COLOUR]),
        "piece": NAMES[PIECE[action // (SIDE * SIDE)]],
        "cells": cell_names(action),
        "out": [colour for colour in range(4) if is_out(after, colour) and not is_out(before, colour)],
    }


def reason(state: State) -> dict[str, Any]:
    """BK-6: no colour can place a piece; the score of every colour decides."""
    return {"code": "blocked", "scores": [int(rules.score(state, c)) for c in range(rules.colours(state))]}
