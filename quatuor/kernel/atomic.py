"""Atomic operations on the words of an array, for threads of compiled code on the CPU.

They exist in compiled code only: called from Python, they raise. Numba is imported when it first compiles one.
"""

import functools
import platform
from collections.abc import Callable
from typing import Any

PAUSE = {"x86_64": "llvm.x86.sse2.pause", "AMD64": "llvm.x86.sse2.pause"}.get(platform.machine())
ORDER, BYTES = "seq_cst", 8


class Intrinsic:
    """A function that Numba replaces by instructions: ``typing`` returns its types and what writes them."""

    def __init__(self, typing: Callable[..., Any]) -> None:
        functools.update_wrapper(self, typing)
        self._typing = typing

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self._typing.__name__} exists in compiled code only")

    @functools.cached_property
    def _numba_type_(self) -> Any:
        from numba.core.registry import cpu_target
        from numba.extending import intrinsic

        made = intrinsic(self._typing)
        cpu_target.typing_context.refresh()  # a compilation under way has not seen this function yet
        return cpu_target.typing_context.resolve_value_type(made)


def _place(context: Any, builder: Any, words: Any, array: Any, index: Any) -> Any:
    from numba.core import cgutils

    found = context.make_array(words)(context, builder, array)
    return cgutils.get_item_pointer(context, builder, words, found, [index])


@Intrinsic
def add(_: Any, words: Any, index: Any, value: Any) -> Any:
    """Add to a word; return its former value."""
    from numba.core import types

    def emit(context: Any, builder: Any, _: Any, given: Any) -> Any:
        return builder.atomic_rmw("add", _place(context, builder, words, *given[:2]), given[2], ORDER)

    return types.int64(words, types.intp, types.int64), emit


@Intrinsic
def load(_: Any, words: Any, index: Any) -> Any:
    """Read a word."""
    from numba.core import types

    def emit(context: Any, builder: Any, _: Any, given: Any) -> Any:
        return builder.load_atomic(_place(context, builder, words, *given), ORDER, BYTES)

    return types.int64(words, types.intp), emit


@Intrinsic
def store(_: Any, words: Any, index: Any, value: Any) -> Any:
    """Write a word; a thread that reads it also sees all that was written before."""
    from numba.core import types

    def emit(context: Any, builder: Any, _: Any, given: Any) -> Any:
        builder.store_atomic(given[2], _place(context, builder, words, *given[:2]), ORDER, BYTES)
        return context.get_dummy_value()

    return types.void(words, types.intp, types.int64), emit


@Intrinsic
def rest(_: Any) -> Any:
    """Wait for a few cycles, where the processor has an instruction for it."""
    from llvmlite import ir
    from numba.core import cgutils, types

    def emit(context: Any, builder: Any, *_: Any) -> Any:
        if PAUSE:
            builder.call(cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), []), PAUSE), [])
        return context.get_dummy_value()

    return types.void(), emit
