"""What the README, the guide and the docstrings show is what happens."""

import doctest
import importlib
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHOWING = [page.relative_to(ROOT).as_posix() for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]
SNIPPET = re.compile(r"-+8\s*<\s*-+")  # a file that should have been put in here
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "quatuor").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("page", SHOWING)
def test_page_shows_what_happens(page: str) -> None:
    tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert tried.attempted
    assert not tried.failed


@pytest.mark.parametrize("name", MODULES)
def test_docstring_shows_what_happens(name: str) -> None:
    tried = doctest.testmod(importlib.import_module(name))
    assert tried.attempted
    assert not tried.failed


def test_readme_and_the_guide_on_python_have_examples() -> None:
    assert {"README.md", "docs/python.md"} <= set(SHOWING)


def test_the_guide_builds_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    pages = {
        path.relative_to(tmp_path).as_posix(): path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.html")
    }
    page = pages["index.html"]
    assert not re.findall(r'(?:src|href)="https?://[^"]*\.(?:js|css|woff2?)"', page)  # nothing comes from elsewhere
    assert [name for name, text in pages.items() if SNIPPET.search(_plain(text))] == []
    shown = _plain(pages["adding.html"])
    assert (ROOT / "examples" / "torus.py").read_text(encoding="utf-8").strip() in shown


def _plain(html: str) -> str:
    """The text of a page, as a reader sees it."""
    return unescape(re.sub(r"<[^>]*>", "", html))
