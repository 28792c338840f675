"""Learn what a position of 3/6 is worth: ``python -m bench.tune_trois_six`` rewrites the weights of its advice.

Round by round: play against itself, partly at random, with the current weights; take the positions that occur; work out
the value of each by its matrix game, all orders against all, a turn ahead; fit the network to those values. After k
rounds the network looks k turns ahead.
"""

import argparse
import random
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from quatuor.engine.simplex import equilibrium
from quatuor.game import new
from quatuor.games.trois_six import advice, rules
from quatuor.games.trois_six.advice import FEATURES, HIDDEN, look_at_both, network
from quatuor.games.trois_six.rules import RUNNING, WINNER, legal, play
from quatuor.kernel import below, seeded

Array = npt.NDArray[Any]
SCALE = np.array([6, 24, 4, 4, 4, 4, 4, 4, 6, 6])  # features as large as this count 1 while learning
RANDOM = (30, 150, 400)  # of a thousand orders, by game
TURNS = 25  # of a game at most
HELD_BACK = 10  # one position in ten tests the fit
WEIGHTS = Path(advice.__file__).with_name("weights.py")


@numba.njit
def solve(state: Any, weights: Any, scratch: Any) -> float:
    """The value of a position by a search one turn deep; leaves the orders and their mixes in the scratch memory."""
    counts, orders, child, floats, payoff, row_mix, column_mix, tableau, labels = scratch
    for seat in range(2):
        counts[seat] = legal(state, seat, orders[seat])
    for i in range(counts[0]):
        for j in range(counts[1]):
            child[:] = state
            play(child, 0, orders[0, i])
            play(child, 1, orders[1, j])
            winner = child[WINNER]
            if winner == RUNNING:
                payoff[i, j] = network(child, floats, weights)
            else:
                payoff[i, j] = 1.0 if winner == 0 else 0.0 if winner == 1 else 0.5
    return equilibrium(counts[0], counts[1], payoff, row_mix, column_mix, tableau, labels)  # type: ignore[no-any-return]


@numba.njit
def draw(rng: Any, mix: Any, count: int, dice: int) -> int:
    """One of the orders, drawn from the mix; ``dice`` times in a thousand, any of them."""
    if below(rng, 1000) >= dice:
        dart = below(rng, 1 << 30) / (1 << 30)
        for k in range(count):
            dart -= mix[k]
            if dart < 0:
                return k
    return below(rng, count)


@numba.njit
def play_and_solve(
    rng: Any, starts: Any, dice: Any, states: Any, values: Any, features: Any, weights: Any, scratch: Any
) -> None:
    """Fill ``states`` with the positions of games played with these weights, and find their values and features."""
    state = np.zeros(states.shape[1], np.int64)
    turn = 0
    for n in range(len(states)):
        if n == 0 or state[WINNER] != RUNNING or turn == TURNS:
            state[:] = starts[below(rng, len(starts))]
            noise = dice[below(rng, len(dice))]
            turn = 0
        states[n] = state
        look_at_both(state, features[n])
        values[n] = solve(state, weights, scratch)
        white, black = draw(rng, scratch[5], scratch[0][0], noise), draw(rng, scratch[6], scratch[0][1], noise)
        play(state, 0, scratch[1][0, white])
        play(state, 1, scratch[1][1, black])
        turn += 1


def starts(dice: random.Random, count: int) -> Array:
    """Where games begin: the usual layout or any other, any rules, a few turns played at random."""
    cells = [letter + number for letter in "ABCDEF" for number in "123456"]
    found: list[Array] = []
    while len(found) < count:
        some = dice.sample(cells, 12)
        layout = dice.choice(["corners", f"{' '.join(some[:6])} / {' '.join(some[6:])}"])
        options = {name: dice.choice(["no", "no", "no", "yes"]) for name in ("own_stacking", "jump")}
        try:
            game = new("trois_six", layout=layout, **options)
        except ValueError:  # three in line already
            continue
        for _ in range(dice.randrange(3)):
            if not game.over:
                game.play_actions({seat: dice.choice(game.actions(seat)) for seat in (0, 1)})
        if not game.over:
            found.append(game.state.copy())
    return np.array(found)


