"""Games that survive: what was acknowledged is on disk."""

from quatuor.server.store.store import Conflict, Store, StoredTable

__all__ = ["Conflict", "Store", "StoredTable"]
