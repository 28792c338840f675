"""Games that survive: what was acknowledged is on disk."""

from quatuor.server.store.store import Conflict, Store, StoredTable, StoreFailed

__all__ = ["Conflict", "Store", "StoreFailed", "StoredTable"]
