"""3/6, naively: on a cell stands a pile, a list of pawns from the bottom; a pawn is (seat, number)."""

import random
from typing import Any

from tests.oracle import Oracle

LETTERS = "ABCDEF"
CELLS = [letter + number for letter in LETTERS for number in "123456"]
DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]

# TS-2: White, then Black; the pawns 1 to 6 in this order
LAYOUTS = {"corners": ("A1 E1 F2 A5 B6 F6", "B1 F1 A2 F5 A6 E6")}

Pawn = tuple[int, int]


def go(cell: str, direction: tuple[int, int], steps: int) -> str:
    """The cell at this number of steps; an empty text off the board."""
    column = LETTERS.index(cell[0]) + steps * direction[0]
    row = int(cell[1]) + steps * direction[1]
    return LETTERS[column] + str(row) if 0 <= column < 6 and 1 <= row <= 6 else ""


class Naive(Oracle):
    RANDOM_GAMES = 30

    @staticmethod
    def shown(view: dict[str, Any]) -> Any:
        board = {there["cell"]: (there["owner"], there["number"], there["height"]) for there in view["cells"]}
        return {"board": board, "quiet": view["quiet"]}

    @staticmethod
    def kind(move: str) -> Any:
        return move[0]

    @staticmethod
    def void_order(rng: random.Random) -> str | None:
        """TS-8: an impossible order is not an error."""
        return f"{rng.randint(1, 6)}>{rng.choice(LETTERS)}{rng.randint(1, 6)}" if rng.random() < 0.1 else None

    @staticmethod
    def option_values(option: Any, rng: random.Random) -> list[Any]:
        return [option.default, random_layout(random.Random(rng.getrandbits(32)))]

    seats = 2

    def start(self) -> None:
        self.board: dict[str, list[Pawn]] = {}
        for seat, cells in enumerate(self.layout()):
            for number, cell in enumerate(cells, 1):
                self.board[cell] = [(seat, number)]
        self.quiet = 0
        self.winner: int | None = None

    def layout(self) -> tuple[list[str], list[str]]:
        white, black = LAYOUTS.get(self.options["layout"]) or self.options["layout"].split("/")
        return white.split(), black.split()

    def acting(self) -> tuple[int, ...]:
        return (0, 1)  # TS-3

    def piles(self, seat: int) -> dict[str, list[Pawn]]:
        """TS-6: those with the seat's pawn on top."""
        return {cell: pile for cell, pile in self.board.items() if pile[-1][0] == seat}

    def moves(self, seat: int) -> set[str]:
        orders = {f"{pile[-1][1]}>{target}" for cell, pile in self.piles(seat).items() for target in self.targets(cell)}
        if self.options["void_blocks"] == "yes":  # TS-14
            orders |= {"0>" + cell for cell in CELLS}
        return orders | {"-"}  # TS-8

    def targets(self, cell: str) -> set[str]:
        """TS-4, TS-5: where the pile on a cell can go."""
        pile, found = self.board[cell], set()
        for direction in DIRECTIONS:
            for steps in range(1, len(pile) + 1):
                target = go(cell, direction, steps)
                between = [go(cell, direction, step) for step in range(1, steps)]
                own = target in self.board and self.board[target][-1][0] == pile[-1][0]
                if not target or (own and self.options["own_stacking"] == "no"):  # TS-12
                    continue
                if any(c in self.board for c in between) and self.options["jump"] == "no":  # TS-13
                    continue
                found.add(target)
        return found

    def carry_out(self, orders: dict[int, str]) -> None:
        going: dict[int, tuple[str, str]] = {}  # seat -> from, to
        named: dict[int, str] = {}  # seat -> the cell it names
        for seat, text in orders.items():
            number, _, target = text.partition(">")
            for cell, pile in self.piles(seat).items():
                if str(pile[-1][1]) == number and target in self.targets(cell):
                    going[seat] = cell, target
            if target in CELLS and (seat in going or self.options["void_blocks"] == "yes"):  # TS-14
                named[seat] = target
        if len(named) == 2 and named[0] == named[1]:  # TS-7
            going = {}

        self.quiet += 1
        moving = {seat: self.board.pop(start) for seat, (start, _) in going.items()}  # TS-11: all leave first
        for seat, (_, target) in going.items():
            below = self.board.get(target, [])  # TS-10, TS-12
            self.board[target] = below + moving[seat]
            if below:
                self.quiet = 0  # TS-23
        self.look_for_the_end()

    def look_for_the_end(self) -> None:
        """TS-22, then TS-23"""
        lines = [self.has_line(seat) for seat in (0, 1)]
        beaten = [len(self.piles(seat)) <= 2 for seat in (0, 1)]  # TS-21
        if any(lines):
            self.over = True
            self.winner = None if all(lines) else lines.index(True)
        elif any(beaten):
            self.over = True
            self.winner = None if all(beaten) else beaten.index(False)
        elif self.options["quiet_turns"] is not None:
            self.over = self.quiet >= self.options["quiet_turns"]

    def has_line(self, seat: int) -> bool:
        """TS-20"""
        own = self.piles(seat)
        return any(go(cell, d, 1) in own and go(cell, d, 2) in own for cell in own for d in DIRECTIONS)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(int(self.winner == seat) for seat in (0, 1))

    def position(self) -> Any:
        return {"board": {cell: (*pile[-1], len(pile)) for cell, pile in self.board.items()}, "quiet": self.quiet}


def random_layout(rng: random.Random) -> str:
    """TS-2: two lists of six different cells, neither with a line."""
    while True:
        cells = rng.sample(CELLS, 12)
        layout = f"{' '.join(cells[:6])} / {' '.join(cells[6:])}"
        twin = Naive("classic", {"layout": layout, "quiet_turns": None})
        if not twin.has_line(0) and not twin.has_line(1):
            return layout
