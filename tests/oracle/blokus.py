"""Blokus, naively: a cell is (column, row) from the bottom left, a piece is its set of cells, a shape one of 21."""

from functools import cache
from typing import Any

from tests.oracle import Oracle

Cell = tuple[int, int]
Cells = frozenset[Cell]

COLOURS = ("blue", "yellow", "red", "green")  # BK-2
# BK-10 to BK-13: whose colour it is; None: shared by all seats in turn
OWNERS: dict[str, dict[str, int | None]] = {
    "classic": {"blue": 0, "yellow": 1, "red": 2, "green": 3},
    "teams": {"blue": 0, "yellow": 1, "red": 2, "green": 3},
    "two": {"blue": 0, "yellow": 1, "red": 0, "green": 1},
    "three": {"blue": 0, "yellow": 1, "red": 2, "green": None},
    "duo": {"blue": 0, "yellow": 1},
}


@cache
def edges(cell: Cell) -> Cells:
    x, y = cell
    return frozenset({(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)})


@cache
def corners(cell: Cell) -> Cells:
    x, y = cell
    return frozenset({(x + 1, y + 1), (x + 1, y - 1), (x - 1, y + 1), (x - 1, y - 1)})


def name(cell: Cell) -> str:
    return "abcdefghijklmnopqrst"[cell[0]] + str(cell[1] + 1)


def cell(text: str) -> Cell:
    return "abcdefghijklmnopqrst".index(text[0]), int(text[1:]) - 1


def write(cells: Cells) -> str:
    return ",".join(name(c) for c in sorted(cells, key=lambda c: (c[1], c[0])))


def to_origin(cells: Cells) -> Cells:
    left, bottom = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - bottom) for x, y in cells)


def turned_and_flipped(cells: Cells) -> set[Cells]:
    """BK-1: the forms of a piece, at most eight."""
    ways = set()
    for _ in range(4):
        cells = frozenset((y, -x) for x, y in cells)
        ways |= {to_origin(cells), to_origin(frozenset((-x, y) for x, y in cells))}
    return ways


@cache
def shape(cells: Cells) -> str:
    """The piece's name, the same for all of its forms: the smallest list of its cells, such as "00 01 11"."""
    return min(" ".join(f"{x}{y}" for x, y in sorted(way)) for way in turned_and_flipped(cells))


@cache
def all_pieces() -> tuple[Cells, ...]:
    """BK-1: every form of every piece up to five squares, at the origin."""
    found = latest = {frozenset({(0, 0)})}
    for _ in range(4):
        latest = {to_origin(p | {e}) for p in latest for c in p for e in edges(c) if e not in p}
        found = found | latest
    return tuple(sorted(found, key=lambda p: (len(p), sorted(p))))


SHAPES = {shape(piece) for piece in all_pieces()}
SINGLE = "00"


@cache
def placements(size: int) -> dict[Cell, list[tuple[str, Cells, str]]]:
    """For each cell of the board, every placement that covers it: its shape, cells and text."""
    board = {(x, y): (x, y) for x in range(size) for y in range(size)}  # sets of the very same tuples compare faster
    covering: dict[Cell, list[tuple[str, Cells, str]]] = {c: [] for c in board.values()}
    for piece in all_pieces():
        for x, y in board:
            if not all((x + dx, y + dy) in board for dx, dy in piece):
                continue
            cells = frozenset(board[x + dx, y + dy] for dx, dy in piece)
            for covered in cells:
                covering[covered].append((shape(piece), cells, write(cells)))
    return covering


