"""The few functions of NumPy that the package calls from Python, for browsers, where NumPy does not exist.

``install`` puts this module in NumPy's place. An array is a strided view of one block of memory; compiled kernels get
the block's address (``array.ctypes.data``), as they do from NumPy. Element-wise operations run in Python: the package
uses them for small tables only.
"""

import itertools
import math
import operator
import sys
import types
from array import array as _block
from collections.abc import Callable, Iterable, Iterator
from typing import Any

__version__ = "0"
_MASK = 2**64 - 1


class uint64(int):
    """A word without a sign; sums and shifts wrap around."""

    def __new__(cls, value: int = 0) -> "uint64":
        return super().__new__(cls, int(value) & _MASK)


def _wrapping(name: str) -> Callable[[int, int], uint64]:
    plain = getattr(int, name)
    return lambda self, other: uint64(plain(self, int(other)))


for _name in ("add", "sub", "mul", "lshift", "rshift", "and", "or", "xor", "mod", "floordiv"):
    setattr(uint64, f"__{_name}__", _wrapping(f"__{_name}__"))
    setattr(uint64, f"__r{_name}__", _wrapping(f"__r{_name}__"))


class dtype:
    """The type of an array's items. Called, it converts a number, as NumPy's scalar types do."""

    def __init__(self, name: str, code: str, convert: Callable[[Any], Any]) -> None:
        self.name, self.char, self.kind, self.itemsize = name, code, name[0], _block(code).itemsize
        self._convert = convert
        self.__name__ = name

    def __call__(self, value: Any = 0) -> Any:
        return self._convert(value)

    def __repr__(self) -> str:
        return f"dtype({self.name!r})"


int64, int32, int16, int8 = (
    dtype(f"int{bits}", code, int) for bits, code in ((64, "q"), (32, "i"), (16, "h"), (8, "b"))
)
uint32, uint16, uint8 = (dtype(f"uint{bits}", code, int) for bits, code in ((32, "I"), (16, "H"), (8, "B")))
float64, float32 = dtype("float64", "d", float), dtype("float32", "f", float)
bool_ = dtype("bool", "B", bool)
_UNSIGNED = dtype("uint64", "Q", uint64)
_KINDS: dict[Any, dtype] = {int: int64, float: float64, bool: bool_, uint64: _UNSIGNED}
intp, integer, floating, generic = int64, int, float, object


def _kind(wanted: Any) -> dtype:
    return wanted if isinstance(wanted, dtype) else _KINDS[wanted]


class _Address:
    """What ``array.ctypes`` offers."""

    def __init__(self, data: int) -> None:
        self.data = data


