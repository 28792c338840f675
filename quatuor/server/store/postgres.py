"""Connections to PostgreSQL that wait for a limited time: a frozen server or a cut network is an OperationalError.

PostgreSQL's own statement_timeout cannot help where PostgreSQL itself no longer answers.
"""

from typing import Any

import psycopg
from psycopg.errors import _WaitTimeout

CONNECT = 3  # seconds for a new connection
STATEMENT = 5.0  # seconds for one statement, as the client measures it
SERVER_LIMITS = "SET statement_timeout = '4s'; SET lock_timeout = '2s'; SET idle_in_transaction_session_timeout = '10s'"


class LimitedConnection(psycopg.Connection[Any]):
    """Raises OperationalError and is closed if the server does not answer in time."""

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Like ``psycopg.Connection.wait``, with its own limit."""
        try:
            return super().wait(gen, interval, STATEMENT if timeout is None else timeout)
        except _WaitTimeout as error:
            if timeout is not None:
                raise
            self.pgconn.finish()
            raise psycopg.OperationalError("timeout: the server does not answer") from error


class LimitedAsyncConnection(psycopg.AsyncConnection[Any]):
    """The same for the event loop."""

    async def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        """Like ``psycopg.AsyncConnection.wait``, with its own limit."""
        try:
            return await super().wait(gen, interval, STATEMENT if timeout is None else timeout)
        except _WaitTimeout as error:
            if timeout is not None:
                raise
            self.pgconn.finish()
            raise psycopg.OperationalError("timeout: the server does not answer") from error


def connect(*arguments: Any, **options: Any) -> LimitedConnection:
    """A limited connection; SQLAlchemy calls this."""
    options = {"connect_timeout": CONNECT, **options}
    connection = LimitedConnection.connect(*arguments, **options)
    connection.autocommit = True
    connection.execute(SERVER_LIMITS)
    connection.autocommit = False
    return connection
