"""Solve a game layer by layer, where positions are too many to be listed at once but the score only grows.

A game declares how to do so as ``race`` in its rulebook (``Race`` in quatuor/games/hooks.py). Here the layers are
computed in order, on all cores or on many machines, and kept in one file.

The file: a JSON header, a byte for every layer, then the layers, a byte a position (value and distance). It grows when
longer races are asked for. A layer is marked finished after it has reached the disk, so that a computation that was
killed continues where it stopped.
"""

import json
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from io import FileIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from quatuor.engine.machines import Cluster
from quatuor.engine.result import Result, Solution
from quatuor.engine.table_files import HEADER, data_root, version
from quatuor.game import Game
from quatuor.games.contract import Race, State
from quatuor.games.hooks import Unit

MARKS = 1 << 14  # layers a file can hold
START = HEADER + MARKS

Progress = Callable[[int, int], None]  # steps done, steps in all
Layers = npt.NDArray[np.uint8]


class LayerFile:
    """The layers on disk."""

    def __init__(self, path: Path, about: dict[str, Any], size: int) -> None:
        self.path, self.size = path, size
        self._header = json.dumps(about, sort_keys=True).encode().ljust(HEADER)

    def finished(self) -> npt.NDArray[np.bool_]:
        """For every layer whether it can be read; none if the file is not there or about something else."""
        with suppress(OSError), self.path.open("rb") as stream:
            if stream.read(HEADER) == self._header:
                return np.frombuffer(stream.read(MARKS).ljust(MARKS, b"\0"), np.uint8).astype(np.bool_)
        return np.zeros(MARKS, np.bool_)

    def read(self, layers: int) -> Layers:
        """The first layers, mapped into memory."""
        return np.asarray(np.memmap(self.path, np.uint8, "r", START, (layers, self.size)))

    @contextmanager
    def growing(self, layers: int) -> Iterator["Writer"]:
        """Open the file to write layers, made as long as they need. One process at a time; the others wait."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.touch()
        with self.path.open("rb+", buffering=0) as stream:
            _lock(stream)
            if stream.read(HEADER) != self._header:
                stream.truncate(0)
                stream.seek(0)
                stream.write(self._header + bytes(MARKS))
            if stream.seek(0, os.SEEK_END) < START + layers * self.size:
                stream.truncate(START + layers * self.size)  # sparse: space is taken as layers are written
            yield Writer(stream, self.size)


class Writer:
    """Puts layers into a file; a full disk is an OSError here, where a write through a memory map would be fatal."""

    def __init__(self, stream: FileIO, size: int) -> None:
        self._stream, self._size = stream, size

    def write(self, number: int, layer: Layers) -> None:
        """Write one layer. It does not count before ``finish``."""
        self._stream.seek(START + number * self._size)
        rest = layer.data
        while rest:
            rest = rest[self._stream.write(rest) :]

    def finish(self, numbers: tuple[int, ...]) -> None:
        """Make sure that what was written is on disk, then say that these layers are."""
        os.fsync(self._stream.fileno())
        for number in numbers:
            self._stream.seek(HEADER + number)
            self._stream.write(b"\1")
        os.fsync(self._stream.fileno())


class LayeredSolution(Solution):
    """A solution that looks positions up in layers."""

    def __init__(self, start: Game, race: Race, layers: Layers) -> None:
        super().__init__(start)
        self._race, self._layers = race, layers

    def probe(self, state: State) -> Result:
        number, place = self._race.place(state)
        return Result.of(self._race.result(int(self._layers[number, place])))

    def facts(self) -> dict[str, Any]:
        """Which positions can come up is not known: they are too many to be followed."""
        return {"reachable": None, "longest_win": None}


def solve_race(
    start: Game, progress: Progress | None = None, threads: int | None = None, cluster: Cluster | None = None
) -> LayeredSolution | None:
    """Compute what is missing on disk; None if the game is not a race."""
    race, need = _race(start)
    if race is None or need is None:
        return None
    file = _file(start, race)
    layers = race.layers(need)
    if layers > MARKS:
        raise ValueError(f"{start.name}:{start.variant.name}: a race this long has more than {MARKS} layers")
    units = race.units(need)
    if not file.finished()[:layers].all():
        with file.growing(layers) as writer:
            known = file.read(layers)  # a memory map: it shows what is written later
            todo = [unit for unit in units if not file.finished()[list(unit)].all()]
            done = len(units) - len(todo)
            if progress:
                progress(done, len(units))
            solved = _on_cluster(race, todo, known, cluster, threads) if cluster else _here(race, todo, known, threads)
            for unit, found in solved:
                for number, layer in zip(unit, found, strict=True):
                    writer.write(number, layer)
                writer.finish(unit)
                done += 1
                if progress:
                    progress(done, len(units))
    elif progress:
        progress(len(units), len(units))
    return LayeredSolution(start, race, file.read(layers))


def _here(race: Race, units: list[Unit], known: Layers, threads: int | None) -> Iterator[tuple[Unit, list[Layers]]]:
    """One unit after the other, each on all cores."""
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        for unit in units:
            yield unit, race.solve(unit, known, pool)


def _on_cluster(
    race: Race, units: list[Unit], known: Layers, cluster: Cluster, threads: int | None
) -> Iterator[tuple[Unit, list[Layers]]]:
    """The units that need none of each other at the same time, each on a machine of the cluster.

    A layer is handed out once, to be passed on between the machines, and forgotten when nothing left reads it.
    """
    cluster.cores = threads or cluster.smallest()
    shared: dict[int, Any] = {}
    todo = list(units)
    while todo:
        missing = {number for unit in todo for number in unit}
        ready = {str(unit): unit for unit in todo if missing.isdisjoint(race.reads(unit))}
        wanted = {number for unit in todo for number in race.reads(unit)}
        shared = {number: shared[number] for number in shared if number in wanted}
        pieces = {}
        for name, unit in ready.items():
            reads = sorted(race.reads(unit))
            for number in reads:
                if number not in shared:
                    shared[number] = cluster.share(known[number])
            pieces[name] = type(race), unit, cluster.cores, reads, *(shared[number] for number in reads)
        for name, found in cluster.map(_unit, pieces):
            yield ready[name], found
            todo.remove(ready[name])


def _unit(make: Callable[[], Race], unit: Unit, threads: int, numbers: list[int], *layers: Layers) -> list[Layers]:
    """Compute one unit from the layers that it reads. Runs on a machine of the cluster."""
    race = _made(make)
    known = np.zeros((max(numbers, default=0) + 1, race.size), np.uint8)  # memory is taken where a layer is put
    for number, layer in zip(numbers, layers, strict=True):
        known[number] = layer
    with ThreadPoolExecutor(threads) as pool:
        return race.solve(unit, known, pool)


def layered(game: Game) -> LayeredSolution | None:
    """The solution from this position on, if its layers have been computed."""
    race, need = _race(game)
    if race is None or need is None:
        return None
    file, layers = _file(game, race), race.layers(need)
    return LayeredSolution(game, race, file.read(layers)) if file.finished()[:layers].all() else None


def extent(game: Game) -> int:
    """How many layers are on disk; 0 if the game is not a race."""
    race, need = _race(game)
    return 0 if race is None or need is None else int(_file(game, race).finished().sum())


def _race(game: Game) -> tuple[Race | None, int | None]:
    if game.book.race is None:
        return None, None
    race = _made(game.book.race)
    return race, race.need(game.state)


@cache
def _made(make: Callable[[], Race]) -> Race:
    """One object for all uses, since it computes large tables once."""
    return make()


def _file(game: Game, race: Race) -> LayerFile:
    rules = version(game.book.rules, race)
    about = {"game": game.name, "variant": game.variant.name, "rules": rules, "size": race.size}
    return LayerFile(data_root() / game.name / f"{game.variant.name}-{rules}.layers", about, race.size)


def _lock(stream: FileIO) -> None:
    """Wait until no other process computes this file; the system lets go when this one closes it, or dies."""
    with suppress(ImportError):  # only there on POSIX
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX)
