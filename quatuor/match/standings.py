"""Rounds and what they bring: sums over results. Pure functions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from quatuor.game import Game
from quatuor.match.knockout import Result
from quatuor.match.pairing import Table
from quatuor.record import behind, gone


class Statement(NamedTuple):
    """What a player says about the result of a game: one number for each seat."""

    ranking: tuple[int, ...]
    scores: tuple[int, ...]


@dataclass
class Round:
    """The tables of a round, who sits out, and by table (from 0) the results so far and what players say they are."""

    tables: list[Table]
    byes: list[str]
    results: dict[int, Result]
    stated: dict[int, dict[str, Statement]] = field(default_factory=dict)
    on_board: set[int] = field(default_factory=set)  # tables that were paired online and then moved to a real board

    @property
    def missing(self) -> list[int]:
        return [table for table in range(len(self.tables)) if table not in self.results]


@dataclass(frozen=True)
class Standing:
    """A player's line."""

    place: int  # from 1; equals share the better place
    player: str
    points: Fraction
    firsts: int
    buchholz: Fraction
    games: int
    byes: int
    withdrawn: bool


def ranking_of(game: Game) -> tuple[int, ...]:
    """Places by the rules, or as the record says where the game ended otherwise; who went out stands behind."""
    if game.over:
        return behind(game.ranking, gone(game))
    return tuple(int(place) for place in game.headers["Result"].split("-"))


def ranking_by(scores: Sequence[int]) -> tuple[int, ...]:
    """Places by scores, the highest first; equals share the better place."""
    return tuple(1 + sum(other > own for other in scores) for own in scores)


def worth_of(kind: Game, ranking: tuple[int, ...], scores: tuple[int, ...]) -> tuple[Fraction, ...]:
    """What a game without a record brings each seat."""
    points = kind.book.match_points(kind.variant.name, scores or (0,) * len(ranking), ranking)
    return tuple(map(Fraction, points))


def worth(game: Game, ranking: tuple[int, ...]) -> tuple[Fraction, ...]:
    """What a game brings each seat."""
    points = list(game.book.match_points(game.variant.name, game.scores, ranking))
    if not game.over:  # nobody can spoil a winner's score by giving up
        points = [max(0, own) if place == 1 else own for own, place in zip(points, ranking, strict=True)]
    elif out := gone(game):  # nor gain by the engine that plays on
        least = min((own for seat, own in enumerate(points) if seat not in out), default=0)
        points = [min(own, least) if seat in out else own for seat, own in enumerate(points)]
    return tuple(map(Fraction, points))


def sums(
    players: Sequence[str], rounds: Sequence[Round], paid: bool
) -> tuple[dict[str, Fraction], Counter[str], Counter[str], Counter[str]]:
    """Points, first places, games and byes of everybody; a ``paid`` bye is worth what the round's winners got."""
    points = dict.fromkeys(players, Fraction())
    firsts: Counter[str] = Counter()
    games: Counter[str] = Counter()
    sat_out: Counter[str] = Counter()
    for r in rounds:
        won = []
        for result in r.results.values():
            for player, worth, place in zip(result.players, result.points, result.ranking, strict=True):
                points[player] += worth
                games[player] += 1
                firsts[player] += place == 1
                won += [worth] * (place == 1)
        for player in r.byes:
            sat_out[player] += 1
            if paid and won:
                points[player] += sum(won, Fraction()) / len(won)
    return points, firsts, games, sat_out


def crossed(players: Sequence[str], results: Iterable[Result]) -> dict[str, dict[str, Fraction]]:
    """For each player, the points made in games against each other one."""
    cells: dict[str, dict[str, Fraction]] = {player: {} for player in players}
    for result in results:
        for player, points in zip(result.players, result.points, strict=True):
            for other in result.players:
                if other != player:
                    cells[player][other] = cells[player].get(other, Fraction()) + points
    return cells
