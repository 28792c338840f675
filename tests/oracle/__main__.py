"""``python -m tests.oracle GAME --plies 1000000``: the comparison of tests/test_oracle.py, for any number of turns."""

import argparse
import random
import sys
import time
from collections import Counter

from quatuor.games import names, rulebook
from tests.oracle.compare import play_both, random_options


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.oracle", description=__doc__)
    parser.add_argument("game", choices=names())
    parser.add_argument("--variant", help="one variant only (default: all in turn)")
    parser.add_argument("--plies", type=int, default=100_000, help="turns in all (default: 100000)")
    parser.add_argument("--minutes", type=float, default=60 * 24, help="stop after this time (default: a day)")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()

    variants = [asked.variant] if asked.variant else [variant.name for variant in rulebook(asked.game).variants]
    agreed = dict.fromkeys(variants, 0)
    ends: dict[str, Counter[str]] = {variant: Counter() for variant in variants}
    games, began, reported = 0, time.monotonic(), 0.0
    while sum(agreed.values()) < asked.plies and time.monotonic() < began + 60 * asked.minutes:
        variant = min(agreed, key=lambda name: agreed[name])  # the same number of plies for each
        rng = random.Random(f"{asked.game} {variant} {asked.seed} {games}")
        game = play_both(asked.game, variant, random_options(asked.game, variant, rng), rng, plies=600)
        agreed[variant] += game.ply
        ends[variant][game.reason.get("code", "cut short")] += 1
        games += 1
        if time.monotonic() > reported + 1:
            reported = time.monotonic()
            rate = sum(agreed.values()) / (reported - began)
            print(f"\r{sum(agreed.values()):,} plies, {games:,} games, {rate:,.0f} plies/s", end="", file=sys.stderr)
    print(file=sys.stderr)
    for variant, plies in agreed.items():
        how = ", ".join(f"{code} {count:,}" for code, count in ends[variant].most_common())
        print(f"{asked.game}:{variant}: {plies:,} plies of {ends[variant].total():,} games agreed; ended by {how}")
    print(f"{asked.game}: {sum(agreed.values()):,} plies agreed")


if __name__ == "__main__":
    main()
