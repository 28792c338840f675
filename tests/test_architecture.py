"""The structure of the package: layers, no import cycles, few lazy imports, short parameter lists, small classes."""

import ast
import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grimp
import networkx
import pytest

import quatuor

PACKAGE = Path(quatuor.__file__).parent
ROOT = PACKAGE.parent
MOST_PARAMETERS = 7
MOST_METHODS = 15  # public ones of a class, properties apart
KERNEL_DECORATORS = {"jit", "rule", "template", "rule_hook", "search_hook", "inlined"}
HEAVY = ("numba", "llvmlite", "numpy", "fastapi", "sqlalchemy", "rich", "ray", "torch")  # `quatuor --help` needs none

# Imports inside functions, all there so that a module is quick to import or works without an extra. In cli/ every
# command imports what it needs when it runs.
LAZY = {
    "engine/batch.py": {"quatuor.engine.batch_cuda", "quatuor.engine.thread_pool"},
    "engine/batch_cuda.py": {"quatuor.kernel.cuda"},
    "engine/searches.py": {"quatuor.engine.network"},
    "games/__init__.py": {"quatuor.games.validation"},
    "kernel/jit.py": {"quatuor.kernel.compiler"},
    "local/host.py": {"quatuor.games.blokus.puzzles", "quatuor.interop", "quatuor.learn"},  # not all pages ask for them
    "server/store/pubsub.py": {"quatuor.server.store.postgres"},
    "server/store/store.py": {"quatuor.server.store.postgres"},
}


@functools.cache
def trees() -> list[tuple[str, ast.Module]]:
    """Every module of the package."""
    return [
        (path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for path in sorted(PACKAGE.rglob("*.py"))
    ]


def test_no_module_imports_itself_through_others():
    """Imports inside functions count, those for type checkers do not."""
    graph = grimp.build_graph("quatuor", exclude_type_checking_imports=True, cache_dir=None)
    imports = networkx.DiGraph()
    for module in graph.modules:
        imports.add_edges_from((module, other) for other in graph.find_modules_directly_imported_by(module))
    imports.remove_node("quatuor")  # its attributes are imported on first use, by a table of their modules
    assert [sorted(cycle) for cycle in networkx.strongly_connected_components(imports) if len(cycle) > 1] == []


def lazy_imports() -> Iterator[tuple[str, str]]:
    for file, tree in trees():
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
        for node in {inner for function in functions for inner in ast.walk(function)}:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("quatuor"):
                yield file, str(node.module)
            elif isinstance(node, ast.Import):
                yield from ((file, alias.name) for alias in node.names if alias.name.startswith("quatuor"))


def test_imports_inside_functions_are_those_listed_here():
    found: dict[str, set[str]] = {}
    for file, module in lazy_imports():
        if not file.startswith("cli/"):
            found.setdefault(file, set()).add(module)
    assert found == LAZY


@pytest.mark.parametrize("module", ["quatuor", "quatuor.cli"])
def test_a_light_module_imports_nothing_heavy(module):
    code = f"import sys, {module}; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split() == []


@pytest.mark.parametrize(("folder", "others"), [("quatuor", ("bench", "tests", "tools")), ("bench", ("tests",))])
def test_code_does_not_import_its_tests(folder, others):
    pattern = re.compile(rf"^\s*(from|import) ({'|'.join(others)})\b", re.MULTILINE)
    assert [path for path in (ROOT / folder).rglob("*.py") if pattern.search(path.read_text(encoding="utf-8"))] == []


def kernels() -> Iterator[tuple[str, int]]:
    for file, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                decorators = {ast.unparse(decorator) for decorator in node.decorator_list}
                if decorators & KERNEL_DECORATORS:
                    arguments = node.args
                    yield f"{file}: {node.name}", len(arguments.posonlyargs + arguments.args + arguments.kwonlyargs)


def test_no_kernel_has_more_than_seven_parameters():
    found = dict(kernels())
    assert len(found) > 200
    assert {name: count for name, count in found.items() if count > MOST_PARAMETERS} == {}


def public_methods() -> Iterator[tuple[str, int]]:
    for _, tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                methods = [inner for inner in node.body if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef)]
                kinds = [[ast.unparse(decorator) for decorator in method.decorator_list] for method in methods]
                called = [
                    method.name
                    for method, decorators in zip(methods, kinds, strict=True)
                    if not any(kind == "property" or kind.endswith(".setter") for kind in decorators)
                ]
                yield node.name, len({name for name in called if not name.startswith("_")})


def test_no_class_has_more_than_fifteen_public_methods():
    found = list(public_methods())
    assert len(found) > 300
    assert {name: count for name, count in found if count > MOST_METHODS} == {}


def test_make_installs_into_its_own_checkout():
    """The first line of the script pip names the checkout that it was installed in, also in a copy of it."""
    recipes = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "$(BIN)/python -m pip" in recipes
    assert "$(BIN)/pip" not in recipes
