"""An event's place in its table is its version: the marks of versions used up in passing are gone. Bots' tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

PLAIN = ("kind", "data", "guest", "ack", "at")


def upgrade() -> None:
    _renumber(
        "SELECT table_id, row_number() OVER (PARTITION BY table_id ORDER BY number) AS version,"
        " kind, data, guest, ack, at FROM events WHERE kind <> 'mark'",
        [sa.Column("version", sa.Integer, primary_key=True)],
        ["version"],
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("guest", sa.String(32), nullable=False),
        sa.Column("owner", sa.String(32), nullable=False, index=True),
        sa.Column("created", sa.String(32), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("tokens")
    _renumber(
        "SELECT table_id, version - 1 AS number, version, kind, data, guest, ack, at FROM events",
        [sa.Column("number", sa.Integer, primary_key=True), sa.Column("version", sa.Integer, nullable=False)],
        ["number", "version"],
    )


def _renumber(query: str, columns: list[sa.Column[int]], names: list[str]) -> None:
    """Move the events to another relation, make theirs again, and put them back."""
    op.execute(f"CREATE TABLE events_aside AS {query}")
    op.drop_table("events")
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        *columns,
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("guest", sa.String(32)),
        sa.Column("ack", sa.String(64)),
        sa.Column("at", sa.String(32), nullable=False),
        sa.UniqueConstraint("table_id", "guest", "ack", name="carried_out_once"),
    )
    all_names = ", ".join(["table_id", *names, *PLAIN])
    op.execute(f"INSERT INTO events ({all_names}) SELECT {all_names} FROM events_aside")
    op.drop_table("events_aside")
