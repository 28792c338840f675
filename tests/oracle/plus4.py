"""Plus 4, naively: each column is a list of pawns from the top; a pawn is a word such as "blue" or "blue bonus"."""

from collections.abc import Hashable
from typing import Any

from tests.oracle import Oracle

COLUMNS = "abcd"
COLOURS = ("blue", "red")  # P4-1: seat 0 and seat 1

# P4-4: four rows, four columns, two diagonals; a cell is (column, depth below the top).
ROWS = [[(column, depth) for column in COLUMNS] for depth in range(4)]
UPRIGHT = [[(column, depth) for depth in range(4)] for column in COLUMNS]
DIAGONALS = [list(zip(COLUMNS, (0, 1, 2, 3), strict=True)), list(zip(COLUMNS, (3, 2, 1, 0), strict=True))]
LINES = ROWS + UPRIGHT + DIAGONALS


class Naive(Oracle):
    seats = 2
    RANDOM_GAMES = 40

    @staticmethod
    def shown(view: dict[str, Any]) -> Any:
        return {key: view[key] for key in ("grid", "bonus", "round")}

    @staticmethod
    def kind(move: str) -> Any:
        return move.endswith("*")

    def start(self) -> None:
        self.bonuses = self.variant in ("endless", "rounds")  # P4-10, P4-20, P4-30
        self.empty_grid()
        self.points = [0, 0]
        self.seat = 0
        self.beginner = 0
        self.rounds_played = 0
        self.draw = False

    def empty_grid(self) -> None:
        self.grid: dict[str, list[str]] = {column: [] for column in COLUMNS}
        self.in_hand = [self.bonuses, self.bonuses]

    def acting(self) -> tuple[int, ...]:
        return (self.seat,)

    def moves(self, seat: int) -> set[str]:
        plain = set(COLUMNS)  # P4-3, P4-6: always all four
        return plain | {column + "*" for column in COLUMNS} if self.in_hand[seat] else plain  # P4-20

    def pawn_at(self, column: str, depth: int) -> str:
        pawns = self.grid[column]
        return pawns[depth] if depth < len(pawns) else ""

    def complete(self, colour: str) -> list[list[tuple[str, int]]]:
        """The lines that are wholly of a colour, in the order of LINES."""
        return [line for line in LINES if all(self.pawn_at(*cell).startswith(colour) for cell in line)]

    def carry_out(self, orders: dict[int, str]) -> None:
        ((seat, text),) = orders.items()
        before = {colour: self.complete(colour) for colour in COLOURS}

        column, bonus = text[0], text.endswith("*")
        pawns = self.grid[column]
        pawns.insert(0, COLOURS[seat] + (" bonus" if bonus else ""))  # P4-2
        if bonus:
            self.in_hand[seat] = False
        if len(pawns) == 5:  # P4-3
            ejected = pawns.pop()
            if ejected.endswith("bonus"):
                self.in_hand[COLOURS.index(ejected.split()[0])] = True

        self.seat = 1 - seat
        # P4-5, P4-23: complete now and not before, for both colours
        completed = [[line for line in self.complete(colour) if line not in before[colour]] for colour in COLOURS]
        if self.variant == "elementary":
            self.end_elementary(seat, completed)
        elif self.variant == "endless":
            for winner in (0, 1):  # P4-22, P4-24
                self.points[winner] += sum(2 if self.has_bonus(line, winner) else 1 for line in completed[winner])
            self.over = max(self.points) >= self.options["target"]  # P4-25
        elif any(completed):
            self.end_round((column, 0), completed)

    def has_bonus(self, line: list[tuple[str, int]], owner: int) -> bool:
        return any(self.pawn_at(*cell) == COLOURS[owner] + " bonus" for cell in line)

    def end_elementary(self, mover: int, completed: list[list[Any]]) -> None:
        opponent = 1 - mover
        if completed[mover] and completed[opponent]:  # P4-12
            rule = self.options["both_lines"]
            self.over = rule != "continue"
            if rule == "mover":
                self.points[mover] = 1
            elif rule == "opponent":
                self.points[opponent] = 1
        elif completed[mover]:  # P4-10
            self.over, self.points[mover] = True, 1
        elif completed[opponent]:  # P4-11
            self.over, self.points[opponent] = True, 1

    def end_round(self, pushed: tuple[str, int], completed: list[list[list[tuple[str, int]]]]) -> None:
        awards = [0, 0]
        for colour in (0, 1):  # P4-32: one award for each colour
            for line in completed[colour]:
                elsewhere = [cell for cell in line if cell != pushed]
                awards[colour] = max(awards[colour], 2 if self.has_bonus(elsewhere, colour) else 1)  # P4-31
        self.points = [self.points[0] + awards[0], self.points[1] + awards[1]]
        if awards[0] == awards[1]:  # P4-33
            self.beginner = 1 - self.beginner
        else:
            self.beginner = 0 if awards[0] < awards[1] else 1
        self.seat = self.beginner
        self.rounds_played += 1
        self.empty_grid()  # P4-30
        if self.options["rounds"] is not None:  # P4-34
            self.over = self.rounds_played == self.options["rounds"]
        else:
            self.over = max(self.points) >= self.options["target"]

    def repetition_key(self) -> Hashable:
        if self.options["repetition"] == "none":  # P4-7
            return None
        grid = tuple(tuple(self.grid[column]) for column in COLUMNS)
        return grid, tuple(self.in_hand), tuple(self.points), self.seat

    def repeated(self) -> None:
        self.draw = True  # P4-7: at any score

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.points)

    @property
    def ranking(self) -> tuple[int, ...]:
        return (1, 1) if self.draw else super().ranking

    def position(self) -> Any:
        letters = {"": ".", "blue": "b", "blue bonus": "B", "red": "r", "red bonus": "R"}
        return {
            "grid": ["".join(letters[self.pawn_at(column, depth)] for column in COLUMNS) for depth in range(4)],
            "bonus": list(self.in_hand),
            "round": self.rounds_played,
        }
