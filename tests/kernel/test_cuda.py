"""Every game compiles for a GPU, on a machine without one, and its kernel plays the same games as the CPU."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from numba import cuda, int64
from numba.types import Array

from quatuor.engine.gpu import build
from quatuor.engine.playout import random_games
from quatuor.games import names, rulebook
from quatuor.kernel.cuda import _tables_in_global_memory, compile_ptx
from tests.kernel import simulate
from tests.kernel.ptx import keep_ptx

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("name", names())
def test_every_game_becomes_machine_code_for_the_gpu(name, monkeypatch):
    keep_ptx(monkeypatch)
    ptx = build(rulebook(name))
    assert ".target sm_90" in ptx.text
    assert f".visible .entry {ptx.entry}(" in ptx.text
    assert ".const" not in ptx.text
    assert ".extern" not in ptx.text  # no external functions that a loader would have to find
    machine_code = ptx.cubin()
    assert machine_code.startswith(b"\x7fELF")
    assert ptx.entry.encode() in machine_code


@pytest.mark.parametrize("name", names())
def test_the_kernel_plays_the_games_of_the_cpu(name):
    variant = rulebook(name).variants[0].name
    simulator = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    process = subprocess.run(
        [sys.executable, "-m", "tests.kernel.simulate", name, variant],
        cwd=ROOT,
        env=simulator,
        capture_output=True,
        text=True,
        check=True,
    )
    games = random_games(name, variant, seed=simulate.SEED, count=simulate.COUNT, cap=simulate.CAP)
    assert json.loads(process.stdout) == {what: values.tolist() for what, values in vars(games).items()}


def test_another_architecture():
    def double(words):
        i = cuda.grid(1)
        words[i] *= 2

    ptx = compile_ptx(double, (Array(int64, 1, "C"),), (7, 5))
    assert ".target sm_75" in ptx.text
    assert ptx.cubin().startswith(b"\x7fELF")


def test_equal_tables_are_kept_once_and_in_global_memory():
    ptx = """
.const .align 8 .b8 table[2] = {1, 2};
.const .align 8 .b8 table_$_1[2] = {1, 2};
.const .align 8 .b8 table_$_1$7[2] = {3, 4};
.visible .entry f(
	mov.u64 %rd1, table_$_1;
	mov.u64 %rd2, table_$_1$7;
	ld.const.u64 %rd3, [table];
"""
    assert (
        _tables_in_global_memory(ptx)
        == """
.global .align 8 .b8 table[2] = {1, 2};
.global .align 8 .b8 table_$_1$7[2] = {3, 4};
.visible .entry f(
	mov.u64 %rd1, table;
	mov.u64 %rd2, table_$_1$7;
	ld.global.u64 %rd3, [table];
"""
    )


def test_rules_that_allocate_are_refused_on_the_cpu_too(tmp_path):
    source = "import numpy as np\nfrom quatuor.kernel import {0}\n@{0}\ndef f(n):\n    return len(np.empty(n))\n"
    for file, decorator in (("game", "rule"), ("solver", "jit")):
        (tmp_path / f"{file}.py").write_text(source.format(decorator))
    run = [sys.executable, "-c", "import sys; print(__import__(sys.argv[1]).f(3))"]
    kwargs = {"cwd": tmp_path, "env": {**os.environ, "PYTHONPATH": str(ROOT)}, "capture_output": True, "text": True}
    assert subprocess.run([*run, "solver"], check=True, **kwargs).stdout == "3\n"
    refused = subprocess.run([*run, "game"], check=False, **kwargs)
    assert refused.returncode != 0
    assert "built-in function empty" in refused.stderr


def test_no_multiplication_is_fused_with_an_addition() -> None:
    """With fused operations, exp and log would give other bits on a GPU."""
    from numba import cuda, float64
    from numba.types import Array

    from quatuor.kernel import exp, log
    from quatuor.kernel.cuda import compile_ptx

    def both(numbers, powers, logarithms):
        i = cuda.grid(1)
        powers[i] = exp(numbers[i])
        logarithms[i] = log(numbers[i])

    text = compile_ptx(both, (Array(float64, 1, "C"),) * 3).text
    assert "mul.rn.f64" in text
    assert "fma" not in text
