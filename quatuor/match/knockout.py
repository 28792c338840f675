"""The knock-out: who goes on, who plays again, who meets whom. Pure functions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from quatuor.match.pairing import Table


@dataclass(frozen=True)
class Result:
    """The result of one table's game, seat by seat."""

    players: Table
    ranking: tuple[int, ...]
    points: tuple[Fraction, ...]
    note: str = ""  # why the result was corrected

    def first(self, best: int) -> list[str]:
        """The players on the first ``best`` places; after a tie there are more than ``best``."""
        return [player for player, place in zip(self.players, self.ranking, strict=True) if place <= best]


def survivors(results: Iterable[Result], best: int) -> list[str]:
    """Who goes on."""
    return [player for result in results if len(result.first(best)) <= best for player in result.first(best)]


def tied(results: Iterable[Result], best: int) -> list[Table]:
    """The tables that play again: more players share the first places than may go on."""
    return [result.players for result in results if len(result.first(best)) > best]


def byes(inside: Sequence[str], seats: int) -> list[str]:
    """Who goes on without playing: the first, as few as make full tables and, for two, a full bracket."""
    full = 1 << (len(inside) - 1).bit_length()
    return list(inside[: full - len(inside) if seats == 2 else len(inside) % seats])


def folded(players: Sequence[str], seats: int) -> list[Table]:
    """Tables in which the first meet the last: dealt back and forth."""
    tables: list[list[str]] = [[] for _ in range(len(players) // seats)]
    for row in range(seats):
        dealt = players[row * len(tables) : (row + 1) * len(tables)]
        for table, player in zip(tables, dealt if row % 2 == 0 else reversed(dealt), strict=True):
            table.append(player)
    return [tuple(table) for table in tables]
