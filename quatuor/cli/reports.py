"""``quatuor reports``: what players have reported."""

from collections.abc import Iterable
from typing import Annotated, Any

import typer


def reports(
    store: Annotated[str | None, typer.Option(help="Where games are kept: a file, or a database URL.")] = None,
    last: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 50,
) -> None:
    """List messages that players have reported, the newest first."""
    import asyncio

    from quatuor.server.settings import Settings
    from quatuor.server.store import Store
    from quatuor.server.store.people import People

    kept = Store(Settings(store=store).url)
    found = asyncio.run(People(kept).reports(last))
    kept.close()
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
