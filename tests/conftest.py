"""Mark as slow what `make check` leaves out: tests that start servers, browsers or processes, and long searches."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent
SLOW = (
    "browser", "engine", "games/blokus/puzzles", "interop", "jobs", "kernel/test_cuda.py", "kernel/test_jit.py",
    "match/test_arena.py", "server", "test_cli.py", "test_fifth_game.py", "test_fuzz.py", "test_own_game.py",
    "test_perft.py", "test_readme.py",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if any(item.path.is_relative_to(HERE / part) for part in SLOW):
            item.add_marker(pytest.mark.slow)
