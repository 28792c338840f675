"""``quatuor doctor``: how are the kernels run, and is every game in the store whole?"""

from typing import TYPE_CHECKING, Annotated

import typer

from quatuor.cli.common import Json, print_json, working
from quatuor.cli.store import Where, reading

if TYPE_CHECKING:
    from quatuor.server.store.doctor import Damage


def doctor(
    store: Where = None,
    json: Json = False,
    kernels: Annotated[bool, typer.Option("--kernels", help="Only say how the games are compiled.")] = False,
) -> None:
    """Say how the games are compiled, and check the store: every game and tournament in it is played again.

    The store is only read.

    The exit code is 0 if all are whole, 1 if one is damaged, 2 if there is no store or it cannot be opened.
    """
    from dataclasses import asdict

    from quatuor.games import names
    from quatuor.kernel import status
    from quatuor.server.store.database import known_revisions
    from quatuor.server.store.doctor import Damage, examine, schema_of

    ways = status(names())
    if kernels:
        print_json({"kernels": ways}) if json else _say(ways)
        return
    found: list[Damage] = []
    whole = tournaments = 0
    with reading(store) as engine, working("Replaying"):
        schema = schema_of(engine)
        for result in examine(engine):
            if isinstance(result, Damage):
                found.append(result)
            elif result.tournament:
                tournaments += 1
            else:
                whole += 1
    if json:
        damaged = [asdict(damage) for damage in found]
        facts = {"kernels": ways, "revision": schema, "newest_revision": known_revisions()[-1]}
        print_json({"whole": whole, "tournaments": tournaments, "damaged": damaged, **facts})
    else:
        _print_damage(found, whole, tournaments)
        print(f"Schema revision {schema or 'unknown'}; this release writes {known_revisions()[-1]}.")
        _say(ways)
    if found:
        raise typer.Exit(1)


def _print_damage(found: "list[Damage]", whole: int, tournaments: int) -> None:
    for damage in found:
        print(f"{_where(damage)}: {damage.what}")
    also = f" and {tournaments:,} tournaments" if tournaments else ""
    sound = f"{whole:,} games{also} are whole"
    print(f"{sound}, {len(found):,} are damaged." if found else f"All {sound}.")


def _say(ways: dict[str, str]) -> None:
    """One line if all games are run the same way, else one for each."""
    if len(set(ways.values())) == 1:
        ways = {"all games": next(iter(ways.values()))}
    for name, way in ways.items():
        print(f"Kernels of {name}: {way}.")


def _where(damage: "Damage") -> str:
    if damage.tournament:
        return f"tournament {damage.tournament}" + (f", line {damage.version}" if damage.version else "")
    where = f"table {damage.table}" if damage.table else "the store"
    return where + (f", event {damage.version}" if damage.version else "")
