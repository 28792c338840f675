"""The puzzles. Clause ids refer to docs/rules/blokus.md."""

from dataclasses import dataclass

from quatuor.games.contract import Text

COLOURS = ("blue", "yellow", "red", "green")


@dataclass(frozen=True)
class Kind:
    """A puzzle: its pieces and its boards."""

    name: str
    title: Text
    colours: tuple[str, ...]
    sizes: tuple[int, ...]  # every piece of these sizes takes part, once in each colour
    boards: tuple[tuple[int, int], ...]  # rows and columns; the first one unless another is asked for
    open: dict[str, int]  # pieces left to place, by difficulty
    fills: bool = True  # the pieces fill the board; else they are placed by the rules of the game
    may_be_hard: bool = True


KINDS = {
    kind.name: kind
    for kind in (
        Kind(  # BK-20
            "all84",
            Text("All 84 pieces", "Les 84 pièces", "Alle 84 Teile"),
            COLOURS,
            (1, 2, 3, 4, 5),
            ((20, 20),),
            {"easy": 10, "medium": 22, "expert": 40},
            fills=False,
        ),
        Kind(  # BK-21
            "tetro20",
            Text("20 tetrominoes", "20 tétrominos", "20 Tetrominos"),
            COLOURS,
            (4,),
            ((8, 10),),
            {"easy": 6, "medium": 10, "expert": 15},
        ),
        Kind(  # BK-22
            "pento48",
            Text("48 pentominoes", "48 pentominos", "48 Pentominos"),
            COLOURS,
            (5,),
            ((15, 16),),
            {"easy": 6, "medium": 11, "expert": 18},
        ),
        Kind(
            "tetro10",
            Text("10 tetrominoes", "10 tétrominos", "10 Tetrominos"),
            COLOURS[:2],
            (4,),
            ((5, 8), (4, 10)),
            {"easy": 4, "medium": 6, "expert": 10},
            may_be_hard=False,
        ),
        Kind(
            "pento12",
            Text("12 pentominoes", "12 pentominos", "12 Pentominos"),
            COLOURS[:1],
            (5,),
            ((6, 10), (5, 12)),
            {"easy": 4, "medium": 7, "expert": 12},
            may_be_hard=False,
        ),
    )
}
DIFFICULTIES = ("easy", "medium", "expert")


def kind_of(name: str) -> Kind:
    if not isinstance(name, str) or name not in KINDS:
        raise ValueError(f"unknown puzzle {name!r}; the puzzles are {', '.join(KINDS)}")
    return KINDS[name]


def board_of(kind: Kind, rows: int | None, columns: int | None) -> tuple[int, int]:
    """The board of this size; the first one of the puzzle if no size is given."""
    if rows is None and columns is None:
        return kind.boards[0]
    if (rows, columns) not in kind.boards:
        choices = " or ".join(f"{r} rows and {c} columns" for r, c in kind.boards)
        raise ValueError(f"{kind.name} is laid on {choices}, not on {rows} and {columns}")
    assert rows is not None
    assert columns is not None
    return rows, columns
