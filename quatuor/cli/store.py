"""``quatuor export``, ``import``, ``backup`` and ``prune``: take care of the games that were played."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quatuor.cli.common import Json, print_json, working

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from quatuor.server.store.backup import Restored, Saved

Where = Annotated[str | None, typer.Option("--store", envvar="QUATUOR_STORE", help="A file, or a PostgreSQL URL.")]


def export(
    file: Annotated[Path, typer.Argument(help="Where to write; a name that ends in .gz is compressed.")],
    store: Where = None,
    json: Json = False,
) -> None:
    """Write all games and people into one file, for safe keeping or for another store."""
    from quatuor.server.store import backup as backups

    with working("Exporting"), reading(store) as engine:
        saved = backups.save(engine, file)
    if json:
        return print_json({"file": str(file), "rows": saved.rows, "replaced": saved.replaced})
    print(f"{_rows(saved.rows)} in {file}. It holds everyone's games: keep it private.")
    return _tell_replaced(saved)


def import_(
    file: Annotated[Path, typer.Argument(help="What `quatuor export` or `quatuor backup` wrote.", exists=True)],
    store: Where = None,
    unverified: Annotated[
        bool, typer.Option("--unverified", help="Also take a file of an earlier release, which has no checksum.")
    ] = False,
    json: Json = False,
) -> None:
    """Put the games of an exported file into a store: all of them or none. What it has already stays as it is."""
    from dataclasses import asdict

    from quatuor.server.store import backup as backups

    with working("Importing"), writing(store) as engine:
        done = backups.restore(engine, file, unverified)
    if json:
        return print_json({"file": str(file), **asdict(done)})
    print(f"{_rows(done.new)} imported, {done.known:,} were there already.")
    if not done.verified:
        typer.echo("The file had no checksum: run `quatuor doctor`, and compare with what you expect.", err=True)
    return _tell_replaced(done)


def backup(
    folder: Annotated[Path, typer.Argument(help="Where the backups are.")],
    keep: Annotated[int, typer.Option(min=1, help="How many backups to keep, the newest.")] = 14,
    store: Where = None,
    json: Json = False,
) -> None:
    """Write a dated backup into a folder, read it again to check it, and delete the oldest. Made for a timer."""
    from quatuor.server.store import backup as backups

    with working("Backing up"), reading(store) as engine:
        file, saved, deleted = backups.save_dated(engine, folder, keep)
    if json:
        facts = {"file": str(file), "rows": saved.rows, "replaced": saved.replaced, "deleted": list(map(str, deleted))}
        return print_json(facts)
    print(f"{_rows(saved.rows)} in {file}; older backups deleted: {len(deleted)}.")
    return _tell_replaced(saved)


def prune(
    days: Annotated[
        int | None,
        typer.Option(envvar="QUATUOR_PRUNE_DAYS", help="How long nobody has touched them; at least 15."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be deleted.")] = False,
    store: Where = None,
    json: Json = False,
) -> None:
    """Delete guests' unfinished tables that nobody has touched for long. Finished games are always kept."""
    from quatuor.server.store.prune import prune as delete

    if days is None:
        raise ValueError("say for how many days a table must be untouched: --days 90, or QUATUOR_PRUNE_DAYS=90")
    if dry_run:
        with working("Looking"), reading(store) as engine:
            deleted = delete(engine, days, dry_run)
    else:
        with working("Deleting"), writing(store, make=False) as engine:
            deleted = delete(engine, days, dry_run)
    if json:
        print_json({"deleted": [] if dry_run else deleted, "would_delete": deleted if dry_run else []})
    else:
        print(f"{len(deleted):,} tables {'would be' if dry_run else 'were'} deleted.")


@contextlib.contextmanager
def reading(where: str | None) -> Iterator["Engine"]:
    """The store to read. It is neither created nor changed; ValueError if there is none."""
    from quatuor.server import Settings
    from quatuor.server.store.database import open_to_read

    url = Settings(store=where).url
    with explained(url, "read"), open_to_read(url) as engine:
        yield engine


@contextlib.contextmanager
def writing(where: str | None, make: bool = True) -> Iterator["Engine"]:
    """The store to write, upgraded; it is created if it is missing, or else ValueError."""
    from sqlalchemy import make_url

    from quatuor.server import Settings
    from quatuor.server.store.database import open_to_write, upgrade

    url = Settings(store=where).url
    with explained(url, "written"):
        if not make:
            with reading(where) as engine, engine.connect():
                pass
        upgrade(make_url(url))
        engine = open_to_write(make_url(url))
        try:
            yield engine
        finally:
            engine.dispose()


@contextlib.contextmanager
def explained(url: str, what: str) -> Iterator[None]:
    """An error of the database becomes a ValueError that names the store: it cannot be read or written."""
    from sqlalchemy.exc import DBAPIError

    try:
        yield
    except DBAPIError as error:
        raise ValueError(f"{_shown(url)} cannot be {what}: {str(error.orig).splitlines()[0]}") from None


def _shown(url: str) -> str:
    from sqlalchemy import make_url

    from quatuor.server.store.database import sqlite_file

    parsed = make_url(url)
    return str(sqlite_file(parsed) or parsed.render_as_string(hide_password=True))


def _rows(count: int) -> str:
    return f"{count:,} {'row' if count == 1 else 'rows'}"


def _tell_replaced(done: "Saved | Restored") -> None:
    if done.replaced:
        what = "rows had characters that no store may hold; U+FFFD stands in their place."
        typer.echo(f"{done.replaced:,} {what}", err=True)
