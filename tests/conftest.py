"""Mark as slow what `make check` leaves out: tests that start servers, browsers or processes, and long searches.

Long tests come first.
"""

import gc
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SLOW = (
    "browser", "engine", "games/blokus/puzzles", "interop", "jobs", "kernel/test_cuda.py", "kernel/test_jit.py",
    "match/test_arena.py", "server", "test_cli.py", "test_cli_json.py", "test_fifth_game.py", "test_forks.py",
    "test_fuzz.py", "test_own_game.py", "test_perft.py", "test_readme.py", "test_wheel.py",
)  # fmt: skip
FIRST = (  # long ones: at the end, one worker would run them alone
    "kernel/test_jit.py", "server/test_migrations.py", "server/test_proofs.py", "server/test_supervisor.py",
    "test_fifth_game.py", "test_wheel.py",
)  # fmt: skip


@cache  # called for each of thousands of tests, from some 160 modules
def is_one_of(parts: tuple[str, ...], path: Path) -> bool:
    return any(path.is_relative_to(HERE / part) for part in parts)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import slow tests that are not selected: their imports take longer than the fast tests of a module."""
    return True if config.option.markexpr == "not slow" and is_one_of(SLOW, collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if is_one_of(SLOW, item.path):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: not is_one_of(FIRST, item.path))


def pytest_collection_finish() -> None:
    """Tests and imported modules stay until the end: the garbage collector does not have to visit them."""
    gc.collect()
    gc.freeze()
