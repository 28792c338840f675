"""Build the libraries that are missing or out of date, two at a time: ``python -m tools.kernels [TARGET…|all]``.

Without a target: for this machine, and for WebAssembly. What was built from the same sources is left as it is.
"""

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from quatuor.games import NAMES
from quatuor.kernel.library import CORE, LIBRARIES, digest, target
from tools.kernels.sources import compiler
from tools.kernels.targets import TARGETS, WASM

LARGEST_FIRST = ("blokus", "plateau_x")


def missing(name: str, targets: list[str]) -> list[str]:
    """The targets for which a library has to be built; all of them that exist if the sources have changed."""
    try:
        about = json.loads((LIBRARIES / f"{name}.json").read_text())
    except (OSError, ValueError):
        return targets
    if about["built_with"] != compiler():
        return targets
    found = digest(about["files"])
    if found != about["digest"]:
        return targets
    return [target for target in targets if not list((LIBRARIES / target).glob(f"{name}-{found}.*"))]


def build(name: str, targets: list[str]) -> int:
    """Build one library; the exit status."""
    return subprocess.run([sys.executable, "-m", "tools.kernels.one", name, *targets], check=False).returncode


def main(wanted: list[str]) -> int:
    here = target()
    targets = list(TARGETS) if wanted == ["all"] else wanted or [*([here] if here else []), WASM]
    if unknown := set(targets) - set(TARGETS):
        print(f"unknown: {', '.join(unknown)}; choose {', '.join(TARGETS)}, or all")
        return 2
    began = time.monotonic()
    names = sorted((CORE, *NAMES), key=lambda name: (name not in LARGEST_FIRST, name))
    todo = {name: parts for name in names if (parts := missing(name, targets))}
    with ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:
        failed = any(list(pool.map(build, todo, todo.values())))
    if todo:
        print(f"Built {', '.join(todo)} in {time.monotonic() - began:.0f} s.")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
