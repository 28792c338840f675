"""Kernels that were compiled ahead of time: find the library for this machine, and call its functions.

``LIBRARIES`` has a folder for each platform, and in it a library for each game and one, ``core``, for the rest. Beside
the folders, a JSON file for each library says from which source files it was built, and their digest: where a source
has changed since, the library is not used. Every function has the same form, ``int32 name(int64 *slots)``: a number
takes a slot, an array its address and its lengths, a tuple the slots of its members. The result comes back in slot 0;
what is returned is 0 unless the kernel failed. So Python needs nothing but ctypes to call it.
"""

import ctypes
import functools
import hashlib
import json
import platform
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from quatuor.kernel.signature import Array, Signature, Type

PACKAGE = Path(__file__).resolve().parent.parent
LIBRARIES = PACKAGE / "kernel" / "libraries"
CORE = "core"
V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"}  # what x86-64-v3 has and v2 has not; lzcnt has two names
LETTERS = {"int64": "q", "float64": "d", "bool": "q"}
FORMS = {  # the kind of number and its bytes
    "int64": ("i", 8), "int32": ("i", 4), "int16": ("i", 2), "int8": ("i", 1), "uint64": ("u", 8), "uint8": ("u", 1),
    "float64": ("f", 8), "float32": ("f", 4), "bool": ("b", 1),
}  # fmt: skip


def library_of(module: str) -> str:
    """The library that holds the functions of a module: that of its game, or ``core``."""
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["games"] and len(parts) > 3 else CORE


@functools.cache
def target() -> str | None:
    """The folder of libraries for this machine; None if there is none."""
    system, machine = sys.platform, platform.machine().lower()
    if system == "emscripten":
        return "wasm32"
    if system == "linux" and machine in ("x86_64", "amd64"):
        return "linux-x86_64-v3" if _has_v3() else "linux-x86_64-v2"
    named = {("linux", "aarch64"): "linux-aarch64", ("darwin", "arm64"): "macos-arm64", ("win32", "amd64"): "windows"}
    return named.get((system, machine))


