"""``python -m bench.gpu.batch FOLDER``: batches on this machine's GPU, from what ``bench.gpu.prepare`` wrote.

Whether every array equals the CPU's at every step, whether anything is copied, and how fast it goes. It needs this
repository, NumPy and PyTorch or CuPy, not Numba: the machine code is in FOLDER, and the few rules that run outside it
are called in the libraries if they are built, and run interpreted if they are not.
"""

import argparse
import hashlib
import json
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import numpy as np

COMPARED, STEPS, SEED = 512, 150, 7  # games, turns
SIZES = (1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20)  # of a game's first variant
SIZE = (1 << 16,)  # of the others
SECONDS = 0.3  # of each measurement, after a tenth of it to warm up
CAP = 600  # turns; random games of all variants are shorter
GRAPH = 10  # steps in one CUDA graph
NEVER = 10**6  # no game has such an action


def story(games, steps=STEPS):
    """A digest of all arrays of a batch after every step of random play, and the error for an illegal action.

    Meanwhile, some games are restarted, saved, loaded and copied, and some steps are for only some of the games.
    """
    found = []
    for turn in range(steps):
        if turn == steps // 3:
            games.reset([1])
            saved = games.save([0])
        if turn == steps // 2:
            games.load(saved, [2])
        if turn == steps * 2 // 3:
            games.copy_rows([2], [1])
        if turn == steps * 3 // 4:
            games.load(games.game, [2])
        actions = games.sample()
        games.step(actions, [0, 2] if turn % 5 == 4 else None)
        arrays = [actions, games.states, games.mask, games.planes, games.facts, games.seat, games.rewards, games.ended]
        arrays += [games.cut, games.scores, games.plies, games.final_planes, games.final_facts]
        found.append(hashlib.sha256(b"".join(host(array).tobytes() for array in arrays)).hexdigest())
    actions = games.sample()
    actions[1] = NEVER
    try:
        games.step(actions)
    except ValueError as why:
        found.append(str(why))
    return found


def host(array):
    """The array in NumPy."""
    array = array.get() if hasattr(array, "get") else array.cpu().numpy() if hasattr(array, "cpu") else array
    return np.ascontiguousarray(array)


def prebuilt(folder):
    """Let batches use the machine code of a folder, so that Numba is not needed."""
    from quatuor.engine import batch_cuda

    batch_cuda.compiled = lambda book, architecture: {
        kernel: (folder / f"{book.name}-{kernel}.cubin").read_bytes() for kernel in batch_cuda.KERNELS
    }


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
    """Steps a second; the work is queued ``burst`` times before the program waits for the GPU."""
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
    library = import_module(given.library)

    from quatuor.engine.batch import Batch

    stories = json.loads((given.folder / "batches.json").read_text())
    prebuilt(given.folder)
    failures = []
    if given.library == "torch":
        print(f"{library.cuda.get_device_name()}, PyTorch {library.__version__}", flush=True)
        failures = in_place(library)
        print("Copies:", "; ".join(failures) or "none", flush=True)
    for case, expected in stories.items():
        name, variant = case.split(":")
        found = story(Batch(name, COMPARED, variant, device="cuda", seed=SEED, cap=CAP, final=True))
        differs = [step for step in range(STEPS + 1) if found[step : step + 1] != expected[step : step + 1]]
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
