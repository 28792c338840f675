"""``jit``: compile a kernel function with a disk cache that can be neither stale nor mixed up.

Numba's own cache looks at one file's time stamp: it misses edits in a callee or in a table of another file, it does
not know whether bounds were checked, and it confuses one source compiled against two different games. Here machine
code lies in a folder named after everything it depends on: all kernel sources, the versions, the flags. The files that
a game outside this package depends on are not known, so such a game is compiled afresh by every process.

A *template* is a function that works for any game: it calls the functions of the contract by name, and ``bind`` makes a
copy of it in which these names mean the functions of one game.
"""

import functools
import hashlib
import os
import platform
import shutil
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar

import llvmlite
import numba
import numpy as np
import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parent.parent
FOLDERS: tuple[str, ...] = sys.modules[__package__.partition(".")[0]].KERNEL_FOLDERS  # where this package has kernels
UNUSED_DAYS = 30
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
    folder = cache_root() / _digest()
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
            digest.update(f"{path.relative_to(PACKAGE)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:24]


def _prune() -> None:
    """Delete machine code that has not been used for a month."""
    for folder in cache_root().glob("*"):
        if time.time() - folder.stat().st_mtime > UNUSED_DAYS * 86400:
            shutil.rmtree(folder, ignore_errors=True)


def jit(function: F) -> F:
    """Compile a plain function on its first call; releases the GIL. With NUMBA_DISABLE_JIT=1 it stays plain Python."""
    return _compile(function, _checked(function), allocates=True, inline=_inlined(function))


def rule(function: F) -> F:
    """``jit`` for the rules and observations of a game, which run on GPUs too: they cannot allocate memory.

    Without allocations, references to arrays need no counting: small games are a third faster. Templates are compiled
    the same way.
    """
    return _compile(function, _checked(function), allocates=False, inline=_inlined(function))


def _checked(function: Callable[..., Any]) -> bool:
    """Whether a kernel's machine code can be kept; ImportError if it lies in a folder that the cache does not know."""
    file = function.__code__.co_filename
    if ours(file) and Path(file).resolve().relative_to(PACKAGE).parts[0] not in FOLDERS:
        raise ImportError(f"{function.__qualname__}: kernels live in {', '.join(FOLDERS)}, not in {file}")
    return ours(file)


def ours(file: str | None) -> bool:
    """Whether a file is this package's, so that ``cache_folder`` knows all that its code depends on."""
    return file is not None and Path(file).resolve().is_relative_to(PACKAGE)


def _compile(function: F, cached: bool, allocates: bool, inline: bool) -> F:
    folder = cache_folder() if cached else None
    # all flags are given: Numba compiles a callee without own flags with those of its first caller
    flags = {"nogil": True, "_nrt": allocates, "forceinline": inline}
    if folder is None:
        return numba.njit(**flags)(function)  # type: ignore[no-any-return]
    with _decorating:  # threads may import games at the same time
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)  # read while decorating; a user's own setting is left alone
        try:
            return numba.njit(cache=True, **flags)(function)  # type: ignore[no-any-return]
        finally:
            numba.config.CACHE_DIR = before


def template(function: F) -> F:
    """Mark a function that calls the contract's functions by name; ``bind`` compiles it once for each game."""
    function.__quatuor_template__ = True  # type: ignore[attr-defined]
    return function


def inlined(function: F) -> F:
    """Mark a kernel or a template that is inlined wherever it is called; goes below ``@jit`` or ``@template``.

    For small functions in inner loops: passing an array takes as long as they do.
    """
    function.__quatuor_inlined__ = True  # type: ignore[attr-defined]
    return function


def _inlined(function: Callable[..., Any]) -> bool:
    return hasattr(function, "__quatuor_inlined__")


def rule_hook(function: F) -> F:
    """Mark a function of the contract: templates call it by this name, and the rules of each game define their own."""
    function.__quatuor_rule_hook__ = True  # type: ignore[attr-defined]
    return function


def search_hook(function: F) -> F:
    """Mark a function that a search calls beyond the rules: the advice of each game defines its own."""
    function.__quatuor_search_hook__ = True  # type: ignore[attr-defined]
    return function


@functools.cache
def bind(module: ModuleType, rules: Any, name: str, advice: Any = None) -> SimpleNamespace:
    """The templates of ``module``, compiled against the functions of one game's ``rules`` and ``advice``.

    ``rules`` and ``advice`` are modules. Inside the templates, every rule hook means the game's own function, every
    search hook that of its advice, and templates call each other's bound form, also across modules. The game's name
    becomes part of the qualified name, so the cache keeps games apart.
    """
    return SimpleNamespace(**_bind(module, rules, name, advice, {}))


def _bind(module: ModuleType, rules: Any, name: str, advice: Any, done: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The bound templates of one module by name; ``done`` has those of the modules that were bound on the way.

    ``scope`` is the module's namespace with the game's functions in the place of the contract's: the globals of the
    copies.
    """
    if module.__name__ in done:
        return done[module.__name__]
    bound = done[module.__name__] = {}
    scope = dict(vars(module))
    cached = all(ours(source.__file__) for source in (module, rules, advice) if source)
    for key, value in vars(module).items():
        if getattr(value, "__quatuor_rule_hook__", False):
            scope[key] = getattr(rules, key)
        elif getattr(value, "__quatuor_search_hook__", False):
            scope[key] = getattr(advice, key)
    for key, value in vars(module).items():
        if not getattr(value, "__quatuor_template__", False):
            continue
        if value.__module__ != module.__name__:  # imported: it sees the names of its own module
            scope[key] = _bind(sys.modules[value.__module__], rules, name, advice, done)[value.__name__]
            continue
        copy = FunctionType(value.__code__, scope, f"{key}_{name}", value.__defaults__)
        copy.__module__ = module.__name__
        copy.__qualname__ = f"{key}_{name}"
        bound[key] = scope[key] = _compile(copy, cached, allocates=False, inline=_inlined(value))
    return bound
