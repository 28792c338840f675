"""The table in the browser: HTTP, websockets, and a store that forgets nothing. See docs/protocol.md."""

from quatuor.server.app import create_app
from quatuor.server.run import run
from quatuor.server.settings import Settings

__all__ = ["Settings", "create_app", "run"]
