"""What a game declares beyond its rules: observations, search advice, the list of its positions."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from quatuor.engine.conformance.samples import Sample
from quatuor.engine.observation import look, sizes
from quatuor.engine.player import Engine
from quatuor.games.interpreted import CheckedArray, interpreted

UNITS = 20  # of a search
NUMBERS = 200  # of the list of positions


def planes(sample: Sample) -> Iterator[str]:
    book = sample.book
    if book.planes is None:
        return
    shape, count = sizes(book)
    observe = interpreted(book.planes).observe
    for position in sample.positions():
        for seat in range(position.seats):
            where, before = f"turn {position.ply + 1}, seat {seat}", position.state.tobytes()
            board, facts = (np.zeros(n, np.int8).view(CheckedArray) for n in (int(np.prod(shape)), count))
            try:
                observe(position.common, seat, board, facts)
            except (IndexError, OverflowError) as error:
                yield f"{where}: observe leaves its arrays or the range of 8 bits ({error})"
                return  # compiled, it would write beyond them
            if position.state.tobytes() != before:
                yield f"{where}: observe changes the state"
                return
            found = look(book, position.common, seat)
            if found[0].tobytes() != board.tobytes() or found[1].tobytes() != facts.tobytes():
                yield f"{where}: observe gives other numbers compiled than interpreted"


def engine(sample: Sample) -> Iterator[str]:
    """The engine, by the game's advice if it has any, and its weakest level."""
    game = sample.middle()
    if game.over:
        return
    seat = game.to_move[0]
    work: dict[str, dict[str, Any]] = {
        f"with {UNITS} units": {"units": UNITS},
        "at level 1": {"level": 1, "seconds": 60},
    }
    for what, settings in work.items():
        first, second = (Engine(**settings, seed=sample.seed).choose(game, seat) for _ in range(2))
        if first not in game.legal(seat):
            yield f"turn {game.ply + 1}: {what}, the engine plays {first!r}, which is not legal"
        if first != second:
            yield f"turn {game.ply + 1}: {what} and the same seed, the engine plays {first!r}, then {second!r}"


def space(sample: Sample) -> Iterator[str]:
    book = sample.book
    listed = 0 if book.space is None else int(book.space.positions(sample.start().state))
    if book.space is None or not listed:
        return
    for i in np.linspace(0, listed - 1, min(NUMBERS, listed)).astype(int):
        state = sample.start().state
        book.space.unindex(int(i), state)
        back = int(book.space.index(state))
        if back != i:
            yield f"unindex({i}) makes a position whose index is {back}"
    for position in sample.positions():
        number = int(book.space.index(position.state))
        if not position.over and not 0 <= number < listed:
            yield f"turn {position.ply + 1}: index gives {number}, but there are {listed} positions"
