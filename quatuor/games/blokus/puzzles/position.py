"""A puzzle with pieces on its board, and the format of its file."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from quatuor.games.blokus.puzzles.kinds import COLOURS, KINDS, Kind, board_of, kind_of

Cell = tuple[int, int]  # row from the bottom, column from the left, both from 0
Cells = tuple[Cell, ...]

_CELL = re.compile(r"([a-z])([1-9][0-9]?)")
_KEYS = {"puzzle": str, "hard": bool, "rows": int, "columns": int, "pieces": list, "given": int}
_OPTIONAL = ("hard", "rows", "columns", "given")
_MOST_PIECES = 200


@dataclass(frozen=True)
class Piece:
    """A piece on the board; its cells are sorted by row, then column."""

    colour: str
    cells: Cells

    def __str__(self) -> str:
        return f"{self.colour} {','.join(map(cell_name, self.cells))}"

    def data(self) -> dict[str, Any]:
        """As plain data, in the format of the file."""
        return {"colour": self.colour, "cells": [cell_name(cell) for cell in self.cells]}


@dataclass(frozen=True)
class Position:
    """Pieces in the order in which they were placed. The first ``given`` belong to the task and stay."""

    puzzle: str
    hard: bool
    rows: int
    columns: int
    pieces: tuple[Piece, ...] = ()
    given: int = 0

    @property
    def kind(self) -> Kind:
        return kind_of(self.puzzle)

    def plus(self, pieces: Iterable[Piece]) -> "Position":
        """The same with more pieces, placed after the others."""
        return replace(self, pieces=(*self.pieces, *pieces))

    def data(self) -> dict[str, Any]:
        """As plain data, in the format of the file."""
        pieces = [piece.data() for piece in self.pieces]
        found = {"puzzle": self.puzzle, "hard": self.hard, "rows": self.rows, "columns": self.columns, "pieces": pieces}
        return found | ({"given": self.given} if self.given else {})

    def dump(self) -> str:
        """As the text of a file, one piece a line."""
        data = self.data()
        pieces = ",\n".join(f"  {json.dumps(piece)}" for piece in data.pop("pieces"))
        return json.dumps(data)[:-1] + f', "pieces": [\n{pieces}\n]}}\n'


def check_position(position: Any) -> None:
    """TypeError if this is not a position of a puzzle."""
    if not isinstance(position, Position):
        raise TypeError(f"give a puzzles.Position, as puzzles.new, read and load make it, not {position!r}")


def check_whole(**given: Any) -> None:
    """TypeError if a setting is not a whole number."""
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"{name}={value!r}: give a whole number")


def empty(name: str, hard: bool = False, rows: int | None = None, columns: int | None = None) -> Position:
    """A puzzle with nothing on its board."""
    kind = kind_of(name)
    if not isinstance(hard, bool):
        raise TypeError(f"hard={hard!r}: give True or False")
    check_whole(**{key: size for key, size in (("rows", rows), ("columns", columns)) if size is not None})
    if hard and not kind.may_be_hard:
        others = ", ".join(other.name for other in KINDS.values() if other.may_be_hard)
        raise ValueError(f"{name} has no hard form; these have: {others}")
    return Position(name, hard, *board_of(kind, rows, columns))


def cell_name(cell: Cell) -> str:
    return f"{chr(ord('a') + cell[1])}{cell[0] + 1}"


def cell_at(name: str) -> Cell:
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


# ---- reading


def load(text: str) -> Position:
    """Read the text of a file. ValueError says what is wrong; `check` says whether the pieces obey the rules."""
    if not isinstance(text, str | bytes):
        raise TypeError(f"the file of a puzzle is text, not {type(text).__name__}; puzzles.read takes plain data")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"this is not JSON: {error}") from None
    return read(data)


def read(data: Any) -> Position:
    """A position from plain data."""
    if not isinstance(data, dict):
        raise ValueError('a puzzle is an object: {"puzzle": "tetro20", "hard": false, "pieces": […]}')
    for key, value in data.items():
        if key not in _KEYS:
            raise ValueError(f"unknown key {key!r}; a puzzle has {', '.join(_KEYS)}")
        if type(value) is not _KEYS[key]:
            raise ValueError(f"{key!r} must be {_NOUNS[_KEYS[key]]}, not {json.dumps(value)[:40]}")
    for key in _KEYS:
        if key not in data and key not in _OPTIONAL:
            raise ValueError(f"{key!r} is missing; a puzzle has {', '.join(_KEYS)}")
    if len(data["pieces"]) > _MOST_PIECES:
        raise ValueError(f"{len(data['pieces'])} pieces are too many: no puzzle has more than 84")
    position = empty(data["puzzle"], data.get("hard", False), data.get("rows"), data.get("columns"))
    position = position.plus(_piece(i, piece) for i, piece in enumerate(data["pieces"], 1))
    given = data.get("given", 0)
    if not 0 <= given <= len(position.pieces):
        raise ValueError(f"'given' is {given}, but there are {len(position.pieces)} pieces")
    return replace(position, given=given)


_NOUNS = {str: "a text", bool: "true or false", int: "a whole number", list: "a list"}


def _piece(number: int, data: Any) -> Piece:
    if not isinstance(data, Mapping) or set(data) != {"colour", "cells"}:
        raise ValueError(f'piece {number}: write {{"colour": "blue", "cells": ["a1", "b1"]}}')
    if data["colour"] not in COLOURS:
        raise ValueError(
            f"piece {number}: {json.dumps(data['colour'])[:40]} is not a colour; choose {', '.join(COLOURS)}"
        )
    cells = data["cells"]
    if not isinstance(cells, list) or not 1 <= len(cells) <= 5:
        raise ValueError(f'piece {number}: \'cells\' must be a list of one to five cells such as ["a1", "b1"]')
    found = sorted(_cell(number, cell) for cell in cells)
    for cell in found:
        if found.count(cell) > 1:
            raise ValueError(f"piece {number}: {cell_name(cell)} is named twice")
    return Piece(data["colour"], tuple(found))


def _cell(number: int, name: Any) -> Cell:
    match = _CELL.fullmatch(name) if isinstance(name, str) else None
    if match is None:
        raise ValueError(f"piece {number}: {json.dumps(name)[:40]} is not a cell; write a1 for the one bottom left")
    return cell_at(match[0])
