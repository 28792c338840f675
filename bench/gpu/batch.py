"""``python -m bench.gpu.batch FOLDER``: batches on this machine's GPU, with what ``bench.gpu.prepare`` left in FOLDER.

Whether every array is the CPU's step by step, whether anything is copied, and how fast it goes. It takes this
repository, NumPy and PyTorch or CuPy, not Numba: the machine code is in FOLDER, and the few rules that run outside it
run interpreted.
"""

import argparse
import hashlib
import json
import os
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np

COMPARED, STEPS, SEED = 512, 150, 7  # games, turns
SIZES = (1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20)  # of a game's first variant
SIZE = (1 << 16,)  # of the others
SECONDS = 0.3  # of each measurement, after a tenth of it to warm up
CAP = 600  # turns; random games of all variants are shorter
GRAPH = 10  # steps in one CUDA graph


def story(games):
    """A digest of all arrays of a batch after every step of random play."""
    digests = []
    for _ in range(STEPS):
        actions = games.sample()
        games.step(actions)
        arrays = [actions, games.states, games.mask, games.planes, games.facts, games.seat, games.rewards]
        arrays += [games.ended, games.cut, games.scores]
        digests.append(hashlib.sha256(b"".join(host(array).tobytes() for array in arrays)).hexdigest())
    return digests


def host(array):
    """The array in NumPy."""
    array = array.get() if hasattr(array, "get") else array.cpu().numpy() if hasattr(array, "cpu") else array
    return np.ascontiguousarray(array)


def without_numba():
    """Let the rules be imported where there is no Numba; they are plain functions then."""
    os.environ["QUATUOR_CACHE"] = tempfile.mkdtemp()
    for name in ("numba", "llvmlite", "platformdirs"):
        if find_spec(name) is None:
            sys.modules[name] = ModuleType(name)
            sys.modules[name].__version__ = "none"
    if sys.modules.get("numba", np).__version__ == "none":
        sys.modules["numba"].njit = lambda **_: lambda function: function
        sys.modules["numba"].config = SimpleNamespace(BOUNDSCHECK=0, OPT=0, DEBUGINFO_DEFAULT=0, CACHE_DIR="")
        sys.modules["numba"].cuda = SimpleNamespace()


def in_place(torch):
    """What was copied, as a list of sentences; empty if nothing was."""
    from quatuor.engine.batch import Batch
    from quatuor.kernel.device import array_words

    games = Batch("plus4", 4096, device="cuda", check=False)
    outside, made = games.sample(), "allocation.all.allocated"
    before = [getattr(games, name).data_ptr() for name in ("mask", "planes", "facts", "rewards", "ended", "scores")]
    count = torch.cuda.memory_stats()[made]
    games.step(outside)
    wrong = [] if torch.cuda.memory_stats()[made] == count else ["a step takes memory"]
    after = [getattr(games, name).data_ptr() for name in ("mask", "planes", "facts", "rewards", "ended", "scores")]
    wrong += [] if before == after else ["an array moved"]
    taken = games._backend.take(outside)
    wrong += [] if array_words(taken)[4] == outside.data_ptr() else ["actions are copied"]
    wrong += [] if torch.from_dlpack(games.mask).data_ptr() == games.mask.data_ptr() else ["DLPack copies"]
    if find_spec("cupy"):
        import cupy

        wrong += [] if cupy.asarray(games.mask).data.ptr == games.mask.data_ptr() else ["CuPy copies a mask"]
        foreign = cupy.asarray(games.sample())
        wrong += (
            [] if array_words(games._backend.take(foreign))[4] == foreign.data.ptr else ["actions of CuPy's are copied"]
        )
        games.step(foreign)
    return wrong


def rate(work, wait, burst, steps):
    """Steps a second; ``burst`` times the work is asked for before anybody waits for the GPU."""
    for seconds in (SECONDS / 10, SECONDS):
        wait()
        done, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            for _ in range(burst):
                work()
            done += burst
            wait()
        took = time.perf_counter() - began
    return done * steps / took


def measure(torch, name, variant, n):
    """Steps a second: one by one, and recorded once and replayed (a CUDA graph), as tight training loops do."""
    from quatuor.engine.batch import Batch

    games = Batch(name, n, variant, device="cuda", seed=SEED, cap=CAP, check=False)

    def one():
        games.step(games.sample())

    plain = rate(one, torch.cuda.synchronize, 10, n)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(GRAPH):
            one()
    return plain, rate(graph.replay, torch.cuda.synchronize, 1, n * GRAPH)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--library", choices=("torch", "cupy"), default="torch", help="cupy: compare only")
    given = parser.parse_args()
    without_numba()
    library = import_module(given.library)

    from quatuor.engine import batch_cuda
    from quatuor.engine.batch import Batch

    stories = json.loads((given.folder / "batches.json").read_text())
    batch_cuda.compiled = lambda book, architecture: {
        kernel: (given.folder / f"{book.name}-{kernel}.cubin").read_bytes() for kernel in batch_cuda.KERNELS
    }
    failures = []
    if given.library == "torch":
        print(f"{library.cuda.get_device_name()}, PyTorch {library.__version__}", flush=True)
        failures = in_place(library)
        print("Copies:", "; ".join(failures) or "none", flush=True)
    for case, expected in stories.items():
        name, variant = case.split(":")
        found = story(Batch(name, COMPARED, variant, device="cuda", seed=SEED, cap=CAP))
        differs = [step for step in range(STEPS) if found[step] != expected[step]]
        failures += [case] if differs else []
        verdict = f"differs from step {differs[0]}" if differs else f"all arrays agree in all {STEPS} steps"
        print(f"{case:22} {COMPARED} games: {verdict}", flush=True)
    if given.library == "torch":
        table(library, stories)
    sys.exit(bool(failures))


def table(torch, cases):
    """How fast all of them are."""
    from quatuor.games import rulebook

    print(f"{'steps a second':22} {'games at once':>14} {'one by one':>16} {'in a graph':>16}")
    for case in cases:
        name, variant = case.split(":")
        for n in SIZES if variant == rulebook(name).variants[0].name else SIZE:
            try:
                plain, graph = measure(torch, name, variant, n)
            except torch.OutOfMemoryError:
                print(f"{case:22} {n:14,} {'no room':>16}", flush=True)
            else:
                print(f"{case:22} {n:14,} {plain:16,.0f} {graph:16,.0f}", flush=True)
            torch.cuda.empty_cache()


if __name__ == "__main__":
    main()
