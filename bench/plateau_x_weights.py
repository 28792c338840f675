"""Fit the weights of Plateau X's evaluation, and see whether the new ones play better than the old ones.

    python -m bench.plateau_x_weights mini --games 200 --units 150 --seed 1

Games of the engine against itself, with a random move now and then, give positions: those of the game and those in its
trees. The target value of a position is what the search below it found, mixed with how the game ended;
the weights are moved towards that by least squares (Gauss-Newton, held near where they were). Then old and new weights
play each other at equal work. The resulting table belongs in quatuor/games/plateau_x/weights.py.
"""

import argparse
import itertools
import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

import quatuor
from quatuor.engine.bestfirst import Search
from quatuor.games.plateau_x import advice
from quatuor.games.plateau_x.weights import BY_VARIANT, KNOTS, WEIGHTS
from quatuor.jobs import Workers, workers

Array = npt.NDArray[np.float64]
RANDOM_OPENING = 9  # random moves at the start, at most
MISTAKES = 0.1  # the probability of a random move later
LOOKED_AT = 6  # visits of a position in a tree that make it count
EACH = 8  # positions of one tree, at most
GAME_SHARE, TREE_SHARE = 0.4, 0.15  # how much the game's end counts for its own positions and for those of its trees
CAP = 200  # turns


def work(weights: Array) -> Array:
    return np.concatenate([np.zeros(advice.TABLE), weights.ravel()])


def opening(variant: str, seed: int, plies: int) -> quatuor.Game:
    game, dice = quatuor.new("plateau_x", variant, edition="fr" if seed % 4 == 3 else "de"), random.Random(seed)
    while game.ply < plies and not game.over:
        game.play_actions({game.to_move[0]: dice.choice(game.actions())})
    return game


def rewards(ranking: tuple[int, ...]) -> Array:
    """The share of the others that each seat beats, ties half."""
    points = [sum((other > own) + 0.5 * (other == own) for other in ranking) - 0.5 for own in ranking]
    return np.array(points) / (len(ranking) - 1)


# ---- positions


def features(state: Array, seats: int) -> Array:
    """A row for every pair of seats: their features' differences, shared out to the knots around the position."""
    values, scratch = np.zeros(seats), work(WEIGHTS)
    advice.evaluate(state, values, scratch)
    ways = min(advice.room(state), KNOTS[-1])
    knots = [np.interp(ways, KNOTS, unit) for unit in np.eye(len(KNOTS))]
    rows = []
    for one, two in itertools.combinations(range(0, seats * advice.ROW, advice.ROW), 2):
        own = scratch[one : one + advice.OWN] - scratch[two : two + advice.OWN]
        pair = [advice.versus(one, two, i, scratch) for i in range(advice.OWN, advice.FEATURES)]
        rows.append(np.outer(knots, [*own, *pair]).ravel())
    return np.array(rows)


def self_play(variant: str, units: int, seed: int) -> list[tuple[Array, Array]]:
    """One game's positions, each with its features and its target value."""
    dice = random.Random(seed)
    game = opening(variant, seed, dice.randrange(RANDOM_OPENING))
    seen = []
    while not game.over and game.ply < CAP:
        search = Search(game, seed * CAP + game.ply, nodes=400 * (units + 2))
        search.run(units)
        for actions, values in itertools.islice(search.positions(LOOKED_AT), EACH):
            state = game.state.copy()
            for action in actions:
                game.book.rules.play(state, 0, action)
            seen.append((features(state, game.seats), values, TREE_SHARE if actions else GAME_SHARE))
        found = search.found()
        best = max(found, key=lambda action: found[action].weight)
        action = dice.choice(list(found)) if dice.random() < MISTAKES else best
        game.play_actions({game.to_move[0]: action})
    end = rewards(game.ranking)
    return [(rows, (1 - share) * values + share * end) for rows, values, share in seen]


# ---- weights


