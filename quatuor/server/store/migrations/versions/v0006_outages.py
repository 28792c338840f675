"""When nobody could move: gaps between signs of life, for which clocks get their time back."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "outages",
        sa.Column("start", sa.BigInteger, primary_key=True),
        sa.Column("end", sa.BigInteger, nullable=False),
        sa.Column("served", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("outages")
