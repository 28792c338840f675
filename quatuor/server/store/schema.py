"""The relations of the store. ``migrations/`` brings an older file up to this."""

from sqlalchemy import JSON, Column, ForeignKey, Integer, MetaData, String, Table, UniqueConstraint

metadata = MetaData()

guests = Table(
    "guests",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("setup", JSON, nullable=False),
)

# Only ever added to. The position is what these events make of the setup; nothing else is true.
events = Table(
    "events",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, primary_key=True),  # 1, 2, 3, …: of two writers of one version only one succeeds
    Column("kind", String(16), nullable=False),
    Column("data", JSON, nullable=False),
    Column("guest", String(32)),
    Column("ack", String(64)),
    Column("at", String(32), nullable=False),  # ISO 8601, UTC
    UniqueConstraint("table_id", "guest", "ack", name="carried_out_once"),
)

# What programs prove themselves with. Only the hash is kept: whoever reads the store cannot play for them.
tokens = Table(
    "tokens",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("guest", String(32), nullable=False),  # who the program is at a table
    Column("owner", String(32), nullable=False, index=True),  # the guest who made it
    Column("created", String(32), nullable=False),
)
