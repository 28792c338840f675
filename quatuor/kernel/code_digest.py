"""A digest of all that the machine code of a function depends on: its byte code, and the values of all names it uses.

Compiled code keeps the values that globals had when it was compiled, wherever they came from. So values are digested,
not files: a table read from a file counts as much as a constant of another module. If a value cannot be
digested, there is no digest, and the function is compiled anew.
"""

import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

PACKAGE = Path(__file__).resolve().parent.parent
STABLE = {
    "numpy",
    "math",
    "operator",
    "builtins",
    "typing",
    "quatuor",
}  # the cache's folder is named after their versions


class _Unknown(Exception):
    """A value that says nothing about what compiled code does with it."""


def code_digest(function: Callable[..., Any]) -> str | None:
    """The digest of a plain function, or None if something that it uses cannot be digested."""
    digest = _Digest()
    try:
        digest.value(function)
    except _Unknown:
        return None
    return digest.text()


class _Digest:
    def __init__(self) -> None:
        self._hash, self._seen = hashlib.sha256(), dict[int, int]()

    def text(self) -> str:
        return self._hash.hexdigest()[:24]

    def _add(self, *parts: object) -> None:
        text = repr(parts).encode()
        self._hash.update(f"{len(text)}:".encode() + text)

    def value(self, value: Any) -> None:
        """Add any value that a kernel may refer to."""
        if value is None or isinstance(value, bool | int | float | complex | str | bytes):
            self._add(type(value).__name__, value)
        elif isinstance(value, np.ndarray | np.generic):
            self._array(np.asarray(value))
        elif isinstance(value, tuple | list):
            self._add(type(value).__qualname__, getattr(value, "_fields", ()), len(value))
            for member in value:
                self.value(member)
        elif isinstance(value, frozenset):
            self._add("frozenset", sorted(map(repr, value)))
        else:
            self._named(value)

    def _array(self, array: np.ndarray) -> None:
        if array.dtype.hasobject:
            raise _Unknown
        self._add("array", array.dtype.str, array.shape, array.flags.c_contiguous, array.flags.writeable)
        self._hash.update(array.tobytes())

    def _named(self, value: Any) -> None:
        if isinstance(value, type):
            self._type(value)
        elif isinstance(value, ModuleType | BuiltinFunctionType | np.ufunc) and _package(value) in STABLE:
            self._add("name", getattr(value, "__module__", ""), value.__name__)
        elif hasattr(value, "py_func"):  # a kernel, or Numba's dispatcher of one
            compiled = getattr(value, "dispatcher", value)
            self._add("kernel", sorted(map(repr, getattr(compiled, "targetoptions", {}).items())))
            self._function(value.py_func)
        elif isinstance(value, FunctionType):
            self._function(value)
        elif type(value).__module__.partition(".")[0] in STABLE and hasattr(value, "__qualname__"):
            self._add("name", value.__module__, value.__qualname__)
        else:
            raise _Unknown

    def _type(self, kind: type) -> None:
        if _package(kind) in STABLE:
            self._add("type", kind.__module__, kind.__qualname__)
        elif issubclass(kind, tuple) and hasattr(kind, "_fields"):
            self._add("fields", kind.__module__, kind.__qualname__, kind._fields)
            self.value(tuple(kind._field_defaults.items()))  # type: ignore[attr-defined]
        else:
            raise _Unknown

    def _function(self, function: FunctionType) -> None:
        if id(function) in self._seen:
            self._add("again", self._seen[id(function)])
            return
        self._seen[id(function)] = len(self._seen)
        module = sys.modules.get(function.__module__)
        if _package(function) == PACKAGE.name and module and vars(module) is function.__globals__:
            self._add("name", function.__module__, function.__qualname__)  # the digest of the package covers it
            return
        self._add("module", function.__module__)  # machine code refers to it
        self._code(function.__code__)
        self.value(function.__defaults__)
        for cell in function.__closure__ or ():
            self.value(cell.cell_contents)
        names = _names(function.__code__)
        for name in names:
            if name in function.__globals__:
                self._add("global", name)
                self._global(function.__globals__[name], names)

    def _global(self, value: Any, names: list[str]) -> None:
        if not isinstance(value, ModuleType) or _package(value) in STABLE:
            self.value(value)
            return
        for name in names:  # of another module, the names that may be looked up in it
            if hasattr(value, name):
                self._add("attribute", value.__name__, name)
                self._global(getattr(value, name), names)

    def _code(self, code: CodeType) -> None:
        counts = code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags
        self._add("code", code.co_name, counts, code.co_code, code.co_names, code.co_varnames)
        self._add(code.co_freevars, code.co_cellvars)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._code(constant)
            else:
                self.value(constant)


def _package(value: Any) -> str:
    """The top-level package that something was defined in."""
    module = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
    return (module or "").partition(".")[0] or ("numpy" if isinstance(value, np.ufunc) else "")


def _names(code: CodeType) -> list[str]:
    """The names that a function looks up, those of functions inside it too."""
    found = dict.fromkeys(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= dict.fromkeys(_names(constant))
    return list(found)