def judged(rows: Array, weights: Array, seats: int) -> tuple[Array, Array]:
    """The seats' values of every position, and their derivatives by the weights."""
    chances = 1 / (1 + np.exp(-(rows @ weights)))
    values, slopes = np.zeros((len(rows), seats)), np.zeros((len(rows), seats, len(weights)))
    for pair, (one, two) in enumerate(itertools.combinations(range(seats), 2)):
        chance = chances[:, pair]
        slope = (chance * (1 - chance))[:, None] * rows[:, pair]
        values[:, one] += chance
        values[:, two] += 1 - chance
        slopes[:, one] += slope
        slopes[:, two] -= slope
    return values / (seats - 1), slopes / (seats - 1)


def fit(rows: Array, wanted: Array, start: Array, hold: float = 3.0, rounds: int = 6) -> Array:
    """Least squares, held near where the weights start."""
    weights = start.copy()
    for _ in range(rounds):
        values, slopes = judged(rows, weights, wanted.shape[1])
        slopes = slopes.reshape(-1, len(weights))
        pull = slopes.T @ (wanted - values).ravel() - hold * (weights - start)
        weights += np.linalg.solve(slopes.T @ slopes + hold * np.eye(len(weights)), pull)
    return weights


def error(rows: Array, wanted: Array, weights: Array) -> float:
    return float(np.sqrt(np.mean((judged(rows, weights, wanted.shape[1])[0] - wanted) ** 2)))


# ---- does it play better?


def duel(variant: str, units: int, weights: tuple[Array, Array], number: int) -> float:
    """The first weights' share of the points in one game; the number decides the seats."""
    game = opening(variant, 10_000_000 + number // 2, 4)
    sides = [(seat + number) % 2 for seat in range(game.seats)]
    while not game.over and game.ply < 2 * CAP:
        (seat,) = game.to_move
        search = Search(game, number, nodes=400 * (units + 2), work=work(weights[sides[seat]]))
        search.run(units)
        found = search.found()
        game.play_actions({seat: max(found, key=lambda action: found[action].weight)})
    pairs = [(a, b) for a, b in itertools.product(range(game.seats), repeat=2) if (sides[a], sides[b]) == (0, 1)]
    places = game.ranking
    return sum((places[a] < places[b]) + 0.5 * (places[a] == places[b]) for a, b in pairs) / len(pairs)


def in_order(pool: Workers, function: Callable[..., Any], pieces: Iterable[tuple[Any, ...]]) -> list[Any]:
    """The results of the pieces, in order: the fit adds them up, and the last digits of a sum depend on the order."""
    found = dict(pool.map(function, {str(number): piece for number, piece in enumerate(pieces)}))
    return [found[str(number)] for number in range(len(found))]


def table(variant: str, weights: Array) -> str:
    """The lines of weights.py."""
    lines = [f'    "{variant}": {{']
    for name, row in zip(BY_VARIANT[variant], weights.T + 0.0, strict=True):
        lines.append(f'        "{name}": '.ljust(24) + f"({', '.join(f'{x:5.2f}' for x in row)}),")
    return "\n".join([*lines, "    },"])


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights of Plateau X's evaluation for one variant.")
    parser.add_argument("variant", choices=BY_VARIANT)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--units", type=int, default=100)
    parser.add_argument("--duels", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--ray", metavar="ADDRESS", help="work on a Ray cluster")
    asked = parser.parse_args()
    number = list(BY_VARIANT).index(asked.variant)
    with workers(asked.jobs, asked.ray) as pool:
        seeds = range(asked.seed * 100_000, asked.seed * 100_000 + asked.games)
        games = in_order(pool, self_play, ((asked.variant, asked.units, seed) for seed in seeds))
        rows, wanted = (np.array(part) for part in zip(*itertools.chain(*games), strict=True))
        before = WEIGHTS[number].ravel()
        after = fit(rows, wanted, before)
        print(f"{len(rows)} positions; error {error(rows, wanted, before):.4f}, now {error(rows, wanted, after):.4f}")
        new = WEIGHTS.copy()
        new[number] = after.reshape(new[number].shape).round(2)
        print(table(asked.variant, new[number]))
        duels = ((asked.variant, asked.units, (new, WEIGHTS), seed) for seed in range(asked.duels))
        shares = np.array(in_order(pool, duel, duels))
    print(f"new against old: {shares.mean():.1%} ± {shares.std() / len(shares) ** 0.5:.1%} in {len(shares)} games")


if __name__ == "__main__":
    main()
