"""The kernels of a module as plain Python: slow, without a compiler, and with every index checked.

Compiled code neither checks an index nor notices a number that does not fit into a word: it overwrites other memory. So
rules that are new are first run this way.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy as np


class CheckedArray(np.ndarray[Any, Any]):
    """An array that also refuses negative indices, which count from the end in Python and in compiled code."""

    def __getitem__(self, index: Any) -> Any:
        self._check(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check(index)
        super().__setitem__(index, value)

    def _check(self, index: Any) -> None:
        if isinstance(index, int | np.integer) and index < 0:
            raise IndexError(f"index {index} is below 0")


def checked(size: int, fill: int = 0) -> CheckedArray:
    """A checked array of words."""
    return np.full(size, fill, np.int64).view(CheckedArray)


def interpreted(module: Any) -> SimpleNamespace:
    """The functions of a module, not compiled; nor are those that they call."""
    return SimpleNamespace(**_scope(vars(module), {}))


def _plain(value: Any, scopes: dict[int, dict[str, Any]]) -> Any:
    if isinstance(value, ModuleType) and any(hasattr(member, "py_func") for member in vars(value).values()):
        return SimpleNamespace(**_scope(vars(value), scopes))
    function = getattr(value, "py_func", None)  # what Numba compiled
    if not isinstance(function, FunctionType):
        return value
    scope = _scope(function.__globals__, scopes)
    return FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)


def _scope(names: dict[str, Any], scopes: dict[int, dict[str, Any]]) -> dict[str, Any]:
    """The global names of a module, with plain functions for compiled ones; once for each module."""
    if id(names) not in scopes:
        scope = scopes[id(names)] = dict(names)
        scope.update({name: _plain(value, scopes) for name, value in names.items()})
    return scopes[id(names)]


@contextmanager
def overflow_is_an_error() -> Iterator[None]:
    """Raise RuntimeWarning where a word overflows, which compiled code does silently."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield
