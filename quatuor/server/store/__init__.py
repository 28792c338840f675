"""Games that survive: what was acknowledged is on disk."""

from quatuor.server.store.store import Store, StoredTable, StoreFailed
from quatuor.table import Conflict

__all__ = ["Conflict", "Store", "StoreFailed", "StoredTable"]
