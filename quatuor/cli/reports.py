"""``quatuor reports``: what players have reported."""

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from quatuor.cli.common import Json, print_json
from quatuor.cli.store import Where, reading


def reports(
    store: Where = None,
    last: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
    json: Json = False,
) -> None:
    """List messages that players have reported, the newest first."""
    from sqlalchemy import select

    from quatuor.server.store.doctor import schema_of
    from quatuor.server.store.schema import reports as relation

    with reading(store) as engine:
        schema_of(engine)
        with engine.connect() as connection:
            query = select(relation).order_by(relation.c.id.desc()).limit(last)
            found = list(connection.execute(query).all())
    if json:
        print_json([dict(report._mapping) for report in found])
    else:
        print(listed(found) if found else "Nothing was reported.")


def listed(found: Iterable[Any]) -> str:
    """One line a report: when, at which table, which message, who wrote it, who reported it, what it says."""
    from datetime import UTC, datetime

    lines = []
    for report in found:
        when = datetime.fromtimestamp(report.at / 1000, UTC).isoformat(" ", "minutes")[:16]
        lines.append(
            f"{when}  {report.table_id} #{report.number}  {report.author} < {report.reporter}  {report.said!r}"
        )
    return "\n".join(lines)
