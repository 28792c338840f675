"""Opening a database: an engine that writes or one that only reads, its files, and its schema revision."""

import contextlib
import logging
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

log = logging.getLogger("quatuor.server")

UPGRADING = 0x7175_6174  # a PostgreSQL lock: of two processes that start at once, one upgrades
OTHERS = stat.S_IRWXO
PRAGMAS = (
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "busy_timeout=5000",
)  # a commit survives power loss
SQLITE = b"SQLite format 3\0"  # how its files begin


def open_to_write(url: URL) -> Engine:
    """An engine that reads and writes. A missing SQLite file is created, readable by its owner only."""
    engine = create_engine(url, pool_pre_ping=True, hide_parameters=True)  # logs must not contain secret orders
    if path := sqlite_file(url):
        path.parent.mkdir(parents=True, exist_ok=True)
        _make_private(path)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _configure)
        event.listen(engine, "begin", _begin)
    else:
        event.listen(engine, "connect", _require_text, insert=True)  # before SQLAlchemy asks anything
    return engine


def _require_text(connection: Any, _record: Any) -> None:
    if connection.info.parameter_status("server_encoding") == "SQL_ASCII":  # then texts are bytes
        name = connection.info.dbname
        raise ValueError(f"the database {name} is encoded in SQL_ASCII: make one by createdb -E UTF8 -T template0")


@contextlib.contextmanager
def open_to_read(url: str) -> Iterator[Engine]:
    """An engine that only reads: it creates nothing, upgrades nothing and locks nobody out.

    ValueError if there is no store.
    """
    parsed = make_url(url)
    if path := sqlite_file(parsed):
        if not path.is_file():
            raise ValueError(f"there are no games at {path}; say where they are by --store or QUATUOR_STORE")
        with _read_only_files(path) as where:
            engine = create_engine("sqlite://", creator=lambda: _connect(where), poolclass=NullPool)
            event.listen(engine, "begin", _begin)
            yield engine
        return
    engine = create_engine(parsed, hide_parameters=True, poolclass=NullPool)
    try:
        yield engine.execution_options(postgresql_readonly=True)
    finally:
        engine.dispose()


def sqlite_file(url: URL) -> Path | None:
    """The file of an SQLite store; None for PostgreSQL and for a store in memory."""
    named = url.get_backend_name() == "sqlite" and url.database not in (None, "", ":memory:")
    return Path(str(url.database)) if named else None


def revision(connection: Connection) -> str | None:
    """The schema revision of a store; None if it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return str(found) if found is not None else None


def known_revisions() -> list[str]:
    """All schema revisions, the oldest first: the numbers in the names of their files."""
    return sorted(file.name[1:5] for file in (Path(__file__).parent / "migrations/versions").glob("v[0-9]*.py"))


def upgrade(url: URL) -> None:
    """Bring the relations up to date, in one transaction and without limits of time; an SQLite file is copied first."""
    engine = open_to_write(url)
    try:
        _upgrade(engine)
    finally:
        engine.dispose()


def _upgrade(engine: Engine) -> None:
    known = known_revisions()
    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({UPGRADING})"))
            connection.execute(text("SET LOCAL lock_timeout = '10s'"))  # fail rather than block every reader and writer
        found = revision(connection)
        if found == known[-1]:
            return
        if found is not None and found not in known:
            _newer(engine, found, known[-1])
            return
        if found and (path := sqlite_file(engine.url)):
            log.warning("the store is upgraded; %s is a copy of it", _keep_copy(path, known[-1]))
        log.info("the schema is migrated", extra={"found": found, "to": known[-1]})
        _migrate(connection)


def _migrate(connection: Connection) -> None:
    from alembic import command  # a server whose store is up to date starts sooner without it
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "quatuor.server.store:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


@contextlib.contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that writes. On SQLite it waits for the write lock before it begins, not halfway."""
    with engine.connect().execution_options(writes=True) as connection, connection.begin():
        yield connection


def driver_of(connection: Connection) -> Any:
    """The driver's connection beneath SQLAlchemy's."""
    return connection.connection.driver_connection


