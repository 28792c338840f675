"""The summary of a table: what a list of tables shows without loading the game."""

from dataclasses import asdict, dataclass
from typing import Any

from quatuor.table.seats import for_anyone
from quatuor.table.table import Table


@dataclass(frozen=True)
class TableSummary:
    """Computed from a table, so it can be computed again. It names guests by their ids: not for clients."""

    version: int  # of the table when this was written
    game: str
    status: str  # open (a seat is free), running, over
    listed: bool  # shown in the lobby while a seat is free for anyone, and among the games to watch
    acting: int  # the seats in which a person is awaited, as bits
    deadline: int | None  # when the next flag falls
    touched: int  # when something last happened
    people: dict[str, int]  # guest -> seats, as bits
    facts: dict[str, Any]  # variant, pace, seats, plies, places, points


def summarise(table: Table) -> TableSummary:
    """How the table stands."""
    free = any(seat.kind == "open" for seat in table.seats)
    shown = ("kind", "guest", "level", "label", "invited")
    seats = [{name: getattr(seat, name) for name in shown} for seat in table.seats]
    return TableSummary(
        version=table.version,
        game=table.setup.game,
        status="over" if table.ended_by else "open" if free else "running",
        listed=table.setup.listed and (not free or any(map(for_anyone, table.seats))),
        acting=0 if free else _bits(table.awaited),  # while a seat is free, no clock runs
        deadline=table.clocks.next_fall,
        touched=table.touched,
        people={guest: _bits(table.owned(guest)) for guest in table.people},
        facts={
            "variant": table.setup.variant,
            "pace": asdict(table.setup.pace),
            "takeback": table.setup.takeback,
            "seats": seats,
            "ply": table.game.ply,
            "until": {str(seat): table.clocks.until(seat) for seat in table.clocks.since},
            "ended_by": table.ended_by,
            "ended": table.ended,
            "rated": table.setup.rated,
            "ranking": table.ranking,
            "scores": list(table.game.scores),
            "tournament": table.setup.tournament,
            "owner": table.owner,
            "network": table.setup.network,
        },
    )


def _bits(seats: list[int]) -> int:
    return sum(1 << seat for seat in seats)
