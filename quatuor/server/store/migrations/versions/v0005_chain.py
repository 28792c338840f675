"""Events are chained by hashes, and each table's last version and hash is kept beside them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("events", sa.Column("hash", sa.String(64)))
    op.create_table(
        "heads",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("heads")
    op.execute("ALTER TABLE events DROP COLUMN hash")
