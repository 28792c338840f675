"""Who has muted, blocked or reported whom."""

import secrets
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from quatuor.server.store.rows import execute, rows
from quatuor.server.store.schema import blocks, mutes, reports
from quatuor.server.store.store import Store


class Relations:
    """All methods may be called from the event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def muted(self, reader: str) -> set[str]:
        """Whom a reader has muted."""
        return {row.muted for row in await self._all(select(mutes.c.muted).where(mutes.c.reader == reader))}

    async def mute(self, reader: str, other: str, on: bool) -> None:
        """Mute a person, or end it."""
        pair = (mutes.c.reader == reader) & (mutes.c.muted == other)
        works: list[Any] = [delete(mutes).where(pair)]
        await self._do(*works, *([insert(mutes).values(reader=reader, muted=other)] if on else []))

    async def block(self, blocker: str, other: str, now: int) -> None:
        """Allow no joins, rematches or chat from a person any more."""

        def work(connection: Connection) -> None:
            pair = (blocks.c.blocker == blocker) & (blocks.c.blocked == other)
            if connection.execute(select(blocks.c.id).where(pair)).first() is None:
                row = {"id": secrets.token_hex(8), "blocker": blocker, "blocked": other, "at": now}
                connection.execute(insert(blocks).values(row))

        await self._store.write(work)

    async def unblock(self, blocker: str, number: str) -> None:
        """End a block."""
        await self._do(delete(blocks).where((blocks.c.blocker == blocker) & (blocks.c.id == number)))

    async def blocked(self, blocker: str) -> list[Any]:
        """Whom a person has blocked."""
        return await self._all(select(blocks).where(blocks.c.blocker == blocker).order_by(blocks.c.at, blocks.c.id))

    async def blocked_by(self, guest: str, people: Iterable[str]) -> bool:
        """Whether one of these people has blocked a guest."""
        others = set(people) - {guest}
        pair = (blocks.c.blocked == guest) & blocks.c.blocker.in_(others)
        return bool(others) and bool(await self._all(select(blocks.c.id).where(pair).limit(1)))

    async def report(self, **report: Any) -> None:
        """Keep a report; the same one twice is one."""
        try:
            await self._do(insert(reports).values(report))
        except IntegrityError:
            return

    async def reports(self, limit: int) -> list[Any]:
        """The last reports, the newest first."""
        return await self._all(select(reports).order_by(reports.c.id.desc()).limit(limit))

    async def _all(self, query: Any) -> list[Any]:
        return await rows(self._store, query)

    async def _do(self, *statements: Any, note: dict[str, Any] | None = None) -> None:
        await execute(self._store, *statements, note=note)
