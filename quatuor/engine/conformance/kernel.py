"""The rules as kernels: within their arrays, and the same interpreted and compiled."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from quatuor.engine.conformance.samples import Sample
from quatuor.games.interpreted import checked, interpreted, overflow_is_an_error
from quatuor.games.validation import Fault, Trial

TURNS = 200  # of a game that is tried


def bounds(sample: Sample) -> Iterator[str]:
    """Play a game interpreted, with every index checked."""
    try:
        with overflow_is_an_error():
            Trial(sample.book, interpreted(sample.book.rules), sample.variant, sample.option_values).run(
                TURNS, random.Random(sample.seed)
            )
    except Fault as fault:
        yield str(fault)


def compiled(sample: Sample) -> Iterator[str]:
    """Replay a compiled game interpreted, and compare all that the rules say."""
    rules, plain = sample.book.rules, interpreted(sample.book.rules)
    game, words = sample.play(TURNS), sample.option_values
    states = checked(sample.book.state_size), np.zeros(sample.book.state_size, np.int64)
    plain.setup(states[0], checked(len(words)) + np.array(words))
    rules.setup(states[1], np.array(words, np.int64))
    for ply, actions in enumerate([*game.played, {}]):
        for name, (slow, fast) in _answers(sample, plain, *states).items():
            if slow != fast:
                yield f"turn {ply + 1}: {name} gives {slow} interpreted and {fast} compiled"
                return
        for seat, action in actions.items():
            plain.play(states[0], seat, action)
            rules.play(states[1], seat, action)


def setup_is_complete(sample: Sample) -> Iterator[str]:
    """A batch sets up games in arrays that held other games before."""
    words = np.array(sample.option_values, np.int64)
    clean, used = (np.full(sample.book.state_size, fill, np.int64) for fill in (0, 12345))
    for state in (clean, used):
        sample.book.rules.setup(state, words)
    for i in np.flatnonzero(clean != used):
        yield f"setup leaves word {i} of the state as it was: write every word"


def _answers(sample: Sample, plain: Any, slow: Any, fast: Any) -> dict[str, tuple[Any, Any]]:
    """What interpreted and compiled rules say about a position."""
    seats, book = sample.variant.seats, sample.book

    def ask(rules: Any, state: Any) -> dict[str, Any]:
        mask = int(rules.to_move(state))
        scores, places, key = (np.zeros(n, np.int64) for n in (seats, seats, book.state_size))
        rules.outcome(state, scores, places)
        moves, out = {}, np.zeros(book.max_moves, np.int64)
        for seat in range(seats):
            if mask >> seat & 1:
                moves[seat] = out[: rules.legal(state, seat, out)].tolist()
        return {
            "the state": np.array(state).tolist(),
            "to_move": mask,
            "legal": moves,
            "outcome": (scores.tolist(), places.tolist()),
            "key": key[: rules.key(state, key)].tolist(),
        }

    one, two = ask(plain, slow), ask(book.rules, fast)
    return {name: (one[name], two[name]) for name in one}
