"""Ratings and the games they come from, what others see of an account, solved puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "ratings",
        sa.Column("player", sa.String(32), primary_key=True),
        sa.Column("game", sa.String(32), primary_key=True),
        sa.Column("variant", sa.String(32), primary_key=True),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
    )
    op.create_table(
        "rated_games",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("ended", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "profiles",
        _account(),
        sa.Column("ratings", sa.String(16), nullable=False),
        sa.Column("games", sa.String(16), nullable=False),
        sa.Column("puzzles", sa.String(16), nullable=False),
    )
    op.create_table(
        "solved_puzzles",
        _account(),
        sa.Column("task", sa.String(64), primary_key=True),
        sa.Column("puzzle", sa.String(32), nullable=False),
        sa.Column("helped", sa.Boolean, nullable=False),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )


def _account() -> sa.Column[str]:
    return sa.Column("guest", sa.String(32), sa.ForeignKey("accounts.guest", ondelete="CASCADE"), primary_key=True)


def downgrade() -> None:
    for name in ("solved_puzzles", "profiles", "rated_games", "ratings"):
        op.drop_table(name)
