"""The completed turns of a table, as everybody may see them: each as JSON, compressed against the turn before it."""

import json
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, overload

from quatuor.table.encoding import encode

Entry = dict[str, Any]
WINDOW, MEMORY = -13, 6  # zlib parameters: a turn and the one before it fit into 8 KiB


class Entries(Sequence[Entry]):
    """A list of turns. Successive positions differ little, so that they compress well."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []
        self.last = b""  # the newest turn as JSON: the next one is compressed against it

    def append(self, entry: Entry) -> None:
        """Add a turn, as JSON data."""
        self.append_json(encode(entry))

    def append_json(self, text: bytes) -> None:
        """Add a turn, as JSON."""
        packer = zlib.compressobj(1, zlib.DEFLATED, WINDOW, MEMORY, zdict=self.last)
        self._packed.append(packer.compress(text) + packer.flush())
        self.last = text

    def cut(self, length: int) -> None:
        """Keep only the first ``length`` turns."""
        del self._packed[length:]
        self.last = b""
        for text in self.texts():
            self.last = text

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
        text = self.last if number == len(self) - 1 else next(islice(self.texts(), number, None))
        found: Entry = json.loads(text)
        return found
