"""Calls of exported kernels, recorded with all arrays before and after, to be repeated by Numba, by other libraries
and in WebAssembly (replay.mjs).

``python -m tests.kernel.recorded record FOLDER`` plays, searches and solves with the libraries, and writes down some
calls of every exported function; ``… replay FOLDER TARGET`` repeats them by the libraries of that target, ``… numba
FOLDER`` by Numba, where compiling does not take minutes. Both print what differs. ``… compile NAME`` has Numba compile
into its disk cache what it repeats of one library.
"""

import ctypes
import hashlib
import json
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import quatuor
from quatuor import puzzles
from quatuor.engine import bestfirst, flat_monte_carlo, guided, matrix, uct
from quatuor.engine.exported import Export, exports
from quatuor.engine.observation import look
from quatuor.engine.perft import perft
from quatuor.engine.playout import random_games
from quatuor.games import NAMES, rulebook
from quatuor.kernel.library import CORE, LIBRARIES, Entry, Library, _flatten, _members
from quatuor.kernel.signature import Array, Signature
from tests.digests import network, opening

KEPT = (1, 20)  # which calls of a function in a part are kept
NODES, MEMORY = 1 << 13, 1 << 10  # few, because calls of searches have large arrays
UNITS = 40
LARGEST = 16_000_000  # bytes of the arrays of a call that is kept
# What Numba compiles here: every search for one game; for all games the rules, observations and random games
SEARCHES = {
    ("plus4", "engine_uct__simulate"), ("blokus", "engine_guided__simulate"), ("plateau_x", "engine_bestfirst__grow"),
    ("trois_six", "engine_matrix__explore"), ("trois_six", "engine_flat_monte_carlo__sample"),
}  # fmt: skip
FOR_ALL = ("_rules__", "_planes__", "engine_playout__", "kernel_")


def parts() -> Iterator[tuple[str, Callable[[], object]]]:
    """What is played, searched and solved: a name and a function for each part."""
    for name in NAMES:
        for variant in (v.name for v in rulebook(name).variants):
            for work in (hooks, games, batch, search, plain_search, network_search):
                yield f"{name}:{variant} {work.__name__}", lambda work=work, of=(name, variant): work(*of)
    for kind in ("tetro20", "all84"):
        yield f"puzzle {kind}", lambda kind=kind: puzzle(kind)
    yield "core", core


def hooks(name: str, variant: str) -> None:
    """The functions of the game itself, in a position after a few turns."""
    game = opening(name, variant)
    book, rules = game.book, game.book.rules
    rules.outcome(game.state, *np.zeros((2, game.seats), np.int64))
    rules.key(game.state, np.zeros(book.state_size, np.int64))
    rules.repeat(game.state.copy())
    if book.planes:
        look(book, game.state, 0)
    if book.space:
        book.space.positions(game.state), book.space.index(game.state)
    if name == "plateau_x":
        book.advice.evaluate(game.state, np.zeros(game.seats), book.advice.workspace(1))
    if name == "trois_six":
        book.advice.expected_result(game.state, np.zeros(book.advice.SCRATCH))


def games(name: str, variant: str) -> None:
    random_games(name, variant, seed=1, count=3, cap=200)
    perft(opening(name, variant), 1)


def batch(name: str, variant: str) -> None:
    played = quatuor.batch(name, 2, variant, seed=5, threads=1)
    for _ in range(20):
        played.step(played.sample())
    played.load(played.save())


def search(name: str, variant: str) -> None:
    game = opening(name, variant)
    advice = game.book.advice
    if advice is None:
        return
    if advice.SEARCH == "matrix":
        searcher = matrix.Equilibrium(game, 0, MEMORY)
        searcher.run(UNITS)
        searcher._kernel.begin(searcher._frames, 0, 2)
        return
    _grow({"guided": guided.Guided, "bestfirst": bestfirst.Search}[advice.SEARCH](game, 3, NODES))


def plain_search(name: str, variant: str) -> None:
    game = opening(name, variant)
    if len(game.to_move) > 1:
        flat_monte_carlo.Trials(game, 0, 3).run(UNITS)
    else:
        _grow(uct.Search(game, 3, NODES))


def network_search(name: str, variant: str) -> None:
    game = quatuor.new(name, variant)
    if len(game.to_move) > 1:
        return
    played = quatuor.batch(name, 1, variant)
    small = quatuor.search(played, lambda planes, facts, mask: (mask, facts[:, : game.seats]), nodes=NODES)
    small.run(UNITS)
    small.step(small.best())
    _ = small.visits
    network(name, variant)  # after the small one: the first of many calls is kept, if it is not too large


def _grow(searcher: Any) -> None:
    for rows in searcher._tree:
        rows[1:] = 0  # else it holds uninitialised memory
    searcher.run(UNITS)
    searcher.run(UNITS)
    new = searcher._new_tree(searcher.game.seats)
    for rows in new:
        rows[:] = 0
    searcher._kernel.graft(max(searcher._kids(0), key=searcher._visits), searcher._tree, new)


def puzzle(kind: str) -> None:
    solution = puzzles.solve(kind, seed=1)
    puzzles.solvable(replace(solution, pieces=solution.pieces[:-3]), seed=1)


def core() -> None:
    from quatuor.engine.repetition import digest
    from quatuor.kernel import below, exp, log, seeded

    exp(1.5), log(1.5), below(seeded(3), 6), digest(np.arange(9), 9)


