"""Plateau X, naively: on every cell a list of bricks from the bottom; a brick is the set of cells it covers."""

from collections.abc import Hashable
from functools import cache
from typing import Any

from tests.oracle import Oracle, places

LETTERS = "ABCDEFG"
Brick = frozenset[str]


@cache
def beside(cell: str, size: int) -> frozenset[str]:
    """The edge neighbours on a board of that size."""
    column, row = LETTERS.index(cell[0]), int(cell[1])
    around = ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1))
    return frozenset(LETTERS[c] + str(r) for c, r in around if 0 <= c < size and 1 <= r <= size)


class Naive(Oracle):
    RANDOM_GAMES = 4

    @staticmethod
    def shown(view: dict[str, Any]) -> Any:
        return {
            "levels": {
                "ABCDEFG"[x] + str(y): level for y, row in enumerate(view["levels"], 1) for x, level in enumerate(row)
            },
            "bricks": {(brick["level"], frozenset(brick["cells"])) for brick in view["bricks"]},
            "plateaus": {frozenset(plateau["cells"]): plateau["owners"] for plateau in view["plateaus"]},
            "pawns": [
                sorted(pawn["cell"] for pawn in view["pawns"] if pawn["seat"] == seat)
                for seat in range(len(view["stocks"]))
            ],
            "stocks": [(stock["singles"], stock["doubles"], stock["pawns"]) for stock in view["stocks"]],
            "triples": view["triples"],
        }

    @staticmethod
    def kind(move: str) -> Any:
        return move[0] in "+@", "-" in move, len(move)

    def start(self) -> None:
        # PX-40 to PX-43
        self.seats = {"four": 4, "trio": 3, "mini": 2, "double": 2}[self.variant]
        self.size = 6 if self.variant == "mini" else 7
        pawns = 2 if self.variant == "double" else 1
        singles = 3 if self.variant in ("mini", "double") else 2

        self.bricks: dict[str, list[Brick]] = {
            letter + str(number): [] for letter in LETTERS[: self.size] for number in range(1, self.size + 1)
        }
        self.triples = 37  # PX-4
        self.singles = [singles] * self.seats
        self.doubles = [1] * self.seats
        self.waiting = [pawns] * self.seats  # pawns not brought in yet
        self.pawns: list[dict[str, int]] = [{} for _ in range(self.seats)]  # cell -> turn in which it came there
        self.shapes = self.all_bricks()
        self.seat = 0
        self.turn = 0
        self.choices = self.possible(0)

    # ---- the terrain

    def all_bricks(self) -> dict[str, Brick]:
        """PX-4: every place that a brick covers on an empty board, by the text of its move."""
        singles = [{cell} for cell in self.bricks]
        doubles = [{cell, other} for cell in self.bricks for other in beside(cell, self.size)]
        triples = []
        for column in range(self.size - 1):
            for row in range(1, self.size):
                square = {LETTERS[c] + str(r) for c in (column, column + 1) for r in (row, row + 1)}
                triples += [square - {cell} for cell in square]
        return {"+" + "".join(sorted(cells)): frozenset(cells) for cells in singles + doubles + triples}

    def level(self, cell: str) -> int:
        """PX-2"""
        return len(self.bricks[cell])

    def plateau(self, cell: str) -> set[str]:
        """PX-3: the cells of one level joined with this one; none on the bare board."""
        if self.level(cell) == 0:
            return set()
        group, edge = {cell}, {cell}
        while edge:
            edge = {n for c in edge for n in beside(c, self.size) if self.level(n) == self.level(cell)} - group
            group |= edge
        return group

    def occupied(self) -> set[str]:
        return {cell for pawns in self.pawns for cell in pawns}

    # ---- a turn

    def acting(self) -> tuple[int, ...]:
        return (self.seat,)

    def moves(self, seat: int) -> set[str]:
        return self.choices

    def possible(self, seat: int) -> set[str]:
        bricks = {text for text, brick in self.shapes.items() if self.can_lay(seat, brick)}
        pawns = self.entries(seat) | self.walks(seat)
        if not bricks and self.options["edition"] == "de":  # PX-20, PX-21
            return pawns | {"end"}
        return bricks | pawns

    def can_lay(self, seat: int, brick: Brick) -> bool:
        """PX-10"""
        stock = {1: self.singles[seat], 2: self.doubles[seat], 3: self.triples}[len(brick)]
        if stock == 0:
            return False
        if len({len(self.bricks[cell]) for cell in brick}) > 1:  # PX-11
            return False
        if brick & self.occupied():  # PX-12
            return False
        return not all(self.bricks[cell] and self.bricks[cell][-1] == brick for cell in brick)  # PX-13

    def entries(self, seat: int) -> set[str]:
        """PX-14"""
        if not self.waiting[seat]:
            return set()
        return {"@" + cell for cell in self.bricks if self.level(cell) == 0 and cell not in self.occupied()}

    def walks(self, seat: int) -> set[str]:
        """PX-15, PX-18"""
        enemies = {cell for other in range(self.seats) if other != seat for cell in self.pawns[other]}
        barred = {cell for enemy in enemies for cell in self.plateau(enemy)}  # PX-16: not the bare board
        moves = set()
        for start in self.pawns[seat]:
            barred_here = barred | (self.occupied() - {start})  # PX-16: it has left its own cell
            reached: set[str] = set()
            edge = {start}
            while edge:
                steps = {n for c in edge for n in beside(c, self.size) if abs(self.level(n) - self.level(c)) == 1}
                edge = steps - barred_here - reached
                reached |= edge
            moves |= {start + "-" + cell for cell in reached}
        return moves

    def carry_out(self, orders: dict[int, str]) -> None:
        ((seat, text),) = orders.items()
        self.turn += 1
        if text == "end":
            self.over = True
            return
        if text[0] == "+":
            brick = self.shapes[text]
            for cell in brick:
                self.bricks[cell].append(brick)
            if len(brick) == 1:
                self.singles[seat] -= 1
            elif len(brick) == 2:
                self.doubles[seat] -= 1
            else:
                self.triples -= 1
        elif text[0] == "@":
            self.waiting[seat] -= 1
            self.pawns[seat][text[1:]] = self.turn
        else:
            start, cell = text.split("-")
            del self.pawns[seat][start]
            self.pawns[seat][cell] = self.turn  # PX-33: every move interrupts
        self.seat = (seat + 1) % self.seats
        # PX-20, PX-21, PX-23: checked as the next turn starts; both editions end when no move at all is possible
        self.choices = self.possible(self.seat)
        self.over = self.choices <= {"end"}

    # ---- the end

    def repetition_key(self) -> Hashable:
        if self.options["repetition"] == "none":  # PX-24
            return None
        bricks = tuple(tuple(pile) for pile in self.bricks.values())
        stocks = self.triples, tuple(self.singles), tuple(self.doubles), tuple(self.waiting)
        return bricks, stocks, tuple(frozenset(pawns) for pawns in self.pawns), self.seat

    def repeated(self) -> None:
        """PX-24: ranked as it stands."""

    def standing(self, seat: int) -> tuple[int, int, int]:
        """PX-30 to PX-32 for a seat's better pawn (PX-34): level, size of the plateau, and for how long."""
        there = [(self.level(cell), len(self.plateau(cell)), -turn) for cell, turn in self.pawns[seat].items()]
        return max(there, default=(-1, 0, 0))  # PX-31: never brought in

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.standing(seat)[0] for seat in range(self.seats))

    @property
    def ranking(self) -> tuple[int, ...]:
        return places([self.standing(seat) for seat in range(self.seats)])

    def position(self) -> Any:
        plateaus: list[frozenset[str]] = []
        for cell in self.bricks:
            if self.level(cell) and not any(cell in plateau for plateau in plateaus):
                plateaus.append(frozenset(self.plateau(cell)))
        return {
            "levels": {cell: self.level(cell) for cell in self.bricks},
            "bricks": {(level, brick) for pile in self.bricks.values() for level, brick in enumerate(pile, 1)},
            "plateaus": {
                plateau: [seat for seat in range(self.seats) if any(cell in plateau for cell in self.pawns[seat])]
                for plateau in plateaus
            },
            "pawns": [sorted(pawns) for pawns in self.pawns],
            "stocks": list(zip(self.singles, self.doubles, self.waiting, strict=True)),
            "triples": self.triples,
        }
