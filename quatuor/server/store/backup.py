"""Everything in a store as one portable file: JSON lines, from any kind of store into any other.

The first line says what it is; each other line is ``[relation, row]``; the last is ``["end", …]`` with the number of
rows of each relation and the SHA-256 of all lines before it. A name that ends in .gz is compressed.
"""

import contextlib
import gzip
import hashlib
import itertools
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import msgspec
from sqlalchemy import BigInteger, Connection, Engine, Table, func, insert, inspect, select, text, tuple_
from sqlalchemy.exc import DataError, IntegrityError

import quatuor
from quatuor.server.store.database import known_revisions, revision, snapshot, sync_folder, writing
from quatuor.server.store.schema import metadata, moderation_log, pulse, reports, sanctions

FORMAT = "quatuor-games-2"
WITHOUT_END = "quatuor-games-1"  # what earlier releases wrote: it cannot be known whether such a file is whole
OLDEST = "0004"  # the first schema revision that can still be exported and imported
END = "end"
NUMBERED = (reports, sanctions, moderation_log)  # whose rows the database numbers
BATCH = 200  # rows at a time: a file may be larger than memory
OWN = re.compile(r"quatuor-\d{4}-\d\d-\d\dT\d{6}Z\.jsonl\.gz(\.part)?")

Row = dict[str, Any]


@dataclass(frozen=True)
class Saved:
    """What was written."""

    rows: int
    replaced: int  # texts with characters that PostgreSQL cannot store, which earlier releases let in


@dataclass(frozen=True)
class Restored:
    """What was read."""

    new: int
    known: int  # rows that the store had already
    replaced: int
    verified: bool  # by the count and the checksum at the end of the file


def save(engine: Engine, path: Path) -> Saved:
    """Write everything to a new file, readable by its owner only. It is on disk when this returns, or not there."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)  # left by a crash, perhaps readable by others
    try:
        with snapshot(engine) as connection, _create(part) as file:
            with gzip.GzipFile(part.name, "wb", fileobj=file) if path.suffix == ".gz" else _unclosed(file) as out:
                saved = _write(connection, out)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)  # whole, or not at all
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.resolve().parent)
    return saved


def save_dated(engine: Engine, folder: Path, keep: int) -> tuple[Path, Saved, list[Path]]:
    """Write a file named after the time, check it, and delete all but the newest ``keep`` of such files."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / f"quatuor-{datetime.now(UTC):%Y-%m-%dT%H%M%SZ}.jsonl.gz"
    saved = save(engine, path)
    with _open(path) as lines:
        for _ in _rows(lines, path, _Reading(_head(lines, path))):
            pass
    own = sorted(file for file in folder.iterdir() if OWN.fullmatch(file.name) and file.name <= path.name)
    whole = [file for file in own if file.suffix == ".gz"]
    deleted = [*whole[:-keep], *(file for file in own if file.suffix == ".part")]
    for file in deleted:
        file.unlink(missing_ok=True)
    return path, saved, deleted


def restore(engine: Engine, path: Path, unverified: bool = False) -> Restored:
    """Put a file's rows into a store, in one transaction: all of them, or ValueError and nothing.

    A file of an earlier release has no checksum and is only taken ``unverified``.
    """
    new = known = 0
    with writing(engine) as connection, _open(path) as lines:
        reading = _Reading(_head(lines, path))
        if not reading.has_end and not unverified:
            raise ValueError(
                f"{path} was written by an earlier release, without a checksum: whether it is whole cannot be known. "
                "Add --unverified to import it nevertheless"
            )
        for name, rows in itertools.groupby(_rows(lines, path, reading), key=lambda line: line[0]):
            relation = metadata.tables[name]
            while batch := [row for _, row in itertools.islice(rows, BATCH)]:
                fresh = _fresh(connection, relation, batch)
                if fresh:
                    _insert(connection, relation, fresh, path)
                new += len(fresh)
                known += len(batch) - len(fresh)
        _count_on(connection)
    return Restored(new, known, reading.replaced, reading.has_end)


