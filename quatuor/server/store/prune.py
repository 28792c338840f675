"""Deleting guests' unfinished tables that nobody has touched for long, when the operator asks for it.

A table stays if its game is over, an account or a bot sits there or opened it, it belongs to a tournament, or a message
at it was reported.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, Engine, delete, select

from quatuor.server.store.database import writing
from quatuor.server.store.schema import cards, events, heads, reports, rounds, seated, tables

SHORTEST = 15  # days: a turn of a correspondence game may take 14
TOGETHER = 100  # tables deleted in one transaction: moves wait behind it
_VISITOR = re.compile(r"[0-9a-f]{24}")  # the id of a guest without an account


def prune(engine: Engine, days: int, dry_run: bool) -> list[str]:
    """Delete what has not been used for a number of days; or only report what would be deleted."""
    if days < SHORTEST:
        raise ValueError(f"--days {days}: at least {SHORTEST}, for a turn of a correspondence game may take 14")
    before = datetime.now(UTC) - timedelta(days=days)
    with engine.connect() as connection:
        found = list(_unused(connection, before))
    if dry_run:
        return found
    deleted = []
    for first in range(0, len(found), TOGETHER):
        with writing(engine) as connection:
            chosen = found[first : first + TOGETHER]
            connection.execute(select(tables.c.id).where(tables.c.id.in_(chosen)).with_for_update()).all()
            still = sorted(set(chosen) & set(_unused(connection, before, chosen)))  # a player may have come back
            for relation in (events, heads, cards, seated):
                connection.execute(delete(relation).where(relation.c.table_id.in_(still)))
            connection.execute(delete(tables).where(tables.c.id.in_(still)))
            deleted += still
    return deleted


def _unused(connection: Connection, before: datetime, among: list[str] | None = None) -> Iterator[str]:
    milliseconds, written = int(before.timestamp() * 1000), before.isoformat(timespec="milliseconds")
    query = select(tables.c.id, tables.c.setup).join(cards, cards.c.table_id == tables.c.id)
    query = query.where((cards.c.status != "over") & (cards.c.touched < milliseconds))
    for relation in (rounds, reports):
        query = query.where(tables.c.id.not_in(select(relation.c.table_id)))
    query = query.where(~select(events).where((events.c.table_id == tables.c.id) & (events.c.at >= written)).exists())
    if among is not None:
        query = query.where(tables.c.id.in_(among))
    for row in connection.execute(query.order_by(tables.c.id)).all():
        sitting = connection.execute(select(seated.c.guest).where(seated.c.table_id == row.id)).scalars()
        if all(_VISITOR.fullmatch(guest) for guest in (row.setup["creator"], *sitting)):
            yield str(row.id)