class ndarray:
    """Items of one type in a block of memory; ``strides`` and ``offset`` count items, not bytes."""

    __slots__ = ("_block", "_offset", "_steps", "dtype", "shape")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, block: Any, kind: dtype, shape: tuple[int, ...], offset: int = 0, steps: Any = None) -> None:
        self._block, self.dtype, self.shape, self._offset = block, kind, shape, offset
        self._steps = _contiguous(shape) if steps is None else steps

    # ---- facts

    @property
    def ctypes(self) -> _Address:
        """Where the first item lies."""
        return _Address(self._block.buffer_info()[0] + self._offset * self.dtype.itemsize)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def strides(self) -> tuple[int, ...]:
        return tuple(step * self.dtype.itemsize for step in self._steps)

    @property
    def flags(self) -> Any:
        return types.SimpleNamespace(c_contiguous=self._steps == _contiguous(self.shape), writeable=True)

    def __buffer__(self, _: int) -> memoryview:
        """The memory itself, for compiled kernels (Python 3.12 or later asks for it)."""
        if self._steps != _contiguous(self.shape):
            raise TypeError("the array is not contiguous")
        return memoryview(self._block)[self._offset : self._offset + self.size]

    @property
    def T(self) -> "ndarray":
        return ndarray(self._block, self.dtype, self.shape[::-1], self._offset, self._steps[::-1])

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._flat()) if len(self.shape) == 1 else (self[i] for i in range(self.shape[0]))

    def __bool__(self) -> bool:
        return bool(self._flat()[0])

    def __repr__(self) -> str:
        return f"array({self.tolist()!r})"

    # ---- items

    def __getitem__(self, at: Any) -> Any:
        if type(at) is int and len(self.shape) == 1:
            return self._item(self._offset + self._index(at, 0) * self._steps[0])
        if isinstance(at, ndarray | list):
            return self._picked(at)
        shape, offset, steps = self._view(at)
        return ndarray(self._block, self.dtype, shape, offset, steps) if shape is not None else self._item(offset)

    def __setitem__(self, at: Any, value: Any) -> None:
        if type(at) is int and len(self.shape) == 1:
            self._block[self._offset + self._index(at, 0) * self._steps[0]] = value
            return
        if isinstance(at, ndarray):  # a mask
            for place, chosen in zip(self._places(), at._flat(), strict=True):
                if chosen:
                    self._block[place] = value
            return
        shape, offset, steps = self._view(at)
        if shape is None:
            self._block[offset] = value
            return
        target = ndarray(self._block, self.dtype, shape, offset, steps)
        items = itertools.repeat(value) if isinstance(value, int | float) else _spread(array(value), shape)
        for place, item in zip(target._places(), items):  # noqa: B905 - one value may be repeated for ever
            self._block[place] = item

    def _item(self, place: int) -> Any:
        found = self._block[place]
        return uint64(found) if self.dtype is _UNSIGNED else found

    def _index(self, at: int, axis: int) -> int:
        length = self.shape[axis]
        if not -length <= at < length:
            raise IndexError(f"index {at} is out of bounds for axis {axis} with size {length}")
        return at % length if length else 0

    def _view(self, at: Any) -> tuple[tuple[int, ...] | None, int, tuple[int, ...]]:
        """Shape (None: a single item), offset and steps of a part."""
        parts = at if isinstance(at, tuple) else (at,)
        shape, steps, offset, axis = [], [], self._offset, 0
        for part in parts:
            if part is None:
                shape.append(1)
                steps.append(0)
                continue
            if isinstance(part, slice):
                start, stop, step = part.indices(self.shape[axis])
                shape.append(len(range(start, stop, step)))
                steps.append(self._steps[axis] * step)
                offset += start * self._steps[axis]
            else:
                offset += self._index(int(part), axis) * self._steps[axis]
            axis += 1
        shape += self.shape[axis:]
        steps += self._steps[axis:]
        return (tuple(shape) if shape or axis < len(self.shape) else None), offset, tuple(steps)

    def _picked(self, at: Any) -> "ndarray":
        """Items by a mask, or by their numbers along the first axis."""
        if isinstance(at, ndarray) and at.dtype is bool_:
            return array([item for item, chosen in zip(self, at._flat(), strict=True) if chosen], self.dtype)
        return array([self[int(i)] for i in at], self.dtype)

    def _places(self) -> Iterable[int]:
        """Where each item lies in the block."""
        if not self.shape:
            return (self._offset,)
        if self._steps == _contiguous(self.shape):
            return range(self._offset, self._offset + self.size)
        places = [self._offset]
        for length, step in zip(self.shape, self._steps, strict=True):
            places = [place + i * step for place in places for i in range(length)]
        return places

    def _flat(self) -> Any:
        """All items in order."""
        places = self._places()
        if isinstance(places, range):
            return self._block[places.start : places.stop]
        block = self._block
        return _block(self.dtype.char, [block[place] for place in places])

    # ---- other forms

    def copy(self) -> "ndarray":
        return ndarray(self._flat()[:], self.dtype, self.shape)

    def __deepcopy__(self, memo: Any) -> "ndarray":
        return self.copy()

    def reshape(self, *shape: Any) -> "ndarray":
        wanted = list(shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape)
        if -1 in wanted:
            wanted[wanted.index(-1)] = self.size // -math.prod(wanted)
        if self._steps == _contiguous(self.shape):
            return ndarray(self._block, self.dtype, tuple(wanted), self._offset)
        return ndarray(self._flat(), self.dtype, tuple(wanted))

    def ravel(self) -> "ndarray":
        return self.reshape(self.size)

    def astype(self, kind: Any) -> "ndarray":
        return array(self, kind)

    def tolist(self) -> Any:
        return list(self._flat()) if len(self.shape) == 1 else [row.tolist() for row in self]

    def tobytes(self) -> bytes:
        return bytes(self._flat().tobytes())

    def fill(self, value: Any) -> None:
        self[...,] = value

    # ---- of all items

    def all(self) -> bool:
        return all(self._flat())

    def any(self) -> bool:
        return any(self._flat())

    def sum(self) -> Any:
        return sum(self._flat())

    def max(self) -> Any:
        return max(self._flat())

    def min(self) -> Any:
        return min(self._flat())


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    steps, step = [], 1
    for length in reversed(shape):
        steps.append(step)
        step *= length
    return tuple(reversed(steps))


