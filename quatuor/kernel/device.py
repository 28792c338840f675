"""An NVIDIA GPU at run time: PyTorch or CuPy owns the memory, the driver launches what ``cuda.py`` compiled.

Kernels work in place on any array with a ``__cuda_array_interface__``. They are launched on the stream that the library
is using, so they run in order with its own operations and need no further synchronisation. Numba is not needed here.
"""

import ctypes
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

BLOCK = 128  # threads
LIBRARIES = ("torch", "cupy")
_BUFFER, _SIZE = 1, 2  # keys of cuLaunchKernel's extra parameters: where the arguments are, how many bytes


class Torch:
    """Arrays of PyTorch, on the GPU that is its current one."""

    def __init__(self, torch: Any) -> None:
        if not torch.cuda.is_available():
            raise RuntimeError("device='cuda': PyTorch finds no NVIDIA GPU (torch.cuda.is_available() says False)")
        self._torch, self._device = torch, torch.device("cuda", torch.cuda.current_device())
        self.capability: tuple[int, int] = torch.cuda.get_device_capability(self._device)

    def zeros(self, shape: tuple[int, ...], dtype: type[np.generic], by_column: bool) -> Any:
        """A new array that lies in memory row by row, or column by column."""
        kind, lies = getattr(self._torch, np.dtype(dtype).name), shape[::-1] if by_column else shape
        array = self._torch.zeros(lies, dtype=kind, device=self._device)
        return array.permute(*reversed(range(len(shape)))) if by_column else array

    def put(self, array: Any) -> Any:
        """Copy a NumPy array to the GPU."""
        return self._torch.from_numpy(array).to(self._device)

    def wrap(self, array: Any) -> Any:
        """An array on the GPU as one of this library, without a copy."""
        return self._torch.as_tensor(array, device=self._device)

    def stream(self) -> int:
        """The CUDA stream that the library is using."""
        return int(self._torch.cuda.current_stream(self._device).cuda_stream)


class CuPy:
    """Arrays of CuPy, on the GPU that is its current one."""

    def __init__(self, cupy: Any) -> None:
        if not cupy.is_available():
            raise RuntimeError("device='cuda': CuPy finds no NVIDIA GPU (cupy.is_available() says False)")
        self._cupy, self._device = cupy, cupy.cuda.Device()
        major, minor = divmod(int(self._device.compute_capability), 10)
        self.capability = major, minor

    def zeros(self, shape: tuple[int, ...], dtype: type[np.generic], by_column: bool) -> Any:
        with self._device:
            return self._cupy.zeros(shape, dtype, order="F" if by_column else "C")

    def put(self, array: Any) -> Any:
        with self._device:
            return self._cupy.asarray(array)

    def wrap(self, array: Any) -> Any:
        with self._device:
            return self._cupy.asarray(array)

    def stream(self) -> int:
        with self._device:
            return int(self._cupy.cuda.get_current_stream().ptr)


def library() -> Torch | CuPy:
    """The one that this program has imported already, else one that is installed; PyTorch before CuPy."""
    found = [name for name in LIBRARIES if name in sys.modules] or [name for name in LIBRARIES if find_spec(name)]
    if not found:
        raise ImportError("device='cuda' needs PyTorch or CuPy for its arrays: install torch or cupy-cuda12x")
    module = import_module(found[0])
    return Torch(module) if found[0] == "torch" else CuPy(module)


def array_words(array: Any) -> list[int]:
    """An array as Numba's kernels take it: no owner, no parent, size, size of an item, data, shape, strides."""
    described = array.__cuda_array_interface__
    shape, item = described["shape"], np.dtype(described["typestr"]).itemsize
    strides = described.get("strides")
    if strides is None:
        strides = [item * int(np.prod(shape[axis + 1 :])) for axis in range(len(shape))]
    return [0, 0, int(np.prod(shape)), item, described["data"][0], *shape, *strides]


class Driver:
    """The few functions of the CUDA driver that are needed. Create it after the library has used the GPU."""

    def __init__(self) -> None:
        self._cuda = ctypes.CDLL("nvcuda.dll" if os.name == "nt" else "libcuda.so.1")
        self._context = ctypes.c_void_p()
        self._call("cuCtxGetCurrent", ctypes.byref(self._context))

    def load(self, code: bytes, entry: str) -> ctypes.c_void_p:
        """Load a kernel from machine code."""
        module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
        self._call("cuModuleLoadData", ctypes.byref(module), code)
        self._call("cuModuleGetFunction", ctypes.byref(kernel), module, entry.encode())
        return kernel

    def launch(self, kernel: ctypes.c_void_p, threads: int, arguments: Sequence[int], stream: int) -> None:
        """Queue a kernel on a stream, with at least ``threads`` threads; all arguments are words of 8 bytes."""
        held = (ctypes.c_int64 * len(arguments))(*arguments)
        size = ctypes.c_size_t(ctypes.sizeof(held))
        extra = (ctypes.c_void_p * 5)(_BUFFER, ctypes.addressof(held), _SIZE, ctypes.addressof(size), None)
        grid = -(-threads // BLOCK), 1, 1, BLOCK, 1, 1, 0  # no shared memory
        self._call("cuCtxPushCurrent_v2", self._context)  # the calling thread may be new to the GPU
        try:
            self._call("cuLaunchKernel", kernel, *grid, ctypes.c_void_p(stream), None, extra)
        finally:
            self._call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))

    def _call(self, name: str, *arguments: Any) -> None:
        error = getattr(self._cuda, name)(*arguments)
        if error:
            text = ctypes.c_char_p()
            self._cuda.cuGetErrorString(error, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'unknown error').decode()} ({error})")
