"""The events of one table in the store."""

from quatuor.server import setups
from quatuor.server.store import Store
from quatuor.table import Event, Table


class StoredLog:
    """Appends events to the store. A rematch opens its new table in the same transaction."""

    def __init__(self, store: Store, name: str, table: Table) -> None:
        self._store, self._name, self._table = store, name, table

    @property
    def shared(self) -> bool:
        """Whether other processes store events of this table, too."""
        return self._store.pubsub.shared

    async def append(self, version: int, event: Event) -> None:
        """Return once the event is on disk; Conflict if the table has this version already."""
        opens = None
        if event.kind == "rematch":
            opens = (event.data["table"], setups.again(self._table, event.guest or ""))
        await self._store.append(self._name, version, event, opens)

    async def since(self, version: int) -> list[Event]:
        """The events after a version."""
        return await self._store.since(self._name, version)
