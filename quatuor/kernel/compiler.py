"""Compile kernels with Numba, and keep the machine code in a disk cache that can be neither stale nor mixed up.

Numba's own cache looks at one file's time stamp: it misses edits in a callee or in a table of another file, it does
not know whether bounds were checked, and it confuses one source compiled against two different games. Here machine
code lies in a folder named after everything it depends on: all kernel sources, the versions, the flags. The files that
a game outside this package depends on are not known, so its folders are named after the digest of its code as well
(code_digest.py).

The package imports Numba through this module alone (the extra ``jit`` installs it), apart from what runs on GPUs and
the build of the libraries.
"""

import contextlib
import functools
import hashlib
import os
import platform
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba import from_dtype, types
from numba.core import caching

from quatuor.kernel.code_digest import code_digest
from quatuor.kernel.signature import Array, Signature, Type

PACKAGE = Path(__file__).resolve().parent.parent
FOLDERS: tuple[str, ...] = sys.modules[__package__.partition(".")[0]].KERNEL_FOLDERS  # where this package has kernels
UNUSED_DAYS = 30  # machine code of other releases that was not used for as long is deleted; chosen
_decorating = threading.RLock()


def _keep_locks_over_forks() -> None:
    """A fork waits until no thread compiles: the child would have the thread's lock, but not the thread."""
    compiler = sys.modules.get("numba.core.compiler_lock")  # missing where a stub stands in for Numba
    if compiler is None or not hasattr(os, "register_at_fork"):
        return
    for lock in (_decorating, compiler.global_compiler_lock):
        os.register_at_fork(before=lock.acquire, after_in_parent=lock.release, after_in_child=lock.release)


_keep_locks_over_forks()


def cache_root() -> Path:
    """Where machine code is kept: ``$QUATUOR_CACHE`` or the user's cache folder."""
    return Path(os.environ.get("QUATUOR_CACHE") or platformdirs.user_cache_dir("quatuor")) / "kernels"


@functools.cache
def cache_folder() -> Path | None:
    """The folder for machine code of the sources as they are now; None where nothing can be written."""
    return _folder(_digest())


def _folder(name: str) -> Path | None:
    folder = cache_root() / name
    try:
        if not folder.exists():  # the sources are new, so old folders may be unused by now
            _prune()
            folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)  # in use: _prune leaves it alone
    except OSError:
        return None
    return folder


def _digest() -> str:
    """A name for all that machine code depends on. Data files count too: kernels may use tables read from them."""
    config = numba.config
    versions = (platform.python_version(), numba.__version__, llvmlite.__version__, np.__version__)
    flags = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT)
    digest = hashlib.sha256(repr((versions, flags)).encode())
    for folder in FOLDERS:
        for path in sorted(p for p in (PACKAGE / folder).rglob("*") if p.is_file() and "__pycache__" not in p.parts):
            if path.parent.name != "libraries" and path.parent.parent.name != "libraries":
                digest.update(f"{path.relative_to(PACKAGE)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:24]


def _prune() -> None:
    """Delete machine code that has not been used for a month."""
    for folder in cache_root().glob("*"):
        if time.time() - folder.stat().st_mtime > UNUSED_DAYS * 86400:
            shutil.rmtree(folder, ignore_errors=True)


def compile_kernel(function: Callable[..., Any], inside: bool, allocates: bool, inline: bool) -> Any:
    """Numba's dispatcher for a function. ``inside``: the sources of this package are all that it depends on."""
    # all flags are given: Numba compiles a callee that has none with those of its first caller
    flags = {"nogil": True, "_nrt": allocates, "forceinline": inline}
    folder = cache_folder() if inside else None
    if folder is None:
        dispatcher = numba.njit(**flags)(function)
        if not inside:
            dispatcher._cache = OutsideCache(function)
        return dispatcher
    with _caching_in(folder):
        return numba.njit(cache=True, **flags)(function)


@contextlib.contextmanager
def _caching_in(folder: Path) -> Iterator[None]:
    """Numba reads the setting while it decorates; a user's own setting is left alone."""
    with _decorating:  # threads may import games at the same time
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            numba.config.CACHE_DIR = before


class OutsideCache:
    """The disk cache of a kernel outside this package, or of a template compiled against such a game.

    Its folder is chosen when the kernel is compiled first: only then do all names that it uses have their values.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @functools.cached_property
    def _cache(self) -> Any:
        digest = code_digest(self._function) if Path(self._function.__code__.co_filename).is_file() else None
        ours = cache_folder()
        folder = _folder(f"{ours.name}-{digest}") if ours and digest else None
        if folder is None:
            return caching.NullCache()
        with _caching_in(folder):
            return caching.FunctionCache(self._function)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)  # what a dispatcher asks: load_overload, save_overload, cache_path, …


def numba_type(kind: Type) -> Any:
    """A type of ``signature.py`` as Numba names it."""
    if isinstance(kind, Array):
        return types.Array(from_dtype(np.dtype(kind.item)), kind.dimensions, kind.order)
    if isinstance(kind, tuple):
        named = type(kind) if hasattr(kind, "_fields") else None
        return types.BaseTuple.from_types([numba_type(member) for member in kind], named)
    return getattr(types, {"bool": "boolean", None: "none"}.get(kind) or str(kind))


def machine_code(dispatcher: Any, signature: Signature) -> Callable[..., Any]:
    """The compiled function itself: a call through Numba looks up the types of all arrays every time."""
    wanted = numba_type(signature.result)(*map(numba_type, signature.arguments))
    found: Callable[..., Any] = dispatcher.get_compile_result(wanted).entry_point
    return found
