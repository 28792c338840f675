"""A position, a turn and an ending as plain data, for pages and tools. Cells are named as in moves: ``A1``."""

from collections.abc import Mapping
from typing import Any

from quatuor.games.contract import State
from quatuor.games.plateau_x import rules
from quatuor.games.plateau_x.notation import BRICK_NAMES, name, names, side_of, size_of
from quatuor.games.plateau_x.tables import BIT, CELLS, COVER, END, ENTER, IN_HAND, MOVE, PAWNS, SEATS, SIDE
from quatuor.kernel import ones


def laid(state: State) -> list[int]:
    """The bricks on the board as action ids, in the order they were laid."""
    places = (divmod(i, rules.PER_WORD) for i in range(int(state[rules.BRICKS])))
    mask = (1 << rules.ID_BITS) - 1
    return [int(state[rules.LAID + word]) >> part * rules.ID_BITS & mask for word, part in places]


def bricks(state: State) -> list[dict[str, Any]]:
    """Every brick with its cells and the level of its top, covered ones included: enough to build the stacks."""
    height = [0] * CELLS
    found = []
    for brick in laid(state):
        cells = [cell for cell in range(CELLS) if COVER[brick] & BIT[cell]]
        for cell in cells:
            height[cell] += 1
        found.append({"cells": names(COVER[brick]), "level": height[cells[0]]})
    return found


def pawns(state: State) -> list[dict[str, Any]]:
    """The pawns on the board; ``since`` is the ply of the last move."""
    found = []
    for i in range(8):
        cell = int(state[rules.PAWN + i])
        if cell != IN_HAND:
            level = int(rules.level_of(state, BIT[cell]))
            found.append({"seat": i // 2, "cell": name(cell), "level": level, "since": int(state[rules.SINCE + i])})
    return found


def plateaus(state: State) -> list[dict[str, Any]]:
    """The plateaus with the seats that have a pawn on them."""
    found = []
    seen = 0
    for cell in range(CELLS):
        cells = int(rules.plateaus(state, BIT[cell]))
        if cells & ~seen:
            seen |= cells
            owners = sorted({i // 2 for i in range(8) if cells & BIT[int(state[rules.PAWN + i])]})
            found.append({"cells": names(cells), "level": int(rules.level_of(state, BIT[cell])), "owners": owners})
    return found


def stocks(state: State) -> list[dict[str, int]]:
    """What each seat has left."""
    variant = int(state[rules.VARIANT])
    return [
        {
            "singles": int(state[rules.SINGLES_LEFT + seat]),
            "doubles": int(state[rules.DOUBLES_LEFT + seat]),
            "pawns": sum(int(state[rules.PAWN + 2 * seat + i]) == IN_HAND for i in range(PAWNS[variant])),
        }
        for seat in range(SEATS[variant])
    ]


def view(state: State) -> dict[str, Any]:
    """The position. ``levels`` lists the rows from row 1 up, each from column A on."""
    side = side_of(state)
    rows = [[int(rules.level_of(state, BIT[r * SIDE + c])) for c in range(side)] for r in range(side)]
    return {
        "size": side,
        "levels": rows,
        "bricks": bricks(state),
        "pawns": pawns(state),
        "plateaus": plateaus(state),
        "stocks": stocks(state),
        "triples": int(state[rules.TRIPLES_LEFT]),
        "standing": standing(state),
    }


def path(state: State, action: int) -> list[str]:
    """A shortest legal way of a move, cell by cell from its first to its last (PX-18: which one does not matter)."""
    seat = int(state[rules.TURN])
    origin, target = divmod(action - MOVE, CELLS)
    free = ~int(rules.barred(state, seat)) & ~(int(state[rules.OCCUPIED]) & ~int(BIT[origin]))
    came: dict[int, int] = {}  # cell -> the cell before it
    queue = [origin]
    for cell in queue:
        for step in _steps(state, cell):
            if free & BIT[step] and step not in came:
                came[step] = cell
                queue.append(step)
        if target in came:
            break
    way = [target, came[target]]
    while way[-1] != origin:
        way.append(came[way[-1]])
    return [name(cell) for cell in reversed(way)]


def _steps(state: State, cell: int) -> list[int]:
    """The edge neighbours exactly one level away."""
    level = rules.level_of(state, BIT[cell])
    row, column = divmod(cell, SIDE)
    side = side_of(state)
    near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    cells = [r * SIDE + c for r, c in near if 0 <= r < side and 0 <= c < side]
    return [c for c in cells if abs(rules.level_of(state, BIT[c]) - level) == 1]


def effects(before: State, actions: Mapping[int, int], after: State) -> dict[str, Any]:
    """What the turn did: ``cells`` it touched (of a move: from, to), the ``level`` it reached, a move's ``path``."""
    [(seat, action)] = actions.items()
    if action == END:
        return {"kind": "end", "seat": seat}
    if action < ENTER:
        level = int(rules.level_of(after, int(COVER[action]) & -int(COVER[action])))
        brick = BRICK_NAMES[size_of(action) - 1]
        return {"kind": "brick", "seat": seat, "brick": brick, "cells": names(COVER[action]), "level": level}
    if action < MOVE:
        return {"kind": "enter", "seat": seat, "cells": [name(action - ENTER)], "level": 0}
    origin, target = divmod(action - MOVE, CELLS)
    level = int(rules.level_of(after, BIT[target]))
    cells = [name(origin), name(target)]
    return {"kind": "move", "seat": seat, "cells": cells, "path": path(before, action), "level": level}


def standing(state: State) -> list[dict[str, Any]]:
    """What each seat is ranked by: its better pawn's level, plateau size and last move; level -1 without a pawn."""
    found = []
    for seat in range(SEATS[int(state[rules.VARIANT])]):
        i = 2 * seat + int(rules.best(state, seat))
        cell = int(state[rules.PAWN + i])
        if cell == IN_HAND:
            found.append({"seat": seat, "level": -1, "size": 0, "since": None})
        else:
            size = int(ones(rules.plateaus(state, BIT[cell])))
            level = int(rules.level_of(state, BIT[cell]))
            found.append({"seat": seat, "level": level, "size": size, "since": int(state[rules.SINCE + i])})
    return found


def reason(state: State) -> dict[str, Any]:
    """How the game ended, and what put the winner before the second: level, size or seniority, or nothing (shared)."""
    rows = standing(state)
    first, second = sorted(rows, key=lambda row: (-row["level"], -row["size"], row["since"] or 0))[:2]
    if first["level"] < 0:
        decided = "shared"
    else:
        decided = next((by for by in ("level", "size") if first[by] != second[by]), "seniority")
    return {"code": rules.REASONS[int(state[rules.WHY])], "standing": rows, "decided_by": decided}
