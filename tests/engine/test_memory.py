"""No search leaves its arrays: interpreted, NumPy checks every index. Longer, and compiled: bench.engine_memory.

Nor is any index negative.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
import tests.strict_arrays
from bench.engine_memory import strained
print(strained(*sys.argv[1:3], *map(int, sys.argv[3:])))
"""
CASES = [  # positions, and units of work at most in each of a few steps
    ("plus4", "elementary", 12, 500),
    ("trois_six", "classic", 3, 200),
    ("blokus", "duo", 4, 50),
    ("plateau_x", "mini", 6, 100),
]


@pytest.mark.parametrize(("name", "variant", "positions", "units"), CASES)
def test_no_search_leaves_its_arrays(name, variant, positions, units):
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", CODE, name, variant, str(positions), str(units)]
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(
        command, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, cwd=root, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


@pytest.mark.parametrize("kernels", ["aot", "interpreted"])
def test_the_long_check_refuses_kernels_that_check_no_index(kernels):
    """Libraries compiled ahead of time would find nothing, whatever ``NUMBA_BOUNDSCHECK`` says."""
    command = [sys.executable, "-m", "bench.engine_memory", "--minutes", "0.01", "--game", "plus4:elementary"]
    environment = os.environ | {"QUATUOR_KERNELS": kernels, "NUMBA_BOUNDSCHECK": "1"}
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(command, env=environment, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "QUATUOR_KERNELS=jit" in done.stderr
