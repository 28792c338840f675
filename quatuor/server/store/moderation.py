"""Moderation in the store: roles, reports, sanctions, and the log of what moderators did."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, or_, select, update

from quatuor.server import clock
from quatuor.server.names import nameless
from quatuor.server.store.rows import rows
from quatuor.server.store.schema import (
    accounts,
    moderation_log,
    networks,
    reports,
    roles,
    sanctions,
    tokens,
)
from quatuor.server.store.store import Store
from quatuor.table import AlreadyDone, Conflict, Context, Refused, Table, decide
from quatuor.table.commands import RemoveMessage

MODERATOR = "moderator"
OPERATOR = "operator"  # who uses the command line, in the log
ACTIONS = ("warn", "mute", "ban", "remove", "rename", "dismiss")
HOUR = 3_600_000
TRIES = 20  # to remove a message while others write
PAGE = 100


@dataclass(frozen=True)
class Decision:
    """What a moderator decides. ``hours``: how long a mute or a ban lasts, None for ever."""

    action: str
    reason: str = ""
    hours: int | None = None
    network: bool = False  # ban the networks the person came from, too


class Moderation:
    """All methods may be called from the event loop, and from the command line beside a running server."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # ---- roles

    async def grant(self, name_key: str, role: str, on: bool, now: int) -> str:
        """Give an account a role or take it away; the account's id. Refused if there is no such account."""
        found = await rows(self._store, select(accounts.c.guest).where(accounts.c.key == name_key))
        if not found:
            raise Refused("not_found", name=name_key)
        guest = str(found[0].guest)

        def work(connection: Connection) -> None:
            connection.execute(delete(roles).where(roles.c.guest == guest, roles.c.role == role))
            if on:
                connection.execute(insert(roles).values(guest=guest, role=role))
            self._store.pubsub.send(connection, {"sanctioned": True})
            _log(connection, now, OPERATOR, "grant" if on else "revoke", guest, {"role": role})

        await self._store.write(work)
        return guest

    async def is_moderator(self, guest: str) -> bool:
        """Whether an account may moderate."""
        mine = (roles.c.guest == guest) & (roles.c.role == MODERATOR)
        return bool(await rows(self._store, select(roles.c.guest).where(mine)))

    async def moderators(self) -> set[str]:
        """The accounts that may moderate."""
        return {row.guest for row in await rows(self._store, select(roles.c.guest).where(roles.c.role == MODERATOR))}

    # ---- reading

    async def queue(self, closed: bool = False, limit: int = PAGE) -> list[dict[str, Any]]:
        """The reports that wait for a decision, the oldest first; or those that were decided, the newest first."""
        which = reports.c.closed.is_not(None) if closed else reports.c.closed.is_(None)
        order = reports.c.closed.desc() if closed else reports.c.id
        return await self._plain(select(reports).where(which).order_by(order).limit(limit))

    async def report(self, number: int) -> dict[str, Any]:
        """One report."""
        found = await self._plain(select(reports).where(reports.c.id == number))
        if not found:
            raise Refused("not_found")
        return found[0]

    async def history(self, guest: str) -> dict[str, list[dict[str, Any]]]:
        """All reports about a person, what was decided about them, and when."""
        return {
            "reports": await self._plain(select(reports).where(reports.c.author == guest).order_by(reports.c.id)),
            "sanctions": await self._plain(
                select(sanctions).where(sanctions.c.guest == guest).order_by(sanctions.c.id)
            ),
            "log": await self._plain(
                select(moderation_log).where(moderation_log.c.guest == guest).order_by(moderation_log.c.id)
            ),
        }

    async def log(self, limit: int = PAGE) -> list[dict[str, Any]]:
        """What moderators did, the newest first."""
        return await self._plain(select(moderation_log).order_by(moderation_log.c.id.desc()).limit(limit))

    async def log_after(self, number: int) -> list[dict[str, Any]]:
        """What moderators did after an entry of the log."""
        later = select(moderation_log).where(moderation_log.c.id > number)
        return await self._plain(later.order_by(moderation_log.c.id))

    async def in_force(self, now: int, guest: str | None = None) -> list[dict[str, Any]]:
        """Sanctions that hold now, of everybody or of one person."""
        query = select(sanctions).where(
            sanctions.c.lifted.is_(None), or_(sanctions.c.until.is_(None), sanctions.c.until > now)
        )
        query = query.where(sanctions.c.guest == guest) if guest else query.where(sanctions.c.kind != "warn")
        return await self._plain(query.order_by(sanctions.c.id))

    # ---- deciding

    async def decide(
        self, moderator: str, guest: str, decision: Decision, now: int, report: dict[str, Any] | None = None
    ) -> None:
        """Carry out a decision about a person, write it into the log and close the report that led to it."""
        if decision.action not in ACTIONS:
            raise Refused("bad_request", reason=f"action: one of {', '.join(ACTIONS)}")
        if decision.action in ("warn", "mute", "ban") and not decision.reason.strip():
            raise Refused("bad_request", reason="reason: say why; the person will see it")
        if decision.action in ("remove", "dismiss") and report is None:
            raise Refused("bad_request", reason=f"{decision.action} needs a report")
        if decision.action == "remove" and report:
            await self._remove_message(report["table_id"], report["number"])
        if decision.action == "rename":
            await self._store.rename(guest, nameless(guest))

        def work(connection: Connection) -> None:
            if decision.action in ("warn", "mute", "ban"):
                _sanction(connection, guest, decision, now)
                self._store.pubsub.send(connection, {"sanctioned": True})
            if report:
                same = (reports.c.table_id == report["table_id"]) & (reports.c.number == report["number"])
                connection.execute(update(reports).where(same, reports.c.closed.is_(None)).values(closed=now))
            about = {"report": report["id"], "table": report["table_id"], "number": report["number"]} if report else {}
            detail = {"reason": decision.reason, "hours": decision.hours, "network": decision.network, **about}
            _log(connection, now, moderator, decision.action, guest, detail)

        await self._store.write(work)

    async def lift(self, moderator: str, sanction: int, now: int) -> None:
        """End a sanction before its time."""
        found = await self._plain(select(sanctions).where(sanctions.c.id == sanction, sanctions.c.lifted.is_(None)))
        if not found:
            raise Refused("not_found")

        def work(connection: Connection) -> None:
            connection.execute(update(sanctions).where(sanctions.c.id == sanction).values(lifted=now))
            _log(connection, now, moderator, "lift", found[0]["guest"], {"sanction": sanction})
            self._store.pubsub.send(connection, {"sanctioned": True})

        await self._store.write(work)

    # ---- networks

    async def saw(self, guest: str, network: str, now: int) -> None:
        """A person came from a network."""

        def work(connection: Connection) -> None:
            pair = (networks.c.guest == guest) & (networks.c.network == network)
            if not connection.execute(update(networks).where(pair).values(seen=now)).rowcount:
                connection.execute(insert(networks).values(guest=guest, network=network, seen=now))

        await self._store.write(work)

    async def forget_networks(self, before: int) -> None:
        """Delete what was seen before a moment."""
        await self._store.write(lambda connection: _run(connection, delete(networks).where(networks.c.seen < before)))

    # ---- inside

    async def _remove_message(self, table_id: str, number: int) -> None:
        """Append an event: the text stays in the event log and is never sent again."""
        for _ in range(TRIES):
            stored = await self._store.load(table_id)
            if stored is None:
                raise Refused("unknown_table")
            table = Table(stored.setup)
            for event in stored.events:
                table.apply(event)
            decision = decide(table, RemoveMessage(number), Context(now=clock.now()))
            if isinstance(decision, AlreadyDone):
                return
            if isinstance(decision, Refused):
                raise decision
            try:
                await self._store.append(table_id, table.version + 1, decision.event)
                return
            except Conflict:
                continue
        raise Refused("store_failed")

    async def _plain(self, query: Any) -> list[dict[str, Any]]:
        return [dict(row._mapping) for row in await rows(self._store, query)]


def _sanction(connection: Connection, guest: str, decision: Decision, now: int) -> None:
    until = now + decision.hours * HOUR if decision.hours and decision.action != "warn" else None
    row = {"kind": decision.action, "reason": decision.reason.strip(), "until": until, "at": now}
    people = [guest, *connection.execute(select(tokens.c.guest).where(tokens.c.owner == guest)).scalars()]
    places = select(networks.c.network).where(networks.c.guest == guest)
    found = connection.execute(places).scalars() if decision.network and decision.action == "ban" else ()
    for person in people if decision.action != "warn" else [guest]:
        connection.execute(insert(sanctions).values(**row, guest=person))
    for place in list(found):
        connection.execute(insert(sanctions).values(**row, guest=guest, network=place))


def _log(connection: Connection, at: int, moderator: str, action: str, guest: str | None, detail: Any) -> None:
    row = {"at": at, "moderator": moderator, "action": action, "guest": guest, "detail": detail}
    connection.execute(insert(moderation_log).values(row))


def _run(connection: Connection, statement: Any) -> None:
    connection.execute(statement)
