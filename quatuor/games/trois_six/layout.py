"""Where the pawns start (TS-2): an option that only 3/6 has."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quatuor.games.contract import Text
from quatuor.games.trois_six import rules
from quatuor.games.trois_six.notation import cell_name, cell_number

CORNERS = "A1 E1 F2 A5 B6 F6 / B1 F1 A2 F5 A6 E6"


@dataclass(frozen=True)
class Layout:
    """``corners``, or six cells of white and six of black, for pawns 1 to 6: ``A1 E1 F2 A5 B6 F6 / B1 F1 A2 …``."""

    name: str
    title: Text
    text: Text
    default: str = "corners"
    variants: tuple[str, ...] = ()

    @property
    def examples(self) -> Sequence[Any]:
        return self.default, "A1 C2 E3 B5 D6 F4 / B1 D2 F3 A4 C5 E6"

    def check(self, value: Any) -> Any:
        """The layout in its normal form; ValueError says what is wrong with it."""
        if value == self.default:
            return value
        white, black = self._cells(str(value))
        plain = f"{' '.join(map(cell_name, white))} / {' '.join(map(cell_name, black))}"
        if len({*white, *black}) < 12:
            raise ValueError(f"{self.name}={value!r}: two pawns share a cell; name twelve different cells")
        for side, cells in (("white", white), ("black", black)):
            if rules.line(sum(1 << int(rules.SPOTS[cell]) for cell in cells)):
                raise ValueError(f"{self.name}={value!r}: {side} has three in line already; no three may be")
        return self.default if plain == CORNERS else plain

    def encode(self, value: Any) -> Sequence[int]:
        white, black = self._cells(CORNERS if value == self.default else value)
        return (*white, *black)

    def _cells(self, value: str) -> tuple[list[int], list[int]]:
        sides = [side.split() for side in value.split("/")]
        if [len(side) for side in sides] != [6, 6]:
            raise ValueError(f"{self.name}={value!r}: choose corners, or six cells, a slash and six cells: {CORNERS}")
        try:
            white, black = ([cell_number(name) for name in side] for side in sides)
        except ValueError as wrong:
            raise ValueError(f"{self.name}={value!r}: {wrong}") from None
        return white, black
