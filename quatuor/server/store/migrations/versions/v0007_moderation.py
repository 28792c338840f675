"""Account names by their looks, recovery codes, blocks, roles, sanctions, and the moderators' log."""

import sqlalchemy as sa
from alembic import op

from quatuor.server.names import looks

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("sessions", sa.Column("agent", sa.String(200)))
    op.add_column("reports", sa.Column("closed", sa.BigInteger))
    op.create_table(
        "account_names",
        sa.Column("look", sa.String(120), primary_key=True),
        _account(nullable=False, index=True),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("hash", sa.String(64), primary_key=True),
        _account(nullable=False, index=True),
    )
    op.create_table("roles", _account(primary_key=True), sa.Column("role", sa.String(16), primary_key=True))
    op.create_table(
        "blocks",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("blocker", sa.String(32), nullable=False),
        sa.Column("blocked", sa.String(32), nullable=False, index=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("blocker", "blocked", name="blocked_once"),
    )
    op.create_table(
        "sanctions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("guest", sa.String(32), index=True),
        sa.Column("network", sa.String(16), index=True),
        sa.Column("reason", sa.String(400), nullable=False),
        sa.Column("until", sa.BigInteger),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("lifted", sa.BigInteger),
    )
    op.create_table(
        "moderation_log",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("moderator", sa.String(40), nullable=False),
        sa.Column("action", sa.String(16), nullable=False),
        sa.Column("guest", sa.String(32), index=True),
        sa.Column("detail", sa.JSON, nullable=False),
    )
    op.create_table(
        "networks",
        sa.Column("guest", sa.String(32), primary_key=True),
        sa.Column("network", sa.String(16), primary_key=True),
        sa.Column("seen", sa.BigInteger, nullable=False, index=True),
    )
    _name_accounts()


def _account(**options: bool) -> sa.Column[str]:
    return sa.Column("guest", sa.String(32), sa.ForeignKey("accounts.guest", ondelete="CASCADE"), **options)  # type: ignore[arg-type]


def _name_accounts() -> None:
    """Accounts that already look alike all stay; the oldest gets the look."""
    accounts = sa.table("accounts", *map(sa.column, ("guest", "name", "created")))
    guests = sa.table("guests", *map(sa.column, ("id", "name")))
    names = sa.table("account_names", sa.column("look"), sa.column("guest"))
    taken: dict[str, str] = {}
    for name in (accounts.c.name, guests.c.name):
        query = sa.select(accounts.c.guest, name.label("name")).outerjoin(guests, guests.c.id == accounts.c.guest)
        for row in op.get_bind().execute(query.order_by(accounts.c.created, accounts.c.guest)):
            for look in looks(row.name or ""):
                taken.setdefault(look, row.guest)
    taken.pop("", None)
    if taken:
        op.bulk_insert(names, [{"look": look, "guest": guest} for look, guest in taken.items()])


def downgrade() -> None:
    for name in ("networks", "moderation_log", "sanctions", "blocks", "roles", "recovery_codes", "account_names"):
        op.drop_table(name)
    op.execute("ALTER TABLE reports DROP COLUMN closed")
    op.execute("ALTER TABLE sessions DROP COLUMN agent")