def scratch() -> tuple[Array, ...]:
    most = rules.MAX_MOVES
    words = [np.zeros(shape, np.int64) for shape in ((2,), (2, most), (rules.SIZE,))]
    floats = [np.zeros(shape) for shape in ((advice.SCRATCH,), (most, most), (most,), (most,), (most + 1, most + 1))]
    return (*words, *floats, np.zeros(2 * most, np.int64))


def forward(weights: Array, features: Array) -> tuple[Array, Array, Array]:
    """The hidden units of both sides and the answer, as ``advice.network`` computes them."""
    both, ahead = features[:, :FEATURES] + features[:, FEATURES:], features[:, :FEATURES] - features[:, FEATURES:]
    even = both @ weights[:FEATURES] + weights[-2]
    odd = ahead @ weights[FEATURES : 2 * FEATURES]
    white, black = np.maximum(even + odd, 0), np.maximum(even - odd, 0)
    return white, black, 1 / (1 + np.exp(-(white - black) @ weights[-1]))


def fit(weights: Array, features: Array, values: Array, epochs: int, rng: np.random.Generator) -> Array:
    """Adam on the cross entropy, in small batches, ever slower."""
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    batches = [range(i, min(i + 256, len(values))) for i in range(0, len(values), 256)]
    for step in range(epochs * len(batches)):
        if step % len(batches) == 0:
            order = rng.permutation(len(values))
        some = order[batches[step % len(batches)]]
        slope = slopes(weights, features[some], values[some]) + 1e-5 * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        rate = 4e-3 * (1 - step / (epochs * len(batches)))
        weights = weights - rate * mean / (1 - 0.9 ** (step + 1)) / (np.sqrt(square / (1 - 0.999 ** (step + 1))) + 1e-8)
    return weights


def slopes(weights: Array, features: Array, values: Array) -> Array:
    """How the error changes with every weight."""
    both, ahead = features[:, :FEATURES] + features[:, FEATURES:], features[:, :FEATURES] - features[:, FEATURES:]
    white, black, answer = forward(weights, features)
    error = (answer - values) / len(values)
    by_white, by_black = ((units > 0) * np.outer(error, weights[-1]) for units in (white, black))
    even, odd = by_white - by_black, by_white + by_black
    return np.concatenate([both.T @ even, ahead.T @ odd, [even.sum(0)], [error @ (white - black)]])


def write(weights: Array) -> None:
    lines = ["    (" + ", ".join(str(round(advice.UNIT * x)) for x in row) + ")," for row in weights]
    WEIGHTS.write_text(
        '"""Weights fitted by ``python -m bench.tune_trois_six``; advice.py says what the rows mean."""\n\n'
        "# fmt: off\nROWS = (\n" + "\n".join(lines) + "\n)\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.tune_trois_six", description=__doc__)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--positions", type=int, default=20_000, help="of a round")
    parser.add_argument("--seed", type=int, default=3)
    given = parser.parse_args()
    rng, dice, table = np.random.default_rng(given.seed), random.Random(given.seed), scratch()
    scale = np.concatenate([SCALE, SCALE, [1, 1]])[:, None]  # learned with small features, kept for whole ones
    weights = rng.normal(0, 0.3, (2 * FEATURES + 2, HIDDEN))
    played = np.zeros((2 * FEATURES + 2, HIDDEN))  # begins without any knowledge
    count, began = given.positions, time.monotonic()
    for number in range(1, given.rounds + 1):
        states, values = np.zeros((count, rules.SIZE), np.int64), np.zeros(count)
        features = np.zeros((count, 2 * FEATURES))
        play_and_solve(
            seeded(given.seed * 1000 + number),
            starts(dice, 500),
            np.array(RANDOM),
            states,
            values,
            features,
            played,
            table,
        )
        test = np.arange(count) % HELD_BACK == 0
        small = features / np.concatenate([SCALE, SCALE])
        weights = fit(weights, small[~test], values[~test], 60 if number == given.rounds else 20, rng)
        error = np.sqrt(np.mean((forward(weights, small[test])[2] - values[test]) ** 2))
        print(
            f"round {number}: error {error:.4f}, spread {values[test].std():.4f}, {time.monotonic() - began:.0f} s",
            flush=True,
        )
        played = weights / scale
    write(played)


if __name__ == "__main__":
    main()
