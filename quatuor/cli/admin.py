"""``quatuor admin``: moderators, reports and decisions, on the store itself."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quatuor.cli.common import Json, working
from quatuor.cli.store import Where, explained, reading, writing

if TYPE_CHECKING:
    from quatuor.server.store.moderation import Moderation

admin = typer.Typer(name="admin", help="Moderators, reports, ratings.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="The name of an account.")]
Role = Annotated[str, typer.Argument(help="moderator")]
OPERATOR = "operator"


@admin.command()
def grant(name: Name, role: Role = "moderator", store: Where = None, json: Json = False) -> None:
    """Give an account a role."""
    _role(name, role, True, store, json)


@admin.command()
def revoke(name: Name, role: Role = "moderator", store: Where = None, json: Json = False) -> None:
    """Take a role from an account."""
    _role(name, role, False, store, json)


@admin.command()
def reports(
    closed: Annotated[bool, typer.Option(help="Those that were decided.")] = False,
    store: Where = None,
    json: Json = False,
) -> None:
    """List the reports that wait for a decision."""
    found = _run(store, lambda moderation: moderation.queue(closed))
    _print(
        found, json, lambda row: f"{row['id']:>5}  {row['table_id']} #{row['number']}  {row['author']}  {row['said']!r}"
    )


@admin.command()
def person(
    guest: Annotated[str, typer.Argument(help="The id of a person, as reports show it.")],
    store: Where = None,
    json: Json = False,
) -> None:
    """Show what was reported and decided about a person."""
    found = _run(store, lambda moderation: moderation.history(guest))
    rows = [{"what": what, **row} for what, part in found.items() for row in part]
    _print(found if json else rows, json, lambda row: "  ".join(f"{key}={value}" for key, value in row.items()))


@admin.command()
def decide(
    action: Annotated[str, typer.Argument(help="warn, mute, ban, remove, rename or dismiss")],
    report: Annotated[int | None, typer.Option(help="The number of a report.")] = None,
    guest: Annotated[str | None, typer.Option(help="Or the id of a person.")] = None,
    reason: Annotated[str, typer.Option(help="Shown to the person.")] = "",
    hours: Annotated[int | None, typer.Option(min=1, help="How long; otherwise for ever.")] = None,
    network: Annotated[bool, typer.Option(help="Ban the networks the person came from, too.")] = False,
    store: Where = None,
    json: Json = False,
) -> None:
    """Decide about a report, or about a person."""
    from quatuor.server.clock import now
    from quatuor.server.store.moderation import Decision

    if (report is None) == (guest is None):
        raise ValueError("give either --report or --guest")

    async def work(moderation: "Moderation") -> dict[str, Any]:
        found = await moderation.report(report) if report is not None else None
        whom = found["author"] if found else guest or ""
        await moderation.decide(OPERATOR, whom, Decision(action, reason, hours, network), now(), found)
        return {"action": action, "guest": whom}

    _print([_run(store, work)], json, lambda row: f"{row['action']}: {row['guest']}")


@admin.command()
def lift(
    sanction: Annotated[int, typer.Argument(help="The number of a sanction.")],
    store: Where = None,
    json: Json = False,
) -> None:
    """End a mute or a ban."""
    from quatuor.server.clock import now

    _run(store, lambda moderation: moderation.lift(OPERATOR, sanction, now()))
    _print([{"lifted": sanction}], json, lambda row: f"sanction {row['lifted']} is lifted")


@admin.command()
def log(store: Where = None, json: Json = False) -> None:
    """Show what moderators did, the newest first."""
    found = _run(store, lambda moderation: moderation.log())
    _print(
        found,
        json,
        lambda row: f"{when(row['at'])}  {row['moderator']}  {row['action']}  {row['guest']}  {row['detail']}",
    )


@admin.command(name="ratings")
def compute_ratings(store: Where = None, json: Json = False) -> None:
    """Compute the ratings of all players anew from the stored rated games. The server may run meanwhile."""
    from quatuor.server.store.rating_rows import recompute

    with working("Computing ratings"), writing(store, make=False) as engine:
        games = recompute(engine)
    _print([{"games": games}], json, lambda row: f"Ratings were computed from {row['games']:,} rated games.")


def when(at: int) -> str:
    """A time, to the minute."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(at / 1000, UTC).isoformat(" ", "minutes")[:16]


def _role(name: str, role: str, on: bool, store: str | None, json: bool) -> None:
    from quatuor.server.clock import now
    from quatuor.server.names import name_key
    from quatuor.server.store.moderation import MODERATOR

    if role != MODERATOR:
        raise ValueError(f"{role} is not a role; there is: {MODERATOR}")
    guest = _run(store, lambda moderation: moderation.grant(name_key(name), role, on, now()))
    row = {"name": name, "guest": guest, "role": role, "granted": on}
    _print([row], json, lambda row: f"{name} is {'now' if on else 'no longer'} a {role}")


def _run(store: str | None, work: "Callable[[Moderation], Awaitable[Any]]") -> Any:
    from quatuor.server import Settings
    from quatuor.server.store import Store
    from quatuor.server.store.moderation import Moderation
    from quatuor.table import Refused

    async def run() -> Any:
        return await work(Moderation(opened))

    with reading(store) as engine, engine.connect():
        pass  # ValueError if there is no store
    url = Settings(store=store).url
    with explained(url, "opened"):
        opened = Store(url)
        try:
            return asyncio.run(run())
        except Refused as refused:
            facts = "; ".join(map(str, refused.detail.values()))
            raise ValueError(f"{refused.code.replace('_', ' ')}{f': {facts}' if facts else ''}") from None
        finally:
            opened.close()


def _print(found: Any, json: bool, line: Callable[[Any], str]) -> None:
    import json as writer

    if json:
        print(writer.dumps(found, indent=2))
    else:
        print("\n".join(map(line, found)) or "Nothing.")
