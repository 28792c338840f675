"""Prove that the engine's moves are legal: ``python -m bench.engine_legality --positions 10000``.

Positions come from random games under random options. At each one the engine answers, in turn, with a millisecond of
time at every level, and stopped before it began; and an analysis must list exactly the legal moves.
"""

import argparse
import itertools
import multiprocessing
import os
import random
import sys
import time
from collections.abc import Iterator

from rich.progress import track

import quatuor
from quatuor.engine.conformance.samples import random_options
from quatuor.games import names, rulebook

VARIANTS = [(name, variant.name) for name in names() for variant in rulebook(name).variants]
MOST_TURNS = 400  # plies of one game: some random games never end
WAYS = [*({"level": level, "seconds": 0.001} for level in range(1, 9)), {"units": 1 << 40}]


def positions(name: str, variant: str, seed: int) -> Iterator[quatuor.Game]:
    """Positions of unfinished games, without end, from one random game after the other."""
    dice = random.Random(f"{name}:{variant}:{seed}")
    book = rulebook(name)
    ways = {way.name: way for way in book.variants}
    while True:
        game = quatuor.new(name, variant, **random_options(book, ways[variant], dice))
        for _ in range(MOST_TURNS):
            if game.over:
                break
            if dice.random() < 0.3:
                yield game
            game.play_actions({seat: dice.choice(game.actions(seat)) for seat in game.to_move})


def wrong(name: str, variant: str, count: int, seed: int = 1) -> list[str]:
    """Ask the engine at this number of positions; return what it did wrong, as text."""
    faults = []
    for number, game in enumerate(itertools.islice(positions(name, variant, seed), count)):
        way = WAYS[number % len(WAYS)]
        engine = quatuor.engine(seed=number, threads=1, **way)
        seat = game.to_move[number % len(game.to_move)]
        legal = game.legal(seat)
        if "units" in way:
            engine.close()
        if number % 10 == 9:
            found = sorted(row["move"] for row in engine.analyse(game, seat)["moves"])
            if found != sorted(legal):
                faults.append(f"{name}:{variant} {way}: analysis {found} of\n{game.record()}")
        elif (move := engine.choose(game, seat)) not in legal:
            faults.append(f"{name}:{variant} {way}: {move} at\n{game.record()}")
    return faults


def _part(job: tuple[str, str, int, int]) -> list[str]:
    return wrong(*job)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.engine_legality", description=__doc__)
    parser.add_argument("--positions", type=int, default=10_000, help="of each variant (10000)")
    parser.add_argument("--game", help="only this one, as GAME:VARIANT")
    given = parser.parse_args()
    chosen = [pair for pair in VARIANTS if given.game in (None, ":".join(pair))]
    part = min(500, given.positions)
    jobs = [(*pair, part, seed) for seed in range(-(-given.positions // part)) for pair in chosen]
    began, faults = time.monotonic(), []
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        for found in track(pool.imap_unordered(_part, jobs), "Asking", total=len(jobs)):
            faults += found
    print(*faults, sep="\n")
    print(f"{len(jobs) * part:,} positions of {len(chosen)} variants, {len(faults)} wrong answers,", end=" ")
    print(f"{time.monotonic() - began:.0f} s")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
