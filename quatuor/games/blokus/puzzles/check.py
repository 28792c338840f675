"""Whether the pieces on a board obey the rules, and whether they solve the puzzle.

Plain Python, written from the clauses in docs/rules/blokus.md and independent of the searches, so that it can prove
them right: it shares only the drawings of the pieces with them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from quatuor.games.blokus.puzzles.position import Cell, Cells, Position, cell_name, check_position
from quatuor.games.blokus.tables import DRAWN

STARTS = {"blue": "a20", "yellow": "t20", "red": "t1", "green": "a1"}  # BK-3, fixed corners
FILLED = {"tetro20": "BK-21", "pento48": "BK-22"}  # the clause that asks for a full rectangle


@dataclass(frozen=True)
class Fault:
    """One rule that is broken: by which pieces (numbers from 0 in placing order), on which cells."""

    code: str
    rule: str
    pieces: tuple[int, ...]
    cells: Cells
    text: str

    def data(self) -> dict[str, Any]:
        """For programs: no prose."""
        cells = [cell_name(cell) for cell in self.cells]
        return {"code": self.code, "rule": self.rule, "pieces": list(self.pieces), "cells": cells}


@dataclass(frozen=True)
class Report:
    """What `check` found."""

    faults: tuple[Fault, ...]
    left: tuple[tuple[str, str], ...]  # colour and name of the pieces still to place
    empty: Cells  # cells not covered

    @property
    def legal(self) -> bool:
        return not self.faults

    @property
    def solved(self) -> bool:
        return not self.faults and not self.left

    def data(self) -> dict[str, Any]:
        left: dict[str, list[str]] = {}
        for colour, name in self.left:
            left.setdefault(colour, []).append(name)
        return {
            "legal": self.legal,
            "solved": self.solved,
            "faults": [fault.data() for fault in self.faults],
            "left": left,
        }


def check(position: Position) -> Report:
    """All rules that are broken, and what is missing.

    >>> from quatuor import puzzles
    >>> puzzles.check(puzzles.solve("tetro20", hard=True, seed=3)).solved
    True
    """
    check_position(position)
    faults = [*_pieces(position), *_overlaps(position)]
    if position.kind.fills:
        if position.hard:
            faults += _touching(position, FILLED[position.puzzle])  # BK-21, BK-22: hard
    else:
        faults += [*_touching(position, "BK-4"), *_attached(position)]
        if position.hard:
            faults += _by_size(position)
    used = {(piece.colour, name_of(piece.cells)) for piece in position.pieces}
    left = tuple(piece for piece in material(position) if piece not in used)
    covered = {cell for piece in position.pieces for cell in piece.cells}
    board = [(row, column) for row in range(position.rows) for column in range(position.columns)]
    return Report(tuple(faults), left, tuple(cell for cell in board if cell not in covered))


# ---- pieces


def name_of(cells: Cells) -> str | None:
    """The name of the piece with this form, turned and flipped in any way; None if there is none."""
    return _name(_shifted(cells))


def _shifted(cells: Iterable[Cell]) -> Cells:
    cells = list(cells)
    low, left = min(row for row, _ in cells), min(column for _, column in cells)
    return tuple(sorted((row - low, column - left) for row, column in cells))


@lru_cache(1000)
def _name(form: Cells) -> str | None:
    for name, drawn in DRAWN.items():
        cells = [(r, c) for r, row in enumerate(drawn.split()) for c, mark in enumerate(row) if mark == "#"]
        for _ in range(4):
            cells = [(column, -row) for row, column in cells]
            if form in (_shifted(cells), _shifted((row, -column) for row, column in cells)):
                return name
    return None


def squares(name: str) -> int:
    return DRAWN[name].count("#")


def material(position: Position) -> list[tuple[str, str]]:
    """Colour and name of every piece of the puzzle, large ones first."""
    kind = position.kind
    names = [name for name in reversed(DRAWN) if squares(name) in kind.sizes]
    return [(colour, name) for name in names for colour in kind.colours]


# ---- rules


def beside(cell: Cell) -> set[Cell]:
    row, column = cell
    return {(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)}


def corners(cell: Cell) -> set[Cell]:
    row, column = cell
    return {(row + 1, column + 1), (row + 1, column - 1), (row - 1, column + 1), (row - 1, column - 1)}


def _label(position: Position, i: int) -> str:
    return f"piece {i + 1} ({position.pieces[i]})"


def _pieces(position: Position) -> Iterator[Fault]:
    """Every piece is one of the puzzle's, used once, and on the board."""
    owned = material(position)
    first: dict[tuple[str, str | None], int] = {}
    for i, piece in enumerate(position.pieces):
        label, name = _label(position, i), name_of(piece.cells)
        off = tuple(c for c in piece.cells if c[0] >= position.rows or c[1] >= position.columns)
        if off:
            far = cell_name((position.rows - 1, position.columns - 1))
            text = f"{label} is off the board, which goes from a1 to {far}"
            yield Fault("off_board", rule_of(position), (i,), off, text)
        key = (piece.colour, name)
        if name is None:
            yield Fault("no_piece", "BK-1", (i,), piece.cells, f"{label} has a form that no piece has")
        elif key not in owned:
            text = f"{label}: there is no {piece.colour} {name} in {position.puzzle}"
            yield Fault("not_in_puzzle", rule_of(position), (i,), piece.cells, text)
        elif key in first:
            text = f"{label} is the {piece.colour} {name} again, after piece {first[key] + 1}"
            yield Fault("used_twice", rule_of(position), (first[key], i), piece.cells, text)
        else:
            first[key] = i


