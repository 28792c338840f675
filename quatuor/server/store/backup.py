"""Everything in a store as one portable file: JSON lines, from any kind of store into any other.

The first line says what it is; each other line is ``[relation, row]``. A name that ends in .gz is compressed.
"""

import contextlib
import gzip
import itertools
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import msgspec
from alembic.migration import MigrationContext
from sqlalchemy import Connection, Table, insert, select, tuple_

import quatuor
from quatuor.server.store.schema import metadata
from quatuor.server.store.store import Store

FORMAT = "quatuor-games-1"
BATCH = 200  # rows at a time: a file may be larger than memory

Row = dict[str, Any]


def save(store: Store, path: Path) -> int:
    """Write everything to a new file, readable by its owner only; how many rows."""
    part = path.with_name(f"{path.name}.part")
    rows = 0
    with _standing_still(store) as connection, _create(part, path.suffix == ".gz") as out:
        out.write(msgspec.json.encode(_head(connection)) + b"\n")
        for relation in metadata.sorted_tables:
            query = select(relation).order_by(*relation.primary_key)
            for row in connection.execute(query, execution_options={"yield_per": BATCH}).mappings():
                out.write(msgspec.json.encode([str(relation.name), {str(key): row[key] for key in row}]) + b"\n")
                rows += 1
    part.replace(path)  # whole, or not at all
    return rows


def restore(store: Store, path: Path) -> tuple[int, int]:
    """Put a file's rows into a store: how many are new, how many it had already. All of them, or nothing."""
    new = known = 0
    with store.engine.begin() as connection, _open(path) as lines:
        _check_head(connection, lines, path)
        for name, rows in itertools.groupby(_rows(lines, path), key=lambda line: line[0]):
            relation = metadata.tables[name]
            while batch := [row for _, row in itertools.islice(rows, BATCH)]:
                fresh = _fresh(connection, relation, batch)
                if fresh:
                    connection.execute(insert(relation), fresh)
                new += len(fresh)
                known += len(batch) - len(fresh)
    return new, known


@contextlib.contextmanager
def _standing_still(store: Store) -> Iterator[Connection]:
    """The store as it is now, while people play on."""
    with store.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN")
        else:
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection


def _fresh(connection: Connection, relation: Table, batch: list[Row]) -> list[Row]:
    """The rows that the store has not; ValueError if it has another one in its place."""
    key = list(relation.primary_key)
    wanted = [tuple(row[column.name] for column in key) for row in batch]
    found = connection.execute(select(relation).where(tuple_(*key).in_(wanted))).mappings()
    here = {tuple(row[column.name] for column in key): dict(row) for row in found}
    for place, row in zip(wanted, batch, strict=True):
        if here.get(place, row) != row:
            which = f"{relation.name} {'/'.join(map(str, place))}"
            raise ValueError(f"the store has another {which} than the file: nothing was imported. Use an empty store.")
    return [row for place, row in zip(wanted, batch, strict=True) if place not in here]


def _rows(lines: IO[bytes], path: Path) -> Iterator[tuple[str, Row]]:
    for number, line in enumerate(lines, 2):
        try:
            name, row = msgspec.json.decode(line, type=tuple[str, Row])
            columns = {column.name: column for column in metadata.tables[name].columns}
            if row.keys() != columns.keys():
                raise ValueError(f"{name} has {', '.join(columns)}")
            yield name, {key: _value(value, columns[key].type) for key, value in row.items()}
        except (ValueError, LookupError) as error:
            raise ValueError(f"{path}, line {number}, is damaged: {error}. Nothing was imported.") from None


def _value(value: Any, kind: Any) -> Any:
    """A value as the store has it: JSON knows neither dates nor bytes."""
    python = kind.python_type
    return value if value is None or python is dict else msgspec.convert(value, python, strict=False)


def _head(connection: Connection) -> Row:
    when = datetime.now(UTC).isoformat(timespec="seconds")
    return {"format": FORMAT, "quatuor": quatuor.__version__, "schema": _schema(connection), "made": when}


def _check_head(connection: Connection, lines: IO[bytes], path: Path) -> None:
    try:
        head = msgspec.json.decode(lines.readline(), type=dict[str, str])
    except (msgspec.DecodeError, UnicodeError, OSError, EOFError):
        head = {}
    if head.get("format") != FORMAT:
        raise ValueError(f"{path} is no export of games; `quatuor export` writes one")
    if head["schema"] != _schema(connection):
        raise ValueError(f"{path} was exported by release {head['quatuor']}: import it with that release, then upgrade")


def _schema(connection: Connection) -> str:
    return str(MigrationContext.configure(connection).get_current_revision())


def _create(path: Path, compressed: bool) -> IO[bytes]:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    return gzip.open(path, "wb") if compressed else path.open("wb")  # type: ignore[return-value]


def _open(path: Path) -> IO[bytes]:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]
