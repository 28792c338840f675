"""A table with players and a clock that the test sets."""

from dataclasses import replace

import pytest

from quatuor.table import Event, Pace, Presence, Refused, Seat, Setup, Table
from tests.table.deciding import move

ADA, BOB, CAT, EVE = "ada", "bob", "cat", "eve"
NOON = 1_700_000_000_000


def human(guest: str) -> Seat:
    return Seat("human", guest=guest)


class Gathering:
    """Carries out commands at once and keeps every event."""

    def __init__(self, *seats: Seat, game: str = "plus4", variant: str = "elementary", **setup) -> None:
        self.now = NOON
        self.setup = Setup(game, variant, {}, seats, ADA, "2026-11-15", opened=NOON, **setup)
        self.table = Table(self.setup)
        self.presence = Presence()
        self.log: list[Event] = []

    def do(self, event: Event) -> None:
        self.log.append(replace(event, at=self.now))
        self.table.apply(self.log[-1])

    def move(self, seat: int, text: str | None = None, after: float = 0, lag: int = 0) -> None:
        """A seat's move, by default the first legal one, ``after`` seconds."""
        self.now += int(after * 1000)
        table = self.table
        text = text or table.game.legal(seat)[0]
        self.do(move(table, table.seats[seat].guest, table.game.ply, seat, text, now=self.now, lag=lag))

    def replayed(self) -> Table:
        """The same table, replayed from its events."""
        twin = Table(self.setup)
        for event in self.log:
            twin.apply(event)
        return twin


def duel(**setup) -> Gathering:
    return Gathering(human(ADA), human(BOB), **setup)


def four(**setup) -> Gathering:
    """Blokus with three people and an engine."""
    people = (human(ADA), human(BOB), human(CAT), Seat("engine", level=1))
    return Gathering(*people, game="blokus", variant="classic", **setup)


def refused(code: str, command, *args, **kwargs) -> dict:
    with pytest.raises(Refused) as caught:
        command(*args, **kwargs)
    assert caught.value.code == code
    return caught.value.detail


__all__ = ["ADA", "BOB", "CAT", "EVE", "NOON", "Gathering", "Pace", "duel", "four", "human", "refused"]
