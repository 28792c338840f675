"""Blokus positions as text: the board, the colour to move, the colours that are out, the last pieces, the last colour.

    14/14/… b - j5,- b

Rows go from the top; ``b``, ``y``, ``r``, ``g`` is a cell of a colour, a number that many empty cells. Pieces of one
colour never touch by an edge (BK-4), so the board shows the pieces and the hands. Of each colour's last piece one cell
is named, because the single square scores more if it was last (BK-8). docs/positions.md has more.
"""

import re
from collections.abc import Iterator

from quatuor.games.blokus import rules
from quatuor.games.blokus.adjacency import EDGE_STEPS, Cell, corners
from quatuor.games.blokus.board import bits
from quatuor.games.blokus.notation import COLOURS, cell_name, write_cells
from quatuor.games.blokus.rules import _can_place as can_place
from quatuor.games.blokus.rules import _survey as survey
from quatuor.games.blokus.tables import NAMES, PAD, PIECE, SIDE, action_of, cells_of
from quatuor.games.contract import PositionError, State

LETTERS = "byrg"
DUO_STARTS: tuple[Cell, ...] = ((9, 4), (4, 9))  # BK-13: e10, j5
BOARD_CORNERS: tuple[Cell, ...] = ((SIDE - 1, 0), (SIDE - 1, SIDE - 1), (0, SIDE - 1), (0, 0))
_CELL = re.compile(r"([a-t])([1-9]\d?)")
_FIELDS = "the board, the colour to move, the colours that are out, the last pieces and the last colour"
Pieces = list[list[int]]  # actions by colour


def write_position(state: State) -> str:
    count, side = int(rules.colours(state)), int(rules.side(state))
    rows = []
    for row in reversed(range(side)):
        cells = [" "] * side
        for colour in range(count):
            for bit in bits(int(state[rules.CELLS + colour * rules.LAYER + row])):
                cells[bit - PAD] = LETTERS[colour]
        rows.append(re.sub(" +", lambda gap: str(len(gap[0])), "".join(cells)))
    out = "".join(LETTERS[colour] for colour in range(count) if state[rules.OUT] >> colour & 1)
    last = [_last_cell(state, colour) for colour in range(count)]
    mover = int(state[rules.LAST_COLOUR])
    return " ".join([
        "/".join(rows), LETTERS[state[rules.COLOUR]], out or "-", ",".join(last),
        "-" if mover == rules.NONE else LETTERS[mover],
    ])  # fmt: skip


def read_position(state: State, text: str) -> None:
    fields = text.split(" ")
    if len(fields) != 5:
        raise PositionError(f"{text[:80]!r} has {len(fields)} of 5 fields; write {_FIELDS}")
    board, turn, out, last, mover = fields
    pieces = _read_board(state, board)
    _check_links(state, pieces)
    last_pieces = _read_last(state, pieces, last)
    for colour, actions in enumerate(pieces):
        for action in sorted(actions, key=lambda action: action == last_pieces[colour]):
            rules.put(state, colour, action)
        if last_pieces[colour] is None:
            state[rules.LAST_PIECE + colour] = rules.NONE
    state[rules.LAST_COLOUR] = state[rules.LAST_ACTION] = rules.NONE
    to_move, gone = _colour(state, turn), [_colour(state, letter) for letter in out.replace("-", "")]
    if mover != "-":
        colour = _colour(state, mover)
        placed = last_pieces[colour]
        if placed is None:
            raise PositionError(f"{COLOURS[colour]} moved last, but no last piece of it is named")
        _check_last_colour(state, colour, to_move, gone)
        _check_last_move(state, pieces, colour, placed)
        state[rules.LAST_COLOUR], state[rules.LAST_ACTION] = colour, placed
    _give_turn(state, to_move, gone)


def write_earlier(now: State, earlier: State) -> str:
    return ""  # every placement fills cells: no position comes again


def read_earlier(now: State, text: str) -> State:
    raise PositionError(f"{text!r}: no position of Blokus comes again")


# ---- the board


def _read_board(state: State, text: str) -> Pieces:
    side = int(rules.side(state))
    rows = [re.sub(r"\d+", lambda number: " " * int(number[0][:3]), row) for row in text.split("/")]
    if len(rows) != side or any(len(row) != side for row in rows) or not set("".join(rows)) <= set(LETTERS + " "):
        raise PositionError(
            f"the board has {side} rows of {side} cells: {', '.join(LETTERS)} or numbers of empty cells"
        )
    cells: list[set[Cell]] = [set() for _ in range(rules.colours(state))]
    for i, row in enumerate(rows):
        for column, letter in enumerate(row):
            if letter != " ":
                cells[_colour(state, letter)].add((side - 1 - i, column))
    return [_pieces(colour, found) for colour, found in enumerate(cells)]


def _connected(left: set[Cell]) -> Iterator[tuple[Cell, ...]]:
    """The sets of cells that touch by edges, each sorted."""
    left = set(left)
    while left:
        piece = [left.pop()]
        for row, column in piece:  # which grows meanwhile
            for up, right in EDGE_STEPS:
                if (near := (row + up, column + right)) in left:
                    left.remove(near)
                    piece.append(near)
        yield tuple(sorted(piece))


