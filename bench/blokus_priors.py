"""Fit Blokus' priors to games of strong players: ``python -m bench.blokus_priors GAMES…`` (files of records).

Prints a set of quatuor/games/blokus/weights.py anew, for the size of board of these games: for every stage the weights
under which their moves are most likely (softmax regression). On standard error: how well these weights, and those in
use, predict games left out of the fit.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import quatuor
from quatuor.games.blokus import priors, weights
from quatuor.games.blokus.tables import NAMES, PAD, PIECE, SIDE

Array = np.ndarray[Any, np.dtype[Any]]
Choice = tuple[int, Array]  # stage; features of every move, those of the played move first

MOST_MOVES = 400  # considered in one position
EACH = 7  # games, of which one is left out of the fit
STEPS, PACE, PENALTY = 150, 0.08, 2.0


def features(state: Array, moves: Array) -> Array:
    """A row for every move: how many cells of each layer count for it, and which piece it is."""
    memory = np.zeros(priors.MEMORY, np.int64)
    priors.layers(state, memory)
    first = priors.first_row(priors.WEIGHED)
    rows = memory[first : first + priors.LAYERS * priors.LAYER].reshape(priors.LAYERS, priors.LAYER)[:, :SIDE]
    cells = np.zeros((priors.LAYERS, priors.PITCH, priors.PITCH), np.int8)
    cells[:, PAD : PAD + SIDE] = rows[:, :, None] >> np.arange(priors.PITCH) & 1
    maps = np.zeros((priors.LAYERS, priors.MAPS), np.int8)  # a layer counts only on its own board
    for board, kind in enumerate(np.split(np.arange(priors.LAYERS), [priors.UNDERS, priors.TO_CORNERS])):
        maps[kind, board * priors.BOARD : (board + 1) * priors.BOARD] = cells[kind].reshape(len(kind), -1)
    form, cell = np.divmod(moves, SIDE * SIDE)
    at = (cell // SIDE + PAD - priors.BEFORE) * priors.PITCH + cell % SIDE + PAD
    around = priors.AROUND.reshape(-1, priors.MOST_AROUND)[form]
    pieces = PIECE[form][:, None] == np.arange(len(NAMES))
    found: Array = np.hstack([maps[:, at[:, None] + around].sum(2, dtype=np.int8).T, pieces])
    return found


def choices(text: str, dice: np.random.Generator) -> Iterator[Choice]:
    """The choices made in a recorded game."""
    record = quatuor.load(text)
    game = quatuor.new("blokus", record.variant.name, **record.options)
    for turn in record.played:
        ((seat, action),) = turn.items()
        others = np.array([other for other in game.actions() if other != action], np.int64)
        if len(others):
            moves = np.array([action, *dice.permutation(others)[: MOST_MOVES - 1]], np.int64)
            yield int(priors.stage(game.state)), features(game.state, moves)
        game.play_actions({seat: action})


def likelihood(rows: Array, starts: Array, fitted: Array) -> tuple[Array, Array]:
    """The probability of every move in its position, and the position of every row."""
    position = np.repeat(np.arange(len(starts)), np.diff([*starts, len(rows)]))
    worth = rows @ fitted
    odds = np.exp(worth - np.maximum.reduceat(worth, starts)[position])
    return odds / np.add.reduceat(odds, starts)[position], position


def fit(found: list[Array]) -> Array:
    """The weights that make the first move of every position most likely (Adam, a little shrunk towards 0)."""
    rows = np.concatenate(found).astype(np.float32)
    starts = np.cumsum([0, *(len(one) for one in found[:-1])])
    fitted = np.zeros(priors.KINDS, np.float32)
    mean, square = np.zeros_like(fitted), np.zeros_like(fitted)
    made = rows[starts].sum(0)
    for step in range(1, STEPS + 1):
        chance, _ = likelihood(rows, starts, fitted)
        slope = (rows.T @ chance - made + PENALTY * fitted) / len(found)
        mean, square = 0.9 * mean + 0.1 * slope, 0.99 * square + 0.01 * slope**2
        fitted -= PACE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
    return fitted


def quality(found: list[Array], fitted: Array) -> str:
    ranks = np.array([(one @ fitted > one[0] @ fitted).sum() for one in found])
    return f"{len(found)} positions, first guess right {np.mean(ranks == 0):.0%}, among five {np.mean(ranks < 5):.0%}"


def table(name: str, keys: list[str], fitted: Array) -> str:
    lines = [f'        "{key}": ({", ".join(f"{w:.2f}" for w in row)}),' for key, row in zip(keys, fitted, strict=True)]
    return "\n".join([f"    {name}={{", *lines, "    },"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    games, dice = parser.parse_args().games, np.random.default_rng(1)
    kept = [path for path in games if path.is_file()]
    learnt: list[list[Array]] = [[] for _ in range(len(weights.SETS) * priors.STAGES)]
    tested: list[list[Array]] = [[] for _ in learnt]
    for number, path in enumerate(kept):
        for stage, rows in choices(path.read_text(encoding="utf-8"), dice):
            (learnt if number % EACH else tested)[stage].append(rows)
    for size, one in enumerate(weights.SETS):
        stages = slice(size * priors.STAGES, (size + 1) * priors.STAGES)
        if all(learnt[stages]):
            fitted = np.stack([fit(found) for found in learnt[stages]], 1)
            compare(tested[stages], fitted, priors.WEIGHTS.reshape(-1, priors.KINDS)[stages].T)
            print_set(one, fitted)


def compare(tested: list[list[Array]], fitted: Array, used: Array) -> None:
    for stage, found in enumerate(tested):
        for name, one in (("fitted", fitted), ("in use", used)):
            print(f"stage {stage}, {name}: {quality(found, one[:, stage])}", file=sys.stderr)


def print_set(names: weights.Weights, fitted: Array) -> None:
    print("Weights(")
    at = 0
    for name, part in names._asdict().items():
        print(table(name, list(part), fitted[at : at + len(part)]))
        at += len(part)
    print(")")


if __name__ == "__main__":
    main()
