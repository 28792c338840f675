"""Guests, tables, and the events of each table."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "guests",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("setup", sa.JSON, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("guest", sa.String(32)),
        sa.Column("ack", sa.String(64)),
        sa.Column("at", sa.String(32), nullable=False),
        sa.UniqueConstraint("table_id", "guest", "ack", name="carried_out_once"),
    )


def downgrade() -> None:
    for name in ("events", "tables", "guests"):
        op.drop_table(name)