def _spread(values: ndarray, shape: tuple[int, ...]) -> Iterable[Any]:
    """The items of an array, repeated so that they fill a shape."""
    if values.shape == shape:
        return values._flat()  # type: ignore[no-any-return]
    steps = [0] * (len(shape) - len(values.shape)) + [
        0 if length == 1 else step for length, step in zip(values.shape, values._steps, strict=True)
    ]
    return ndarray(values._block, values.dtype, shape, values._offset, tuple(steps))._flat()  # type: ignore[no-any-return]


def _elementwise(operation: Callable[[Any, Any], Any], found: dtype | None = None) -> Callable[[Any, Any], ndarray]:
    def method(self: ndarray, other: Any) -> ndarray:
        if isinstance(other, int | float):
            shape = self.shape
            items = [operation(item, other) for item in self._flat()]
        else:
            others = array(other)
            shape = _common(self.shape, others.shape)
            items = list(map(operation, _spread(self, shape), _spread(others, shape)))
        kind = found or (float64 if any(isinstance(item, float) for item in items) else self.dtype)
        if kind is float64 and self.dtype is float32 and found is None:
            kind = float32
        if kind is _UNSIGNED:
            items = [item & _MASK for item in items]
        return ndarray(_block(kind.char, items), kind, shape)

    return method


def _common(one: tuple[int, ...], other: tuple[int, ...]) -> tuple[int, ...]:
    pairs = itertools.zip_longest(reversed(one), reversed(other), fillvalue=1)
    return tuple(reversed([max(a, b) for a, b in pairs]))


