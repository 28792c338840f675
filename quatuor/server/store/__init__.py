"""Games that survive: what was acknowledged is on disk."""

from quatuor.server.store.store import Conflict, Kept, Store

__all__ = ["Conflict", "Kept", "Store"]
