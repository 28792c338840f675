"""``python -m tests.engine.simulate_batch GAME``: batches of the GPU's kernels, run by Numba's CUDA simulator.

It needs NUMBA_ENABLE_CUDASIM=1 and NUMBA_DISABLE_JIT=1, so it runs in a separate process.
"""

import json
import sys
from typing import Any

import numpy as np
from numba import cuda

from bench.gpu import batch
from quatuor.engine import batch_cuda, no_observation
from quatuor.engine.batch import Batch
from quatuor.engine.batch_cuda import BY_ROW, KERNELS, Cuda
from quatuor.games import rulebook
from quatuor.kernel import bind

N, STEPS, CAP = 3, 130, 100  # longer than the cap: some games are cut off
BLOCKS, THREADS = 2, 2  # one more thread than games


class Simulated(Cuda):
    """The simulator as a device: its arrays are NumPy's, its threads are Python's."""

    def __init__(self, game: Any, n: int) -> None:
        self._n, self._found = n, np.array([n])
        bound = bind(batch_cuda, game.book.rules, game.name, game.book.planes or no_observation)
        self._kernels = {name: cuda.jit(getattr(bound, f"{name}_each")) for name in KERNELS}

    def zeros(self, name: str, shape: tuple[int, ...], dtype: Any) -> Any:
        return np.zeros(shape, dtype, order="C" if name in BY_ROW else "F")

    def put(self, array: Any) -> Any:
        return array.copy()

    def take(self, actions: Any) -> Any:
        return actions

    def index(self, rows: Any) -> Any:
        return np.asarray(rows)

    def run(self, kernel: str, *arguments: Any) -> None:
        self._kernels[kernel][BLOCKS, THREADS](*arguments)


def story(name: str, variant: str, device: str) -> list[str]:
    """The contents of a batch's arrays after every step, and its error for an illegal action."""
    options = {"target": 3} if variant in ("endless", "rounds") else {}  # short games
    games = Batch(name, N, variant, device=device, seed=11, cap=CAP, final=True, **options)
    return batch.story(games, STEPS)


def main(name: str) -> None:
    batch_cuda.Cuda = Simulated
    print(json.dumps({variant.name: story(name, variant.name, "cuda") for variant in rulebook(name).variants}))


if __name__ == "__main__":
    main(sys.argv[1])
