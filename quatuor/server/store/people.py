"""Accounts, their recovery codes, and all that is known about a person."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from quatuor.server.store.relations import Relations
from quatuor.server.store.rows import execute, rows
from quatuor.server.store.schema import (
    account_names,
    accounts,
    addresses,
    blocks,
    entrants,
    events,
    guests,
    mails,
    mutes,
    networks,
    profiles,
    ratings,
    recovery_codes,
    reports,
    roles,
    sanctions,
    sessions,
    solved_puzzles,
    tokens,
    tournaments,
)
from quatuor.server.store.store import Store


@dataclass(frozen=True)
class Account:
    """An account: a name and a password."""

    guest: str
    name: str
    password: str  # hashed


class NameTaken(Exception):
    """Another account has this name."""


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
        """Keep the hash of a new password."""
        await self._do(update(accounts).where(accounts.c.guest == guest).values(password=password))

    async def remove(self, guest: str) -> list[str]:
        """Delete the account, its sessions, names, mutes and bots; the games stay, without a name. Returns the bots."""
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
                delete(ratings).where(ratings.c.player == guest),
                delete(profiles).where(profiles.c.guest == guest),
                delete(solved_puzzles).where(solved_puzzles.c.guest == guest),
                delete(addresses).where(addresses.c.guest == guest),
                delete(mails).where(mails.c.guest == guest),
                delete(blocks).where((blocks.c.blocker == guest) | (blocks.c.blocked == guest)),
                delete(guests).where(guests.c.id.in_([guest, *bots])),
                delete(accounts).where(accounts.c.guest == guest),
            ):
                connection.execute(statement)
            renamed = [{"renamed": nameless} for nameless in (guest, *bots)]
            dismissed = [{"dismissed": bot} for bot in bots]
            self._store.pubsub.send(connection, {"signed_out": {"guest": guest}}, *renamed, *dismissed)

        await self._store.write(work)
        return bots

    async def hand_over(self, old: str, new: str) -> None:
        """Bots, tournaments, blocks and sanctions of a guest belong to another id from now on."""
        relations = Relations(self._store)
        for row in await self._all(select(blocks).where(blocks.c.blocker == old)):
            await relations.block(new, row.blocked, row.at)
        for row in await self._all(select(blocks).where(blocks.c.blocked == old)):
            await relations.block(row.blocker, new, row.at)
        for other in await relations.muted(old):
            await relations.mute(new, other, True)
        await self._do(
            update(tokens).where(tokens.c.owner == old).values(owner=new),
            update(tournaments).where(tournaments.c.organiser == old).values(organiser=new),
            update(entrants).where(entrants.c.guest == old).values(guest=new),
            update(sanctions).where(sanctions.c.guest == old).values(guest=new),
            update(reports).where(reports.c.author == old).values(author=new),
            delete(blocks).where((blocks.c.blocker == old) | (blocks.c.blocked == old)),
        )

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
        said = (events.c.guest == guest) & events.c.kind.in_(("chat", "spectator_chat"))
        columns = (events.c.table_id, events.c.at, events.c.data)
        made = (reports.c.table_id, reports.c.number, reports.c.said, reports.c.at)
        found = {
            "messages": select(*columns).where(said).order_by(events.c.at),
            "reports": select(*made).where(reports.c.reporter == guest),
            "tournaments": select(entrants.c.tournament_id, entrants.c.player).where(entrants.c.guest == guest),
            "muted": select(mutes.c.muted).where(mutes.c.reader == guest),
            "networks": select(networks.c.network, networks.c.seen).where(networks.c.guest == guest),
            "ratings": select(ratings).where(ratings.c.player == guest),
            "profile": select(profiles).where(profiles.c.guest == guest),
            "puzzles": select(solved_puzzles).where(solved_puzzles.c.guest == guest),
            "addresses": select(addresses).where(addresses.c.guest == guest),
            "mails": select(mails).where(mails.c.guest == guest),
        }
        return {name: [dict(row._mapping) for row in await self._all(query)] for name, query in found.items()}

    # ---- inside

    def _account(self, which: Any) -> Account | None:
        with self._store.engine.connect() as connection:
            row = connection.execute(select(accounts).where(which)).one_or_none()
        return Account(row.guest, row.name, row.password) if row else None

    async def _all(self, query: Any) -> list[Any]:
        return await rows(self._store, query)

    async def _do(self, *statements: Any, note: dict[str, Any] | None = None) -> None:
        await execute(self._store, *statements, note=note)
