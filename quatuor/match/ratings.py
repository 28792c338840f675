"""Ratings for games of two to four players, for each game and variant, computed from results alone.

The model is openskill's Plackett-Luce: each player has a mean ``mu`` and a deviation ``sigma``, 25 and 8.3 at first.
The number shown is 1000 + 40 * (mu - 3 * sigma): a new player has 1000, and it rises with wins and as sigma falls.
Engines are rated on the same scale under their names.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from openskill.models import PlackettLuce

PROVISIONAL = 6.5  # a rating with a larger sigma is provisional: about ten games take it below
MODEL = PlackettLuce()


@dataclass(frozen=True)
class Played:
    """One finished game: its players in seat order, and their places."""

    kind: str  # game:variant
    players: tuple[str, ...]
    ranking: tuple[int, ...]
    sides: tuple[int, ...] = ()  # the side of each seat, where seats are allies


@dataclass(frozen=True)
class Rating:
    """A player's rating in one game and variant."""

    player: str
    rating: int
    mu: float
    sigma: float
    games: int
    provisional: bool


class Skill(NamedTuple):
    """What the model knows of a player in one game and variant."""

    mu: float = MODEL.mu
    sigma: float = MODEL.sigma
    games: int = 0

    @property
    def rating(self) -> int:
        """The number that people see."""
        return round(1000 + 40 * (self.mu - 3 * self.sigma))

    @property
    def provisional(self) -> bool:
        """Whether there are too few games yet to rely on the number."""
        return self.sigma > PROVISIONAL


def rate(games: Iterable[Played]) -> dict[str, list[Rating]]:
    """Rate all players, the best first, for each kind of game. Games count in the order given.

    >>> rate([Played("plus4:elementary", ("Ann", "Ben"), (1, 2))])["plus4:elementary"][0].player
    'Ann'

    Raises:
        ValueError: A player appears twice in one game.
    """
    known: dict[str, dict[str, Skill]] = {}
    for game in games if isinstance(games, Iterable) else [games]:
        if not isinstance(game, Played):
            raise TypeError(f"a game that counts is a Played, not {game!r}")
        if len(set(game.players)) < len(game.players):
            raise ValueError(f"{game.kind}: {', '.join(game.players)}: nobody can be rated against oneself")
        table = known.setdefault(game.kind, {})
        table |= updated(game, table)
    return {
        kind: sorted(
            (
                Rating(player, skill.rating, skill.mu, skill.sigma, skill.games, skill.provisional)
                for player, skill in table.items()
            ),
            key=lambda row: (-row.rating, row.player),
        )
        for kind, table in known.items()
    }


def updated(game: Played, known: Mapping[str, Skill]) -> dict[str, Skill]:
    """The skills of a game's players after it. An engine may have several seats: it gets their mean."""
    before = [known.get(player, Skill()) for player in game.players]
    sides = game.sides or tuple(range(len(game.players)))
    seats_of = {side: [seat for seat, own in enumerate(sides) if own == side] for side in sides}
    teams = [[MODEL.rating(before[seat].mu, before[seat].sigma) for seat in seats] for seats in seats_of.values()]
    ranks = [float(min(game.ranking[seat] for seat in seats)) for seats in seats_of.values()]
    found: dict[str, list[Skill]] = {}
    for seats, team in zip(seats_of.values(), MODEL.rate(teams, ranks=ranks), strict=True):
        for seat, rating in zip(seats, team, strict=True):
            found.setdefault(game.players[seat], []).append(Skill(rating.mu, rating.sigma, before[seat].games + 1))
    return {player: _mean(skills) for player, skills in found.items()}


def _mean(skills: list[Skill]) -> Skill:
    count = len(skills)
    return Skill(sum(one.mu for one in skills) / count, sum(one.sigma for one in skills) / count, skills[0].games)
