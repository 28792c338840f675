"""Look for searches that leave their arrays.

``QUATUOR_KERNELS=jit NUMBA_BOUNDSCHECK=1 python -m bench.engine_memory --minutes 10``

Positions come from random games under random options. Every search that can play them searches each: with so few nodes
that it runs out of them, in steps of any length, on several threads at once, and on from the position that follows.
New memory is filled with nonsense first, so that a read of memory that was never written shows.
"""

import argparse
import itertools
import math
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from unittest import mock

import numba
import numpy as np

import quatuor
from bench.engine_legality import VARIANTS, positions
from quatuor.engine import bestfirst, flat_monte_carlo, guided, uct
from quatuor.engine.matrix import Equilibrium
from quatuor.engine.search_api import Searcher
from quatuor.engine.search_registry import PLAIN, at_once, kind
from quatuor.kernel.jit import JIT, MODE

THREADS = 4
FOLLOWING = 5  # positions


def nonsense(shape: Any, dtype: Any = float) -> Any:
    """An array with the worst contents that ``np.empty`` might have."""
    worst = np.nan if np.issubdtype(dtype, np.floating) else np.iinfo(dtype).max
    return np.full(shape, worst, dtype)


def nonsense_like(array: Any) -> Any:
    return nonsense(array.shape, array.dtype)


def searches(game: quatuor.Game, seat: int, dice: random.Random) -> Iterator[Searcher]:
    """One search of each kind, with little room."""
    seed, nodes = dice.getrandbits(30), game.book.max_moves + dice.choice((1, 100, 3000))
    search = kind(game)
    if search == "matrix":
        yield Equilibrium(game, seat, memory=1 << dice.randrange(1, 12), deepest=dice.randint(1, 4))
    elif search == "guided":
        yield guided.Guided(game, seed, nodes)
    elif search == "bestfirst":
        yield bestfirst.Search(game, seed, nodes)
    else:
        assert search == PLAIN
    yield uct.Search(game, seed, nodes) if at_once(game) == 1 else flat_monte_carlo.Trials(game, seat, seed)


def strain(game: quatuor.Game, dice: random.Random, units: int) -> list[str]:
    """Search a position and some that follow; what was wrong, in words."""
    faults = []
    seat = dice.choice(game.to_move)
    for searcher in searches(game, seat, dice):
        now = game.copy()
        for _ in range(FOLLOWING):
            searcher.run(1)
            for _ in range(dice.randrange(4)):
                searcher.run(dice.randint(1, units))
            found = searcher.found()
            numbers = [number for f in found.values() for number in (f.value, f.weight)]
            if sorted(found) != sorted(now.actions(seat)) or not all(map(math.isfinite, numbers)):
                faults.append(f"{type(searcher).__name__}: {found} at\n{now.record()}")
            searcher.line(max(found, key=lambda action: found[action].visits))
            now.play_actions({other: dice.choice(now.actions(other)) for other in now.to_move})
            if now.over or seat not in now.to_move or not searcher.advance(now):
                break
    return faults


def strained(name: str, variant: str, count: int, units: int = 500, seed: int = 1) -> list[str]:
    """Search this number of positions, on several threads at once."""
    dice = random.Random(seed)
    games = [game.copy() for game in itertools.islice(positions(name, variant, seed), count)]
    rolls = [random.Random(dice.getrandbits(60)) for _ in games]
    with (
        mock.patch("numpy.empty", nonsense),
        mock.patch("numpy.empty_like", nonsense_like),
        ThreadPoolExecutor(THREADS) as pool,
    ):
        return [fault for faults in pool.map(strain, games, rolls, itertools.repeat(units)) for fault in faults]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.engine_memory", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10, help="for all variants together (10)")
    parser.add_argument("--units", type=int, default=500, help="of work at most, in each of a few steps (500)")
    parser.add_argument("--game", help="only this one, as GAME:VARIANT")
    given = parser.parse_args()
    if MODE != JIT or not numba.config.BOUNDSCHECK:
        parser.error("set QUATUOR_KERNELS=jit and NUMBA_BOUNDSCHECK=1: other kernels do not check every index")
    chosen = [pair for pair in VARIANTS if given.game in (None, ":".join(pair))]
    began, count, part = time.monotonic(), 0, 20
    for seed in itertools.count(1):
        for name, variant in chosen:
            for fault in strained(name, variant, part, given.units, seed):
                raise SystemExit(f"{name}:{variant}: {fault}")
            count += part
        print(f"\r{count:,} positions of {len(chosen)} variants, {time.monotonic() - began:.0f} s", end="", flush=True)
        if time.monotonic() > began + 60 * given.minutes:
            print(", no fault")
            break


if __name__ == "__main__":
    main()
