"""Read rows without holding up the event loop."""

import asyncio
from typing import Any

from quatuor.server.store.store import Store


async def rows(store: Store, query: Any) -> list[Any]:
    """All rows of a query."""

    def read() -> list[Any]:
        with store.engine.connect() as connection:
            return list(connection.execute(query).all())

    return await asyncio.to_thread(read)
