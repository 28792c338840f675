"""``jit``: compile a kernel function with a disk cache that can be neither stale nor mixed up.

Numba's own cache looks at one file's time stamp: it misses edits in a callee or in a table of another file, it does
not know whether bounds were checked, and it confuses one source compiled against two different games. Here machine
code lies in a folder named after everything it depends on: all kernel sources, the versions, the flags.
"""

import functools
import hashlib
import os
import platform
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config

PACKAGE = Path(__file__).resolve().parent.parent
LAYERS = ("kernel", "games", "engine", "puzzles")  # only these may hold kernels
UNUSED_DAYS = 30


def cache_root() -> Path:
    """Where machine code is kept: ``$QUATUOR_CACHE`` or the user's cache folder."""
    return Path(os.environ.get("QUATUOR_CACHE") or platformdirs.user_cache_dir("quatuor")) / "kernels"


@functools.cache
def _sources(folder: Path) -> bytes:
    """A digest of every source below a folder (data files too: tables may be read from them)."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts):
        digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.digest()


@functools.cache
def cache_folder(home: Path) -> Path:
    """The folder for machine code of functions whose file lies in ``home``."""
    digest = hashlib.sha256()
    for layer in LAYERS:
        digest.update(_sources(PACKAGE / layer))
    if not home.is_relative_to(PACKAGE):
        digest.update(_sources(home))  # a game of somebody else's: its own folder counts too
    versions = (platform.python_version(), numba.__version__, np.__version__, _config.BOUNDSCHECK)
    digest.update(repr(versions).encode())
    return cache_root() / digest.hexdigest()[:24]


def prune() -> None:
    """Forget machine code of sources that nobody has run for a month."""
    for folder in cache_root().glob("*"):
        if time.time() - folder.stat().st_mtime > UNUSED_DAYS * 86400:
            shutil.rmtree(folder, ignore_errors=True)


def jit(function: F) -> F:
    """Compile a plain function on its first call; releases the GIL. With NUMBA_DISABLE_JIT=1 it stays plain Python."""
    home = Path(function.__code__.co_filename).resolve().parent
    if home.is_relative_to(PACKAGE) and home.relative_to(PACKAGE).parts[:1] not in [(layer,) for layer in LAYERS]:
        raise ImportError(f"{function.__qualname__}: kernels live in {', '.join(LAYERS)}, not in {home}")
    before = _config.CACHE_DIR
    _config.CACHE_DIR = str(cache_folder(home))  # read while decorating; a user's own setting is left alone
    try:
        return cast(F, numba.njit(cache=True, nogil=True)(function))
    finally:
        _config.CACHE_DIR = before


def template(function: F) -> F:
    """Mark a function that calls the contract's functions by name and is compiled once for each game by ``bind``."""
    function.__quatuor_template__ = True  # type: ignore[attr-defined]
    return function


def provided(function: F) -> F:
    """Mark a function of the contract: templates call it by this name, each game provides its own."""
    function.__quatuor_provided__ = True  # type: ignore[attr-defined]
    return function


def bind(module: ModuleType, rules: Any, name: str) -> SimpleNamespace:
    """The templates of ``module``, compiled against the functions of one game's ``rules``.

    Inside the templates, every name imported from the contract means the game's own function, and templates call
    each other's bound form. The game's name becomes part of the qualified name, so the cache keeps games apart.
    """
    scope = dict(vars(module))
    for key, value in vars(module).items():
        if getattr(value, "__quatuor_provided__", False):
            scope[key] = getattr(rules, key)
    bound: dict[str, Any] = {}
    for key, value in vars(module).items():
        if getattr(value, "__quatuor_template__", False):
            code: CodeType = value.__code__
            plain = FunctionType(code, scope, f"{key}_{name}", value.__defaults__)
            plain.__module__ = module.__name__
            plain.__qualname__ = f"{key}_{name}"
            bound[key] = scope[key] = jit(plain)
    return SimpleNamespace(**bound)
