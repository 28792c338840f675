"""Atomic operations on the words of an array, for threads of compiled code on the CPU."""

import platform
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

PAUSE = {"x86_64": "llvm.x86.sse2.pause", "AMD64": "llvm.x86.sse2.pause"}.get(platform.machine())
ORDER, BYTES = "seq_cst", 8


def _place(context: Any, builder: Any, words: Any, array: Any, index: Any) -> Any:
    return cgutils.get_item_pointer(
        context, builder, words, context.make_array(words)(context, builder, array), [index]
    )


@intrinsic  # type: ignore[untyped-decorator]
def add(_: Any, words: Any, index: Any, value: Any) -> Any:
    """Add to a word; return its former value."""

    def emit(context: Any, builder: Any, _: Any, given: Any) -> Any:
        return builder.atomic_rmw("add", _place(context, builder, words, *given[:2]), given[2], ORDER)

    return types.int64(words, types.intp, types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def load(_: Any, words: Any, index: Any) -> Any:
    """Read a word."""

    def emit(context: Any, builder: Any, _: Any, given: Any) -> Any:
        return builder.load_atomic(_place(context, builder, words, *given), ORDER, BYTES)

    return types.int64(words, types.intp), emit


@intrinsic  # type: ignore[untyped-decorator]
def store(_: Any, words: Any, index: Any, value: Any) -> Any:
    """Write a word; a thread that reads it also sees all that was written before."""

    def emit(context: Any, builder: Any, _: Any, given: Any) -> Any:
        builder.store_atomic(given[2], _place(context, builder, words, *given[:2]), ORDER, BYTES)
        return context.get_dummy_value()

    return types.void(words, types.intp, types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def rest(_: Any) -> Any:
    """Wait for a few cycles, where the processor has an instruction for it."""

    def emit(context: Any, builder: Any, *_: Any) -> Any:
        if PAUSE:
            builder.call(cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), []), PAUSE), [])
        return context.get_dummy_value()

    return types.void(), emit