def _swapped(operation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda a, b: operation(b, a)


for _name in ("add", "sub", "mul", "floordiv", "mod", "lshift", "rshift", "and_", "or_", "xor"):
    _operation = getattr(operator, _name)
    setattr(ndarray, f"__{_name.strip('_')}__", _elementwise(_operation))
    setattr(ndarray, f"__r{_name.strip('_')}__", _elementwise(_swapped(_operation)))
for _name, _operation in {
    "truediv": _elementwise(operator.truediv, float64),
    "rtruediv": _elementwise(_swapped(operator.truediv), float64),
    "neg": lambda self: self * -1,
    "invert": lambda self: self ^ -1,
}.items():
    setattr(ndarray, f"__{_name}__", _operation)
for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(ndarray, f"__{_name}__", _elementwise(getattr(operator, _name), bool_))


# ---- making arrays


def zeros(shape: Any, dtype: Any = float) -> ndarray:
    """An array of zeros."""
    kind = _kind(dtype)
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    return ndarray(_block(kind.char, bytes(kind.itemsize)) * math.prod(lengths), kind, lengths)


empty = zeros


def zeros_like(other: ndarray) -> ndarray:
    """Zeros of the same shape and type."""
    return zeros(other.shape, other.dtype)


empty_like = zeros_like


def full(shape: Any, value: Any, dtype: Any = None) -> ndarray:
    """An array of one value."""
    kind = _kind(dtype) if dtype else float64 if isinstance(value, float) else int64
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    return ndarray(_block(kind.char, [value]) * math.prod(lengths), kind, lengths)


def array(values: Any, dtype: Any = None) -> ndarray:
    """An array of numbers, lists of numbers or arrays; a copy."""
    if isinstance(values, ndarray):
        kind = _kind(dtype) if dtype else values.dtype
        return ndarray(_block(kind.char, map(kind, values._flat())), kind, values.shape)
    flat = [value.tolist() if isinstance(value, ndarray) else value for value in values]
    shape = [len(flat)]
    while flat and not isinstance(flat[0], int | float):
        shape.append(len(flat[0]))
        flat = [item for row in flat for item in (row.tolist() if isinstance(row, ndarray) else row)]
    kind = _kind(dtype) if dtype else float64 if not flat or any(isinstance(x, float) for x in flat) else int64
    if kind in (int64, int32, int16, int8, uint8, uint16):
        flat = [int(item) for item in flat]
    return ndarray(_block(kind.char, flat), kind, tuple(shape))


def asarray(values: Any, dtype: Any = None) -> ndarray:
    """The array itself, or one made of the values."""
    return values if isinstance(values, ndarray) and dtype is None else array(values, dtype)


def ascontiguousarray(values: Any, dtype: Any = None) -> ndarray:
    """The array itself if its items lie in order, else a copy."""
    found = asarray(values, dtype)
    return found if found.flags.c_contiguous else found.copy()


def arange(*bounds: int, dtype: Any = int) -> ndarray:
    """Whole numbers in a row."""
    return array(list(range(*bounds)), dtype)


def frombuffer(data: Any, dtype: Any = float) -> ndarray:
    """The bytes as items; a copy."""
    kind = _kind(dtype)
    block = _block(kind.char)
    block.frombytes(bytes(data))
    return ndarray(block, kind, (len(block),))


def concatenate(parts: Any) -> ndarray:
    """Arrays with one axis, one after the other."""
    arrays = [array(part) for part in parts]
    kind = float64 if any(part.dtype is float64 for part in arrays) else arrays[0].dtype
    return array([item for part in arrays for item in part._flat()], kind)


def append(values: ndarray, more: Any) -> ndarray:
    """The items and some more."""
    return array([*values._flat(), *more], values.dtype)


def transpose(rows: Any) -> ndarray:
    """Rows become columns."""
    return array(list(rows)).T


def stack(parts: Any) -> ndarray:
    """Arrays of one shape as one array with one more axis."""
    return array(list(parts))


# ---- of every item


def _each(function: Callable[[float], float]) -> Callable[[ndarray], ndarray]:
    return lambda values: ndarray(_block("d", map(function, values._flat())), float64, values.shape)


sqrt, log, exp = map(_each, (math.sqrt, math.log, math.exp))


def maximum(values: ndarray, least: Any) -> ndarray:
    """Each item, or ``least`` if that is more."""
    return array([max(item, least) for item in values._flat()], values.dtype).reshape(values.shape)


def sort(values: ndarray) -> ndarray:
    """The items in order."""
    return array(sorted(values._flat()), values.dtype)


def argsort(values: ndarray, kind: str = "") -> ndarray:
    """The numbers of the items in order; equal ones stay in order."""
    return array(sorted(range(values.size), key=values._flat().__getitem__), int64)


def install() -> None:
    """Take NumPy's place in all imports from now on."""
    typing = types.ModuleType("numpy.typing")
    typing.NDArray = _Any()  # type: ignore[attr-defined]
    typing.DTypeLike = typing.ArrayLike = Any  # type: ignore[attr-defined]
    module = sys.modules[__name__]
    module.typing = typing  # type: ignore[attr-defined]
    sys.modules["numpy"], sys.modules["numpy.typing"] = module, typing


class _Any:
    """``NDArray[…]`` in annotations that are evaluated."""

    def __getitem__(self, _: Any) -> type[ndarray]:
        return ndarray
