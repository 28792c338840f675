"""E-mail addresses of accounts, and the mails that wait to be sent."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "addresses",
        _account(),
        sa.Column("address", sa.String(254), nullable=False, index=True),
        sa.Column("lang", sa.String(2), nullable=False),
        sa.Column("asked", sa.BigInteger, nullable=False),
        sa.Column("confirmed", sa.BigInteger),
    )
    op.create_table(
        "mails",
        _account(),
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("due", sa.BigInteger, index=True),
        sa.Column("sent", sa.BigInteger, index=True),
    )


def _account() -> sa.Column[str]:
    return sa.Column("guest", sa.String(32), sa.ForeignKey("accounts.guest", ondelete="CASCADE"), primary_key=True)


def downgrade() -> None:
    for name in ("mails", "addresses"):
        op.drop_table(name)