@contextlib.contextmanager
def quickly(connection: Connection) -> Iterator[None]:
    """A transaction of the driver for a few statements of its own; on PostgreSQL only one, which needs no BEGIN."""
    driver = driver_of(connection)
    if connection.dialect.name == "postgresql":
        driver.autocommit = True
        try:
            yield
        finally:
            if not driver.closed:
                driver.autocommit = False
    else:
        driver.execute("BEGIN IMMEDIATE")
        yield
        driver.execute("COMMIT")  # after an error the connection is given back, which ends the transaction


@contextlib.contextmanager
def driver_errors(connection: Connection) -> Iterator[None]:
    """What the driver raises, as SQLAlchemy raises it."""
    kind = connection.dialect.loaded_dbapi.Error
    try:
        yield
    except kind as error:
        raise DBAPIError.instance(None, None, error, kind, hide_parameters=True, dialect=connection.dialect) from error


@contextlib.contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """A connection whose statements all see the store at one moment. A transaction of SQLite always does."""
    with engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            connection = connection.execution_options(isolation_level="REPEATABLE READ")
        yield connection


def _newer(engine: Engine, found: str, newest: str) -> None:
    """A later release has upgraded the store."""
    if engine.dialect.name == "postgresql":  # it runs beside this one: a release only adds to the schema before
        log.warning("the store has revision %s, newer than %s of this release", found, newest)
        return
    raise ValueError(
        f"{engine.url.database} was upgraded to revision {found} by a later release, and this one knows {newest}: "
        f"start that release, or go back to a copy that was made before the upgrade (…before-{found})"
    )


def _configure(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # we begin transactions ourselves: the driver leaves schema changes outside
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


# ---- files


def _make_private(path: Path) -> None:
    """Create the file for its owner alone, or close an existing store to others. -wal and -shm take its mode."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with path.open("rb") as stream:
        if stream.read(len(SQLITE)) not in (b"", SQLITE):
            return  # not ours: the first statement will fail
    for file in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        with contextlib.suppress(FileNotFoundError):
            mode = stat.S_IMODE(file.stat().st_mode)
            if mode & OTHERS:
                file.chmod(mode & stat.S_IRWXU)
                log.warning("%s was open to every user of this machine; now only its owner may read it", file)


def sync_folder(folder: Path) -> None:
    """Make sure that a new name in a folder survives power loss."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _keep_copy(path: Path, newest: str) -> Path:
    """Copy an SQLite store, whole and on disk, before it is upgraded."""
    copy = path.with_name(f"{path.name}.before-{newest}")
    part = copy.with_name(f"{copy.name}.part")
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(part)) as target:
            source.backup(target)
    except sqlite3.Error as error:
        part.unlink()
        raise ValueError(f"{path} cannot be copied before its upgrade, so it was left as it is: {error}") from None
    with part.open("rb+") as written:
        os.fsync(written.fileno())
    part.replace(copy)
    sync_folder(copy.parent)
    return copy


@contextlib.contextmanager
def _read_only_files(path: Path) -> Iterator[str]:
    """The address that opens an SQLite file for reading, even on a read-only disk."""
    wal = path.with_name(f"{path.name}-wal")
    if os.access(path.parent, os.W_OK):
        yield _address(path, "mode=ro")
    elif not wal.is_file() or not wal.stat().st_size:
        yield _address(path, "immutable=1")  # nobody writes there: all of it is in the one file
    else:  # SQLite needs an index of the -wal file, which it cannot make there
        with tempfile.TemporaryDirectory(prefix="quatuor-") as folder:
            for file in (path, wal):
                shutil.copy2(file, Path(folder) / file.name)
            yield _address(Path(folder) / path.name, "mode=ro")


def _address(path: Path, how: str) -> str:
    return f"file:{quote(str(path.resolve()))}?{how}"


def _connect(where: str) -> sqlite3.Connection:
    connection = sqlite3.connect(where, uri=True, timeout=5, isolation_level=None, check_same_thread=False)
    connection.text_factory = lambda value: value.decode(errors="replace")  # a damaged text is still shown
    return connection
