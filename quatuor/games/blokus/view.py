"""A position and what a turn did, as plain data. Colours are numbers: 0 blue, 1 yellow, 2 red, 3 green."""

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from quatuor.games.blokus import rules
from quatuor.games.blokus.board import attach_points, bits
from quatuor.games.blokus.notation import CELL_NAMES
from quatuor.games.blokus.tables import NAMES, PAD, PIECE, SIDE, cells_of
from quatuor.games.contract import State

LETTERS = "byrg"
EMPTY = "."
REMEMBERED = 2000  # hands, and rows of a board: the same ones occur again and again, mostly soon
_MARKS = str.maketrans("01234", EMPTY + LETTERS)


def rows(state: State) -> list[str]:
    """The board, the top row first: ``.`` empty, else the colour's letter."""
    side = int(rules.side(state))
    layers = state[rules.CELLS : rules.CELLS + 4 * rules.LAYER].reshape(4, rules.LAYER)
    return [_row(side, *words) for words in layers[:, side - 1 :: -1].T.tolist()]


@functools.lru_cache(REMEMBERED)
def _row(side: int, *words: int) -> str:
    """A row of the board from those of all colours."""
    blue, yellow, red, green = (int(format(word >> PAD, "b")) for word in words)  # a decimal digit for each cell
    digits = str(blue + 2 * yellow + 3 * red + 4 * green)  # a cell has one colour at most: no digit overflows
    return digits.zfill(side)[::-1].translate(_MARKS)


def pieces_left(state: State, colour: int) -> list[str]:
    return list(_pieces(int(state[rules.HAND + colour])))


@functools.lru_cache(REMEMBERED)
def _pieces(hand: int) -> tuple[str, ...]:
    return tuple(NAMES[piece] for piece in bits(hand))


def score(state: State, colour: int) -> int:
    """As the rules count it."""
    return _score(int(state[rules.HAND + colour]), int(state[rules.LAST_PIECE + colour]))


@functools.lru_cache(REMEMBERED)
def _score(hand: int, last_piece: int) -> int:
    state = np.zeros(rules.SIZE, np.int64)
    state[rules.HAND], state[rules.LAST_PIECE] = hand, last_piece
    return int(rules.score(state, 0))


def is_out(state: State, colour: int) -> bool:
    return bool(state[rules.OUT] >> colour & 1)


def starts(state: State, colour: int) -> list[str]:
    """The cells of which a colour's first piece must cover one; none after that piece."""
    if state[rules.HAND + colour] != rules.FULL_HAND or is_out(state, colour):
        return []
    asked = state.copy()
    rules.give_turn(asked, colour)
    return [CELL_NAMES[cell] for cell in attach_points(asked)]


def cell_names(action: int) -> list[str]:
    return [CELL_NAMES[cell] for cell in cells_of(action)]


def view(state: State) -> dict[str, Any]:
    running = bool(rules.to_move(state))
    last = int(state[rules.LAST_ACTION])
    return {
        "size": int(rules.side(state)),
        "board": rows(state),
        "colour": int(state[rules.COLOUR]) if running else None,  # to move
        "attach": [CELL_NAMES[cell] for cell in attach_points(state)] if running else [],  # a placement covers one
        "last": [] if last == rules.NONE else cell_names(last),
        "last_colour": None if last == rules.NONE else int(state[rules.LAST_COLOUR]),
        "colours": [
            {
                "colour": colour,
                "seat": int(rules.seat_of(state, colour)),  # the seat that places its next piece
                "pieces": pieces_left(state, colour),
                "score": score(state, colour),
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
    return {"code": "blocked", "scores": [score(state, c) for c in range(rules.colours(state))]}
