"""The page's types are those of the server."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "tools"))

import page_types  # noqa: E402 (tools is not a package)


def test_the_types_of_the_page_are_generated_from_the_servers_structs():
    assert page_types.FILE.read_text() == page_types.typescript(), "run make types"