class Recorder:
    """Records calls of kernels."""

    def __init__(self) -> None:
        self.part, self.calls, self.data = "", [], bytearray()
        self._count: Counter[tuple[str, str]] = Counter()
        self._at: dict[bytes, int] = {}  # equal arrays are written once

    def __call__(self, entry: Entry, arguments: tuple[Any, ...]) -> Any:
        self._count[self.part, entry.name] += 1
        flat = list(_flatten(arguments))
        size = sum(value.nbytes for value in flat if isinstance(value, np.ndarray))
        if self._count[self.part, entry.name] not in KEPT or size > LARGEST:
            return PLAIN_CALL(entry, *arguments)
        kinds = [kind for argument in entry.signature.arguments for kind in _members(argument)]
        before = [self._before(value, kind) for value, kind in zip(flat, kinds, strict=True)]
        result = PLAIN_CALL(entry, *arguments)
        after = [digest_of(value) for value, kind in zip(flat, kinds, strict=True) if isinstance(kind, Array)]
        library = getattr(entry, "library", CORE)  # those that modules call while they are imported belong to core
        call = {"part": self.part, "library": library, "symbol": entry.name, "arguments": before}
        self.calls.append(call | {"after": after, "result": bits(result)})
        return result

    def _before(self, value: Any, kind: Any) -> Any:
        if not isinstance(kind, Array):
            return bits(value)
        held = value.tobytes("A").rstrip(b"\0")
        if held not in self._at:
            self._at[held] = len(self.data)
            self.data += held
        return {"item": kind.item, "order": kind.order, "shape": value.shape, "bytes": value.nbytes,
                "at": self._at[held], "held": len(held)}  # fmt: skip


PLAIN_CALL, PLAIN_ENTRY = Entry.__call__, Library.entry


def bits(value: Any) -> str | None:
    """A number as the 64 bits of a slot, in decimal digits: JavaScript reads no larger whole numbers from JSON."""
    if value is None:
        return None
    return str(struct.unpack("=q", struct.pack("=d", value))[0] if isinstance(value, float) else int(value))


def digest_of(array: np.ndarray) -> str:
    return hashlib.sha256(array.tobytes("A")).hexdigest()


def record(folder: Path) -> None:
    recorder = Recorder()
    Entry.__call__ = lambda entry, *arguments: recorder(entry, arguments)
    Entry.prebound = lambda entry, *fixed: lambda number: recorder(entry, (number, *fixed))
    Library.entry = _entry_of
    for recorder.part, work in parts():
        work()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "calls.json").write_text(json.dumps(recorder.calls))
    (folder / "calls.bin").write_bytes(recorder.data)


def _entry_of(library: Library, symbol: str, signature: Signature) -> Entry | None:
    found = PLAIN_ENTRY(library, symbol, signature)
    if found:
        found.library = library.name
    return found


def every_export() -> dict[tuple[str, str], Export]:
    """What all libraries export, by the name of the library and the symbol."""
    return {(name, export.symbol): export for name in (CORE, *NAMES) for export in exports(name)}


def replay(folder: Path, target: str | None) -> dict[str, Any]:
    """Repeat the calls; return their number, and those that now give another result or leave another array.

    Without a target, Numba makes them.
    """
    data, listed, made, wrong = (folder / "calls.bin").read_bytes(), every_export(), 0, []
    for call in json.loads((folder / "calls.json").read_text()):
        name, symbol = call["library"], call["symbol"]
        if not target and not _numba_repeats(name, symbol):
            continue
        export = listed[name, symbol]
        values = iter([_value(argument, data) for argument in call["arguments"]])
        arrays: list[np.ndarray] = []
        arguments = [_build(kind, values, arrays) for kind in export.signature.arguments]
        kernel = _entry(name, export, target) if target else export.kernel
        result = kernel(*arguments)
        if export.signature.result is None:
            result = None
        made += 1
        if bits(result) != call["result"] or [digest_of(array) for array in arrays] != call["after"]:
            wrong.append(f"{call['part']}: {symbol}")
    return {"calls": made, "wrong": wrong}


def _numba_repeats(name: str, symbol: str) -> bool:
    return (name, symbol) in SEARCHES or any(part in symbol for part in FOR_ALL)


def compile_all(name: str) -> None:
    """Compile what Numba repeats of one library, for the types of the library's functions."""
    from quatuor.kernel.compiler import numba_type

    for (library, symbol), export in every_export().items():
        if library == name and _numba_repeats(library, symbol):
            export.kernel.compile(tuple(map(numba_type, export.signature.arguments)))


def _entry(name: str, export: Export, target: str) -> Entry:
    (file,) = (LIBRARIES / target).glob(f"{name}-{json.loads((LIBRARIES / f'{name}.json').read_text())['digest']}.*")
    return Entry(ctypes.CDLL(str(file))[export.symbol], export.symbol, export.signature)


def _value(argument: Any, data: bytes) -> Any:
    if not isinstance(argument, dict):
        return argument
    array = np.zeros(argument["shape"], argument["item"], argument["order"])
    held = np.frombuffer(data, np.uint8, argument["held"], argument["at"])
    array.reshape(-1, order="A").view(np.uint8)[: len(held)] = held
    return array


def _build(kind: Any, values: Iterator[Any], arrays: list[np.ndarray]) -> Any:
    """An argument of this type from the next of the recorded numbers and arrays."""
    if isinstance(kind, tuple):
        members = [_build(member, values, arrays) for member in kind]
        return type(kind)(*members) if hasattr(kind, "_fields") else tuple(members)
    value = next(values)
    if isinstance(kind, Array):
        arrays.append(value)
        return value
    number = int(value)
    if kind == "float64":
        return struct.unpack("=d", struct.pack("=q", number))[0]
    return bool(number) if kind == "bool" else number


if __name__ == "__main__":
    what, *words = sys.argv[1:]
    if what == "record":
        record(Path(words[0]))
    elif what == "compile":
        compile_all(words[0])
    else:
        print(json.dumps(replay(Path(words[0]), words[1] if len(words) > 1 else None)))
