"""Play the prepared games on this machine's GPU: how fast, and whether each equals the CPU's. NumPy and CuPy only."""

import argparse
import json
import sys
from pathlib import Path

import cupy
import numpy as np

BLOCK = 128  # threads
RUNS = 5  # of each measurement, after one to warm up; the median counts


def flat(array):
    """An array as Numba's kernels take it: no owner, no parent, size, size of an item, data, shape, strides."""
    return [0, 0, array.size, array.itemsize, array.data.ptr, *array.shape, *array.strides]


def launch(kernel, case, cap, seeds, threads):
    """Play one game for each seed; return the results and the seconds it took."""
    rngs = cupy.asarray(seeds, order="F")
    options = cupy.asarray(case["options"], dtype=np.int64)
    rows = [cupy.zeros((threads, size), np.int64, order="F") for size in case["scratch"]]
    scores, places = (cupy.full((len(seeds), case["seats"]), -1, np.int64, order="F") for _ in range(2))
    plies = cupy.full(len(seeds), -1, np.int64)
    arguments = [*flat(rngs), *flat(options), cap, *(word for row in rows for word in flat(row))]
    arguments += [*flat(scores), *flat(places), *flat(plies)]
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    kernel((threads // BLOCK,), (BLOCK,), tuple(map(np.int64, arguments)))
    end.record()
    end.synchronize()
    results = {"scores": scores.get(), "places": places.get(), "plies": plies.get()}
    return results, cupy.cuda.get_elapsed_time(begin, end) / 1000


def differing(results, expected, case):
    """The games that did not come out as on the CPU."""
    count = len(expected[f"{case} plies"])
    wrong = np.zeros(count, bool)
    for what, values in results.items():
        wrong |= (values[:count] != expected[f"{case} {what}"]).reshape(count, -1).any(axis=1)
    return np.flatnonzero(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--threads", type=int, help="a multiple of 128 (default: 2048 for each multiprocessor)")
    given = parser.parse_args()
    prepared = json.loads((given.folder / "cases.json").read_text())
    seeds = np.load(given.folder / "seeds.npy")
    expected = np.load(given.folder / "expected.npz")
    device = cupy.cuda.runtime.getDeviceProperties(0)
    threads = given.threads or 2048 * device["multiProcessorCount"]
    print(f"{device['name'].decode()}, {threads} threads, {len(seeds)} games of each kind")
    failed = False
    for case in prepared["cases"]:
        kernel = cupy.RawModule(path=str(given.folder / case["cubin"])).get_function(case["entry"])
        times = []
        for _ in range(1 + RUNS):
            results, seconds = launch(kernel, case, prepared["cap"], seeds, threads)
            times.append(seconds)
        seconds = float(np.median(times[1:]))
        wrong = differing(results, expected, case["case"])
        failed |= len(wrong) > 0
        compared = len(expected[f"{case['case']} plies"])
        verdict = f"games {wrong[:5].tolist()}… differ" if len(wrong) else f"all {compared} compared games agree"
        print(
            f"{case['case']:22} {len(seeds) / seconds:14,.0f} games/s {results['plies'].sum() / seconds:16,.0f} turns/s"
            f"  (±{(max(times[1:]) - min(times[1:])) / 2 / seconds:.0%})  {verdict}",
            flush=True,
        )
    sys.exit(failed)


if __name__ == "__main__":
    main()
