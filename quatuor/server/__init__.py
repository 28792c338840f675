"""The table in the browser: HTTP, websockets, and a store that forgets nothing. See docs/protocol.md."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from quatuor.server.app import create_app
    from quatuor.server.serve import run
    from quatuor.server.settings import Settings

__all__ = ["Settings", "create_app", "run"]

_HOMES = {"create_app": "quatuor.server.app", "run": "quatuor.server.serve", "Settings": "quatuor.server.settings"}


def __getattr__(name: str) -> Any:
    """Import on first use: importing the package alone loads neither a web framework nor a database."""
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'quatuor.server' has no attribute {name!r}")
