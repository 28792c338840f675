"""A match: an agreed number of games of one kind between the same players, with points for each.

What a game is worth is the rulebook's matter (``Rulebook.match_points``); this file assigns seats and adds up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.record_text import check_names


@dataclass(frozen=True)
class Result:
    """One finished game of a match, seat by seat."""

    players: tuple[str, ...]  # in seat order
    scores: tuple[int, ...]
    ranking: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class Row:
    """A player's line in the standing."""

    player: str
    points: int
    firsts: int  # games in first place
    place: int  # from 1; equal players share the better place


class Match:
    """Several games of one kind and their standing.

    >>> match = Match("plateau_x", variant="mini", games=2, players=("Ann", "Ben"))
    >>> game = match.next()
    >>> match.seats
    ('Ann', 'Ben')
    >>> while not game.over:
    ...     game.play(game.legal()[-1])
    >>> match.report(game)
    >>> game = match.next()
    >>> match.seats
    ('Ben', 'Ann')

    Raises:
        ValueError: There is no such game, variant or option, or the number of games or players is wrong.
    """

    def __init__(
        self, name: str, variant: str | None = None, games: int = 1, players: Sequence[str] = (), **options: Any
    ) -> None:
        self._kind = Game(rulebook(name), variant, options)  # never played: every game is a copy of it
        seats = self._kind.seats
        if not isinstance(games, int) or games < 1:
            raise ValueError(f"games={games!r}: a match has a whole number of games, at least 1")
        check_names(players=players)
        if players and (len(players) != seats or len(set(players)) != seats):
            variant_name = self._kind.variant.name
            raise ValueError(f"players={tuple(players)!r}: {name}:{variant_name} needs {seats} different names")
        self.games = games
        self.players = tuple(players) or tuple(f"Player {i + 1}" for i in range(seats))
        self.results: list[Result] = []
        self.game: Game | None = None  # the one being played

    def __repr__(self) -> str:
        kind = f"{self._kind.name}:{self._kind.variant.name}"
        return f"<Match {kind}, {', '.join(self.players)}: {len(self.results)} of {self.games} games>"

    @property
    def over(self) -> bool:
        """Whether all games have been reported."""
        return len(self.results) == self.games

    @property
    def seats(self) -> tuple[str, ...]:
        """The players of the current or next game in seat order; each game starts with the next player (PX-45)."""
        turn = len(self.results) % len(self.players)
        return self.players[turn:] + self.players[:turn]

    def next(self) -> Game:
        """Start the next game; ``seats`` has the players in seat order.

        Raises:
            ValueError: The match is over, or the last game has not been reported.
        """
        if self.over:
            raise ValueError(f"the match is over: all {self.games} games have been played")
        if self.game is not None:
            raise ValueError(f"game {len(self.results) + 1} has not been reported yet")
        self.game = self._kind.copy()
        return self.game

    def report(self, game: Game) -> None:
        """Count a finished game: the one from ``next``, or the same game loaded from its record.

        Raises:
            ValueError: The game is not over, is of another kind, or no game of the match is running.
        """
        if self.game is None:
            raise ValueError("no game of this match is being played: start one with next()")
        if (game.name, game.variant, game.options) != (self._kind.name, self._kind.variant, self._kind.options):
            raise ValueError(f"{_title(game)} is not a game of this match, which is played as {_title(self._kind)}")
        if not game.over:
            raise ValueError(f"the game is not over: to move {', '.join(map(str, game.to_move))}")
        points = game.book.match_points(game.variant.name, game.scores, game.ranking)
        self.results.append(Result(self.seats, game.scores, game.ranking, points))
        self.game = None

    @property
    def standing(self) -> list[Row]:
        """The players from first to last: by points, then by first places, then the place is shared (PX-44)."""
        sums = dict.fromkeys(self.players, (0, 0))
        for result in self.results:
            for player, points, place in zip(result.players, result.points, result.ranking, strict=True):
                total, firsts = sums[player]
                sums[player] = total + points, firsts + (place == 1)
        rows = [
            Row(player, *own, place=1 + sum(other > own for other in sums.values())) for player, own in sums.items()
        ]
        return sorted(rows, key=lambda row: row.place)


def _title(game: Game) -> str:
    options = ", ".join(f"{name}={value}" for name, value in game.options.items())
    return f"{game.name}:{game.variant.name}" + (f" ({options})" if options else "")
