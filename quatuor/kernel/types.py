"""The array types of kernels. At run time all of them are contiguous NumPy arrays.

``ARRAYS`` and the second part of an ``Annotated`` say which array a compiled function takes (signature.py). For mypy,
an array with several dimensions is Any.
"""

from typing import Annotated, Any, Protocol

from quatuor.kernel.signature import ARRAYS, Array


class Words(Protocol):
    """int64 words: a state, a move list, scores. Values stay below 2**62, so no sum or shift ever overflows."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...


class Floats(Protocol):
    """float64 values."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...
    def __len__(self) -> int: ...


class Rng(Protocol):
    """One uint64 word: the state of a random generator (see rng.py)."""

    def __getitem__(self, index: int, /) -> Any: ...
    def __setitem__(self, index: int, value: Any, /) -> None: ...


class Bytes(Protocol):
    """int8 values: what learners see."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...
    def __len__(self) -> int: ...


ARRAYS |= {Words: Array("int64"), Floats: Array("float64"), Rng: Array("uint64"), Bytes: Array("int8")}
Words1 = Annotated[Any, Array("int64")]  # where mypy is not to check how it is used
Words2 = Annotated[Any, Array("int64", 2)]
Words3 = Annotated[Any, Array("int64", 3)]
Floats2 = Annotated[Any, Array("float64", 2)]
Floats3 = Annotated[Any, Array("float64", 3)]
Singles = Annotated[Any, Array("float32")]
Singles2 = Annotated[Any, Array("float32", 2)]
Bytes2 = Annotated[Any, Array("int8", 2)]
Bytes3 = Annotated[Any, Array("int8", 3)]
Rngs = Annotated[Any, Array("uint64", 2)]  # a generator in each row
