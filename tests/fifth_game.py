"""A copy of the package in which the guide's example, the torus, is a bundled game; no existing file is changed."""

import os
import shutil
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"


def copy_package(root: Path) -> Path:
    """The package with the game's folder."""
    shutil.copytree(ROOT / "quatuor", root / "quatuor", ignore=shutil.ignore_patterns("__pycache__"))
    folder = root / "quatuor" / "games" / "torus"
    folder.mkdir()
    shutil.copy(EXAMPLES / "torus.py", folder / "__init__.py")
    return root


def copy_page(root: Path) -> Path:
    """The sources of the page with the folder of the game's board."""
    web = root / "web"
    shutil.copytree(ROOT / "web", web, ignore=shutil.ignore_patterns("node_modules", "dist", "tests"))
    shutil.copytree(ROOT / "docs" / "rulebook", root / "docs" / "rulebook")
    (web / "node_modules").symlink_to(ROOT / "web" / "node_modules")
    shutil.copytree(EXAMPLES / "torus_board", web / "src" / "boards" / "torus")
    return web


def environment(root: Path) -> dict[str, str]:
    """The environment of processes that import the copy."""
    without = {name: value for name, value in os.environ.items() if name != "QUATUOR_GAMES"}
    return without | {"PYTHONPATH": str(root), "QUATUOR_CACHE": str(root / "cache"), "COLUMNS": "200"}
