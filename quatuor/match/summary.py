"""What a set of arena games says: a row for each engine, and how two of them did against each other."""

from collections.abc import Sequence
from typing import TypedDict

from quatuor.match.arena import Arena
from quatuor.match.arena_game import Outcome
from quatuor.match.elo import Ratings, fit


class Row(TypedDict):
    """One engine. Errors are half a 95% interval."""

    engine: str
    games: int
    score: float  # the share of pairs won, draws half
    elo: float  # around a mean of 0
    error: float
    seconds: float  # a move, on average
    slowest: float  # move, in seconds
    cpu: float  # processor seconds a game
    faults: int  # games lost by a wrong answer or none


class Duel(TypedDict):
    """Two engines that met."""

    engines: tuple[str, str]
    games: int
    wins: int  # pairs of the first engine
    draws: int
    losses: int
    elo: float  # how much stronger the first one is, by the games of these two alone
    error: float


def rows(arena: Arena, outcomes: Sequence[Outcome]) -> list[Row]:
    """The engines, the strongest first."""
    ratings = fit(len(arena.engines), [arena.pairs(outcome) for outcome in outcomes])
    found = [_row(arena, number, ratings, outcomes) for number in range(len(arena.engines))]
    return sorted(found, key=lambda row: -row["elo"])


def _row(arena: Arena, number: int, ratings: Ratings, outcomes: Sequence[Outcome]) -> Row:
    spec = arena.engines[number]
    own = [outcome for outcome in outcomes if spec in outcome["seats"]]
    pairs = [pair for outcome in own for pair in arena.pairs(outcome)]
    got = [points if a == number else 1 - points for a, _, points in pairs]
    seats = [(outcome, seat) for outcome in own for seat, who in enumerate(outcome["seats"]) if who == spec]
    moves = sum(outcome["moves"][seat] for outcome, seat in seats)
    return {
        "engine": spec,
        "games": len(own),
        "score": sum(got) / len(got) if got else 0.5,  # against itself
        "elo": ratings.each[number].elo,
        "error": ratings.each[number].error,
        "seconds": sum(outcome["seconds"][seat] for outcome, seat in seats) / max(moves, 1),
        "slowest": max((outcome["slowest"][seat] for outcome, seat in seats), default=0.0),
        "cpu": sum(outcome["cpu"][spec] for outcome in own) / max(len(own), 1),
        "faults": sum((outcome["fault"] or "").startswith(f"{spec}: ") for outcome in own),
    }


def duels(arena: Arena, outcomes: Sequence[Outcome]) -> list[Duel]:
    """Everybody against everybody, as far as they have met."""
    met: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        one, *others = sorted(set(outcome["seats"]), key=arena.engines.index)
        for two in others:  # none where an engine plays against itself
            met.setdefault((one, two), []).append(outcome)
    return [_duel(arena, one, two, played) for (one, two), played in met.items()]


def _duel(arena: Arena, one: str, two: str, outcomes: Sequence[Outcome]) -> Duel:
    first = arena.engines.index(one)
    games = [[(int(a != first), int(b != first), got) for a, b, got in arena.pairs(o)] for o in outcomes]
    got = [points if a == 0 else 1 - points for game in games for a, _, points in game]
    gap = fit(2, games).difference(0, 1)
    return {
        "engines": (one, two),
        "games": len(outcomes),
        "wins": got.count(1.0),
        "draws": got.count(0.5),
        "losses": got.count(0.0),
        "elo": gap.elo,
        "error": gap.error,
    }
