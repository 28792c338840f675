"""The cache of machine code is never stale and never mixed up. Each run is a new process on a small package."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import quatuor
from tests.kernel.forked import Forker, forker

PACKAGE = Path(quatuor.__file__).parent

TABLE = "import numpy as np\nTABLE = np.array([10, 20, 30], np.int64)\n"
CALLEE = "from quatuor.kernel import jit\n@jit\ndef callee(x):\n    return x + 1\n"
CALLER = """
from quatuor.kernel import jit
from quatuor.games.toy.callee import callee
from quatuor.games.toy.table import TABLE
@jit
def caller(x):
    return callee(x) + TABLE[x]
"""
TEMPLATE = """
from quatuor.games.contract import legal
from quatuor.kernel import template
from quatuor.engine.helper import doubled
@template
def count(state, out):
    return doubled(state, out) + legal(state, 0, out)
"""
HELPER = """
from quatuor.games.contract import legal
from quatuor.kernel import template
FACTOR = 2
@template
def doubled(state, out):
    return FACTOR * legal(state, 0, out)
"""
RULES = """
from quatuor.kernel import jit
@jit
def legal(state, seat, out):
    return {n}
"""
ADVISED = """
from quatuor.games.contract import legal
from quatuor.kernel import search_hook, template
@search_hook
def hint(state):
    raise NotImplementedError
@template
def hinted(state, out):
    return hint(state) + legal(state, 0, out)
"""
ADVICE = """
from quatuor.kernel import jit
from quatuor.games.{game}.rules import legal
@jit
def hint(state):
    return 10 * legal(state, 0, state)
"""
HINTED = """
import numpy as np
from quatuor.kernel import bind
from quatuor.engine import hinted
from quatuor.games.{game} import advice, rules
words = np.zeros(2, np.int64)
bound = bind(hinted, rules, "{game}", advice).hinted
print(bound(words, words), sum(bound.stats.cache_hits.values()))
"""
COUNT = """
import numpy as np, sys
from quatuor.kernel import bind
from quatuor.engine import count
from quatuor.games.{game} import rules
words = np.zeros(2, np.int64)
bound = bind(count, rules, "{game}").count
print(bound(words, words), sum(bound.stats.cache_hits.values()))
"""
WATCHED = """
import sys, types
touched = []
class Watched(types.ModuleType):
    def __setattr__(self, name, value):
        touched.append(name)
        super().__setattr__(name, value)
