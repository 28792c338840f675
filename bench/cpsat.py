"""The puzzles as models of OR-tools' CP-SAT."""

from collections import defaultdict
from typing import Any

from ortools.sat.python import cp_model

from quatuor.games.blokus.puzzles.check import STARTS, beside, corners, material, name_of
from quatuor.games.blokus.puzzles.position import Cell, Cells, cell_at
from quatuor.games.blokus.tables import FORMS
from quatuor.puzzles import Position

Placement = tuple[Cells, Any]  # cells and the variable that says whether a piece lies there


def seconds(model: cp_model.CpModel, seed: int, limit: float) -> float | None:
    """How long the search takes; None if it finds nothing within the limit."""
    solver = cp_model.CpSolver()
    solver.parameters.random_seed = seed
    solver.parameters.max_time_in_seconds = limit
    status = solver.solve(model)
    return solver.wall_time if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None


def model(position: Position) -> cp_model.CpModel:
    """One variable for each placement. Where colours do not matter there are none: a shape is placed once for each."""
    found = cp_model.CpModel()
    coloured = position.hard or not position.kind.fills
    pieces = material(position)
    times = 1 if coloured else len(position.kind.colours)
    wanted = pieces if coloured else sorted({("", name) for _, name in pieces})
    board = {(r, c) for r in range(position.rows) for c in range(position.columns)}
    over: dict[Cell, list[Any]] = defaultdict(list)
    of_colour: dict[str, list[Placement]] = defaultdict(list)
    for colour, name in wanted:
        placements = [(cells, found.new_bool_var("")) for cells in _everywhere(name, board)]
        found.add(sum(variable for _, variable in placements) == times)
        of_colour[colour] += placements
        for cells, variable in placements:
            for cell in cells:
                over[cell].append(variable)
    for cell in board:
        (found.add_exactly_one if position.kind.fills else found.add_at_most_one)(over[cell])
    if coloured:
        for colour, placements in of_colour.items():
            _apart(found, board, placements, None if position.kind.fills else cell_at(STARTS[colour]))
    return found


def _everywhere(name: str, board: set[Cell]) -> list[Cells]:
    forms = [form for form in FORMS if name_of(form) == name]
    placed = [tuple((r + row, c + column) for r, c in form) for form in forms for row, column in board]
    return [cells for cells in placed if board.issuperset(cells)]


def _apart(model: cp_model.CpModel, board: set[Cell], placements: list[Placement], start: Cell | None) -> None:
    """Pieces of one colour never touch by an edge; with a start cell they touch by corners, and one covers it."""
    covered = {cell: model.new_bool_var("") for cell in board}
    over: dict[Cell, list[Any]] = defaultdict(list)
    for cells, variable in placements:
        for cell in cells:
            over[cell].append(variable)
        near = {cell for at in cells for cell in beside(at)} - set(cells)
        for cell in near & board:
            model.add_implication(variable, ~covered[cell])
        if start is not None and start not in cells:
            joints = {cell for at in cells for cell in corners(at)} - near - set(cells)
            model.add_bool_or([covered[cell] for cell in joints & board]).only_enforce_if(variable)
    for cell in board:
        model.add(sum(over[cell]) == covered[cell])
    if start is not None:
        model.add(covered[start] == 1)
