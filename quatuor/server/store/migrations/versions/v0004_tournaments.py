"""Tournaments: their lines, who the players are, and the live tables of their rounds."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("organiser", sa.String(32), nullable=False, index=True),
        sa.Column("setup", sa.JSON, nullable=False),
        sa.Column("card", sa.JSON, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("touched", sa.BigInteger, nullable=False),
        sa.Index("shown_tournaments", "listed", "status", "touched"),
    )
    op.create_table(
        "tournament_lines",
        sa.Column("tournament_id", sa.String(16), sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("line", sa.JSON, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "entrants",
        sa.Column("tournament_id", sa.String(16), sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("player", sa.String(40), primary_key=True),
        sa.Column("guest", sa.String(32), index=True),
        sa.Column("level", sa.Integer),
        sa.Column("barred", sa.Boolean, nullable=False),
    )
    op.create_table(
        "tournament_tables",
        sa.Column("tournament_id", sa.String(16), sa.ForeignKey("tournaments.id"), primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), nullable=False, unique=True),
        sa.Column("counted", sa.Boolean, nullable=False, index=True),
    )


def downgrade() -> None:
    for name in ("tournament_tables", "entrants", "tournament_lines", "tournaments"):
        op.drop_table(name)
