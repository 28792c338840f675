"""The types of the kernels that Python calls: what a library is compiled for, and how its functions are called.

A type is ``"int64"``, ``"float64"`` or ``"bool"``, an ``Array``, or a tuple of types. A NamedTuple is described by one
of its own kind that holds types: ``Root(state=Array("int64"), memo=Array("int64"))``. ``exports`` reads the types from
the annotations of functions. Numba is not needed here.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

Type = Any  # see above
SCALARS = {int: "int64", float: "float64", bool: "bool"}
ARRAYS: dict[Any, "Array"] = {}  # by protocol, see types.py


@dataclass(frozen=True)
class Array:
    """A contiguous array of numbers, row by row (``C``) or column by column (``F``)."""

    item: str  # as NumPy names it: "int64", "float32", …
    dimensions: int = 1
    order: str = "C"


class Signature(NamedTuple):
    """What a kernel takes and returns; ``result`` is None if it returns nothing."""

    result: str | None
    arguments: tuple[Type, ...]


def exports(*functions: Callable[..., Any], **given: Type) -> dict[str, Signature]:
    """The signatures of kernels by name. ``given``: the types of parameters whose annotations do not say them."""
    return {function.__name__: signature(function, **given) for function in functions}


def signature(function: Callable[..., Any], **given: Type) -> Signature:
    """The signature of one kernel, from its annotations."""
    function = inspect.unwrap(getattr(function, "py_func", function))
    hints = get_type_hints(function, include_extras=True)
    result = hints.pop("return")
    where = f"{function.__module__}.{function.__name__}"
    arguments = tuple(given.get(name) or type_of(hint, f"{where}: {name}") for name, hint in hints.items())
    return Signature(None if result is type(None) else SCALARS[result], arguments)


def type_of(hint: Any, where: str) -> Type:
    """The type that an annotation stands for."""
    if hint in SCALARS:
        return SCALARS[hint]
    if get_origin(hint) is Annotated:
        return hint.__metadata__[0]
    if get_origin(hint) is tuple:
        return tuple(type_of(member, where) for member in get_args(hint))
    if hasattr(hint, "_fields"):
        fields = get_type_hints(hint, include_extras=True)
        return hint(**{name: type_of(field, f"{where}.{name}") for name, field in fields.items()})
    if hint not in ARRAYS:
        raise TypeError(f"{where}: the annotation {hint} does not say which type the compiled function takes")
    return ARRAYS[hint]


def symbol(module: str, name: str) -> str:
    """The name of an exported function in its library."""
    return f"{module.partition('.')[2].replace('.', '_')}__{name}"
