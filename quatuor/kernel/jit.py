"""The decorators of kernel functions, and what becomes of a decorated function.

``QUATUOR_KERNELS`` in the environment chooses:

- ``aot``: call the library that was compiled ahead of time (library.py). A kernel that its library does not export
  runs as plain Python: these are small. Without a library for this machine, an error.
- ``jit``: Numba compiles a kernel on its first call (compiler.py).
- ``interpreted``: every kernel is plain Python.

Unless it is set, a game whose library fits its sources is called there; other games, among them all games outside this
package, are compiled by Numba if it is installed, and interpreted if it is not. All three give the same results.

A *template* is a function that works for any game: it calls the functions of the contract by name, and ``bind`` makes a
copy of it in which these names mean the functions of one game.
"""

import functools
import os
import sys
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, TypeVar

from quatuor.kernel.library import CORE, PACKAGE, Entry, Library, built, library, library_of
from quatuor.kernel.signature import Signature, signature, symbol

F = TypeVar("F", bound=Callable[..., Any])

FOLDERS: tuple[str, ...] = sys.modules[__package__.partition(".")[0]].KERNEL_FOLDERS  # where this package has kernels
AOT, JIT, INTERPRETED = "aot", "jit", "interpreted"
CHOSEN = os.environ.get("QUATUOR_KERNELS", "")
if CHOSEN not in ("", AOT, JIT, INTERPRETED):
    raise ImportError(f"QUATUOR_KERNELS={CHOSEN}: choose aot, jit or interpreted")
if not CHOSEN and os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
    CHOSEN = INTERPRETED
HAS_NUMBA = find_spec("numba") is not None
if CHOSEN == JIT and not HAS_NUMBA:
    raise ImportError("QUATUOR_KERNELS=jit needs Numba: pip install 'quatuor[jit]'")
# What kernels are by default: objects that look for a library when first called, Numba's own, or plain functions
MODE = CHOSEN or (AOT if built() else JIT if HAS_NUMBA else INTERPRETED)
_hooks: dict[str, Callable[..., Any]] = {}  # the functions that every game defines


class Kernel:
    """A kernel that may be in a library: this is decided when Python first calls it.

    Numba takes it for the function it compiles from the same source.
    """

    def __init__(self, function: Callable[..., Any], inside: bool, allocates: bool, inline: bool) -> None:
        functools.update_wrapper(self, function)
        self.py_func, self._how = function, (inside, allocates, inline)
        self._call: Callable[..., Any] = self._first_call

    def __call__(self, *arguments: Any) -> Any:
        return self._call(*arguments)

    def __reduce__(self) -> str:
        return self.py_func.__qualname__  # pickled by its name, as functions are

    def _first_call(self, *arguments: Any) -> Any:
        self._call = self._resolve()
        return self._call(*arguments)

    def _resolve(self) -> Callable[..., Any]:
        function = self.py_func
        module = function.__module__
        if ours(function.__code__.co_filename):
            found = open_library(library_of(module))
            if found:
                listed: dict[str, Signature] = getattr(sys.modules[module], "EXPORTS", {})
                name = function.__name__
                types = listed.get(name) or (hook_signature(name) if name in _hooks else None)
                entry = types and found.entry(symbol(module, name), types)
                return entry or plain(function)
        return self.dispatcher if may_compile(function) else plain(function)

    @functools.cached_property
    def dispatcher(self) -> Any:
        """The function as Numba compiles it."""
        from quatuor.kernel.compiler import compile_kernel

        return compile_kernel(self.py_func, *self._how)

    @property
    def _numba_type_(self) -> Any:
        return self.dispatcher._numba_type_


def plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel as plain Python, whose results are plain numbers as those of compiled code are."""

    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        result = function(*arguments)
        return result.item() if hasattr(result, "item") and not getattr(result, "shape", ()) else result

    return call


@functools.cache
def open_library(name: str) -> Library | None:
    """The library, if it is to be used; ImportError if it must be and cannot."""
    found = library(name) if MODE == AOT else "QUATUOR_KERNELS is set"
    if isinstance(found, Library):
        return found
    if CHOSEN == AOT:
        raise ImportError(f"QUATUOR_KERNELS=aot, but there is no library for {name}: {found}")
    return None


@functools.cache
def may_compile(function: Callable[..., Any]) -> bool:
    """Whether Numba compiles what no library has. Without Numba a warning says that it would be faster."""
    if not HAS_NUMBA and MODE != INTERPRETED:
        _warn(function.__module__)
    return HAS_NUMBA


@functools.cache
def _warn(module: str) -> None:
    text = f"{module} runs as plain Python, which is slow: Numba would compile it (pip install 'quatuor[jit]')"
    warnings.warn(text, RuntimeWarning, stacklevel=2)


def direct(kernel: Any, types: Signature) -> Callable[..., Any]:
    """A kernel for calls with many arrays: of one that Numba compiled, the machine code for these types."""
    if not hasattr(kernel, "get_compile_result"):
        return kernel  # type: ignore[no-any-return]
    from quatuor.kernel.compiler import machine_code

    return machine_code(kernel, types)


def prebound(kernel: Callable[..., Any], *fixed: Any) -> Callable[[int], int]:
    """A function of a kernel's first argument, a number; the other arguments stay the same. See ``Entry.prebound``."""
    if isinstance(kernel, Entry):
        return kernel.prebound(*fixed)
    return lambda number: kernel(number, *fixed)


def status(names: tuple[str, ...]) -> dict[str, str]:
    """How the kernels of these games, and those that all games share (``core``), are run, and why."""
    found = {}
    for name in (CORE, *names):
        shipped = library(name)
        if MODE == AOT and isinstance(shipped, Library):
            found[name] = f"aot: {shipped.file.parent.name}"
        elif MODE == AOT:
            found[name] = f"{JIT if HAS_NUMBA else INTERPRETED}: {shipped}"
        else:
            found[name] = f"{MODE}: {'QUATUOR_KERNELS is set' if CHOSEN else 'no library has been built'}"
    return found


def jit(function: F) -> F:
    """Compile a plain function; releases the GIL. Interpreted, it stays plain Python."""
    return _compile(function, _checked(function), allocates=True, inline=_inlined(function))


def rule(function: F) -> F:
    """``jit`` for the rules and observations of a game, which run on GPUs too: they cannot allocate memory.

    Without allocations, references to arrays need no counting: small games are a third faster. Templates are compiled
    the same way.
    """
    return _compile(function, _checked(function), allocates=False, inline=_inlined(function))


def _checked(function: Callable[..., Any]) -> bool:
    """Whether a kernel is one of this package; ImportError if it lies in a folder that the cache does not know."""
    file = function.__code__.co_filename
    if ours(file) and Path(file).resolve().relative_to(PACKAGE).parts[0] not in FOLDERS:
        raise ImportError(f"{function.__qualname__}: kernels live in {', '.join(FOLDERS)}, not in {file}")
    return ours(file)


@functools.cache
def ours(file: str | None) -> bool:
    """Whether a file is this package's, so that the digest of the cache covers all that its code depends on."""
    return file is not None and Path(file).resolve().is_relative_to(PACKAGE)


def _compile(function: F, inside: bool, allocates: bool, inline: bool) -> F:
    if MODE == INTERPRETED:
        return function
    kernel = Kernel(function, inside, allocates, inline)
    return kernel if MODE == AOT else kernel.dispatcher  # type: ignore[return-value]


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
    _hooks[function.__name__] = function
    return function


def search_hook(function: F) -> F:
    """Mark a function that a search calls beyond the rules: the advice of each game defines its own."""
    function.__quatuor_search_hook__ = True  # type: ignore[attr-defined]
    _hooks[function.__name__] = function
    return function


def hook_signature(name: str) -> Signature:
    """The signature of a function that games define."""
    return signature(_hooks[name])


@functools.cache
def bind(module: ModuleType, rules: Any, name: str, advice: Any = None) -> SimpleNamespace:
    """The templates of ``module``, compiled against the functions of one game's ``rules`` and ``advice``.

    ``rules`` and ``advice`` are modules. Inside the templates, every rule hook means the game's own function, every
    search hook that of its advice, and templates call each other's bound form, also across modules. The game's name
    becomes part of the qualified name, so the cache keeps games apart. Kernels of other modules that ``module`` exports
    with its own types are there too.
    """
    found = _exported(module, rules, name, advice)
    if found is None:
        bound = _bind(module, rules, name, advice, {})
        found = {key: getattr(module, key) for key in getattr(module, "EXPORTS", {})} | bound
    return SimpleNamespace(**found)


def _exported(module: ModuleType, rules: Any, name: str, advice: Any) -> dict[str, Entry] | None:
    """The exports of a module in the library of a game; None if it was not built for these rules and this advice."""
    where = [source and source.__name__ for source in (rules, advice)]
    if MODE != AOT or library_of(rules.__name__) != name or not ours(rules.__file__):
        return None
    found = open_library(name)
    if found is None or found.bound.get(module.__name__) != where:
        return None
    entries = {key: found.entry(symbol(module.__name__, key), types) for key, types in module.EXPORTS.items()}
    return {key: entry for key, entry in entries.items() if entry}


def _bind(module: ModuleType, rules: Any, name: str, advice: Any, done: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The bound templates of one module by name; ``done`` has those of the modules that were bound on the way.

    ``scope`` is the module's namespace with the game's functions in the place of the contract's: the globals of the
    copies.
    """
    if module.__name__ in done:
        return done[module.__name__]
    bound = done[module.__name__] = {}
    scope = dict(vars(module))
    inside = all(ours(source.__file__) for source in (module, rules, advice) if source)
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
        bound[key] = scope[key] = _bound(copy, inside, _inlined(value))
    return bound


def _bound(copy: Callable[..., Any], inside: bool, inline: bool) -> Any:
    if MODE != INTERPRETED and may_compile(copy):
        return Kernel(copy, inside, False, inline).dispatcher
    return copy
