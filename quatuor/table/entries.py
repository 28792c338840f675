"""The turns of a table as everybody may see them, kept small: each as JSON, compressed against the turn before it."""

import json
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, overload

Entry = dict[str, Any]
WINDOW, MEMORY = -13, 6  # of zlib: a turn and the one before it fit into 8 KiB


class Entries(Sequence[Entry]):
    """A list to append to and to cut off. Positions of a long game look alike, so most of it compresses away."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self._last = b""  # the newest turn: the next one is compressed against it

    def append(self, entry: Entry) -> None:
        """Add a turn; it must be what JSON can say."""
        text = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode()
        packer = zlib.compressobj(1, zlib.DEFLATED, WINDOW, MEMORY, zdict=self._last)
        self._packed.append(packer.compress(text) + packer.flush())
        self._last = text

    def cut(self, length: int) -> None:
        """Keep only the first turns."""
        del self._packed[length:]
        self._last = b""
        for text in self.texts():
            self._last = text

    def texts(self) -> Iterator[bytes]:
        """Every turn as JSON."""
        text = b""
        for packed in self._packed:
            text = zlib.decompressobj(WINDOW, zdict=text).decompress(packed)
            yield text

    def json(self) -> bytes:
        """All turns as one JSON array."""
        return b"[" + b",".join(self.texts()) + b"]"

    def __len__(self) -> int:
        return len(self._packed)

    def __iter__(self) -> Iterator[Entry]:
        return map(json.loads, self.texts())

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        if isinstance(index, slice):
            return list(self)[index]
        number = range(len(self))[index]
        text = self._last if number == len(self) - 1 else next(islice(self.texts(), number, None))
        found: Entry = json.loads(text)
        return found
