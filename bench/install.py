"""What an installation costs: ``python -m bench.install WHEEL``. Run it alone on a quiet machine, after ``make wheel``.

An empty environment, pip with its configured index and cache; then sizes, the import, the first move and the
first page. Each time comes with the processor time, which other programs disturb less.
"""

import resource
import subprocess
import sys
import tempfile
import time
from importlib.metadata import PathDistribution
from pathlib import Path
from urllib.request import urlopen

MOVE = "import quatuor; game = quatuor.new('blokus'); game.play(quatuor.engine(level=8, seconds=1).choose(game))"
PORT = 8765
LARGEST = 8  # packages that are listed


class Spent(float):
    """Seconds on the clock; as text, with the processor's seconds."""

    processor: float

    def __str__(self) -> str:
        return f"{float(self):.1f} s ({self.processor:.1f} s of the processor)"


def seconds(*command: str | Path) -> Spent:
    """How long a command takes."""
    began, before = time.monotonic(), _processor()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    found = Spent(time.monotonic() - began)
    found.processor = _processor() - before
    return found


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sizes(site: Path) -> dict[str, float]:
    """The size of each installed package in MB, the largest first."""
    found = {}
    for folder in site.glob("*.dist-info"):
        about = PathDistribution(folder)
        files = [Path(str(about.locate_file(file))) for file in about.files or ()]
        found[about.name] = sum(file.stat().st_size for file in files if file.is_file()) / 1e6
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def first_page(command: Path, folder: str) -> float:
    """Seconds until a new server answers."""
    began = time.monotonic()
    store = Path(folder, "games.sqlite")
    server = subprocess.Popen([command, "serve", "--port", str(PORT), "--store", store], stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                with urlopen(f"http://127.0.0.1:{PORT}/") as answer:
                    answer.read()
                    return time.monotonic() - began
            except OSError:
                time.sleep(0.02)
    finally:
        server.terminate()
        server.wait()


def main(wheel: str) -> None:
    with tempfile.TemporaryDirectory() as name:
        seconds(sys.executable, "-m", "venv", name)
        python = Path(name, "bin", "python")
        install = seconds(python, "-m", "pip", "-q", "install", "--no-compile", wheel)
        (site,) = Path(name).glob("lib/python*/site-packages")
        found = {package: size for package, size in sizes(site).items() if package not in ("pip", "setuptools")}
        listed = ", ".join(f"{package} {size:.1f}" for package, size in list(found.items())[:LARGEST])
        print(f"wheel: {Path(wheel).stat().st_size / 1e6:.1f} MB")
        print(f"installed: {sum(found.values()):.0f} MB without compiled Python files; MB of the largest: {listed}")
        first = seconds(python, "-c", MOVE)
        print(f"pip install: {install}; then the first move of level 8, with 1 s to think: {first}")
        print(f"the same a second time: {seconds(python, '-c', MOVE)}")
        print(f"import quatuor.game: {min(seconds(python, '-c', 'import quatuor.game') for _ in range(5)):.2f} s")
        print(f"quatuor serve until the page is answered: {first_page(Path(name, 'bin', 'quatuor'), name):.1f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