import colorama
from quatuor.games.toy.caller import caller
sys.__class__ = Watched
print(caller(1), touched.count("stdout"))
"""
RUN_CALLER = "from quatuor.games.toy.caller import caller; print(caller(1), sum(caller.stats.cache_hits.values()))"


def clean_environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "PYTHON", "COVERAGE"))}


class Box:
    """A copy of the kernel layer with toy games and a separate cache, and a method that runs code on them."""

    def __init__(self, folder: Path, forks: Forker) -> None:
        self.code, self.cache, self._forks = folder / "code", folder / "cache", forks
        games = [f"games/{path.name}" for path in (PACKAGE / "games").glob("*.py")]
        for name in ("__init__.py", "kernel", *games):
            target = self.code / "quatuor" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if (PACKAGE / name).is_dir():
                shutil.copytree(PACKAGE / name, target, ignore=shutil.ignore_patterns("__pycache__", "libraries"))
            else:
                shutil.copy(PACKAGE / name, target)
        self.write("quatuor/games/toy/table.py", TABLE)
        self.write("quatuor/games/toy/callee.py", CALLEE)
        self.write("quatuor/games/toy/caller.py", CALLER)
        self.write("quatuor/engine/helper.py", HELPER)
        self.write("quatuor/engine/count.py", TEMPLATE)
        self.write("quatuor/engine/hinted.py", ADVISED)
        for n, game in enumerate(("one", "two"), 1):
            self.write(f"quatuor/games/{game}/rules.py", RULES.format(n=n))
            self.write(f"quatuor/games/{game}/advice.py", ADVICE.format(game=game))

    def write(self, name: str, text: str) -> None:
        path = self.code / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(self, code: str, anew: bool = False, **environment: str) -> str:
        clean = clean_environment() | {"PYTHONPATH": str(self.code), "QUATUOR_CACHE": str(self.cache)} | environment
        if anew or environment:  # Numba reads its settings when it is imported
            done = subprocess.run(
                [sys.executable, "-c", code], env=clean, cwd=self.code, capture_output=True, text=True
            )
            status, out, err = done.returncode, done.stdout, done.stderr
        else:
            status, out, err = self._forks.run(code, self.code, clean)
        assert not status, err
        return out.strip()

    @property
    def folders(self) -> set[str]:
        return {path.name for path in (self.cache / "kernels").glob("*")}


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forker]:
    with forker(tmp_path_factory.mktemp("forks"), clean_environment()) as started:
        yield started


@pytest.fixture
def box(tmp_path: Path, forks: Forker) -> Box:
    return Box(tmp_path, forks)


def test_second_process_loads_machine_code_from_disk(box: Box) -> None:
    assert box.run(RUN_CALLER) == "22 0"
    assert box.run(RUN_CALLER) == "22 1"
    assert len(box.folders) == 1


@pytest.mark.parametrize(
    ("file", "text", "result"),
    [("callee.py", CALLEE.replace("x + 1", "x + 5"), "26 0"), ("table.py", TABLE.replace("20", "70"), "72 0")],
)
def test_edit_in_another_file_is_seen(box: Box, file: str, text: str, result: str) -> None:
    box.run(RUN_CALLER)
    path = box.code / "quatuor/games/toy" / file
    stamp = path.stat()
    box.write(f"quatuor/games/toy/{file}", text)
    os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # the time stamp does not change
    shutil.rmtree(path.parent / "__pycache__")
    assert box.run(RUN_CALLER) == result


def test_one_template_bound_to_two_games_is_kept_apart(box: Box) -> None:
    one, two = COUNT.format(game="one"), COUNT.format(game="two")
    assert [box.run(one), box.run(two)] == ["3 0", "6 0"]  # empty cache: both compile
    assert [box.run(one), box.run(two)] == ["3 1", "6 1"]  # each loads its own
    assert box.run(two + one) == "6 1\n3 1"  # also in one process


def test_advice_is_bound_beside_the_rules(box: Box) -> None:
    one, two = HINTED.format(game="one"), HINTED.format(game="two")
    assert [box.run(one), box.run(two), box.run(two)] == ["11 0", "22 0", "22 1"]


def test_a_search_says_which_advice_is_missing(box: Box) -> None:
    box.write("quatuor/games/one/advice.py", "")
    code = "try:\n" + "".join(f"    {line}\n" for line in HINTED.format(game="one").split("\n"))
    assert "has no attribute 'hint'" in box.run(code + "except AttributeError as error:\n    print(error)")


def test_bounds_checks_have_a_folder_of_their_own(box: Box) -> None:
    outside = """
import numpy as np
from quatuor.games.toy.caller import caller
try:
    caller(3)
    print("read garbage")
except IndexError:
    print("IndexError")
"""
    assert box.run(outside) == "read garbage"
    assert box.run(outside, NUMBA_BOUNDSCHECK="1") == "IndexError"
    assert box.run(outside) == "read garbage"
    assert len(box.folders) == 2


def test_without_compiler_functions_stay_plain_python(box: Box) -> None:
    code = "from quatuor.games.toy.caller import caller; print(type(caller).__name__, caller(1))"
    assert box.run(code, NUMBA_DISABLE_JIT="1") == "function 22"


def test_kernels_outside_the_kernel_layers_are_refused(box: Box) -> None:
    box.write("quatuor/table/wrong.py", CALLEE)
    code = """
try:
    import quatuor.table.wrong
except ImportError as error:
    print(error)
