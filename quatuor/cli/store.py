"""``quatuor export``, ``import`` and ``doctor``: take care of the games that were played."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quatuor.cli.common import Json

if TYPE_CHECKING:
    from quatuor.server.store import Store
    from quatuor.server.store.doctor import Damage

Where = Annotated[str | None, typer.Option("--store", envvar="QUATUOR_STORE", help="A file, or a PostgreSQL URL.")]


def export(
    file: Annotated[Path, typer.Argument(help="Where to write; a name that ends in .gz is compressed.")],
    store: Where = None,
) -> None:
    """Write all games and people into one file, for safe keeping or for another store."""
    from quatuor.server.store import backup

    opened = _open(store)
    print(f"{backup.save(opened, file):,} rows in {file}. It holds everybody's games: keep it to yourself.")
    opened.close()


def import_(
    file: Annotated[Path, typer.Argument(help="What `quatuor export` wrote.")],
    store: Where = None,
) -> None:
    """Put the games of an exported file into a store. What it has already stays as it is."""
    from quatuor.server.store import backup

    opened = _open(store, make=True)
    new, known = backup.restore(opened, file)
    print(f"{new:,} rows imported, {known:,} were there already.")
    opened.close()


def doctor(store: Where = None, json: Json = False) -> None:
    """Check every game and tournament in the store by playing it again. The exit code is 1 if one is damaged."""
    from dataclasses import asdict

    from rich.console import Console
    from rich.progress import track

    from quatuor.server.store.doctor import Damage, examine

    opened = _open(store)
    found: list[Damage] = []
    whole = cups = 0
    for result in track(examine(opened), "Replaying", transient=True, console=Console(stderr=True), disable=json):
        if isinstance(result, Damage):
            found.append(result)
        elif result.tournament:
            cups += 1
        else:
            whole += 1
    opened.close()
    if json:
        import json as writer

        report = {"whole": whole, "tournaments": cups, "damaged": [asdict(damage) for damage in found]}
        print(writer.dumps(report, indent=2))
    else:
        for damage in found:
            print(f"{_where(damage)}: {damage.what}")
        also = f" and {cups:,} tournaments" if cups else ""
        sound = f"{whole:,} games{also} are whole"
        print(f"{sound}, {len(found):,} are damaged." if found else f"All {sound}.")
    if found:
        raise typer.Exit(1)


def _where(damage: "Damage") -> str:
    if damage.tournament:
        return f"tournament {damage.tournament}" + (f", line {damage.version}" if damage.version else "")
    where = f"table {damage.table}" if damage.table else "the store"
    return where + (f", event {damage.version}" if damage.version else "")


def _open(where: str | None, make: bool = False) -> "Store":
    from quatuor.server import Settings
    from quatuor.server.store import Store

    url = Settings(store=where).url
    if not make and url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).is_file():
        raise ValueError(f"there are no games at {url.removeprefix('sqlite:///')}; say where they are by --store")
    return Store(url)
