"""Is every game and every tournament in the store whole?

Each game is replayed from its first event, every move checked by the rules; each tournament from its first line, every
record in it played again.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, select, text

from quatuor.match.tournament import Tournament
from quatuor.record import load
from quatuor.server.store.schema import entrants, events, lines, rounds, tables, tournaments
from quatuor.server.store.store import read_setup
from quatuor.table import Event, Table, history


@dataclass(frozen=True)
class Damage:
    """What is wrong, and where; without a table or a tournament: the store as a whole."""

    what: str
    table: str | None = None
    version: int | None = None  # the event, or the tournament's line
    tournament: str | None = None


@dataclass(frozen=True)
class Whole:
    """Nothing is wrong with it."""

    name: str
    tournament: bool = False


def examine(engine: Engine) -> Iterator[Damage | Whole]:
    """Every table and every tournament that is whole, and the damage of every other, as they are found."""
    with engine.connect() as connection:
        yield from map(Damage, _file(connection))
        for name in list(connection.execute(select(tables.c.id).order_by(tables.c.id)).scalars()):
            yield _table(connection, name) or Whole(name)
        for name in list(connection.execute(select(tournaments.c.id).order_by(tournaments.c.id)).scalars()):
            yield _tournament(connection, name) or Whole(name, tournament=True)


def _file(connection: Connection) -> list[str]:
    """What the database itself finds."""
    if connection.dialect.name != "sqlite":
        return []  # PostgreSQL checks its pages as it reads them
    found = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check")) if row[0] != "ok"]
    lost = connection.execute(text("PRAGMA foreign_key_check"))
    return found + [f"row {row[1]} of {row[0]} refers to nothing" for row in lost]


def _table(connection: Connection, name: str) -> Damage | None:
    version = 0
    try:
        table = Table(read_setup(connection.execute(select(tables.c.setup).where(tables.c.id == name)).scalar_one()))
        for row in connection.execute(select(events).where(events.c.table_id == name).order_by(events.c.version)):
            version += 1
            if row.version != version:
                return Damage(f"an event is missing; the next is {row.version}", name, version)
            _apply(table, Event(row.kind, row.data, row.guest, row.ack))
        if load(history(table).record()).moves != history(table).moves:
            return Damage("its record does not read back", name)
    except Exception as error:  # whatever a damaged row may bring about
        return Damage(f"{error.__class__.__name__}: {error}", name, version or None)
    return None


def _apply(table: Table, event: Event) -> None:
    """Like the server did it, and whoever moved had the seat."""
    seat = event.data.get("seat")
    if event.kind in ("move", "resign") and event.guest is not None and seat not in table.owned(event.guest):
        raise ValueError(f"somebody else played seat {seat}")
    table.apply(event)


def _tournament(connection: Connection, name: str) -> Damage | None:
    number = 0
    cup = Tournament([])
    try:
        for row in connection.execute(select(lines).where(lines.c.tournament_id == name).order_by(lines.c.number)):
            number += 1
            if row.number != number:
                return Damage(f"a line is missing; the next is {row.number}", None, number, name)
            cup.happen(row.line)
        known = connection.execute(select(entrants.c.player).where(entrants.c.tournament_id == name)).scalars()
        if unknown := set(cup.players) - set(known):
            return Damage(f"who {', '.join(sorted(unknown))} is, nobody knows", None, None, name)
        paired = connection.execute(select(rounds).where(rounds.c.tournament_id == name)).all()
        if {(row.round, row.number): row.counted for row in paired} != _places(cup):
            return Damage("its tables are not those of its rounds", None, None, name)
    except Exception as error:  # whatever a damaged row may bring about
        return Damage(f"{error.__class__.__name__}: {error}", None, number or None, name)
    return None if number else Damage("it has no line", None, None, name)


def _places(cup: Tournament) -> dict[tuple[int, int], bool]:
    """All tables of all rounds, and whether their results are in."""
    return {
        (number, table): table - 1 in r.results
        for number, r in enumerate(cup.rounds, 1)
        for table in range(1, len(r.tables) + 1)
    }