"""
    assert "callee: kernels live in kernel, games, engine, not in" in box.run(code)


OWN = COUNT.format(game="one").replace("from quatuor.games.one", "from mine").replace('"one"', '"mine"')


def test_game_outside_the_package_is_compiled_once_and_never_stale(box: Box) -> None:
    box.write("mine/rules.py", "from mine.much import MUCH\n" + RULES.format(n="MUCH"))
    for much in (7, 8, 7):
        box.write("mine/much.py", f"MUCH = {much}\n")
        shutil.rmtree(box.code / "mine/__pycache__", ignore_errors=True)
        if much == 8:
            assert box.run(OWN) == "24 0"
        assert box.run(OWN)[:2] == f"{3 * much}"
        assert box.run(OWN) == f"{3 * much} 1"


def test_one_file_under_two_names_is_compiled_for_each(box: Box) -> None:
    """As `examples.torus` and as `torus`: machine code on disk refers to the module that it was compiled for."""
    box.write("mine/rules.py", "SEVEN = 7\n" + RULES.format(n="SEVEN"))
    alone = "import sys; sys.path.insert(0, 'mine')\n" + OWN.replace("from mine import rules", "import rules")
    assert [box.run(OWN), box.run(alone), box.run(OWN), box.run(alone)] == ["21 0", "21 0", "21 1", "21 1"]


def test_a_table_of_a_game_outside_the_package_counts(box: Box) -> None:
    """The table may come from anywhere: here a helper module reads it from a file that Python does not import."""
    box.write("mine/much.py", "import numpy as np\nTABLE = np.loadtxt(__file__[:-7] + 'table.txt', dtype=np.int64)\n")
    box.write(
        "mine/helper.py",
        "from quatuor.kernel import jit\nfrom mine import much\n@jit\ndef at(x):\n    return much.TABLE[x]\n",
    )
    box.write("mine/rules.py", "from mine.helper import at\n" + RULES.format(n="at(1)"))
    for much in (7, 8):
        box.write("mine/table.txt", f"0\n{much}\n")
        assert [box.run(OWN), box.run(OWN)] == [f"{3 * much} 0", f"{3 * much} 1"]


def test_a_module_without_a_digest_is_compiled_each_time(box: Box) -> None:
    box.write("mine/rules.py", "class Odd:\n    pass\nodd = Odd()\n" + RULES.format(n="3 if odd else 3"))
    code = "from mine.rules import legal\nfrom quatuor.kernel.code_digest import code_digest as digest\n"
    code += "print(digest(legal.py_func))"
    assert box.run(code) == "None"


def test_the_users_cache_setting_is_kept(box: Box, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    code = RUN_CALLER + "; import numba; print(numba.config.CACHE_DIR)"
    assert box.run(code, NUMBA_CACHE_DIR=str(theirs)) == f"22 0\n{theirs}"
    assert not theirs.exists()


def test_compiling_does_not_redirect_the_standard_output(box: Box) -> None:
    """Numba redirects it where colorama is installed; output of other threads could be lost."""
    assert box.run(WATCHED, anew=True) == "22 0"  # the package says so before Numba is imported


def test_old_machine_code_is_deleted_when_new_code_is_stored(box: Box) -> None:
    for name, days in (("old", 31), ("recent", 29)):
        folder = box.cache / "kernels" / name
        folder.mkdir(parents=True)
        then = time.time() - days * 86400
        os.utime(folder, (then, then))
    box.run(RUN_CALLER)
    assert "old" not in box.folders
    assert "recent" in box.folders
    (mine,) = box.folders - {"recent"}
    then = time.time() - 40 * 86400
    os.utime(box.cache / "kernels" / mine, (then, then))
    assert box.run(RUN_CALLER) == "22 1"  # still valid, and marked as used
    assert time.time() - (box.cache / "kernels" / mine).stat().st_mtime < 3600


def test_where_nothing_can_be_written_it_compiles_without_cache(box: Box) -> None:
    box.cache.write_text("a file, where a folder should be")
    assert box.run(RUN_CALLER) == "22 0"
    assert box.run(RUN_CALLER) == "22 0"
    assert not list(box.code.rglob("*.nbi"))  # especially not beside the sources, where it would become stale
