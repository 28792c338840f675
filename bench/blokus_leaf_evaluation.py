"""Fit the leaf evaluation of Blokus to games of strong players: ``python -m bench.blokus_leaf_evaluation RECORDS…``.

Prints new HOPES and SPREAD for quatuor/games/blokus/leaf_evaluation.py, and on standard error how well they and
playouts predict the final lead in games that were left out of the fit.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

import quatuor
from quatuor.games.blokus import advice, leaf_evaluation, rules
from quatuor.kernel import seeded

Array = np.ndarray[Any, np.dtype[Any]]

AROUND = 4  # at most this many pieces more or fewer than ENOUGH
LEFT_OUT = 0.25
PLAYOUTS = 16
PENALTY = 2.0


def positions(text: str) -> tuple[list[Array], list[int]]:
    """The positions of a `two` game from which the end is to be predicted, and the score of every colour there."""
    record = quatuor.load(text)
    game = quatuor.new("blokus", record.variant.name, **record.options)
    found = []
    for turn in record.played:
        if abs(game.ply - leaf_evaluation.ENOUGH) <= AROUND:
            found.append(game.state.copy())
        game.play_actions(turn)
    return found, [int(rules.score(game.state, colour)) for colour in range(4)]


def facts(state: Array) -> dict[int, Array]:
    """What is known of every colour that can still place a piece."""
    memory = np.zeros(leaf_evaluation.MEMORY, np.int64)
    leaf_evaluation.look_around(state, memory)
    found = {}
    for colour in range(4):
        if state[rules.OUT] >> colour & 1 == 0:
            leaf_evaluation.count(state, colour, memory)
            found[colour] = memory[leaf_evaluation.FACTS :].astype(float)
    return found


def lead(state: Array, fitted: Array) -> float:
    """How far ahead blue and red are expected to be."""
    known = facts(state)
    expected = [known[c] @ fitted if c in known else rules.score(state, c) for c in range(4)]
    return float(expected[0] + expected[2] - expected[1] - expected[3])


def played_out(state: Array, seed: int) -> float:
    """How far ahead they are at the end of a playout."""
    state, dice, memory = state.copy(), seeded(seed), np.zeros(advice.MEMORY, np.int64)
    gains = np.zeros(advice.KINDS, np.float32)
    moves = np.zeros(rules.MOST_MOVES, np.int64)
    while rules.to_move(state):
        rules.play(state, 0, advice.choose(dice, state, memory, gains, moves))
    return float(sum((1, -1, 1, -1)[c] * rules.score(state, c) for c in range(4)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, nargs="+")
    texts = [path.read_text(encoding="utf-8") for path in parser.parse_args().games if path.is_file()]
    known = [positions(text) for text in texts]
    learnt = known[: round(len(known) * (1 - LEFT_OUT))]
    pairs = [(row, ends[c]) for states, ends in learnt for state in states for c, row in facts(state).items()]
    rows, ends = np.array([row for row, _ in pairs]), np.array([end for _, end in pairs])
    scale = rows.std(0)
    scale[-1] = 1.0
    rows /= scale
    fitted = np.linalg.solve(rows.T @ rows + PENALTY * np.eye(len(scale)), rows.T @ ends) / scale

    tested = [
        (state, ends[0] + ends[2] - ends[1] - ends[3]) for states, ends in known[len(learnt) :] for state in states
    ]
    truth = np.array([end for _, end in tested], float)
    predicted = np.array([lead(state, fitted) for state, _ in tested])
    playouts = np.array([[played_out(state, seed) for seed in range(1, PLAYOUTS + 1)] for state, _ in tested])
    print(
        f"{len(tested)} positions; correlation with the result: predicted {np.corrcoef(predicted, truth)[0, 1]:.2f},",
        end=" ",
        file=sys.stderr,
    )
    one = np.mean([np.corrcoef(playout, truth)[0, 1] for playout in playouts.T])
    print(f"one playout {one:.2f}, {PLAYOUTS} {np.corrcoef(playouts.mean(1), truth)[0, 1]:.2f}", file=sys.stderr)
    print("HOPES = {")
    for name, weight in zip(leaf_evaluation.HOPES, fitted, strict=True):
        print(f'    "{name}": {weight:.3f},')
    print("}")
    print(f"SPREAD = {np.std(predicted - truth) * 3**0.5 / np.pi:.1f}")


if __name__ == "__main__":
    main()
