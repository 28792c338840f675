"""Ratings from results: the maximum-likelihood fit of the Bradley-Terry model, in Elo, with error bars.

A drawn pair counts half for each. A game of several sides counts as the pairs of its sides that different engines
play. Such pairs depend on each other, so errors are estimated from whole games, not from pairs.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

ELO = 400 / math.log(10)  # Elo points of one natural unit
SIGMAS = 1.96  # 95%
STEPS, ENOUGH = 100, 1e-10

Pair = tuple[int, int, float]  # one engine, another, and what the first got: 1, 0.5 or 0
Array = npt.NDArray[np.float64]


class Rating(NamedTuple):
    """Elo around a mean of 0, and half the width of its 95% interval."""

    elo: float
    error: float


class Ratings(NamedTuple):
    """What was fitted: a rating for each engine, and how they vary together."""

    each: list[Rating]
    covariance: Array

    def difference(self, a: int, b: int) -> Rating:
        """How much stronger one is than another."""
        variance = self.covariance[a, a] + self.covariance[b, b] - 2 * self.covariance[a, b]
        return Rating(self.each[a].elo - self.each[b].elo, SIGMAS * math.sqrt(max(float(variance), 0.0)))


def fit(count: int, games: Sequence[Sequence[Pair]]) -> Ratings:
    """The ratings of ``count`` engines from games, each given as its pairs.

    Every two that met are given one more draw: a player who has won all games would otherwise be infinitely strong.
    """
    met = {(min(a, b), max(a, b)) for game in games for a, b, _ in game}
    pairs = [pair for game in games for pair in game] + [(a, b, 0.5) for a, b in sorted(met)]
    strength = np.zeros(count)
    for _ in range(STEPS):
        slope, curve = _slope(pairs, strength), _curve(pairs, strength)
        step = _inverse(curve) @ slope
        strength += np.clip(step, -2, 2)
        if np.abs(step).max(initial=0) < ENOUGH:
            break
    strength -= strength.mean() if count else 0.0
    covariance = _covariance(pairs, games, strength) * ELO**2
    errors = SIGMAS * np.sqrt(np.maximum(np.diag(covariance), 0))
    each = [Rating(float(s * ELO), float(e)) for s, e in zip(strength, errors, strict=True)]
    return Ratings(each, covariance)


def _covariance(pairs: Sequence[Pair], games: Sequence[Sequence[Pair]], strength: Array) -> Array:
    """The larger of two estimates: what the model says, and what the games say, each taken as a whole.

    The second knows that pairs of one game depend on each other and that draws vary less; few games make it too small.
    """
    inverse = _inverse(_curve(pairs, strength))
    slopes = np.array([_slope(game, strength) for game in games]).reshape(len(games), len(strength))
    robust: Array = inverse @ (slopes.T @ slopes) @ inverse
    return robust if np.trace(robust) > np.trace(inverse) else inverse


def _expected(a: int, b: int, strength: Array) -> float:
    return 1 / (1 + math.exp(float(strength[b] - strength[a])))


def _slope(pairs: Sequence[Pair], strength: Array) -> Array:
    """How the likelihood grows with each strength."""
    slope = np.zeros(len(strength))
    for a, b, got in pairs:
        more = got - _expected(a, b, strength)
        slope[a] += more
        slope[b] -= more
    return slope


def _curve(pairs: Sequence[Pair], strength: Array) -> Array:
    """How fast that slope falls."""
    curve = np.zeros((len(strength), len(strength)))
    for a, b, _ in pairs:
        p = _expected(a, b, strength)
        for i, j, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
            curve[i, j] += sign * p * (1 - p)
    return curve


def _inverse(curve: Array) -> Array:
    """Only differences of strength matter, so one direction has no inverse."""
    return np.asarray(np.linalg.pinv(curve, rcond=1e-9, hermitian=True), np.float64)
