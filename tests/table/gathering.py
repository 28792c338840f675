"""A table with people around it and a clock on the wall that the test winds, for the tests."""

from dataclasses import replace

import pytest

from quatuor.table import Event, Pace, Refused, Seat, Setup, Table

ADA, BOB, CAT, EVE = "ada", "bob", "cat", "eve"
NOON = 1_700_000_000_000


def human(guest: str) -> Seat:
    return Seat("human", guest=guest)


class Gathering:
    """Wishes are met at the moment they are made; every event is kept."""

    def __init__(self, *seats: Seat, game: str = "plus4", variant: str = "elementary", **setup) -> None:
        self.now = NOON
        self.setup = Setup(game, variant, {}, seats, ADA, "2026-11-15", opened=NOON, **setup)
        self.table = Table(self.setup)
        self.log: list[Event] = []

    def do(self, event: Event) -> None:
        self.log.append(replace(event, at=self.now))
        self.table.apply(self.log[-1])

    def move(self, seat: int, text: str | None = None, after: float = 0, lag: int = 0) -> None:
        """A seat's move, the first legal one unless told, so many seconds later."""
        self.now += int(after * 1000)
        table = self.table
        text = text or table.game.legal(seat)[0]
        self.do(table.move(table.seats[seat].guest, table.game.ply, seat, text, now=self.now, lag=lag))

    def replayed(self) -> Table:
        """The same table, brought back from its events."""
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
