"""What Numba compiles for GPUs, kept on disk beside its machine code for the CPU: a test run whose kernels are those of
the last one compiles none of them.

``python -m tests.kernel.ptx GAME`` compiles all kernels of a game.
"""

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numba_cuda
import pytest

from quatuor.engine.batch_cuda import compiled
from quatuor.engine.gpu import build
from quatuor.games import rulebook
from quatuor.kernel.compiler import cache_folder
from quatuor.kernel.cuda import HOPPER, Architecture, Ptx, compile_ptx

USERS = ("quatuor.kernel.cuda.compile_ptx", "quatuor.engine.gpu.compile_ptx")


def kept_ptx(function: Callable[..., Any], types: tuple[Any, ...], architecture: Architecture = HOPPER) -> Ptx:
    """The same as ``compile_ptx``, but compiles only if the kernels have changed since the last time."""
    folder = cache_folder()  # its name is a digest of all kernels
    if folder is None:
        return compile_ptx(function, types, architecture)
    about = hashlib.sha256(repr((types, architecture, numba_cuda.__version__)).encode()).hexdigest()[:16]
    file = folder / f"{function.__name__}-{about}.ptx"
    if not file.exists():
        with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as half:  # others see a whole file or none
            half.write(compile_ptx(function, types, architecture).text)
        os.replace(half.name, file)
    return Ptx(file.read_text(), function.__name__, architecture)


def keep_ptx(patch: pytest.MonkeyPatch) -> None:
    """From now on, keep what is compiled for GPUs."""
    for user in USERS:
        patch.setattr(user, kept_ptx)


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        keep_ptx(patch)
        patch.setattr("quatuor.kernel.cuda.cache_folder", lambda: None)  # machine code that is kept needs no PTX
        book = rulebook(sys.argv[1])
        compiled(book, HOPPER)
        build(book)
