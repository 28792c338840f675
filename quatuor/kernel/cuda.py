"""Compile kernels for NVIDIA GPUs, also on a machine that has none. Needs the extra ``cuda``.

The functions are the same that run on the CPU. What comes out is a file that any CUDA loader takes, such as CuPy's
RawModule or the driver itself; the machine with the GPU needs neither Numba nor this package.
"""

import contextlib
import os
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numba.cuda
import numba.cuda.dispatcher
import numba_cuda
from cuda.pathfinder import find_nvidia_binary_utility

from quatuor.kernel.compiler import cache_folder
from quatuor.kernel.jit import Kernel

Architecture = tuple[int, int]  # compute capability: (9, 0) is an H100 or H200
HOPPER: Architecture = (9, 0)


@dataclass(frozen=True)
class Ptx:
    """Assembly for GPUs of one architecture or later, and the name by which its kernel is launched."""

    text: str
    entry: str
    architecture: Architecture

    def cubin(self) -> bytes:
        """Machine code for this architecture alone: loads at once, whatever the age of the driver."""
        assembler = find_nvidia_binary_utility("ptxas")
        if assembler is None:
            raise RuntimeError("ptxas is missing: pip install 'numba-cuda[cu12]' brings it")
        with tempfile.TemporaryDirectory() as folder:
            source, target = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
            source.write_text(self.text)
            chip = "sm_{}{}".format(*self.architecture)
            subprocess.run([assembler, f"-arch={chip}", "-O3", source, "-o", target], check=True)
            return target.read_bytes()


def compile_ptx(function: Callable[..., Any], types: tuple[Any, ...], architecture: Architecture = HOPPER) -> Ptx:
    """Compile a kernel, a function without a result that works on row ``cuda.grid(1)`` of its arrays.

    Its name there is the function's own.
    """
    with _pretend(architecture):
        text, _ = numba.cuda.compile_ptx(function, types, cc=architecture)
    entry = re.search(r"\.visible \.entry (\w+)\(", text)
    assert entry is not None  # a kernel without an entry point would be a bug of the compiler
    text = text.replace(entry[1], function.__name__)
    return Ptx(_tables_in_global_memory(text), function.__name__, architecture)


def machine_code(function: Callable[..., Any], types: tuple[Any, ...], architecture: Architecture, keep: bool) -> bytes:
    """The same as machine code; with ``keep``, it is kept on disk beside the CPU's for the next process."""
    folder = cache_folder() if keep else None
    if folder is None:
        return compile_ptx(function, types, architecture).cubin()
    chip = "sm_{}{}".format(*architecture)
    file = folder / f"{function.__name__}-{chip}-{numba_cuda.__version__}.cubin"
    if not file.exists():
        code = compile_ptx(function, types, architecture).cubin()
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as half:  # others see a whole file or none
            half.write(code)
        os.replace(half.name, file)
    return file.read_bytes()


def _tables_in_global_memory(ptx: str) -> str:
    """Numba puts a copy of a table into constant memory wherever it is used: keep one, and in global memory.

    Constant memory holds 64 KiB in all, and threads of a warp that read different words of it wait for each other.
    """
    first: dict[str, str] = {}  # what a table holds -> the name of the table to keep
    same: dict[str, str] = {}  # a table's name -> the name of the table to use instead

    def declaration(match: re.Match[str]) -> str:
        same[match["name"]] = first.setdefault(match["holds"], match["name"])
        return match[0] if same[match["name"]] == match["name"] else ""

    ptx = re.sub(r"^\.const .* (?P<name>[\w$]+)(?P<holds>\[\d+\] = \{.*\});\n", declaration, ptx, flags=re.MULTILINE)
    ptx = re.sub(r"[\w$]+", lambda name: same.get(name[0], name[0]), ptx)
    return re.sub(r"(?<![\w$])(ld)?\.const(?=[ .])", r"\1.global", ptx)


@contextlib.contextmanager
def _pretend(architecture: Architecture) -> Iterator[None]:
    """Numba asks the driver for the GPU's architecture for every nested function, even if it is given: answer that.

    And what may be in a library on the CPU (``Kernel``) is compiled here, and no multiplication is fused with an
    addition: rounded once instead of twice, results would differ from those of the CPU.
    """
    from numba.cuda.target import CUDATypingContext as typing  # here: the simulator has none

    dispatcher: Any = numba.cuda.dispatcher
    nvvm: Any = import_module("numba.cuda.cudadrv.nvvm")
    compile_ir = nvvm.compile_ir
    device, resolve = dispatcher.get_current_device, typing.resolve_value_type
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=architecture)
    typing.resolve_value_type = lambda self, value: resolve(
        self, value.dispatcher if isinstance(value, Kernel) else value
    )
    nvvm.compile_ir = lambda text, **options: compile_ir(text, **options | {"fma": 0})
    try:
        yield
    finally:
        nvvm.compile_ir = compile_ir
        dispatcher.get_current_device, typing.resolve_value_type = device, resolve
