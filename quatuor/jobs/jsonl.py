"""Results in a file, a line of JSON each: those written before a crash remain and need not be computed again."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def append(file: Path, row: Any) -> None:
    """Append a result to a file, on a line of its own even if the last line is incomplete."""
    with file.open("a+b") as stream:
        if stream.tell():
            stream.seek(-1, os.SEEK_END)
            if stream.read(1) != b"\n":
                stream.write(b"\n")
        stream.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")


def read(file: Path) -> Iterator[Any]:
    """The results in a file, if it exists. Incomplete lines are skipped. ValueError if it is another kind of file."""
    text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
    if text.strip() and not text.lstrip().startswith("{"):
        raise ValueError(f"{file}: this is not a file of results, which has a JSON object in each line")
    for line in text.split("\n"):
        try:
            yield json.loads(line)
        except ValueError:
            continue
