"""Accounts and their sessions, who does not want to read whom, and what was reported."""

import asyncio
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from quatuor.server.store.schema import (
    account_names,
    accounts,
    entrants,
    guests,
    mutes,
    reports,
    sessions,
    tokens,
    tournaments,
)
from quatuor.server.store.store import Store


@dataclass(frozen=True)
class Account:
    """Somebody with a name and a password."""

    guest: str
    name: str
    password: str  # hashed


class NameTaken(Exception):
    """Somebody else has this name."""


class People:
    """All methods may be called from the event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, account: Account, key: str, looks: Iterable[str], now: int) -> None:
        """A new account, called by its name at tables too. NameTaken if another looks alike."""

        def work(connection: Connection) -> None:
            connection.execute(insert(accounts).values(**asdict(account), key=key, created=now))
            connection.execute(insert(guests).values(id=account.guest, name=account.name))
            for look in looks:
                connection.execute(insert(account_names).values(look=look, guest=account.guest))

        try:
            await self._store.write(work)
        except IntegrityError as error:
            raise NameTaken(account.name) from error

    async def account(self, key: str) -> Account | None:
        """An account by its name's key."""
        return await asyncio.to_thread(self._account, accounts.c.key == key)

    async def account_of(self, guest: str) -> Account | None:
        """An account by who it is at a table."""
        return await asyncio.to_thread(self._account, accounts.c.guest == guest)

    async def set_password(self, guest: str, password: str) -> None:
        """Keep another password's hash."""
        await self._do(update(accounts).where(accounts.c.guest == guest).values(password=password))

    async def remove(self, guest: str) -> None:
        """Forget the account, its sessions, its name and its mutes; the games stay, without a name."""
        await self._do(
            delete(sessions).where(sessions.c.guest == guest),
            delete(mutes).where((mutes.c.reader == guest) | (mutes.c.muted == guest)),
            delete(tokens).where(tokens.c.owner == guest),
            delete(guests).where(guests.c.id == guest),
            delete(accounts).where(accounts.c.guest == guest),
        )

    async def hand_over(self, old: str, new: str) -> None:
        """Bots and tournaments of a guest belong to another id from now on."""
        await self._do(
            update(tokens).where(tokens.c.owner == old).values(owner=new),
            update(tournaments).where(tournaments.c.organiser == old).values(organiser=new),
            update(entrants).where(entrants.c.guest == old).values(guest=new),
        )

    # ---- sessions

    async def open_session(self, token: str, guest: str, now: int) -> None:
        """A browser is signed in."""
        await self._do(insert(sessions).values(hash=token, guest=guest, created=now, seen=now))

    async def session(self, token: str, seen_since: int) -> tuple[str, int] | None:
        """Whose session this is and when it was last seen, unless that is too long ago."""
        query = select(sessions.c.guest, sessions.c.seen).where(sessions.c.hash == token)
        found = await self._all(query.where(sessions.c.seen >= seen_since))
        return (found[0].guest, found[0].seen) if found else None

    async def touch(self, token: str, now: int) -> None:
        """A session is still in use."""
        await self._do(update(sessions).where(sessions.c.hash == token).values(seen=now))

    async def close_sessions(self, guest: str, but: str | None = None) -> None:
        """Sign out everywhere, or everywhere else."""
        await self._do(delete(sessions).where((sessions.c.guest == guest) & (sessions.c.hash != (but or ""))))

    async def close_session(self, token: str) -> None:
        """Sign out here."""
        await self._do(delete(sessions).where(sessions.c.hash == token))

    async def expire(self, seen_before: int) -> None:
        """Forget sessions that nobody has used for long."""
        await self._do(delete(sessions).where(sessions.c.seen < seen_before))

    # ---- muting and reporting

    async def muted(self, reader: str) -> set[str]:
        """Whom somebody does not want to read."""
        return {row.muted for row in await self._all(select(mutes.c.muted).where(mutes.c.reader == reader))}

    async def mute(self, reader: str, other: str, on: bool) -> None:
        """Stop reading somebody, or begin again."""
        pair = (mutes.c.reader == reader) & (mutes.c.muted == other)
        works: list[Any] = [delete(mutes).where(pair)]
        await self._do(*works, *([insert(mutes).values(reader=reader, muted=other)] if on else []))

    async def report(self, **report: Any) -> None:
        """Keep a report; the same one twice is one."""
        try:
            await self._do(insert(reports).values(report))
        except IntegrityError:
            return

    async def reports(self, limit: int) -> list[Any]:
        """The last reports, the newest first."""
        return await self._all(select(reports).order_by(reports.c.id.desc()).limit(limit))

    # ---- inside

    def _account(self, which: Any) -> Account | None:
        with self._store.engine.connect() as connection:
            row = connection.execute(select(accounts).where(which)).one_or_none()
        return Account(row.guest, row.name, row.password) if row else None

    async def _all(self, query: Any) -> list[Any]:
        def read() -> list[Any]:
            with self._store.engine.connect() as connection:
                return list(connection.execute(query).all())

        return await asyncio.to_thread(read)

    async def _do(self, *statements: Any) -> None:
        def work(connection: Connection) -> None:
            for statement in statements:
                connection.execute(statement)

        await self._store.write(work)
