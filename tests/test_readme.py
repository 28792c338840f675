"""The examples in the README, the guide and the docstrings give the output shown."""

import doctest
import importlib
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import quatuor

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHOWING = [page.relative_to(ROOT).as_posix() for page in PAGES if ">>> " in page.read_text(encoding="utf-8")]
SNIPPET = re.compile(r"-+8\s*<\s*-+")  # a file that should have been included
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "quatuor").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("page", SHOWING)
def test_examples_of_a_page_give_the_output_shown(page: str) -> None:
    tried = doctest.testfile(str(ROOT / page), module_relative=False)
    assert tried.attempted
    assert not tried.failed


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_give_the_output_shown(name: str) -> None:
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
    assert not re.findall(r'(?:src|href)="https?://[^"]*\.(?:js|css|woff2?)"', page)  # nothing comes from another host
    assert [name for name, text in pages.items() if SNIPPET.search(_plain(text))] == []
    visible = {name: _plain(text) for name, text in pages.items()}
    assert [name for name, text in visible.items() if "<BLANKLINE>" in text or "\\|" in text] == []
    assert [name for name, text in visible.items() if "|---" in text] == [], "a table needs an empty line before it"
    assert "test_<wbr>BK_<wbr>2_<wbr>blue_<wbr>yellow" in pages["clauses.html"]  # long names are broken between words
    assert (tmp_path / "search" / "search_index.js").exists()  # the search index for pages opened from disk
    assert "Raises" in visible["reference/game.html"]
    shown = visible["adding.html"]
    assert (ROOT / "examples" / "torus.py").read_text(encoding="utf-8").strip() in shown


def test_the_readme_tells_a_builder_how_to_install_and_where_to_go_on() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "pip install ." in text
    links = {link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", text)}
    assert {f"docs/{page}.md" for page in ("python", "adding", "adapters", "engines", "protocol", "arena")} <= links
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []


IMPORTED = re.compile(r"^(?:>>> )?from (quatuor\.\S+) import (.+)$", re.MULTILINE)


def test_the_reference_has_everything_public_and_everything_that_the_guide_imports() -> None:
    pages = sorted((ROOT / "docs" / "reference").glob("*.md"))
    described = [
        _thing(name) for page in pages for name in re.findall(r"^::: (\S+)", page.read_text("utf-8"), re.MULTILINE)
    ]
    modules = {thing.__name__ for thing in described if isinstance(thing, ModuleType)}
    wanted = {f"quatuor.{name}": getattr(quatuor, name) for name in quatuor.__all__}
    for module, names in (found for page in PAGES for found in IMPORTED.findall(page.read_text("utf-8"))):
        wanted |= {f"{module}.{name}": _thing(f"{module}.{name}") for name in names.split(", ")}
    missing = [name for name, thing in wanted.items() if not any(thing is one for one in described)]
    assert [name for name in missing if wanted[name].__module__.rpartition(".")[0] not in modules] == []


def _thing(name: str) -> Any:
    """The module, class or function of this name."""
    home, _, last = name.rpartition(".")
    try:
        return getattr(importlib.import_module(home), last)
    except AttributeError:
        return importlib.import_module(name)


STEP = re.compile(r"^\d+\. `([^`]+)`, `([^`]+)`:", re.MULTILINE)
STEPS = STEP.findall((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("file", "function"), STEPS, ids=[" ".join(step) for step in STEPS])
def test_architecture_names_files_and_functions_that_exist(file: str, function: str) -> None:
    source = (ROOT / file).read_text(encoding="utf-8")
    for name in function.split("."):
        assert re.search(rf"\b(def|class|function|const|let) {name}\b|^ +(async )?{name}\(", source, re.MULTILINE)


def test_architecture_has_three_walks() -> None:
    assert len(STEPS) >= 25


def test_the_animation_of_the_readme_is_small() -> None:
    assert (ROOT / "docs" / "img" / "four-games.svg").stat().st_size < 500_000


def _plain(html: str) -> str:
    """The text of a page, as a reader sees it."""
    return unescape(re.sub(r"<[^>]*>", "", html))
