"""Stores as earlier releases left them, and what a crash during an upgrade does to them.

Run as a program, it reads ``[store, N]`` from standard input, line by line: each time, a separate process upgrades
the store and dies after N statements.
"""

import json
import os
import sys
import tempfile
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, event, make_url, text

from quatuor.server.settings import Settings
from quatuor.server.store.database import upgrade

MOVES = ("a", "b", "c", "a")
SETUP = {
    "game": "plus4", "variant": "elementary", "options": {},
    "seats": [
        {"kind": "human", "guest": "ada", "level": None, "token": None},
        {"kind": "human", "guest": "bob", "level": None, "token": None},
    ],
    "creator": "ada", "created": "2026-11-15",
}  # fmt: skip


def migrate(engine: Engine, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", "quatuor.server.store:migrations")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def make(store: str, revision: str) -> None:
    """A store of an earlier release with a table, its moves, and from 0003 on an account and a card."""
    engine = create_engine(Settings(store=store).url)
    migrate(engine, revision)
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO guests VALUES ('ada', 'Ada')"))
        connection.execute(text("INSERT INTO tables VALUES ('t', :setup)"), {"setup": json.dumps(SETUP)})
        for version, move in enumerate(MOVES, 1):
            _insert(connection, revision, version, move)
        if revision >= "0003":
            connection.execute(text("INSERT INTO accounts VALUES ('u1', 'Eve', 'eve', 'hash', 1)"))
            card = "('t', 4, 'plus4', 'running', FALSE, 1, NULL, 1, '{}')"
            connection.execute(text(f"INSERT INTO cards VALUES {card}"))
    engine.dispose()


def _insert(connection: Any, revision: str, version: int, move: str) -> None:
    seat = (version - 1) % 2
    row = {"version": version, "data": json.dumps({"seat": seat, "move": move}), "guest": ("ada", "bob")[seat]}
    place = ":version, :version" if revision == "0001" else ":version"
    hashed = ", NULL" if revision >= "0005" else ""
    values = f"('t', {place}, 'move', :data, :guest, 'ack' || :version, ''{hashed})"
    connection.execute(text(f"INSERT INTO events VALUES {values}".replace("|| :version", f"|| '{version}'")), row)


def crash(store: str, after: int) -> None:
    """Upgrade, and die without warning after a number of statements."""
    seen = 0

    def count(*_: Any) -> None:
        nonlocal seen
        seen += 1
        if seen == after:
            os._exit(77)

    event.listen(Engine, "after_cursor_execute", count)
    upgrade(make_url(Settings(store=store).url))


def crash_in_child(store: str, after: int) -> bool:
    """Whether a process that upgrades the store died after that number of statements, or had finished before."""
    child = os.fork()
    if child == 0:
        try:
            crash(store, after)
            os._exit(0)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, 77), code
    return code == 77


def main() -> None:
    """For each line of standard input, a store and a number of statements, print whether the child died.

    First it upgrades a store itself: what that imports and caches needs no time in every child.
    """
    with tempfile.TemporaryDirectory() as folder:
        upgrade(make_url(Settings(store=f"{folder}/games.sqlite").url))
    for line in sys.stdin:
        store, after = json.loads(line)
        create_engine(Settings(store=store).url)  # imports the driver
        print(json.dumps(crash_in_child(store, after)), flush=True)


if __name__ == "__main__":
    main()
