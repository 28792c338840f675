"""Ratings for games of two to four players, for each game and variant, computed from records alone.

The model is openskill's Plackett-Luce: each player has a mean ``mu`` and a deviation ``sigma``, 25 and 8.3 at first.
The number shown is 1000 + 40 * (mu - 3 * sigma): a new player has 1000, and it rises with wins and as sigma falls.
Engines are rated on the same scale under their names.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

PROVISIONAL = 6.5  # a rating with a larger sigma is provisional: about ten games take it below


@dataclass(frozen=True)
class Played:
    """One finished game: its players in seat order, and their places."""

    kind: str  # game:variant
    players: tuple[str, ...]
    ranking: tuple[int, ...]


@dataclass(frozen=True)
class Rating:
    """A player's rating in one game and variant."""

    player: str
    rating: int
    mu: float
    sigma: float
    games: int
    provisional: bool


def rate(games: Iterable[Played]) -> dict[str, list[Rating]]:
    """Rate all players, the best first, for each kind of game. Games count in the order given.

    >>> rate([Played("plus4:elementary", ("Ann", "Ben"), (1, 2))])["plus4:elementary"][0].player
    'Ann'

    Raises:
        ValueError: A player appears twice in one game.
    """
    model = PlackettLuce()
    known: dict[str, dict[str, PlackettLuceRating]] = {}
    counts: dict[str, dict[str, int]] = {}
    for game in games:
        if len(set(game.players)) < len(game.players):
            raise ValueError(f"{game.kind}: {', '.join(game.players)}: nobody can be rated against oneself")
        table, count = known.setdefault(game.kind, {}), counts.setdefault(game.kind, {})
        teams = [[table.get(player) or model.rating(name=player)] for player in game.players]
        for player, team in zip(game.players, model.rate(teams, ranks=list(game.ranking)), strict=True):
            table[player] = team[0]
            count[player] = count.get(player, 0) + 1
    return {
        kind: sorted(
            (_rating(player, rating, counts[kind][player]) for player, rating in table.items()),
            key=lambda row: (-row.rating, row.player),
        )
        for kind, table in known.items()
    }


def _rating(player: str, rating: PlackettLuceRating, games: int) -> Rating:
    shown = round(1000 + 40 * (rating.mu - 3 * rating.sigma))
    return Rating(player, shown, rating.mu, rating.sigma, games, rating.sigma > PROVISIONAL)