class Naive(Oracle):
    RANDOM_GAMES = 4

    @staticmethod
    def shown(view: dict[str, Any]) -> Any:
        colours = {"b": "blue", "y": "yellow", "r": "red", "g": "green"}
        rows = list(enumerate(reversed(view["board"]), 1))  # from the bottom
        colour = view["colour"]  # None when the game is over
        return {
            "board": {
                "abcdefghijklmnopqrst"[x] + str(y): colours[c] for y, row in rows for x, c in enumerate(row) if c != "."
            },
            "left": {COLOURS[there["colour"]]: len(there["pieces"]) for there in view["colours"]},
            "scores": {COLOURS[there["colour"]]: there["score"] for there in view["colours"]},
            "players": {COLOURS[there["colour"]]: there["seat"] for there in view["colours"]},
            "colour": None if colour is None else COLOURS[colour],
            "anchors": set() if colour is None else {*view["attach"], *view["colours"][colour]["start"]},
        }

    @staticmethod
    def kind(move: str) -> Any:
        return move.count(",")

    def start(self) -> None:
        self.owners = OWNERS[self.variant]
        self.colours = [colour for colour in COLOURS if colour in self.owners]
        self.seats = {"two": 2, "duo": 2, "three": 3}.get(self.variant, 4)
        self.size = 14 if self.variant == "duo" else 20
        self.board: dict[Cell, str] = {}
        self.left: dict[str, set[str]] = {colour: set(SHAPES) for colour in self.colours}
        self.last: dict[str, str] = {}
        self.placed = dict.fromkeys(self.colours, 0)
        self.out: set[str] = set()
        self.colour = "blue"
        self.choices = self.possible("blue")

    def starts(self, colour: str) -> set[Cell]:
        """BK-3: the cells of which a colour's first piece covers one."""
        if self.variant == "duo":  # BK-13
            return {cell({"blue": "e10", "yellow": "j5"}[colour])}
        if self.options["corners"] == "fixed":
            return {cell({"blue": "a20", "yellow": "t20", "red": "t1", "green": "a1"}[colour])}
        return {cell(corner) for corner in ("a1", "a20", "t1", "t20")} - set(self.board)

    def free(self, colour: str) -> set[Cell]:
        """BK-4: the empty cells that touch no piece of the colour by an edge."""
        own = [c for c, owner in self.board.items() if owner == colour]
        return set(placements(self.size)).difference(self.board, *map(edges, own))

    def anchors(self, colour: str, free: set[Cell]) -> set[Cell]:
        """BK-3, BK-4: a piece covers one of these."""
        own = [c for c, owner in self.board.items() if owner == colour]
        return free & set().union(*map(corners, own)) if own else self.starts(colour)

    def possible(self, colour: str) -> dict[str, Cells]:
        """Every placement of every piece in hand, by its text."""
        free, left = self.free(colour), self.left[colour]
        return {
            text: cells
            for anchor in self.anchors(colour, free)
            for kind, cells, text in placements(self.size)[anchor]
            if kind in left and cells <= free
        }

    def player(self, colour: str) -> int:
        owner = self.owners[colour]
        return self.placed[colour] % 3 if owner is None else owner  # BK-12

    def acting(self) -> tuple[int, ...]:
        return (self.player(self.colour),)

    def moves(self, seat: int) -> set[str]:
        return set(self.choices)

    def carry_out(self, orders: dict[int, str]) -> None:
        (text,) = orders.values()
        cells = self.choices[text]
        self.board.update(dict.fromkeys(cells, self.colour))
        self.left[self.colour].remove(shape(cells))
        self.last[self.colour] = shape(cells)
        self.placed[self.colour] += 1
        self.next_colour()

    def next_colour(self) -> None:
        """BK-6: the next colour that can place; the game ends when none can."""
        turn = self.colours.index(self.colour)
        for colour in self.colours[turn + 1 :] + self.colours[: turn + 1]:
            choices = self.possible(colour)
            if choices:
                assert colour not in self.out, "BK-6 says that a colour which could not place never can again"
                self.colour, self.choices = colour, choices
                return
            self.out.add(colour)
        self.over = True

    def colour_score(self, colour: str) -> int:
        """BK-7"""
        if self.left[colour]:
            return -sum(len(piece.split()) for piece in self.left[colour])
        return 20 if self.last[colour] == SINGLE else 15

    @property
    def scores(self) -> tuple[int, ...]:
        own = [
            sum(self.colour_score(colour) for colour, owner in self.owners.items() if owner == seat)
            for seat in range(self.seats)
        ]
        if self.variant == "teams":  # BK-10
            own = [own[0] + own[2], own[1] + own[3]] * 2
        return tuple(own)

    def position(self) -> Any:
        return {
            "board": {name(c): colour for c, colour in self.board.items()},
            "left": {colour: len(self.left[colour]) for colour in self.colours},
            "scores": {colour: self.colour_score(colour) for colour in self.colours},
            "players": {colour: self.player(colour) for colour in self.colours},
            "colour": None if self.over else self.colour,
            "anchors": set() if self.over else {name(c) for c in self.anchors(self.colour, self.free(self.colour))},
        }
