"""Compile every game for the GPU and play its first games on the CPU, as a folder for run.py and batch.py."""

import argparse
import json
from pathlib import Path

import numpy as np

from bench.gpu import batch
from quatuor.engine.batch import Batch
from quatuor.engine.batch_cuda import compiled
from quatuor.engine.gpu import build
from quatuor.engine.playout import random_games, scratch_sizes
from quatuor.game import new
from quatuor.games import names, rulebook
from quatuor.kernel import seeds

CAP = 600  # turns; random games of all variants are shorter


def prepare(folder: Path, count: int, compared: int, architecture: tuple[int, int]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    cases = []
    expected = {}
    for name in names():
        book = rulebook(name)
        kernel = build(book, architecture)
        (folder / f"{name}.cubin").write_bytes(kernel.cubin())
        for variant in book.variants:
            games = random_games(name, variant.name, seed=0, count=compared, cap=CAP)
            case = f"{name}:{variant.name}"
            expected |= {f"{case} {what}": values for what, values in vars(games).items()}
            cases.append(
                {
                    "case": case,
                    "cubin": f"{name}.cubin",
                    "entry": kernel.entry,
                    "seats": variant.seats,
                    "options": new(name, variant.name).option_values.tolist(),
                    "scratch": scratch_sizes(book, CAP),
                }
            )
            print(f"{case}: {compared} games, {games.plies.mean():.1f} turns on average")
    np.savez_compressed(folder / "expected.npz", **expected)
    np.save(folder / "seeds.npy", seeds(0, count))
    (folder / "cases.json").write_text(json.dumps({"cap": CAP, "cases": cases}, indent=1))


def prepare_batches(folder: Path, architecture: tuple[int, int]) -> None:
    stories = {}
    for name in names():
        book = rulebook(name)
        for kernel, code in compiled(book, architecture).items():
            (folder / f"{name}-{kernel}.cubin").write_bytes(code)
        for variant in book.variants:
            case = f"{name}:{variant.name}"
            games = Batch(name, batch.COMPARED, variant.name, seed=batch.SEED, cap=batch.CAP, final=True)
            stories[case] = batch.story(games)
            print(f"{case}: {batch.STEPS} steps of {batch.COMPARED} games at once")
    (folder / "batches.json").write_text(json.dumps(stories, indent=1))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.gpu.prepare", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=1 << 20, help="games to play on the GPU (1048576)")
    parser.add_argument("--compared", type=int, default=10_000, help="games to play on the CPU as well (10000)")
    parser.add_argument("--architecture", default="9.0", help="compute capability of the GPU (9.0: H100, H200)")
    given = parser.parse_args()
    major, minor = map(int, given.architecture.split("."))
    prepare(given.folder, given.count, given.compared, (major, minor))
    prepare_batches(given.folder, (major, minor))


if __name__ == "__main__":
    main()
