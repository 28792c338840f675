"""The games there are."""

from typing import Literal

from msgspec import Struct

from quatuor.server.answers.common import OptionValue, Text


class Variant(Struct):
    name: str
    title: Text
    text: Text  # one line
    seats: int
    minutes: tuple[int, int]
    sides: list[int]  # the side of each seat, where seats are allies; empty: every seat plays for itself


class Option(Struct):
    name: str
    kind: Literal["choice", "number", "text"]
    title: Text
    text: Text  # one line
    default: OptionValue
    values: dict[str, Text] | None  # of a choice
    low: int | None
    high: int | None
    none: Text | None  # what leaving a number out means; null: it must be given
    variants: list[str]  # where it applies; empty: everywhere


class GameInfo(Struct):
    name: str
    title: Text
    text: Text
    variants: list[Variant]
    options: list[Option]
    clause_prefix: str | None  # of the clauses of its rulebook
    endings: dict[str, str]  # reason -> clause
    puzzles: bool


class Games(Struct):
    games: list[GameInfo]
