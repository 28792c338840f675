"""What an installation costs: ``python -m bench.install WHEEL``. Run it alone on a quiet machine, after ``make wheel``.

An empty environment, pip from the network or a cache as it is set up; then sizes, the import and the first move.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

MOVE = "import quatuor; game = quatuor.new('blokus'); game.play(quatuor.engine(level=8, seconds=1).choose(game))"


def seconds(*command: str | Path) -> float:
    """How long a command takes."""
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def size(folder: Path) -> float:
    """The files below a folder, in MB."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def main(wheel: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        seconds(sys.executable, "-m", "venv", name)
        python = Path(name, "bin", "python")
        before = size(Path(name))
        install = seconds(python, "-m", "pip", "-q", "install", "--no-compile", wheel)
        print(f"installed: {size(Path(name)) - before:.0f} MB without compiled Python files")
        (numpy,) = Path(name).rglob("site-packages/numpy")
        print(f"of these NumPy: {size(numpy) + size(numpy.parent / 'numpy.libs'):.0f} MB")
        first = seconds(python, "-c", MOVE)
        print(f"from pip install to the first move: {install + first:.1f} s, of which pip {install:.1f} s")
        print(f"first move of level 8, second time, with 1 s to think: {seconds(python, '-c', MOVE):.2f} s")
        print(f"import quatuor.game: {min(seconds(python, '-c', 'import quatuor.game') for _ in range(5)):.2f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
