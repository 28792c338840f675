"""3/6 orders as text: ``3>B4`` sends pawn 3 to B4, ``-`` moves nothing; A1 is bottom left, letters are columns.

An impossible order is accepted and moves nothing (TS-8); only text that is not an order is refused.
"""

import re

from quatuor.games.contract import IllegalMove, State
from quatuor.games.trois_six import rules

LETTERS = "ABCDEF"
_ORDER = re.compile(r"([0-6])>([A-F])([1-6])", re.IGNORECASE)


def cell_name(cell: int) -> str:
    return f"{LETTERS[cell % 6]}{cell // 6 + 1}"


def cell_number(name: str) -> int:
    """The cell of a name such as ``B4``; ValueError if there is none."""
    if not re.fullmatch(r"[A-Fa-f][1-6]", name):
        raise ValueError(f"{name!r} is not a cell; the cells are A1 to F6")
    return LETTERS.index(name[0].upper()) + 6 * (int(name[1]) - 1)


def write(state: State, seat: int, action: int) -> str:
    if action == rules.PASS:
        return "-"
    return f"{action // rules.CELLS}>{cell_name(action % rules.CELLS)}"


def read(state: State, seat: int, text: str) -> int:
    if text == "-":
        return rules.PASS
    order = _ORDER.fullmatch(text)
    if not order:
        raise IllegalMove(
            f"{text!r} is not an order: give a pawn's number and a cell, such as 3>B4, or - to move nothing"
        )
    number = int(order[1])
    if number == 0 and not state[rules.VOID_BLOCKS]:
        raise IllegalMove(f"{text!r}: pawns are 1 to 6; 0 blocks a cell only with the option void_blocks=yes")
    return number * rules.CELLS + cell_number(order[2] + order[3])
