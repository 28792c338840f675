"""Accounts and their sessions, who does not want to read whom, and what was reported."""

import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from quatuor.server.store.schema import (
    account_names,
    accounts,
    blocks,
    entrants,
    events,
    guests,
    mutes,
    networks,
    recovery_codes,
    reports,
    roles,
    sanctions,
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
        return await self._store.run(self._account, accounts.c.key == key)

    async def account_of(self, guest: str) -> Account | None:
        """An account by who it is at a table."""
        return await self._store.run(self._account, accounts.c.guest == guest)

    async def set_password(self, guest: str, password: str) -> None:
        """Keep another password's hash."""
        await self._do(update(accounts).where(accounts.c.guest == guest).values(password=password))

    async def remove(self, guest: str) -> list[str]:
        """Delete the account, its sessions, name, mutes and bots; the games stay, without a name. Returns the bots."""
        bots: list[str] = []

        def work(connection: Connection) -> None:
            owned = select(tokens.c.guest).where(tokens.c.owner == guest)
            bots[:] = connection.execute(owned).scalars()
            for statement in (
                delete(sessions).where(sessions.c.guest == guest),
                delete(mutes).where((mutes.c.reader == guest) | (mutes.c.muted == guest)),
                delete(tokens).where(tokens.c.owner == guest),
                delete(recovery_codes).where(recovery_codes.c.guest == guest),
                delete(account_names).where(account_names.c.guest == guest),
                delete(roles).where(roles.c.guest == guest),
                delete(networks).where(networks.c.guest == guest),
                delete(blocks).where((blocks.c.blocker == guest) | (blocks.c.blocked == guest)),
                delete(guests).where(guests.c.id == guest),
                delete(accounts).where(accounts.c.guest == guest),
            ):
                connection.execute(statement)
            dismissed = [{"dismissed": bot} for bot in bots]
            self._store.pubsub.send(connection, {"signed_out": {"guest": guest}}, {"renamed": guest}, *dismissed)

        await self._store.write(work)
        return bots

    async def hand_over(self, old: str, new: str) -> None:
        """Bots, tournaments, blocks and sanctions of a guest belong to another id from now on."""
        theirs = [
            await self._all(select(blocks).where(column == old)) for column in (blocks.c.blocker, blocks.c.blocked)
        ]
        for row in theirs[0]:
            await self.block(new, row.blocked, row.at)
        for row in theirs[1]:
            await self.block(row.blocker, new, row.at)
        for other in await self.muted(old):
            await self.mute(new, other, True)
        await self._do(
            update(tokens).where(tokens.c.owner == old).values(owner=new),
            update(tournaments).where(tournaments.c.organiser == old).values(organiser=new),
            update(entrants).where(entrants.c.guest == old).values(guest=new),
            update(sanctions).where(sanctions.c.guest == old).values(guest=new),
            update(reports).where(reports.c.author == old).values(author=new),
            delete(blocks).where((blocks.c.blocker == old) | (blocks.c.blocked == old)),
        )

    # ---- sessions

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

    # ---- muting and reporting

    async def muted(self, reader: str) -> set[str]:
        """Whom somebody does not want to read."""
        return {row.muted for row in await self._all(select(mutes.c.muted).where(mutes.c.reader == reader))}

    async def mute(self, reader: str, other: str, on: bool) -> None:
        """Stop reading somebody, or begin again."""
        pair = (mutes.c.reader == reader) & (mutes.c.muted == other)
        works: list[Any] = [delete(mutes).where(pair)]
        await self._do(*works, *([insert(mutes).values(reader=reader, muted=other)] if on else []))

    async def block(self, blocker: str, other: str, now: int) -> None:
        """No invitations, joins, rematches or words from somebody any more."""

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
        """Whom somebody has blocked."""
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

    # ---- recovery codes, and what is known about a person

    async def set_codes(self, guest: str, hashes: list[str]) -> None:
        """Keep the hashes of an account's recovery codes instead of all earlier ones."""
        earlier = delete(recovery_codes).where(recovery_codes.c.guest == guest)
        await self._do(earlier, *(insert(recovery_codes).values(hash=code, guest=guest) for code in hashes))

    async def codes(self, guest: str) -> list[Any]:
        """The hashes of the codes that are left."""
        return await self._all(select(recovery_codes.c.hash).where(recovery_codes.c.guest == guest))

    async def use_code(self, guest: str, code: str) -> bool:
        """Use a code up; False if there is no such code."""
        used: list[int] = []

        def work(connection: Connection) -> None:
            one = (recovery_codes.c.guest == guest) & (recovery_codes.c.hash == code)
            used[:] = [connection.execute(delete(recovery_codes).where(one)).rowcount]

        await self._store.write(work)
        return used == [1]

    async def data_of(self, guest: str) -> dict[str, Any]:
        """What a person wrote, reported, entered and chose."""
        said = (events.c.guest == guest) & (events.c.kind == "chat")
        columns = (events.c.table_id, events.c.at, events.c.data)
        made = (reports.c.table_id, reports.c.number, reports.c.said, reports.c.at)
        found = {
            "messages": select(*columns).where(said).order_by(events.c.at),
            "reports": select(*made).where(reports.c.reporter == guest),
            "tournaments": select(entrants.c.tournament_id, entrants.c.player).where(entrants.c.guest == guest),
            "muted": select(mutes.c.muted).where(mutes.c.reader == guest),
            "networks": select(networks.c.network, networks.c.seen).where(networks.c.guest == guest),
        }
        return {name: [dict(row._mapping) for row in await self._all(query)] for name, query in found.items()}

    # ---- inside

    def _account(self, which: Any) -> Account | None:
        with self._store.engine.connect() as connection:
            row = connection.execute(select(accounts).where(which)).one_or_none()
        return Account(row.guest, row.name, row.password) if row else None

    async def _all(self, query: Any) -> list[Any]:
        def read() -> list[Any]:
            with self._store.engine.connect() as connection:
                return list(connection.execute(query).all())

        return await self._store.run(read)

    async def _do(self, *statements: Any, note: dict[str, Any] | None = None) -> None:
        def work(connection: Connection) -> None:
            for statement in statements:
                connection.execute(statement)
            if note:
                self._store.pubsub.send(connection, note)

        await self._store.write(work)