def _pieces(colour: int, cells: set[Cell]) -> list[int]:
    """The pieces of a colour, each once."""
    found: dict[int, int] = {}
    for piece in _connected(cells):
        action = action_of(piece) if len(piece) <= 5 else None
        if action is None:
            where = write_cells(piece[:6]) + (",…" if len(piece) > 6 else "")
            raise PositionError(
                f"{where} of {COLOURS[colour]} is not a piece; pieces of one colour do not touch by edges"
            )
        kind = int(PIECE[action // (SIDE * SIDE)])
        if kind in found:
            raise PositionError(f"{COLOURS[colour]} has placed the piece {NAMES[kind]} twice")
        found[kind] = action
    return list(found.values())


def _check_links(state: State, pieces: Pieces) -> None:
    """BK-3, BK-4: the first piece covers a start cell, every other one touches its colour by a corner."""
    for colour, actions in enumerate(pieces):
        starts = set(_starts(state, colour))
        linked = [action for action in actions if starts & set(cells_of(action))]
        if actions and not linked:
            where = " or ".join(cell_name(*cell) for cell in sorted(starts))
            raise PositionError(f"no piece of {COLOURS[colour]} covers {where}, where its first piece goes")
        rest = [action for action in actions if action not in linked]
        reach = corners(cell for action in linked for cell in cells_of(action))
        while near := [action for action in rest if reach & set(cells_of(action))]:
            rest = [action for action in rest if action not in near]
            reach |= corners(cell for action in near for cell in cells_of(action))
        if rest:
            where = write_cells(cells_of(rest[0]))
            raise PositionError(f"{where} of {COLOURS[colour]} is not linked by corners to its first piece")


def _starts(state: State, colour: int) -> tuple[Cell, ...]:
    if state[rules.VARIANT] == rules.DUO:
        return (DUO_STARTS[colour],)
    return BOARD_CORNERS if state[rules.CORNERS] == rules.FREE_CORNERS else (BOARD_CORNERS[colour],)


# ---- who moved and who moves


def _colour(state: State, letter: str) -> int:
    known = LETTERS[: rules.colours(state)]
    if len(letter) != 1 or letter not in known:
        raise PositionError(f"{letter!r} is not a colour; write one of {', '.join(known)}")
    return known.index(letter)


def _last_cell(state: State, colour: int) -> str:
    """One cell of the piece that a colour placed last."""
    last = int(state[rules.LAST_PIECE + colour])
    if last == rules.NONE:
        return "-"
    rows = state[rules.CELLS + colour * rules.LAYER :][:SIDE].tolist()
    cells = {(row, bit - PAD) for row, word in enumerate(rows) for bit in bits(word)}
    actions = {piece: action_of(piece) for piece in _connected(cells)}
    return next(
        cell_name(*piece[0])
        for piece, action in actions.items()
        if action is not None and PIECE[action // (SIDE * SIDE)] == last
    )


def _read_last(state: State, pieces: Pieces, text: str) -> list[int | None]:
    """Each colour's last piece; None where it is not named."""
    cells = ["-"] * len(pieces) if text == "-" else text.split(",")
    if len(cells) != len(pieces):
        raise PositionError(f"the last pieces {text!r}: name one cell for each of {len(pieces)} colours, or -")
    found: list[int | None] = []
    for colour, cell in enumerate(cells):
        match = _CELL.fullmatch(cell)
        if cell == "-":
            found.append(None)
            continue
        place = (int(match[2]) - 1, ord(match[1]) - ord("a")) if match else None
        own = [action for action in pieces[colour] if place in cells_of(action)]
        if not own:
            raise PositionError(f"the last piece of {COLOURS[colour]} is on {cell}, but no piece of it lies there")
        found.append(own[0])
    return found


def _check_last_colour(state: State, last: int, turn: int, out: list[int]) -> None:
    """BK-2: the last move was one of the colour before, leaving aside those that are out."""
    count = int(rules.colours(state))
    before = [(turn - i) % count for i in range(1, count + 1) if (turn - i) % count not in out]
    if before and last != before[0]:
        raise PositionError(
            f"{COLOURS[last]} moved last and {COLOURS[turn]} moves now, but {COLOURS[before[0]]} comes before it"
        )


def _check_last_move(state: State, pieces: Pieces, colour: int, placed: int) -> None:
    """BK-3, BK-4: without the piece that was placed last, the others must be linked, too."""
    others = [[action for action in actions if action != placed] for actions in pieces]
    try:
        _check_links(state, others)
    except PositionError:
        where = write_cells(cells_of(placed))
        raise PositionError(f"{where} of {COLOURS[colour]} cannot have been its last piece: others need it") from None


def _give_turn(state: State, turn: int, out: list[int]) -> None:
    """BK-6: the turn passes on if this colour can place nothing."""
    count = int(rules.colours(state))
    for colour in out:
        survey(state, colour)
        if can_place(state, colour):
            raise PositionError(f"{COLOURS[colour]} is out, but can place a piece")
        state[rules.OUT] |= 1 << colour
    state[rules.COLOUR] = turn
    if len(set(out)) == count:
        survey(state, turn)
        return
    if turn in out:
        raise PositionError(f"{COLOURS[turn]} is out and cannot move")
    _check_turns(state, turn, out)
    rules.give_turn(state, turn)
    if rules.to_move(state) == 0:
        survey(state, int(state[rules.COLOUR]))


def _check_turns(state: State, turn: int, out: list[int]) -> None:
    """BK-2: colours place one piece a round, in order, until they are out."""
    placed = [rules.PIECES - int(state[rules.HAND + colour]).bit_count() for colour in range(int(rules.colours(state)))]
    for colour, count in enumerate(placed):
        due = placed[turn] + (1 if colour < turn else 0)
        if (count > due - (colour < turn)) if colour in out else (count != due):
            raise PositionError(
                f"{COLOURS[colour]} has placed {count} pieces and {COLOURS[turn]}, who moves, {placed[turn]}: "
                "colours place one piece each in turn until they are out"
            )
