"""No search leaves its arrays, checked index by index in processes of their own. A long run: bench.engine_memory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = "import sys; from bench.engine_memory import strained; print(strained(*sys.argv[1:3], count=12))"


@pytest.mark.parametrize(("name", "variant"), [("plus4", "elementary"), ("trois_six", "classic")])
def test_no_search_leaves_its_arrays(name, variant):
    command = [sys.executable, "-c", CODE, name, variant]
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(
        command, env=os.environ | {"NUMBA_BOUNDSCHECK": "1"}, cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