# ---- writing


def _write(connection: Connection, out: IO[bytes] | gzip.GzipFile) -> Saved:
    digest, rows, replaced = hashlib.sha256(), Counter[str](), 0

    def write(line: bytes) -> None:
        digest.update(line + b"\n")
        out.write(line + b"\n")

    write(msgspec.json.encode(_made(connection)))
    there = inspect(connection)
    for relation in metadata.sorted_tables:
        name = str(relation.name)
        if not there.has_table(name):
            continue  # a store of an earlier release, not upgraded yet
        columns = {column["name"] for column in there.get_columns(name)}
        query = select(*(column for column in relation.columns if column.name in columns))
        query = query.order_by(*relation.primary_key).execution_options(yield_per=BATCH)
        for row in connection.execute(query).mappings():
            line, changed = _line(name, {str(key): row[key] for key in row})
            write(line)
            rows[name] += 1
            replaced += changed
    out.write(msgspec.json.encode([END, {"rows": rows, "sha256": digest.hexdigest()}]) + b"\n")
    return Saved(rows.total(), replaced)


def _line(name: str, row: Row) -> tuple[bytes, bool]:
    """A row as a line, and whether a text in it had to be changed."""
    with contextlib.suppress(UnicodeError):
        line = msgspec.json.encode([name, row])
        if b"\\u0000" not in line:
            return line, False
    clean = _clean(row)
    return msgspec.json.encode([name, clean]), clean != row


def _clean(value: Any) -> Any:
    """The same with U+FFFD for each NUL and each lone surrogate, which PostgreSQL cannot store."""
    if isinstance(value, str):
        return re.sub("[\0\ud800-\udfff]", "\ufffd", value)
    if isinstance(value, dict):
        return {_clean(key): _clean(part) for key, part in value.items()}
    return [_clean(part) for part in value] if isinstance(value, list) else value


def _made(connection: Connection) -> Row:
    found, known = revision(connection), known_revisions()
    if found is None:
        raise ValueError("there is no store of Quatuor in this database")
    if found not in known:
        raise ValueError(f"the store has revision {found} of a later release: export it with that release")
    if found < OLDEST:
        raise ValueError(f"the store has revision {found}: start this release once with it, which upgrades it")
    when = datetime.now(UTC).isoformat(timespec="seconds")
    return {"format": FORMAT, "quatuor": quatuor.__version__, "schema": found, "made": when}


