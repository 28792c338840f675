"""JSON as bytes, as a table stores its history and a session sends it."""

import json
from typing import Any

try:  # several times faster; not available in a browser
    from msgspec.json import encode
except ImportError:

    def encode(obj: Any) -> bytes:  # type: ignore[misc]
        """A value as compact JSON."""
        return json.dumps(obj, ensure_ascii=False, separators=(",", ":")).encode()


def merged(*objects: bytes) -> bytes:
    """JSON objects, none of them empty, as one object."""
    return b"{" + b",".join([one[1:-1] for one in objects]) + b"}"


__all__ = ["encode", "merged"]
