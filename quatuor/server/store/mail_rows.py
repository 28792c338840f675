"""E-mail addresses, and the outbox: mails that wait, are being sent, or were sent."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, or_, select, update

from quatuor.server.store.rows import execute, rows
from quatuor.server.store.schema import accounts, addresses, cards, mails, seated
from quatuor.server.store.store import Store

CONFIRM = ""  # instead of a table: the mail that asks to confirm an address
DAY = 86_400_000  # milliseconds
LEASE = 300_000  # milliseconds in which a process sends a mail that it took; then another may
TOGETHER = 20  # mails taken at a time
QUEUED = 200  # mails queued at a time


@dataclass(frozen=True)
class Mail:
    """A mail that is due."""

    guest: str
    table: str
    ply: int
    tries: int


class MailRows:
    """All methods may be called from the event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def address(self, guest: str) -> Any | None:
        """The address of an account, with its language and when it was confirmed."""
        found = await rows(self._store, select(addresses).where(addresses.c.guest == guest))
        return found[0] if found else None

    async def asked(self, address: str, since: int) -> int:
        """How many accounts gave this address lately."""
        same = (addresses.c.address == address) & (addresses.c.asked >= since)
        return int((await rows(self._store, select(func.count()).select_from(addresses).where(same)))[0][0])

    async def set_address(self, guest: str, address: str, lang: str, now: int) -> None:
        """Keep an address, unconfirmed, and queue the mail that asks for it."""
        await execute(
            self._store,
            delete(addresses).where(addresses.c.guest == guest),
            insert(addresses).values(guest=guest, address=address, lang=lang, asked=now),
            delete(mails).where((mails.c.guest == guest) & (mails.c.table_id == CONFIRM)),
            insert(mails).values(guest=guest, table_id=CONFIRM, ply=0, tries=0, due=now),
        )

    async def confirm(self, guest: str, address: str, now: int) -> None:
        """The owner of the address wants mails."""
        same = (addresses.c.guest == guest) & (addresses.c.address == address)
        await execute(self._store, update(addresses).where(same).values(confirmed=now))

    async def remove(self, guest: str) -> None:
        """Delete an address; nothing is sent there any more."""
        await execute(
            self._store,
            delete(addresses).where(addresses.c.guest == guest),
            update(mails).where(mails.c.guest == guest).values(due=None),
        )

    # ---- the outbox

    async def queue_turns(self, before: int, now: int, per_day: int) -> None:
        """Queue a mail for each person who has been awaited since ``before`` at a table played by the day.

        One a table until the person has moved, and at most ``per_day`` for each person in a day.
        """

        def work(connection: Connection) -> None:
            for row in connection.execute(_awaited(before)).all():
                mine = mails.c.guest == row.guest
                lately = mine & ((mails.c.sent >= now - DAY) | mails.c.due.is_not(None))
                many = connection.execute(select(func.count()).select_from(mails).where(lately)).scalar_one()
                if many < per_day:
                    connection.execute(delete(mails).where(mine & (mails.c.table_id == row.table_id)))
                    values = {"guest": row.guest, "table_id": row.table_id, "ply": row.ply, "tries": 0, "due": now}
                    connection.execute(insert(mails).values(values))

        if await rows(self._store, _awaited(before).limit(1)):
            await self._store.write(work)

    async def sent_since(self, since: int) -> int:
        """How many mails were sent since then."""
        query = select(func.count()).select_from(mails).where(mails.c.sent >= since)
        return int((await rows(self._store, query))[0][0])

    async def take(self, now: int, most: int) -> list[Mail]:
        """Mails that are due, which this process is to send: of several processes one gets each."""
        due = select(mails).where(mails.c.due <= now).order_by(mails.c.due).limit(min(most, TOGETHER))
        if not await rows(self._store, due):
            return []
        taken: list[Mail] = []

        def work(connection: Connection) -> None:
            taken.clear()
            for row in connection.execute(due).all():
                same = _same(row.guest, row.table_id) & (mails.c.due == row.due)
                values = {"due": now + LEASE, "tries": row.tries + 1}
                if connection.execute(update(mails).where(same).values(values)).rowcount:
                    taken.append(Mail(row.guest, row.table_id, row.ply, row.tries + 1))

        await self._store.write(work)
        return taken

    async def finish(self, mail: Mail, sent: int | None, again: int | None = None) -> None:
        """A mail was ``sent``, is tried ``again`` later, or is given up."""
        values: dict[str, Any] = {"due": again} if sent is None else {"due": None, "sent": sent}
        same = _same(mail.guest, mail.table) & (mails.c.ply == mail.ply)
        await execute(self._store, update(mails).where(same).values(values))

    async def postpone(self, mail: Mail, due: int) -> None:
        """A mail is not sent now, which does not count as a try."""
        same = _same(mail.guest, mail.table) & (mails.c.ply == mail.ply)
        await execute(self._store, update(mails).where(same).values(due=due, tries=mail.tries - 1))

    async def awaited(self, mail: Mail) -> Any | None:
        """The summary of the table, if the person is still awaited in the same turn."""
        which = (seated.c.guest == mail.guest) & (seated.c.table_id == mail.table) & _acting()
        query = select(cards).select_from(_places()).where(which)
        found = [row for row in await rows(self._store, query) if row.facts["ply"] == mail.ply]
        return found[0] if found else None


def _awaited(before: int) -> Any:
    """People with an address who already had to move then, and got no mail about this turn."""
    ply = cards.c.facts["ply"].as_integer()
    slow = cards.c.facts["pace"]["days"].as_integer() > 0
    mail = and_(mails.c.guest == addresses.c.guest, mails.c.table_id == cards.c.table_id)
    joined = _places().join(addresses, addresses.c.guest == seated.c.guest).outerjoin(mails, mail)
    joined = joined.join(accounts, accounts.c.guest == addresses.c.guest)
    new = or_(mails.c.ply.is_(None), mails.c.ply < ply)
    where = addresses.c.confirmed.is_not(None) & _acting() & (cards.c.touched <= before) & slow & new
    query = select(addresses.c.guest, cards.c.table_id, ply.label("ply")).select_from(joined)
    return query.where(where).order_by(cards.c.touched).limit(QUEUED)


def _places() -> Any:
    return seated.join(cards, cards.c.table_id == seated.c.table_id)


def _acting() -> ColumnElement[bool]:
    return (cards.c.status == "running") & (cards.c.acting.bitwise_and(seated.c.seats) != 0)


def _same(guest: str, table: str) -> ColumnElement[bool]:
    return (mails.c.guest == guest) & (mails.c.table_id == table)
