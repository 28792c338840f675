"""Illegal moves and times of the seats, for ``quatuor judge``: counted by the table, not by the players."""

from typing import TYPE_CHECKING, Any, NamedTuple

from quatuor.table.commands import Command, Move

if TYPE_CHECKING:
    from quatuor.table.events import Event
    from quatuor.table.table import Table

MOST = 20  # illegal moves that are kept for one decision


class Tried(NamedTuple):
    """How a seat came to a move that it played at a table."""

    ply: int
    seat: int
    milliseconds: int  # since the turn began
    illegal: tuple[str, ...] | None  # moves that were refused before it; None: not known

    @classmethod
    def of(cls, table: "Table", event: "Event") -> "Tried":
        """From the event of a move, before it is applied. Engines play legal moves only."""
        illegal = event.data.get("illegal", () if event.guest is None else None)
        refused = None if illegal is None else tuple(illegal)
        return cls(table.game.ply, event.data["seat"], max(0, event.at - table.turned), refused)


class IllegalMoves:
    """The illegal moves of this turn. They are known if this session has refused commands since the turn began."""

    def __init__(self, table: "Table") -> None:
        self._turn, self._whole = table.turn, table.version == 0
        self._moves: dict[int, list[str]] = {}

    def add(self, table: "Table", command: Move) -> None:
        """A move was refused because it is illegal."""
        self._follow(table)
        moves = self._moves.setdefault(command.seat, [])
        if len(moves) < MOST:
            moves.append(command.move)

    def before(self, table: "Table", command: Command) -> tuple[str, ...] | None:
        """The illegal moves of the seat that sends this move; None: not known."""
        self._follow(table)
        return tuple(self._moves.get(command.seat, ())) if isinstance(command, Move) and self._whole else None

    def _follow(self, table: "Table") -> None:
        if table.turn != self._turn:
            self._turn, self._whole, self._moves = table.turn, True, {}


def lines(table: "Table") -> list[dict[str, Any]]:
    """All decisions of the complete turns, as ``quatuor judge`` reads them from ``NAME.tries.jsonl``."""
    played = table.game.moves
    return [
        {
            "ply": one.ply,
            "seat": one.seat,
            "move": played[one.ply][one.seat],
            "seconds": one.milliseconds / 1000,
            "illegal": None if one.illegal is None else list(one.illegal),
        }
        for one in table.tries
        if one.ply < len(played)
    ]
