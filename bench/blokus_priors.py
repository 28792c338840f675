"""Fit Blokus' priors to games of strong players: ``python -m bench.blokus_priors GAMES…`` (files of records).

Prints quatuor/games/blokus/weights.py anew: for every stage of the game the weights under which the moves of the
games are most likely (softmax regression), and on standard error how well they foretell games left out of the fit.
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
Choice = tuple[int, Array]  # stage, features of every move, that of the one made first

STAGES = max(weights.STAGE_OF) + 1
MOST_MOVES = 400  # looked at in one position
LEFT_OUT = 0.15
STEPS, PACE, PENALTY = 150, 0.08, 2.0


def features(state: Array, moves: Array) -> Array:
    """For every move a row: how many cells of each layer count for it, and which piece it is."""
    memory = np.zeros(priors.MEMORY, np.int64)
    priors.layers(state, memory)
    first = priors.first_row(priors.WEIGHED)
    rows = memory[first : first + priors.LAYERS * priors.LAYER].reshape(priors.LAYERS, priors.LAYER)[:, :SIDE]
    cells = np.zeros((priors.LAYERS, priors.PITCH, priors.PITCH), np.int8)
    cells[:, PAD : PAD + SIDE] = rows[:, :, None] >> np.arange(priors.PITCH) & 1
    maps = np.zeros((priors.LAYERS, priors.MAPS), np.int8)  # a layer counts on its own board alone
    for board, kind in enumerate(np.split(np.arange(priors.LAYERS), [priors.UNDERS, priors.TO_CORNERS])):
        maps[kind, board * priors.BOARD : (board + 1) * priors.BOARD] = cells[kind].reshape(len(kind), -1)
    form, cell = np.divmod(moves, SIDE * SIDE)
    at = (cell // SIDE + PAD - priors.BEFORE) * priors.PITCH + cell % SIDE + PAD
    around = priors.AROUND.reshape(-1, priors.MOST_AROUND)[form]
    pieces = PIECE[form][:, None] == np.arange(len(NAMES))
    found: Array = np.hstack([maps[:, at[:, None] + around].sum(2, dtype=np.int8).T, pieces])
    return found


def choices(text: str, dice: np.random.Generator) -> Iterator[Choice]:
    """The choices that were made in a recorded game."""
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
    lines = [f'    "{key}": ({", ".join(f"{w:.2f}" for w in row)}),' for key, row in zip(keys, fitted, strict=True)]
    return "\n".join([f"{name}: dict[str, Stages] = {{", *lines, "}"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    games, dice = parser.parse_args().games, np.random.default_rng(1)
    kept = [path for path in games if path.is_file()]
    test_from = round(len(kept) * (1 - LEFT_OUT))
    learnt: list[list[Array]] = [[] for _ in range(STAGES)]
    tested: list[list[Array]] = [[] for _ in range(STAGES)]
    for number, path in enumerate(kept):
        for stage, rows in choices(path.read_text(encoding="utf-8"), dice):
            (learnt if number < test_from else tested)[stage].append(rows)
    fitted = np.stack([fit(found) for found in learnt], 1)
    for stage, found in enumerate(tested):
        print(f"stage {stage}: {quality(found, fitted[:, stage])}", file=sys.stderr)
    at = 0
    for name in ("UNDER", "CORNERS", "BESIDE", "PIECES"):
        keys = list(NAMES) if name == "PIECES" else list(getattr(weights, name))
        print(table(name, keys, fitted[at : at + len(keys)]))
        at += len(keys)


if __name__ == "__main__":
    main()
