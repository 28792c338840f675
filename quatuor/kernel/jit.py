"""``jit``: compile a kernel function with a disk cache that can be neither stale nor mixed up.

Numba's own cache looks at one file's time stamp: it misses edits in a callee or in a table of another file, it does
not know whether bounds were checked, and it confuses one source compiled against two different games. Here machine
code lies in a folder named after everything it depends on: all kernel sources, the versions, the flags. Nobody knows
all files that a game outside this package depends on, so such a game is compiled afresh by every process.
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
LAYERS = ("kernel", "games", "engine")  # only these may hold kernels
LEAN = ("rules.py", "planes.py")  # files of functions that run on GPUs too
UNUSED_DAYS = 30
_decorating = threading.Lock()


def cache_root() -> Path:
    """Where machine code is kept: ``$QUATUOR_CACHE`` or the user's cache folder."""
    return Path(os.environ.get("QUATUOR_CACHE") or platformdirs.user_cache_dir("quatuor")) / "kernels"


@functools.cache
def cache_folder() -> Path | None:
    """The folder for machine code of the sources as they are now; None where nothing can be written."""
    folder = cache_root() / _digest()
    try:
        if not folder.exists():  # new sources: a good moment to forget old ones
            _prune()
            folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)  # in use: not to be forgotten
    except OSError:
        return None
    return folder


def _digest() -> str:
    """A name for all that machine code depends on. Data files count too: tables may be read from them."""
    config = numba.config
    versions = (platform.python_version(), numba.__version__, llvmlite.__version__, np.__version__)
    flags = (config.BOUNDSCHECK, config.OPT, config.DEBUGINFO_DEFAULT)
    digest = hashlib.sha256(repr((versions, flags)).encode())
    for layer in LAYERS:
        for path in sorted(p for p in (PACKAGE / layer).rglob("*") if p.is_file() and "__pycache__" not in p.parts):
            digest.update(f"{path.relative_to(PACKAGE)}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:24]


def _prune() -> None:
    """Forget machine code that nobody has run for a month."""
    for folder in cache_root().glob("*"):
        if time.time() - folder.stat().st_mtime > UNUSED_DAYS * 86400:
            shutil.rmtree(folder, ignore_errors=True)


def jit(function: F) -> F:
    """Compile a plain function on its first call; releases the GIL. With NUMBA_DISABLE_JIT=1 it stays plain Python.

    Functions of a ``rules.py`` or ``planes.py``, and templates, run on GPUs too, so they may not allocate memory.
    """
    file = function.__code__.co_filename
    if ours(file) and Path(file).resolve().relative_to(PACKAGE).parts[0] not in LAYERS:
        raise ImportError(f"{function.__qualname__}: kernels live in {', '.join(LAYERS)}, not in {file}")
    return _compile(function, ours(file), Path(file).name not in LEAN, hasattr(function, "__quatuor_inlined__"))


def ours(file: str | None) -> bool:
    """Whether a file is this package's, so that ``cache_folder`` knows all that its code depends on."""
    return file is not None and Path(file).resolve().is_relative_to(PACKAGE)


def _compile(function: F, cached: bool, counted: bool, inside: bool) -> F:
    """``counted``: count references to arrays, as who allocates must; that costs small games a third of their speed."""
    folder = cache_folder() if cached else None
    how = {"nogil": True, "_nrt": counted, "forceinline": inside}  # said, or callees would do as their first caller
    if folder is None:
        return numba.njit(**how)(function)  # type: ignore[no-any-return]
    with _decorating:  # threads may import games at the same time
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(folder)  # read while decorating; a user's own setting is left alone
        try:
            return numba.njit(cache=True, **how)(function)  # type: ignore[no-any-return]
        finally:
            numba.config.CACHE_DIR = before


def template(function: F) -> F:
    """Mark a function that calls the contract's functions by name and is compiled once for each game by ``bind``."""
    function.__quatuor_template__ = True  # type: ignore[attr-defined]
    return function


def inlined(function: F) -> F:
    """Mark a kernel or a template that shall become part of whoever calls it, below ``@jit`` or ``@template``.

    For what is called for every game of many: to hand over an array takes as long as many a small function does.
    """
    function.__quatuor_inlined__ = True  # type: ignore[attr-defined]
    return function


def rule_hook(function: F) -> F:
    """Mark a function of the contract: templates call it by this name, and the rules of each game define their own."""
    function.__quatuor_rule_hook__ = True  # type: ignore[attr-defined]
    return function


def search_hook(function: F) -> F:
    """Mark a function that a search calls beyond the rules: the advice of each game defines its own."""
    function.__quatuor_search_hook__ = True  # type: ignore[attr-defined]
    return function


provided, advised = rule_hook, search_hook


@functools.cache
def bind(module: ModuleType, rules: Any, name: str, advice: Any = None) -> SimpleNamespace:
    """The templates of ``module``, compiled against the functions of one game's ``rules`` and ``advice``.

    ``rules`` and ``advice`` are modules. Inside the templates, every rule hook means the game's own function, every
    search hook that of its advice, and templates call each other's bound form, also across modules. The game's name
    becomes part of the qualified name, so the cache keeps games apart.
    """
    return SimpleNamespace(**_bind(module, rules, name, advice, {}))


def _bind(module: ModuleType, rules: Any, name: str, advice: Any, done: dict[str, dict[str, Any]]) -> dict[str, Any]:
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
        plain = FunctionType(value.__code__, scope, f"{key}_{name}", value.__defaults__)
        plain.__module__ = module.__name__
        plain.__qualname__ = f"{key}_{name}"
        bound[key] = scope[key] = _compile(plain, cached, False, hasattr(value, "__quatuor_inlined__"))
    return bound
