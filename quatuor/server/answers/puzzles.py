"""Puzzles of Blokus."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from quatuor.server.answers.common import Text


class Board(Struct):
    rows: int
    columns: int


class PuzzleKind(Struct):
    name: str
    title: Text
    colours: list[str]
    sizes: list[int]  # of its pieces
    boards: list[Board]
    fills: bool  # the pieces fill the board; else they are placed as in the game
    hard: bool  # has a hard form
    open: dict[str, int]  # difficulty -> pieces left to place


class PuzzleKinds(Struct):
    puzzles: list[PuzzleKind]
    difficulties: list[str]


class Piece(Struct):
    colour: str
    cells: list[str]


class PuzzlePosition(Struct):
    puzzle: str
    hard: bool
    rows: int
    columns: int
    pieces: list[Piece]  # in the order in which they were placed
    given: int | UnsetType = UNSET  # the number of first pieces that belong to the task


class Puzzle(Struct):
    difficulty: str
    seed: int
    position: PuzzlePosition
    date: str | UnsetType = UNSET
    solution: PuzzlePosition | UnsetType = UNSET


class Fault(Struct):
    code: str
    rule: str
    pieces: list[int]
    cells: list[str]


class PuzzleCheck(Struct):
    legal: bool
    solved: bool
    faults: list[Fault]
    left: dict[str, list[str]]  # colour -> names of pieces


class PuzzleAnswer(Struct):
    answer: Literal["yes", "no", "unknown"]
    completion: PuzzlePosition | None  # send it with the next question, which is then answered sooner
    faults: list[Fault]


class PuzzleHint(PuzzleAnswer):
    piece: Piece | None
