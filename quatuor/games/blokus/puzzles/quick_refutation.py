"""Reasons why a position cannot be completed that need no search."""

from collections.abc import Callable, Iterator

from quatuor.games.blokus.adjacency import corners, edges
from quatuor.games.blokus.puzzles.check import STARTS, Fault, Report, check, rule_of, squares
from quatuor.games.blokus.puzzles.position import Cell, Position, cell_at, cell_name
from quatuor.games.blokus.tables import FORMS, NAMES, PIECE


def hopeless(position: Position, report: Report | None = None) -> tuple[Fault, ...]:
    """Reasons why a position cannot be completed. If there are none, it may still be impossible."""
    report = report or check(position)
    return tuple(_bad_regions(position, report) if position.kind.fills else _blocked_colours(position, report))


def _spread(start: set[Cell], within: set[Cell], near: Callable[[set[Cell]], set[Cell]]) -> set[Cell]:
    """All cells that are connected with the start."""
    found, rim = set(), start
    while rim:
        found |= rim
        rim = (near(rim) & within) - found
    return found


def _bad_regions(position: Position, report: Report) -> Iterator[Fault]:
    """BK-21, BK-22: a region is filled only if its size is a multiple of a piece's."""
    (size,) = position.kind.sizes
    left = set(report.empty)
    while left:
        region = _spread({min(left)}, left, edges)
        left -= region
        if len(region) % size:
            text = f"the empty region at {cell_name(min(region))} has {len(region)} cells, no multiple of {size}"
            yield Fault("region", rule_of(position), (), tuple(sorted(region)), text)


def _blocked_colours(position: Position, report: Report) -> Iterator[Fault]:
    """BK-4: a colour needs enough cells that it can reach, and among them a place for every piece left."""
    for colour in position.kind.colours:
        names = [name for owner, name in report.left if owner == colour]
        reach = _reach(position, report, colour)
        if sum(map(squares, names)) > len(reach):
            need = sum(map(squares, names))
            text = f"{colour} has {need} squares to place, but can reach only {len(reach)} cells"
            yield Fault("no_room", "BK-4", (), tuple(sorted(reach)), text)
            continue
        for name in names:
            if not _fits(name, reach):
                yield Fault("no_place", "BK-4", (), (), f"there is no place left for the {colour} {name}")


def _reach(position: Position, report: Report, colour: str) -> set[Cell]:
    """The cells that a colour may still cover: free now, and connected with its corners by free cells."""
    mine = {cell for piece in position.pieces if piece.colour == colour for cell in piece.cells}
    free = set(report.empty) - edges(mine)
    start = corners(mine) if mine else {cell_at(STARTS[colour])}
    return _spread(start & free, free, lambda cells: edges(cells) | corners(cells))


def _fits(name: str, cells: set[Cell]) -> bool:
    forms = [form for form, piece in zip(FORMS, PIECE, strict=True) if NAMES[piece] == name]
    return any(
        all((row + r, column + c - form[0][1]) in cells for r, c in form) for row, column in cells for form in forms
    )
