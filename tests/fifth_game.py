"""A copy of the package and its page in which the guide's example, the torus, is a bundled game with its own board; no
existing file is changed.

It is kept below .venv until a source changes, with what Numba compiles for it. ``python -m tests.fifth_game`` makes it.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
KEPT = ROOT / ".venv" / "fifth_game"
COPIED = ("quatuor", "web", "docs/rulebook")
LEFT_OUT = ("__pycache__", "node_modules", "dist", "site", "tests")
GAME_AND_BOARD = {"torus.py": "quatuor/games/torus/__init__.py", "torus_board": "web/src/boards/torus"}
COMPILED = ("check torus --games 1", "play torus --seat engine:5 --seat engine:5")


def copy() -> Path:
    """The folder of the copy, whose page is built."""
    root = KEPT / _digest()
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # the browser tests need it too
        if not (root / "web" / "dist" / "service-worker.js").exists():  # the last file that a build writes
            for old in KEPT.glob("*/"):
                shutil.rmtree(old)
            _make(root)
    return root


def _make(root: Path) -> None:
    for name in COPIED:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns(*LEFT_OUT))
    for source, place in GAME_AND_BOARD.items():
        (root / place).parent.mkdir(exist_ok=True)
        (shutil.copytree if (EXAMPLES / source).is_dir() else shutil.copy)(EXAMPLES / source, root / place)
    (root / "web" / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    subprocess.run(["npm", "run", "--silent", "build"], cwd=root / "web", check=True, capture_output=True)


def _digest() -> str:
    """A name for the contents of all that the copy is made from."""
    found = hashlib.sha256(sys.version.encode() + (ROOT / "constraints.txt").read_bytes())
    for path in _sources():
        found.update(f"{path.relative_to(ROOT)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def _sources() -> Iterator[Path]:
    for name in (*COPIED, "examples"):
        for path in sorted((ROOT / name).rglob("*")):
            if path.is_file() and not {*LEFT_OUT, ".kit"} & {*path.relative_to(ROOT).parts}:
                yield path


def environment(root: Path) -> dict[str, str]:
    """The environment of processes that import the copy."""
    without = {name: value for name, value in os.environ.items() if name != "QUATUOR_GAMES"}
    return without | {"PYTHONPATH": str(root), "QUATUOR_CACHE": str(root / "cache"), "COLUMNS": "200"}


if __name__ == "__main__":
    made = copy()
    for words in COMPILED:
        command = [sys.executable, "-c", "from quatuor.cli import main; main()", *words.split()]
        subprocess.run(command, cwd=made, env=environment(made), check=True, stdout=subprocess.DEVNULL)
