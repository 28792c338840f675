"""Libraries: used only if built from these sources; called like the kernels; refused arrays stay unchanged."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import quatuor
from quatuor.kernel import library
from quatuor.kernel.library import CORE, LIBRARIES, Entry, Library, digest
from quatuor.kernel.signature import Array, Signature, exports, symbol
from tools.kernels.sources import sources

ROOT = Path(quatuor.__file__).parent.parent


@pytest.fixture
def core() -> Library:
    found = library.library(CORE)
    assert isinstance(found, Library), found  # set-up builds it
    return found


def test_a_library_takes_what_the_kernel_takes(core: Library) -> None:
    from quatuor.engine.repetition import EXPORTS
    from quatuor.engine.repetition import digest as number

    entry = core.entry(symbol("quatuor.engine.repetition", "digest"), EXPORTS["digest"])
    assert entry is not None
    words = np.arange(9)
    assert entry(words, 9) == number(words, 9) == number.py_func(words, 9)


@pytest.mark.parametrize(
    "wrong", [np.zeros(4), np.zeros(4, np.int32), np.zeros((2, 2), np.int64), np.zeros(8, np.int64)[::2]]
)
def test_an_array_of_another_kind_is_refused(core: Library, wrong: np.ndarray) -> None:
    entry = core.entry("engine_repetition__digest", Signature("int64", (Array("int64"), "int64")))
    assert isinstance(entry, Entry)
    with pytest.raises(TypeError):
        entry(wrong, 2)


def test_read_only_arrays_can_be_read(core: Library) -> None:
    entry = core.entry("engine_repetition__digest", Signature("int64", (Array("int64"), "int64")))
    words = np.arange(9)
    fixed = words.copy()
    fixed.flags.writeable = False
    assert entry is not None
    assert entry(fixed, 9) == entry(words, 9)


def test_a_name_that_is_not_exported_is_an_error(core: Library) -> None:
    assert core.entry("engine_repetition__no_such_kernel", Signature(None, ())) is None


def test_signatures_come_from_annotations_and_name_what_is_missing() -> None:
    def kernel(words: np.ndarray, count: int) -> int:
        return count

    assert exports(kernel, words=Array("int64"))["kernel"] == Signature("int64", (Array("int64"), "int64"))
    with pytest.raises(TypeError, match="kernel: words"):
        exports(kernel)


def test_the_digest_covers_the_kernel_and_all_it_imports() -> None:
    files = sources(["quatuor.engine.uct"])
    assert {"engine/uct.py", "engine/tree.py", "kernel/maths.py", "kernel/bits.py"} <= set(files)
    assert not any("picture" in file or file.startswith("server") for file in files)
    assert digest(files) != digest(files[1:])
    assert digest([*files, "engine/no_such_file.py"]) == ""


def test_a_library_whose_sources_changed_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = json.loads((LIBRARIES / "core.json").read_text())
    (tmp_path / "core.json").write_text(json.dumps(about | {"digest": "0" * 16}))
    monkeypatch.setattr(library, "LIBRARIES", tmp_path)
    assert library.library.__wrapped__("core") == "its sources have changed since it was built"
    assert library.library.__wrapped__("other") == "it has not been built"


PLAYED = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("numba", "llvmlite"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "numba" else real(name, *rest)
import quatuor, quatuor.server.app
from quatuor.kernel.jit import HAS_NUMBA
game = quatuor.new("plus4")
while not game.over and game.ply < 12:
    game.play(quatuor.engine(level=3, seed=1).choose(game))
print(HAS_NUMBA, " ".join(move for turn in game.moves for move in turn.values()))
"""


@pytest.mark.slow
def test_everything_is_imported_and_played_without_numba() -> None:
    def play(**environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", PLAYED], env=os.environ | environment, cwd=ROOT, capture_output=True, text=True
        )
        assert not done.returncode, done.stderr
        return done.stdout

    found = play()
    assert found.startswith("False ")
    assert play(QUATUOR_KERNELS="interpreted") == found
