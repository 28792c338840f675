"""Moves as text: the cells of the piece, ``a17,b17,a18``, sorted by row from the bottom, then by column."""

import re

from quatuor.games.blokus import rules
from quatuor.games.blokus.adjacency import edges
from quatuor.games.blokus.board import attach_points, colour_at, covers, is_attach_point
from quatuor.games.blokus.tables import NAMES, PIECE, SIDE, Cells, action_of, cells_of
from quatuor.games.contract import IllegalMove, State

COLOURS = ("blue", "yellow", "red", "green")
_MOVE = re.compile(r"(?:(?P<colour>[1-4])\s+)?(?P<cells>[a-z][0-9]{1,3}(?:,[a-z][0-9]{1,3})*)")


def cell_name(row: int, column: int) -> str:
    return f"{'abcdefghijklmnopqrst'[column]}{row + 1}"


CELL_NAMES = {(row, column): cell_name(row, column) for row in range(SIDE) for column in range(SIDE)}


def write_cells(cells: Cells) -> str:
    return ",".join(cell_name(*cell) for cell in sorted(cells))


def write(state: State, seat: int, action: int) -> str:
    return TEXTS[action]


class _Texts(dict[int, str]):
    """The text of every action, written when it is first asked for: a table writes all legal moves after every turn."""

    def __missing__(self, action: int) -> str:
        self[action] = text = write_cells(cells_of(action))
        return text


TEXTS = _Texts()


def read(state: State, seat: int, text: str) -> int:
    """The action a text stands for; IllegalMove names the first rule that it breaks."""
    named, cells = parse(text, int(rules.side(state)))
    if rules.to_move(state) != 1 << seat:
        raise IllegalMove(f"seat {seat} does not move now")
    colour = int(state[rules.COLOUR])
    if named is not None and named != colour:
        raise IllegalMove(f"not the turn of colour {named + 1} ({COLOURS[named]}): {COLOURS[colour]} moves now")
    return check(state, cells)


def parse(text: str, side: int) -> tuple[int | None, Cells]:
    """The colour that a text names, if any, and its cells in any order."""
    match = _MOVE.fullmatch(text.strip().lower())
    if match is None:
        raise IllegalMove(f"cannot read {text[:80]!r}: write the cells of the piece, such as a17,b17,a18")
    cells = []
    for name in match["cells"].split(","):
        row, column = int(name[1:]) - 1, ord(name[0]) - ord("a")
        if not (0 <= row < side and column < side):
            raise IllegalMove(f"{name} is off the board, which goes from a1 to {cell_name(side - 1, side - 1)}")
        if (row, column) in cells:
            raise IllegalMove(f"{name} is named twice")
        cells.append((row, column))
    named = int(match["colour"]) - 1 if match["colour"] else None
    return named, tuple(sorted(cells))


def fits(state: State, colour: int, cells: Cells) -> int:
    """The action that places a piece in hand on these cells; IllegalMove if there is none. Corners are not checked."""
    action = action_of(cells)
    if action is None:
        raise IllegalMove(f"{write_cells(cells)} is not a piece: there is none of this form")  # BK-1
    piece = int(PIECE[action // (SIDE * SIDE)])
    if not state[rules.HAND + colour] >> piece & 1:
        raise IllegalMove(f"{COLOURS[colour]} has already used the piece {NAMES[piece]}")
    for cell in cells:
        taken = colour_at(state, *cell)
        if taken is not None:
            raise IllegalMove(f"{cell_name(*cell)} is occupied by {COLOURS[taken]}")
    for cell in cells:
        for beside in sorted(edges([cell])):
            if covers(state, colour, *beside):  # BK-4
                where, touched = cell_name(*cell), cell_name(*beside)
                raise IllegalMove(f"{where} touches {COLOURS[colour]} by an edge, at {touched}")
    return action


def check(state: State, cells: Cells) -> int:
    """The action of the colour to move that covers these cells; IllegalMove if it breaks a rule."""
    colour = int(state[rules.COLOUR])
    action = fits(state, colour, cells)
    if not any(is_attach_point(state, *cell) for cell in cells):
        if state[rules.HAND + colour] == rules.FULL_HAND:  # BK-3
            starts = " or ".join(cell_name(*cell) for cell in attach_points(state))
            raise IllegalMove(f"the first piece of {COLOURS[colour]} must cover {starts}")
        raise IllegalMove(f"the piece must touch {COLOURS[colour]} by a corner")  # BK-4
    return action
