"""Is every game and every tournament in the store whole?

Each game is replayed from its first event, every move checked by the rules and by its hash; each tournament from its
first line, every record in it played again. The store is only read, and may be one of an earlier release.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, inspect, select, text
from sqlalchemy.exc import DBAPIError

from quatuor.match.tournament import Tournament
from quatuor.record import load
from quatuor.server.store.chain import event_hash
from quatuor.server.store.database import revision, snapshot
from quatuor.server.store.schema import cards, entrants, heads, rounds, tables, tournaments
from quatuor.server.store.store import read_setup
from quatuor.table import Event, Table, history

Columns = dict[str, set[str]]  # of each relation that the store has


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


def schema_of(engine: Engine) -> str | None:
    """The schema revision; None if it cannot be read, which ``examine`` reports. ValueError if there is no store."""
    try:
        with engine.connect() as connection:
            found = revision(connection)
    except DBAPIError:
        return None
    if found is None:
        raise ValueError("there is no store of Quatuor in this database")
    return found


def examine(engine: Engine) -> Iterator[Damage | Whole]:
    """Every table and every tournament that is whole, and the damage of every other, as they are found."""
    with snapshot(engine) as connection:
        try:
            yield from map(Damage, _file(connection))
            there = inspect(connection)
            found = {name: {column["name"] for column in there.get_columns(name)} for name in there.get_table_names()}
        except DBAPIError as error:
            yield Damage(_reason(error))
            return
        connection.rollback()
        yield from _each(connection, tables.name, lambda name: _table(connection, name, found) or Whole(name))
        if tournaments.name in found:
            yield from _each(
                connection, tournaments.name, lambda name: _tournament(connection, name) or Whole(name, tournament=True)
            )


def _each(connection: Connection, relation: str, check: Callable[[str], Damage | Whole]) -> Iterator[Damage | Whole]:
    """All rows of a relation, each seen at one moment."""
    try:
        names = list(connection.execute(text(f"SELECT id FROM {relation} ORDER BY id")).scalars())
    except DBAPIError as error:
        connection.rollback()
        yield Damage(f"{relation} cannot be read: {_reason(error)}")
        return
    for name in names:
        connection.rollback()
        yield check(name)
    connection.rollback()


def _file(connection: Connection) -> list[str]:
    """What the database itself finds."""
    if connection.dialect.name != "sqlite":
        return []  # PostgreSQL checks its pages as it reads them
    found = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check")) if row[0] != "ok"]
    lost = connection.execute(text("PRAGMA foreign_key_check"))
    return found + [f"row {row[1]} of {row[0]} refers to nothing" for row in lost]


def _table(connection: Connection, name: str, found: Columns) -> Damage | None:
    version, before = 0, ""
    try:
        table = Table(read_setup(connection.execute(select(tables.c.setup).where(tables.c.id == name)).scalar_one()))
        for row in _events(connection, name, found["events"]):
            version += 1
            if row["version"] != version:
                return Damage(f"an event is missing; the next is {row['version']}", name, version)
            row["data"] = msgspec.json.decode(row["data"], type=dict[str, Any])
            _apply(table, Event(row["kind"], row["data"], row["guest"], row["ack"]))
            if row["hash"] and row["hash"] != event_hash(before, row):
                return Damage("it is not the event that was written: its hash does not match", name, version)
            before = row["hash"] or ""
        if lost := _lost(connection, name, version, before, found):
            return lost
        if load(history(table).record()).moves != history(table).moves:
            return Damage("its record does not read back", name)
    except Exception as error:  # whatever a damaged row may bring about
        return Damage(_reason(error), name, version or None)
    return None


def _events(connection: Connection, name: str, columns: set[str]) -> Iterator[dict[str, Any]]:
    """A table's events with their data as text: a damaged one must not hide the others."""
    first_release = "number" in columns  # its events were numbered from 0, with marks between them
    place = "row_number() OVER (ORDER BY number)" if first_release else "version"
    which = "AND kind <> 'mark'" if first_release else ""
    made = "hash" if "hash" in columns else "NULL"
    query = (
        f"SELECT table_id, {place} AS version, kind, CAST(data AS TEXT) AS data, guest, ack, at, {made} AS hash"
        f" FROM events WHERE table_id = :name {which} ORDER BY 2"
    )
    for row in connection.execute(text(query), {"name": name}).mappings():
        yield dict(row)


def _lost(connection: Connection, name: str, last: int, made: str, found: Columns) -> Damage | None:
    """Whether events are missing at the end: ``heads`` and the table's summary say how many there were."""
    noted = 0
    if heads.name in found:
        head = connection.execute(select(heads).where(heads.c.table_id == name)).one_or_none()
        noted = head.version if head else 0
        if head and noted == last and head.hash != made:
            return Damage("its last event is not the one that was written", name, last)
        if made and noted < last:
            return Damage("which event was its last is not noted", name, last)
    if cards.name in found:
        card = connection.execute(select(cards.c.version).where(cards.c.table_id == name)).scalar()
        noted = max(noted, card or 0)
    if noted > last:
        return Damage(f"its last events are lost: there were {noted}, and {last} are left", name, last + 1)
    return None


def _apply(table: Table, event: Event) -> None:
    """Apply an event as the server did; the guest who moved must have had the seat."""
    seat = event.data.get("seat")
    if event.kind in ("move", "resign") and event.guest is not None and seat not in table.owned(event.guest):
        raise ValueError(f"seat {seat} was played by a guest who does not own it")
    table.apply(event)
    if table.foreign:
        raise ValueError(f"its kind, {event.kind}, is of a later release: check the store with that release")


def _tournament(connection: Connection, name: str) -> Damage | None:
    number = 0
    tournament = Tournament([])
    try:
        query = text(
            "SELECT number, CAST(line AS TEXT) AS line FROM tournament_lines WHERE tournament_id = :name ORDER BY 1"
        )
        for row in connection.execute(query, {"name": name}):
            number += 1
            if row.number != number:
                return Damage(f"a line is missing; the next is {row.number}", None, number, name)
            tournament.happen(msgspec.json.decode(row.line, type=dict[str, Any]))
        known = connection.execute(select(entrants).where(entrants.c.tournament_id == name)).all()
        if unknown := set(tournament.players) - {one.player for one in known}:
            return Damage(f"players without an entry: {', '.join(sorted(unknown))}", None, None, name)
        paired = connection.execute(select(rounds).where(rounds.c.tournament_id == name)).all()
        by_name = {one.player for one in known if one.guest is None and one.level is None}
        if {(row.round, row.number): row.counted for row in paired} != _places(tournament, by_name):
            return Damage("its tables are not those of its rounds", None, None, name)
    except Exception as error:  # whatever a damaged row may bring about
        return Damage(_reason(error), None, number or None, name)
    return None if number else Damage("it has no line", None, None, name)


def _places(tournament: Tournament, by_name: set[str]) -> dict[tuple[int, int], bool]:
    """The live tables of all rounds, and whether their results are in; people by name play over the board."""
    return {
        (number, table): table - 1 in r.results or table - 1 in r.on_board
        for number, r in enumerate(tournament.rounds, 1)
        for table, players in enumerate(r.tables, 1)
        if not by_name.intersection(players)
    }


def _reason(error: Exception) -> str:
    """One line; of a database's error what the database said."""
    said = str(error.orig if isinstance(error, DBAPIError) else error) or "no reason given"
    return f"{error.__class__.__name__}: {said.splitlines()[0]}"
