"""The sessions of accounts: browsers that are signed in."""

from typing import Any

from sqlalchemy import delete, insert, select, update

from quatuor.server.store.rows import execute, rows
from quatuor.server.store.schema import sessions, tokens
from quatuor.server.store.store import Store


class SessionRows:
    """All methods may be called from the event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def open_session(self, token: str, guest: str, now: int, agent: str | None = None) -> None:
        """A browser is signed in."""
        await self._do(insert(sessions).values(hash=token, guest=guest, created=now, seen=now, agent=agent))

    async def sessions(self, guest: str) -> list[Any]:
        """Where an account is signed in, the last used first."""
        return await self._all(select(sessions).where(sessions.c.guest == guest).order_by(sessions.c.seen.desc()))

    async def session(self, token: str, seen_since: int) -> tuple[str, int] | None:
        """Whose session this is and when it was last seen, unless that is too long ago."""
        query = select(sessions.c.guest, sessions.c.seen).where(sessions.c.hash == token)
        found = await self._all(query.where(sessions.c.seen >= seen_since))
        return (found[0].guest, found[0].seen) if found else None

    async def touch(self, token: str, now: int) -> None:
        """A session is still in use."""
        await self._do(update(sessions).where(sessions.c.hash == token).values(seen=now))

    async def close_sessions(self, guest: str, but: str | None = None) -> None:
        """Sign out everywhere, or everywhere else; the other processes are notified."""
        closed = (sessions.c.guest == guest) & (sessions.c.hash != (but or ""))
        await self._do(delete(sessions).where(closed), note={"signed_out": {"guest": guest, "but": but}})

    async def close_session(self, token: str) -> None:
        """Sign out here; the other processes are notified."""
        await self._do(delete(sessions).where(sessions.c.hash == token), note={"signed_out": {"session": token}})

    async def is_bot(self, guest: str) -> bool:
        """Whether a bot's token still holds."""
        return bool(await self._all(select(tokens.c.guest).where(tokens.c.guest == guest)))

    @property
    def current(self) -> bool:
        """Whether a sign-out at another process would have been received."""
        return self._store.pubsub.current

    async def expire(self, seen_before: int) -> None:
        """Forget sessions that nobody has used for long."""
        await self._do(delete(sessions).where(sessions.c.seen < seen_before))

    async def _all(self, query: Any) -> list[Any]:
        return await rows(self._store, query)

    async def _do(self, *statements: Any, note: dict[str, Any] | None = None) -> None:
        await execute(self._store, *statements, note=note)