def _has_v3() -> bool:
    """Whether the processor has all of x86-64-v3."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return False
    flags = next((set(line.split()) for line in text.splitlines() if line.startswith("flags")), set())
    return flags >= V3 and bool(flags & {"abm", "lzcnt"})


class Library:
    """One library, open."""

    def __init__(self, name: str, file: Path, about: dict[str, Any]) -> None:
        self.name, self.file = name, file
        self.bound: dict[str, list[str | None]] = about["bound"]
        self._open = ctypes.CDLL(str(file))

    def entry(self, symbol: str, signature: Signature) -> "Entry | None":
        """A function of the library; None if it has none of this name."""
        try:
            return Entry(self._open[symbol], symbol, signature)
        except AttributeError:
            return None


@functools.cache
def library(name: str) -> Library | str:
    """The library of this name for this machine, or the reason why there is none."""
    folder = target()
    if folder is None:
        return f"no library is built for {sys.platform} on {platform.machine()}"
    about = _about(name)
    if about is None:
        return "it has not been built"
    if sys.platform != "emscripten" and digest(about["files"]) != about["digest"]:  # there, one build makes both
        return "its sources have changed since it was built"
    found = sorted((LIBRARIES / folder).glob(f"{name}-{about['digest']}.*"))
    if not found:
        return f"it has not been built for {folder}"
    try:
        return Library(name, found[0], about)
    except OSError as error:
        return f"the system does not load it: {error}"


def built() -> list[str]:
    """The libraries that have been built, for whatever machine."""
    return sorted(file.stem for file in LIBRARIES.glob("*.json"))


def _about(name: str) -> dict[str, Any] | None:
    try:
        about: dict[str, Any] = json.loads((LIBRARIES / f"{name}.json").read_text())
    except (OSError, ValueError):
        return None
    return about


def digest(files: list[str]) -> str:
    """A name for the contents of some source files, given by their paths in the package; "" if one is missing."""
    found = hashlib.sha256()
    for name in files:
        try:
            data = (PACKAGE / name).read_bytes().replace(b"\r\n", b"\n")
        except OSError:
            return ""
        found.update(f"{name}\0{len(data)}\0".encode() + data)
    return found.hexdigest()[:16]


class KernelError(RuntimeError):
    """A kernel stopped with an error, such as a division by zero."""


class Entry:
    """A function of a library, to be called as the kernel itself. The caller's thread gives up Python's lock."""

    def __init__(self, function: Callable[[int], int], name: str, signature: Signature) -> None:
        function.argtypes, function.restype = [ctypes.c_void_p], ctypes.c_int32  # type: ignore[attr-defined]
        self._function, self.name, self.signature = function, name, signature
        self._kinds = [kind for argument in signature.arguments for kind in _members(argument)]
        self._flat = len(self._kinds) == len(signature.arguments)
        letters = ["q" * (1 + k.dimensions) if isinstance(k, Array) else LETTERS[k] for k in self._kinds]
        self._layout = struct.Struct("=" + "".join(letters))
        self._result = signature.result
        self._free: list[Any] = []  # slots that no thread is using; kept, since making them takes as long as a call

    def __call__(self, *arguments: Any) -> Any:
        values = self._words(arguments)
        try:
            slots, address = self._free.pop()
        except IndexError:
            slots = (ctypes.c_int64 * max(len(values), 1))()
            address = ctypes.addressof(slots)
        self._layout.pack_into(slots, 0, *values)
        failed = self._function(address)
        result = slots[0]
        self._free.append((slots, address))
        if failed:
            self._fail(failed)
        if self._result == "int64":
            return result
        if self._result == "bool":
            return bool(result)
        return None if self._result is None else _float(result)

    def prebound(self, *fixed: Any) -> Callable[[int], int]:
        """A function of the first argument, a number, that calls with the others ``fixed``.

        A call takes a microsecond instead of one for every array. The function keeps the arrays alive, so their owner
        keeps it. It is for one thread at a time; the result, if any, comes back as a whole number.
        """
        values = self._words((0, *fixed))
        slots = (ctypes.c_int64 * len(values))()
        self._layout.pack_into(slots, 0, *values)
        function, address = self._function, ctypes.addressof(slots)

        def call(number: int, held: Any = fixed) -> int:
            slots[0] = number
            failed = function(address)
            if failed:
                self._fail(failed)
            return slots[0]

        return call

    def _words(self, arguments: tuple[Any, ...]) -> list[Any]:
        """What is written into the slots for these arguments."""
        words: list[Any] = []
        given = arguments if self._flat else tuple(_flatten(arguments))
        for value, kind in zip(given, self._kinds, strict=True):
            if kind.__class__ is Array:
                words.append(_address(value, kind))
                words += value.shape
            else:
                words.append(value)
        return words

    def _fail(self, code: int) -> None:
        raise KernelError(f"{self.name} failed with code {code}")


def _members(kind: Type) -> list[Type]:
    """The numbers and arrays of a type, in order."""
    return [part for member in kind for part in _members(member)] if isinstance(kind, tuple) else [kind]


def _flatten(values: tuple[Any, ...]) -> Any:
    for value in values:
        if isinstance(value, tuple):
            yield from _flatten(value)
        else:
            yield value


def _address(array: Any, kind: Array) -> int:
    """Where an array lies, if it is one of this kind; TypeError if it is not: compiled code would write beyond it."""
    if (array.dtype.kind, array.itemsize) != FORMS[kind.item] or len(array.shape) != kind.dimensions:
        raise TypeError(f"an array of {array.dtype} with shape {array.shape}: this kernel takes {kind}")
    if 0 in array.shape:
        return 0
    if kind.order == "F":
        array = array.T
    try:
        return ctypes.addressof(_byte(array))  # TypeError if it is not contiguous
    except TypeError:
        if array.flags.writeable or not array.flags.c_contiguous:
            raise
        return int(array.__array_interface__["data"][0])  # as that of a file mapped into memory


_byte = ctypes.c_char.from_buffer
_words, _number = struct.Struct("=q"), struct.Struct("=d")


def _float(word: int) -> float:
    number: float = _number.unpack(_words.pack(word))[0]
    return number
