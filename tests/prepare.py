"""Build, before the tests run, what they compile and build from the sources alone: ``python -m tests.prepare``.

Two parts at a time. A part does nothing if its sources have not changed since the last time; and a test whose part is
missing makes it itself.
"""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from quatuor.games import NAMES
from quatuor.kernel.library import CORE

COMPILED = [["tests.kernel.recorded", "compile", name] for name in (*sorted(NAMES), CORE)]
COMPILED.append(["tests.match.left_to_compile"])
OTHERS = [
    ["tests.fifth_game"],
    *(["tests.kernel.ptx", name] for name in NAMES),
    ["tests.browser.chrome"],
    ["pytest", "--collect-only", "-p", "no:cacheprovider"],  # Python compiles all that the tests import
]


def make(part: list[str]) -> int:
    """Run a module; the exit status. What it prints is shown if it fails."""
    settings = os.environ | ({"QUATUOR_KERNELS": "jit"} if part in COMPILED else {})
    command = [sys.executable, "-m", *part]
    done = subprocess.run(command, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        sys.stderr.buffer.write(b"==> " + " ".join(part).encode() + b" failed:\n" + done.stdout)
    return done.returncode


if __name__ == "__main__":
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        sys.exit(max(pool.map(make, COMPILED + OTHERS)))