def rule_of(position: Position) -> str:
    return {"all84": "BK-20", "tetro10": "BK-21", "pento12": "BK-22"}.get(position.puzzle) or FILLED[position.puzzle]


def _owners(position: Position) -> dict[Cell, list[int]]:
    """The pieces on every cell, in placing order."""
    owners: dict[Cell, list[int]] = {}
    for i, piece in enumerate(position.pieces):
        for cell in piece.cells:
            owners.setdefault(cell, []).append(i)
    return owners


def _overlaps(position: Position) -> Iterator[Fault]:
    shared: dict[tuple[int, int], list[Cell]] = {}
    for cell, owners in _owners(position).items():
        for pair in combinations(owners, 2):
            shared.setdefault(pair, []).append(cell)
    for (i, j), cells in shared.items():
        text = f"{_label(position, j)} lies on piece {i + 1} at {', '.join(map(cell_name, cells))}"
        yield Fault("overlap", rule_of(position), (i, j), tuple(cells), text)


def _touching(position: Position, rule: str) -> Iterator[Fault]:
    """BK-4, and the hard form of BK-21 and BK-22: one colour never touches itself by an edge."""
    owners = _owners(position)
    for j, piece in enumerate(position.pieces):
        where: dict[int, list[Cell]] = {}
        for cell in piece.cells:
            for i in {i for near in beside(cell) for i in owners.get(near, ()) if i < j}:
                if position.pieces[i].colour == piece.colour:
                    where.setdefault(i, []).append(cell)
        for i, cells in sorted(where.items()):
            text = f"{_label(position, j)} touches piece {i + 1} of its colour by an edge at {cell_name(cells[0])}"
            yield Fault("touches", rule, (i, j), tuple(cells), text)


def _attached(position: Position) -> Iterator[Fault]:
    """BK-3, BK-4: a colour's first piece covers its corner, a later one touches an earlier one by a corner."""
    earlier: dict[str, set[Cell]] = {}
    for i, piece in enumerate(position.pieces):
        start = STARTS[piece.colour]
        if piece.colour not in earlier:
            if start not in map(cell_name, piece.cells):
                text = f"{_label(position, i)} is the first of its colour and must cover {start}"
                yield Fault("not_in_corner", "BK-3", (i,), piece.cells, text)
        elif not any(corners(cell) & earlier[piece.colour] for cell in piece.cells):
            text = f"{_label(position, i)} touches no earlier piece of its colour by a corner"
            yield Fault("not_attached", "BK-4", (i,), piece.cells, text)
        earlier.setdefault(piece.colour, set()).update(piece.cells)


def _by_size(position: Position) -> Iterator[Fault]:
    """BK-20, hard: all fives of all colours, then fours, threes, twos, ones."""
    waiting = dict.fromkeys(material(position))
    for i, piece in enumerate(position.pieces):
        larger = next((key for key in waiting if squares(key[1]) > len(piece.cells)), None)
        if larger:
            text = f"{_label(position, i)} comes too early: larger pieces wait, such as the {' '.join(larger)}"
            yield Fault("too_early", "BK-20", (i,), piece.cells, text)
        waiting.pop((piece.colour, str(name_of(piece.cells))), None)
