"""What every search offers to the player that runs it.

A search module of this package has a function ``search(game, seat, seed) -> Searcher`` for the seat that is to move,
and, if searches from different seeds cannot be merged (as with alpha-beta, which would find the same again), the line
``ALONE = True``: such a search runs on one thread.
"""

from typing import NamedTuple, Protocol

from quatuor.game import Game


class Finding(NamedTuple):
    """What a search knows of one action of the seat it searches for."""

    visits: int  # how much it was looked at (simulations, nodes)
    value: float  # expected reward of the seat, 0 (beaten by all) to 1 (beats all), ties half
    weight: float = 0.0  # the probability with which the search would play it; the weights of all actions sum to 1
    score: float | None = None  # expected score of the seat's side at the end, where the game counts scores
    proven: str | None = None  # "win", "draw", "loss" where certain
    distance: int | None = None  # turns to the end, where certain
    regret: float | None = None  # how much reward it gives away against the best mix of the others, where they act too
    exact: bool = False  # whether the value follows from finished games alone


class Searcher(Protocol):
    """A search from one position that can run as long as time allows."""

    done: int  # units of work so far
    finished: bool  # nothing more can be found

    def run(self, count: int) -> None:
        """Do about ``count`` more units. Releases the GIL; may be called again and again.

        A unit is short, well under a millisecond, so that time and stop can be checked between calls.
        """

    def settled(self, count: int) -> bool:
        """Whether ``count`` more units will not change which action is found best. False if unknown."""
        return False

    def found(self) -> dict[int, Finding]:
        """Every legal action of the seat; may be called at any time after ``run(1)``."""

    def line(self, action: int) -> list[int]:
        """The action and what the search expects to follow (games in turns)."""

    def restrict(self, actions: set[int]) -> None:
        """Search these actions alone; called once, after ``run(1)``. A search that cannot goes on with all of them."""
        return

    def advance(self, game: Game) -> bool:
        """Go on from a later position of the same game, keeping what is known; False if that is not possible."""


def turns_between(before: Game, after: Game) -> list[dict[int, int]] | None:
    """The turns, as {seat: action}, from one position to a later one of the same game; None if it is not later."""
    if (before.book, before.variant, before.options) != (after.book, after.variant, after.options):
        return None
    past, played = before.played, after.played
    if played[: len(past)] != past or before.start.tobytes() != after.start.tobytes():
        return None
    turns, twin = played[len(past) :], before.copy()
    if twin.common is not twin.state:
        twin.undo()  # orders of a turn that was not complete yet
    for turn in turns:
        if any(action not in twin.actions(seat) for seat, action in turn.items()):
            return None
        twin._advance(turn)
    return turns if twin.common.tobytes() == after.common.tobytes() else None
