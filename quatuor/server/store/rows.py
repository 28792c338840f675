"""Read rows without holding up the event loop."""

from typing import Any

from sqlalchemy import Connection

from quatuor.server.store.store import Store


async def rows(store: Store, query: Any) -> list[Any]:
    """All rows of a query."""

    def read() -> list[Any]:
        with store.engine.connect() as connection:
            return list(connection.execute(query).all())

    return await store.run(read)


async def execute(store: Store, *statements: Any, note: dict[str, Any] | None = None) -> None:
    """Execute statements in one transaction, and send the other processes a note with it."""

    def work(connection: Connection) -> None:
        for statement in statements:
            connection.execute(statement)
        if note:
            store.pubsub.send(connection, note)

    await store.write(work)
