"""``python -m tests.kernel.simulate GAME VARIANT``: random games of the GPU's kernel, run by Numba's CUDA simulator.

It needs NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1, so it runs in a separate process.
"""

import json
import sys

import numpy as np
from numba import cuda

from quatuor.engine import gpu
from quatuor.engine.playout import Results, Scratch, scratch_sizes
from quatuor.game import new
from quatuor.kernel import bind, seeds

SEED, COUNT, CAP, THREADS = 5, 7, 40, 3  # not a multiple: some threads play more games than others


def main(name: str, variant: str) -> None:
    game = new(name, variant)
    sizes = scratch_sizes(game.book, CAP)
    scratch = Scratch(*(np.zeros((THREADS, size), np.int64, order="F") for size in sizes))
    scores, places = (np.zeros((COUNT, game.seats), np.int64, order="F") for _ in range(2))
    plies = np.zeros(COUNT, np.int64)
    kernel = cuda.jit(bind(gpu, game.book.rules, name).play_games)
    kernel[1, THREADS](
        seeds(SEED, COUNT).copy(order="F"), game.option_values, CAP, scratch, Results(scores, places, plies)
    )
    print(json.dumps({"scores": scores.tolist(), "places": places.tolist(), "plies": plies.tolist()}))


if __name__ == "__main__":
    main(*sys.argv[1:])
