"""The names of accounts, by how they look: no two accounts, and no guest beside an account, look alike."""

from collections.abc import Iterable

from sqlalchemy import Connection, delete, insert, select

from quatuor.server.store.rows import rows
from quatuor.server.store.schema import account_names
from quatuor.server.store.store import Store


class AccountNames:
    """All methods may be called from the event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def owners(self, looks: Iterable[str]) -> dict[str, str]:
        """Which accounts have names with these looks: look -> guest."""
        wanted = set(looks)
        if not wanted:
            return {}
        query = select(account_names).where(account_names.c.look.in_(wanted))
        return {row.look: row.guest for row in await rows(self._store, query)}

    async def claim(self, guest: str, looks: Iterable[str], keep: Iterable[str]) -> None:
        """An account has a new name at tables; the looks to ``keep`` are those of its sign-in name.

        IntegrityError if another account was quicker.
        """
        wanted, kept = set(looks), set(keep)

        def work(connection: Connection) -> None:
            mine = account_names.c.guest == guest
            connection.execute(delete(account_names).where(mine, account_names.c.look.not_in(kept)))
            have = set(connection.execute(select(account_names.c.look).where(mine)).scalars())
            for look in sorted(wanted - have):
                connection.execute(insert(account_names).values(look=look, guest=guest))

        await self._store.write(work)
