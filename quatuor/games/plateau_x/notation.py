"""Moves as text: ``+B2C1C2`` lays a brick, ``@F3`` brings a pawn in, ``F3-A5`` moves one, ``end`` declares the end."""

import re
from collections.abc import Iterable

from quatuor.games.contract import IllegalMove, State
from quatuor.games.plateau_x import rules
from quatuor.games.plateau_x.tables import (
    ANCHOR,
    BIT,
    BOARD,
    BOARDS,
    CELLS,
    COVER,
    END,
    ENTER,
    IN_HAND,
    KIND,
    MOVE,
    PAWNS,
    SIDE,
    bit,
)

BRICK_NAMES = ("single", "double", "triple")  # by size
BRICKS = {int(COVER[action]): action for action in range(len(COVER))}  # by the cells covered

HOW = "write +B2C1C2 to lay a brick, @F3 to bring a pawn in, F3-A5 to move a pawn, end to declare the end"
CELL = "([A-Z][0-9]{1,2})"
BRICK, ENTRY, STEP = (re.compile(p) for p in (rf"\+({CELL}+)", rf"@{CELL}", rf"{CELL}-{CELL}"))


def name(cell: int) -> str:
    """``A1`` for cell number 0."""
    return "ABCDEFG"[cell % SIDE] + str(cell // SIDE + 1)


# as they are written: sorted by letter, then by number
WRITTEN = [(cell, bit(cell)) for cell in sorted(range(CELLS), key=lambda cell: (cell % SIDE, cell // SIDE))]


def cells_of(bits: int) -> list[int]:
    """The numbers of a set of cells, as they are written."""
    return [cell for cell, mask in WRITTEN if int(bits) & mask]


def names(bits: int) -> list[str]:
    """The names of a set of cells, as they are written."""
    return [name(cell) for cell in cells_of(bits)]


TEXTS = tuple("+" + "".join(names(cover)) for cover in BRICKS)  # of the brick actions


def size_of(brick: int) -> int:
    """How many cells a brick covers."""
    return len(cells_of(COVER[brick]))


def write(state: State, seat: int, action: int) -> str:
    """An action as text."""
    if action == END:
        return "end"
    if action >= MOVE:
        return f"{name((action - MOVE) // CELLS)}-{name((action - MOVE) % CELLS)}"
    if action >= ENTER:
        return "@" + name(action - ENTER)
    return TEXTS[action]


def read(state: State, seat: int, text: str) -> int:
    """Text as an action; IllegalMove says what forbids it."""
    if not rules.to_move(state) >> seat & 1:
        raise IllegalMove("the game is over" if state[rules.WHY] else f"it is seat {state[rules.TURN]}'s turn")
    move = text.strip().upper()
    if move == "END":
        return _end(state, seat)
    if found := BRICK.fullmatch(move):
        return _brick(state, seat, [_cell(state, c) for c in re.findall(CELL, found[1])])
    if found := ENTRY.fullmatch(move):
        return _entry(state, seat, _cell(state, found[1]))
    if found := STEP.fullmatch(move):
        return _step(state, seat, _cell(state, found[1]), _cell(state, found[2]))
    raise IllegalMove(f"{text!r} is not a move: {HOW}")


def side_of(state: State) -> int:
    """Cells along a side: 7, or 6 on the small board."""
    return next(side for side, board in BOARD.items() if board == BOARDS[int(state[rules.VARIANT])])


def _cell(state: State, text: str) -> int:
    side = side_of(state)
    column, row = ord(text[0]) - ord("A"), int(text[1:]) - 1
    if not (0 <= column < side and 0 <= row < side):
        raise IllegalMove(f"{text} is not on the board: columns are A to {'ABCDEFG'[side - 1]}, rows 1 to {side}")
    return row * SIDE + column


def _join(cells: Iterable[int]) -> str:
    return ", ".join(name(cell) for cell in cells)


def _shape(cells: list[int]) -> int:
    """The brick that covers these cells (PX-4)."""
    if len(set(cells)) < len(cells):
        raise IllegalMove("a brick covers a cell once: name each cell once")
    if len(cells) > 3:
        raise IllegalMove(f"no brick covers {len(cells)} cells: there are singles, doubles and triples")
    brick = BRICKS.get(sum(int(BIT[cell]) for cell in cells))
    if brick is None and len(cells) == 2:
        raise IllegalMove(f"{_join(cells)} do not share an edge: a double covers two neighbouring cells")
    if brick is None:
        raise IllegalMove(f"{_join(cells)} are not L-shaped: a triple covers three cells of a 2 by 2 square")
    return brick


def _brick(state: State, seat: int, cells: list[int]) -> int:
    brick = _shape(cells)
    kind = BRICK_NAMES[len(cells) - 1]
    left = (rules.SINGLES_LEFT + seat, rules.DOUBLES_LEFT + seat, rules.TRIPLES_LEFT)[len(cells) - 1]
    if not state[left]:
        raise IllegalMove(f"no {kind} is left" + ("" if kind == "triple" else f" for seat {seat}"))
    held = [cell for cell in cells if state[rules.OCCUPIED] & BIT[cell]]
    if held:
        raise IllegalMove(f"a pawn stands on {_join(held)}: no brick can be laid there")
    levels = [rules.level_of(state, BIT[cell]) for cell in cells]
    if len(set(levels)) > 1:
        what = ", ".join(f"{name(cell)} is at {level}" for cell, level in zip(cells, levels, strict=True))
        raise IllegalMove(f"the levels differ ({what}): a brick covers cells of one level")
    if not rules.fitting(state, seat, KIND[brick]) & ANCHOR[brick]:
        raise IllegalMove(f"a {kind} lies there already, on exactly these cells: not onto a brick of the same kind")
    return brick


def _entry(state: State, seat: int, cell: int) -> int:
    if IN_HAND not in _pawns(state, seat):
        raise IllegalMove(f"seat {seat} has no pawn left to bring in")
    if state[rules.OCCUPIED] & BIT[cell]:
        raise IllegalMove(f"a pawn stands on {name(cell)} already")
    level = rules.level_of(state, BIT[cell])
    if level:
        raise IllegalMove(f"{name(cell)} is at level {level}: a pawn comes in on the bare board, level 0")
    return ENTER + cell


def _step(state: State, seat: int, origin: int, target: int) -> int:
    pawns = [cell for cell in _pawns(state, seat) if cell != IN_HAND]
    if origin not in pawns:
        where = f"; its pawns stand on {_join(pawns)}" if pawns else "; bring one in first, such as @F3"
        raise IllegalMove(f"seat {seat} has no pawn on {name(origin)}{where}")
    reach = rules.targets(state, seat, BIT[origin])
    if reach & BIT[target]:
        return MOVE + CELLS * origin + target
    if target != origin and state[rules.OCCUPIED] & BIT[target]:
        raise IllegalMove(f"a pawn stands on {name(target)}: a cell holds one pawn")
    if rules.barred(state, seat) & BIT[target]:
        raise IllegalMove(f"{name(target)} is part of a plateau with an enemy pawn: it cannot be stepped on")
    can = f"it can reach {', '.join(names(reach))}" if reach else "it cannot move at all"
    raise IllegalMove(
        f"no way from {name(origin)} to {name(target)}: every step is one level up or down to an edge neighbour, "
        f"past no pawn and no plateau with an enemy pawn; {can}"
    )


def _end(state: State, seat: int) -> int:
    if state[rules.EDITION] != rules.EDITION_DE:
        raise IllegalMove("the end is not declared in this edition: it comes when a player can neither lay nor move")
    if rules.can_lay(state, seat):
        raise IllegalMove(f"seat {seat} can still lay a brick: only a player who cannot declares the end")
    return END


def _pawns(state: State, seat: int) -> list[int]:
    """The cells of a seat's pawns, those in hand included."""
    each = int(PAWNS[int(state[rules.VARIANT])])
    return [int(state[rules.PAWN + 2 * seat + i]) for i in range(each)]
