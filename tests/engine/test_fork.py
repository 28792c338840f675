"""A process that has used threads can be forked, and the child can play."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
LIMIT = 300  # seconds: compiling takes most of them

FORK = """
import os, signal, sys, time
import quatuor
batch = quatuor.batch("plus4", n=4096, threads=2)
batch.step(batch.sample())
time.sleep(0.002)  # the other thread gets its turn
child = os.fork()
if child == 0:
    signal.alarm(120)  # ends a child that waits for a lock for ever; its status says so
    {inside}
    os._exit(0)
batch.step(batch.sample())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0)
"""
CHILDREN = {
    "a game": 'assert len(quatuor.new("plus4").legal()) == 4',
    "a batch of its own": 'own = quatuor.batch("plus4", n=64, threads=2); own.step(own.sample())',
    "the same batch": "batch.step(batch.sample()); batch.reset(); batch.step(batch.sample())",
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.parametrize("inside", CHILDREN.values(), ids=CHILDREN.keys())
def test_a_fork_after_a_batch_with_threads_goes_on(inside: str) -> None:
    """Twice: the second time all machine code is read from disk, so the threads are still loading it at the fork."""
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", FORK.format(inside=inside)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        assert done.returncode == 0, done.stderr
