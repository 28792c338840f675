"""Write positions as text and read them back: ``python -m bench.positions [COUNT]``, over all games and variants.

Positions come from random games with random options. Each must read back to the same state, to the same text, and to
the same earlier positions for the repetition rule.
"""

import random
import sys
import time
from collections.abc import Iterator
from multiprocessing import Pool

import quatuor
from quatuor.engine.conformance.samples import random_options
from quatuor.games import NAMES, rulebook

CAP = 250  # turns of a random game
BATCH = 2000  # positions in one piece of work


def positions(name: str, variant: str, seed: int) -> Iterator[quatuor.Game]:
    """Every position of one random game after the other, without end."""
    dice, book = random.Random(seed), rulebook(name)
    (way,) = (way for way in book.variants if way.name == variant)
    while True:
        game = quatuor.new(name, variant, **random_options(book, way, dice))
        yield game
        while not game.over and game.ply < CAP:
            for seat in game.to_move:
                game._advance({seat: dice.choice(game.actions(seat))})
            yield game


def check(game: quatuor.Game) -> None:
    """AssertionError if a position does not read back to itself."""
    text = game.position
    again = quatuor.new(position=text)
    assert again.position == text, f"{text} reads back as {again.position}"
    assert again.state.tobytes() == game.state.tobytes(), f"{text} reads back to another state"
    assert again.to_move == game.to_move, text


def work(task: tuple[str, str, int, int]) -> int:
    """Check a number of positions of a variant."""
    name, variant, seed, count = task
    source = positions(name, variant, seed)
    for _ in range(count):
        check(next(source))
    return count


def main(total: int) -> None:
    kinds = [(name, variant.name) for name in NAMES for variant in rulebook(name).variants]
    tasks = []
    while sum(task[3] for task in tasks) < total:
        name, variant = kinds[len(tasks) % len(kinds)]
        tasks.append((name, variant, len(tasks), BATCH // 5 if name == "blokus" else BATCH))  # whose boards are large
    began, done = time.monotonic(), 0
    with Pool() as pool:
        for count in pool.imap_unordered(work, tasks):
            done += count
            print(f"\r{done:,} positions", end="", file=sys.stderr)
    seconds = time.monotonic() - began
    print(f"\n{done:,} positions of {len(kinds)} variants read back, {done / seconds:,.0f} a second")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