def _create(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


@contextlib.contextmanager
def _unclosed(file: IO[bytes]) -> Iterator[IO[bytes]]:
    yield file


# ---- reading


class _Reading:
    """What has been read of a file so far."""

    def __init__(self, head: tuple[bytes, dict[str, str]]) -> None:
        first, facts = head
        self.has_end = facts["format"] == FORMAT
        self.digest = hashlib.sha256(first)
        self.rows = Counter[str]()
        self.replaced = 0

    def check_end(self, end: Row) -> None:
        """ValueError unless these are the number of rows and the checksum."""
        if end != {"rows": dict(self.rows), "sha256": self.digest.hexdigest()}:
            raise ValueError("its rows are not those that its last line counts")


def _head(lines: Iterator[bytes], path: Path) -> tuple[bytes, dict[str, str]]:
    """The first line, and what it says; ValueError if this release cannot read the rest."""
    first = next(lines, b"")
    try:
        head = msgspec.json.decode(first, type=dict[str, str])
    except (msgspec.DecodeError, UnicodeError):
        head = {}
    if head.get("format") not in (FORMAT, WITHOUT_END):
        raise ValueError(f"{path} is not an export of games; `quatuor export` writes one")
    if head.get("schema") not in [known for known in known_revisions() if known >= OLDEST]:
        release = head.get("quatuor", "?")
        raise ValueError(f"{path} was exported by release {release}: import it with that release, then upgrade")
    return first, head


def _rows(lines: Iterator[bytes], path: Path, reading: _Reading) -> Iterator[tuple[str, Row]]:
    ended = False
    for number, line in enumerate(lines, 2):
        try:
            name, row = msgspec.json.decode(line, type=tuple[str, Row])
            if ended:
                raise ValueError("it comes after the end")
            if name == END and reading.has_end:
                reading.check_end(row)
                ended = True
                continue
            yield name, _values(metadata.tables[name], row, reading)
        except (ValueError, LookupError) as error:
            raise ValueError(f"{path}, line {number}, is damaged: {error}. Nothing was imported.") from None
        reading.digest.update(line)
        reading.rows[name] += 1
    if reading.has_end and not ended:
        raise ValueError(f"{path} is cut off: its last line is missing. Nothing was imported.")


def _values(relation: Table, row: Row, reading: _Reading) -> Row:
    """A row as the store has it. What a column was added for later may be missing."""
    columns = {column.name: column for column in relation.columns}
    needed = {name for name, column in columns.items() if not column.nullable}
    if not needed <= row.keys() <= columns.keys():
        raise ValueError(f"{relation.name} has {', '.join(columns)}")
    clean = _clean(row)
    reading.replaced += clean != row
    return {key: _value(value, columns[key].type) for key, value in clean.items()}


def _value(value: Any, kind: Any) -> Any:
    """A value as the store has it: JSON knows neither dates nor bytes. ValueError if the column cannot hold it."""
    python = kind.python_type
    if value is None or python is dict:
        return value
    converted = msgspec.convert(value, python, strict=False)
    bits = 64 if isinstance(kind, BigInteger) else 32
    if python is int and not -(2 ** (bits - 1)) <= converted < 2 ** (bits - 1):
        raise ValueError(f"{converted} is too large or too small")
    return converted


def _fresh(connection: Connection, relation: Table, batch: list[Row]) -> list[Row]:
    """The rows that the store has not; ValueError if it has another one in its place.

    The pulse of a store changes every few seconds while a server runs on it, so the store's own stays.
    """
    key = list(relation.primary_key)
    wanted = [tuple(row[column.name] for column in key) for row in batch]
    found = connection.execute(select(relation).where(tuple_(*key).in_(wanted))).mappings()
    here = {tuple(row[column.name] for column in key): dict(row) for row in found}
    for place, row in zip(wanted, batch, strict=True):
        if place in here and relation is not pulse and {name: here[place][name] for name in row} != row:
            which = f"{relation.name} {'/'.join(map(str, place))}"
            raise ValueError(f"the store has another {which} than the file: nothing was imported. Use an empty store.")
    return [row for place, row in zip(wanted, batch, strict=True) if place not in here]


def _insert(connection: Connection, relation: Table, rows: list[Row], path: Path) -> None:
    columns = {name for row in rows for name in row}  # a row may lack what another one has
    try:
        connection.execute(insert(relation), [dict.fromkeys(columns) | row for row in rows])
    except (IntegrityError, DataError) as error:
        reason = str(error.orig).splitlines()[0]
        raise ValueError(f"{path}: rows of {relation.name} do not fit: {reason}. Nothing was imported.") from None


def _count_on(connection: Connection) -> None:
    """The next report gets a new number: PostgreSQL does not notice numbers that were given."""
    if connection.dialect.name == "postgresql":
        for relation in NUMBERED:
            last = connection.execute(select(func.max(relation.c.id))).scalar()
            if last is not None:
                sequence = f"SELECT setval(pg_get_serial_sequence('{relation.name}', 'id'), :last)"
                connection.execute(text(sequence), {"last": last})


@contextlib.contextmanager
def _open(path: Path) -> Iterator[Iterator[bytes]]:
    """The lines of a file; ValueError where it cannot be unpacked."""
    with path.open("rb") as plain:
        file = gzip.GzipFile(fileobj=plain) if path.suffix == ".gz" else plain

        def lines() -> Iterator[bytes]:
            try:
                yield from file
            except (EOFError, zlib.error, gzip.BadGzipFile) as error:
                raise ValueError(f"{path} is cut off or damaged: {error}. Nothing was imported.") from None

        yield lines()
