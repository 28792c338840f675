"""What is proven about a position, and the solution of a game that proves it."""

from dataclasses import dataclass
from typing import Any

from quatuor.game import Game
from quatuor.games.contract import State

_OTHER = {"win": "loss", "draw": "draw", "loss": "win"}


@dataclass(frozen=True)
class Result:
    """What a position or a move is worth to the seat to move."""

    outcome: str  # "win", "draw" or "loss"
    distance: int | None  # turns to the end if the winner hurries and the loser delays; None if drawn or not known
    turns: int | None = None  # where it is not known: turns to the next stage on the way there

    @classmethod
    def of(cls, number: int) -> "Result":
        """From the turns to a win, minus those to a loss, or 0 for a draw."""
        return cls("win" if number > 0 else "loss" if number < 0 else "draw", abs(number) or None)

    def before(self, flipped: bool) -> "Result":
        """The same one turn earlier, seen by the seat that moved then: the other one if ``flipped``."""
        outcome = _OTHER[self.outcome] if flipped else self.outcome
        return Result(outcome, _one_more(self.distance), _one_more(self.turns))

    @property
    def rank(self) -> tuple[int, int]:
        """The higher, the better: win early, lose late."""
        turns = self.distance or self.turns or 0
        return {"win": (1, -turns), "draw": (0, 0), "loss": (-1, turns)}[self.outcome]


class Solution:
    """A solved game of two seats."""

    def __init__(self, start: Game) -> None:
        self.start = start

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.start.name}:{self.start.variant.name}>"

    def probe(self, state: State) -> Result:
        """The result of a running position for the seat to move."""
        raise NotImplementedError

    def facts(self) -> dict[str, Any]:
        """``reachable``: how many positions that can come up are won, drawn, lost; ``longest_win``; None if unknown."""
        raise NotImplementedError

    def moves(self, game: Game) -> dict[str, Result]:
        """The result of every legal move, for the seat that makes it; the best first.

        A third occurrence that ends the game at once is seen; a later one is not.
        """
        (seat,) = game.to_move
        found = {}
        for move in game.legal():
            after = game.copy()
            after.play(move)
            found[move] = self.after(game, after, seat)
        return dict(sorted(found.items(), key=lambda item: item[1].rank, reverse=True))

    def after(self, before: Game, after: Game, seat: int) -> Result:
        """The result of the move that led from one position to the next, for the seat that made it."""
        if after.over:
            ahead = after.ranking[1 - seat] - after.ranking[seat]
            return Result.of((ahead > 0) - (ahead < 0))
        return self.probe(after.state).before(flipped=seat not in after.to_move)

    def summary(self) -> dict[str, Any]:
        """The start and the whole, as plain data: what ``quatuor solve`` prints."""
        start, moves = self.probe(self.start.state), self.moves(self.start)
        top = next(iter(moves.values())).rank
        return {
            "game": self.start.name,
            "variant": self.start.variant.name,
            "options": dict(self.start.options),
            "value": start.outcome,
            "distance": start.distance,
            "best": [move for move, result in moves.items() if result.rank == top],
            **self.facts(),
        }


def _one_more(turns: int | None) -> int | None:
    return None if turns is None else turns + 1
