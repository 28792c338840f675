"""A naive second implementation of every game, written from the clauses alone: dicts, sets, tuples and strings.

It shares no code with the package. ``compare.py`` plays the same random games on both and compares them.
"""

import random
from collections import Counter
from collections.abc import Hashable
from importlib import import_module
from typing import Any


class Oracle:
    """A game in progress; each game's file fills in the rules."""

    seats: int

    def __init__(self, variant: str, options: dict[str, Any]) -> None:
        self.variant = variant
        self.options = options
        self.over = False
        self.orders: dict[int, str] = {}  # orders already given in a simultaneous turn
        self.start()
        self.seen: Counter[Hashable] = Counter([self.repetition_key()])

    # ---- what each game implements

    def start(self) -> None:
        """Set up the first position."""
        raise NotImplementedError

    def acting(self) -> tuple[int, ...]:
        """The seats whose turn it is, as if none of them had given an order."""
        raise NotImplementedError

    def moves(self, seat: int) -> set[str]:
        """What an acting seat may play."""
        raise NotImplementedError

    def carry_out(self, orders: dict[int, str]) -> None:
        """One whole turn; sets ``over`` if the game's own end is reached."""
        raise NotImplementedError

    def repetition_key(self) -> Hashable:
        """The position as the repetition rule sees it; None where there is no such rule."""
        return None

    def repeated(self) -> None:
        """Called when a position has occurred for the third time."""
        raise NotImplementedError

    @property
    def scores(self) -> tuple[int, ...]:
        raise NotImplementedError

    @property
    def ranking(self) -> tuple[int, ...]:
        return places(self.scores)

    def position(self) -> Any:
        """Everything that the package's ``view`` shows, for comparison."""
        raise NotImplementedError

    # ---- how the comparison plays the game

    RANDOM_GAMES: int  # of each variant, in the tests

    @staticmethod
    def shown(view: dict[str, Any]) -> Any:
        """The package's ``view`` in the form of ``position``."""
        raise NotImplementedError

    @staticmethod
    def kind(move: str) -> Any:
        """The kind of a move: some random players draw the kind first, so that rare kinds occur."""
        raise NotImplementedError

    @staticmethod
    def void_order(rng: random.Random) -> str | None:
        """Sometimes an impossible order, in games where it is not an error."""
        return None

    @staticmethod
    def option_values(option: Any, rng: random.Random) -> list[Any]:
        """Values of an option that is neither a Choice nor a Number."""
        return [option.default]

    # ---- the same for all

    @property
    def to_move(self) -> tuple[int, ...]:
        return () if self.over else tuple(seat for seat in self.acting() if seat not in self.orders)

    def legal(self, seat: int) -> set[str]:
        return self.moves(seat) if seat in self.to_move else set()

    def play(self, orders: dict[int, str]) -> None:
        assert orders
        assert set(orders) <= set(self.to_move)
        self.orders.update(orders)
        if self.to_move:
            return
        orders, self.orders = self.orders, {}
        self.carry_out(orders)
        # The end is checked after every action: first by the game's rules, then repetition (the start counts once).
        key = self.repetition_key()
        self.seen[key] += 1
        if not self.over and key is not None and self.seen[key] == 3:
            self.over = True
            self.repeated()


def places(values: Any) -> tuple[int, ...]:
    """A place from 1 for each value, the highest first; equal ones share the better place (1, 2, 2, 4)."""
    return tuple(1 + sum(other > value for other in values) for value in values)


def oracle_of(game: str) -> type[Oracle]:
    """The second implementation of a game: ``Naive`` in the file of this folder that has its name."""
    found: type[Oracle] = import_module(f"tests.oracle.{game}").Naive
    return found


def oracle(game: str, variant: str, options: dict[str, Any]) -> Oracle:
    """The naive twin of ``quatuor.new(game, variant, **options)``; every option must be given."""
    return oracle_of(game)(variant, options)
