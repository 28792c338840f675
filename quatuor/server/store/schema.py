"""The relations of the store. ``migrations/`` brings an older file up to this."""

import re

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)  # fmt: skip

metadata = MetaData()
_ID = re.compile(r"[A-Za-z0-9_-]{1,16}")


def is_id(text: str) -> bool:
    """Whether a table, a tournament or a bot may have this id. Nothing else reaches the database."""
    return _ID.fullmatch(text) is not None


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
    Column("hash", String(64)),  # of this event and the hash before; None: an older release wrote it
    UniqueConstraint("table_id", "guest", "ack", name="carried_out_once"),
)

# The last event of each table. It changes with every event, so it is not a part of ``tables``, whose rows are long.
heads = Table(
    "heads",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("hash", String(64), nullable=False),
)

# The tokens of programs. Only the hash is stored: a reader of the store cannot play for them.
tokens = Table(
    "tokens",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("hash", String(64), nullable=False, unique=True),
    Column("guest", String(32), nullable=False),  # who the program is at a table
    Column("owner", String(32), nullable=False, index=True),  # the guest who made it
    Column("created", String(32), nullable=False),
)

# Times below are milliseconds since 1970.

# What lists of tables need; made from the tables, and made again where it is missing or old.
cards = Table(
    "cards",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    Column("status", String(8), nullable=False),  # open, running, over
    Column("listed", Boolean, nullable=False),
    Column("acting", Integer, nullable=False),  # seats, as bits
    Column("deadline", BigInteger, index=True),
    Column("touched", BigInteger, nullable=False),
    Column("facts", JSON, nullable=False),
    Index("in_the_lobby", "listed", "status", "touched"),
)

seated = Table(
    "seated",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("guest", String(32), primary_key=True, index=True),
    Column("seats", Integer, nullable=False),  # as bits
)

# Accounts: a name and a password. ``guest`` is the id at tables.
accounts = Table(
    "accounts",
    metadata,
    Column("guest", String(32), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("key", String(120), nullable=False, unique=True),  # the name without case and look-alikes
    Column("password", String(200), nullable=False),  # argon2
    Column("created", BigInteger, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("hash", String(64), primary_key=True),  # of what the browser keeps
    Column("guest", String(32), ForeignKey("accounts.guest", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("agent", String(200)),  # which browser, as it says itself
)

# How the names of accounts look: of two that sign up with names that look alike only one succeeds.
account_names = Table(
    "account_names",
    metadata,
    Column("look", String(120), primary_key=True),
    Column("guest", String(32), ForeignKey("accounts.guest", ondelete="CASCADE"), nullable=False, index=True),
)

# Each sets a new password once.
recovery_codes = Table(
    "recovery_codes",
    metadata,
    Column("hash", String(64), primary_key=True),
    Column("guest", String(32), ForeignKey("accounts.guest", ondelete="CASCADE"), nullable=False, index=True),
)

roles = Table(
    "roles",
    metadata,
    Column("guest", String(32), ForeignKey("accounts.guest", ondelete="CASCADE"), primary_key=True),
    Column("role", String(16), primary_key=True),  # moderator
)

mutes = Table(
    "mutes",
    metadata,
    Column("reader", String(32), primary_key=True),
    Column("muted", String(32), primary_key=True),
)

blocks = Table(
    "blocks",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("blocker", String(32), nullable=False),
    Column("blocked", String(32), nullable=False, index=True),
    Column("at", BigInteger, nullable=False),
    UniqueConstraint("blocker", "blocked", name="blocked_once"),
)

# What a moderator decided about a person or a network; in force until ``until`` (null: for ever) or ``lifted``.
sanctions = Table(
    "sanctions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # warn, mute, ban
    Column("guest", String(32), index=True),
    Column("network", String(16), index=True),  # a keyed hash
    Column("reason", String(400), nullable=False),
    Column("until", BigInteger),
    Column("at", BigInteger, nullable=False),
    Column("lifted", BigInteger),
)

# Only ever added to: what moderators and operators did.
moderation_log = Table(
    "moderation_log",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("moderator", String(40), nullable=False),  # the guest id of an account, or "operator"
    Column("action", String(16), nullable=False),
    Column("guest", String(32), index=True),  # whom it concerns
    Column("detail", JSON, nullable=False),
)

# From which networks people played lately, as keyed hashes, so that a network can be banned.
networks = Table(
    "networks",
    metadata,
    Column("guest", String(32), primary_key=True),
    Column("network", String(16), primary_key=True),
    Column("seen", BigInteger, nullable=False, index=True),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False),
    Column("number", Integer, nullable=False),  # of the message
    Column("reporter", String(32), nullable=False),
    Column("author", String(32), nullable=False),
    Column("said", String(200), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("closed", BigInteger),  # when a moderator decided about it
    UniqueConstraint("table_id", "number", "reporter", name="reported_once"),
)

# What only this server knows of a tournament; what happened in it is in its lines.
tournaments = Table(
    "tournaments",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("organiser", String(32), nullable=False, index=True),
    Column("setup", JSON, nullable=False),  # pace, how many, who may come when
    Column("card", JSON, nullable=False),  # what lists need; made from the lines
    Column("listed", Boolean, nullable=False),
    Column("status", String(8), nullable=False),  # open, running, over
    Column("touched", BigInteger, nullable=False),
    Index("shown_tournaments", "listed", "status", "touched"),
)

# Only ever added to: the lines of the tournament's file, as quatuor.match.tournament reads them.
lines = Table(
    "tournament_lines",
    metadata,
    Column("tournament_id", String(16), ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # 1, 2, 3, …: of two writers of one number only one succeeds
    Column("line", JSON, nullable=False),
    Column("at", BigInteger, nullable=False),
)

# Skills as quatuor.match.ratings computes them, from the games in ``rated_games``; a command recomputes them.
ratings = Table(
    "ratings",
    metadata,
    Column("player", String(32), primary_key=True),  # a guest, or an engine such as engine:3
    Column("game", String(32), primary_key=True),
    Column("variant", String(32), primary_key=True),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
)

# The games that count in ``ratings``, each once.
rated_games = Table(
    "rated_games",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("ended", BigInteger, nullable=False),
)

# What others see of an account: everybody or me. Without a row: me.
profiles = Table(
    "profiles",
    metadata,
    Column("guest", String(32), ForeignKey("accounts.guest", ondelete="CASCADE"), primary_key=True),
    Column("ratings", String(16), nullable=False),
    Column("games", String(16), nullable=False),
    Column("puzzles", String(16), nullable=False),
)

# Puzzles that accounts have solved, each once.
solved_puzzles = Table(
    "solved_puzzles",
    metadata,
    Column("guest", String(32), ForeignKey("accounts.guest", ondelete="CASCADE"), primary_key=True),
    Column("task", String(64), primary_key=True),  # the hash of the puzzle as it was set
    Column("puzzle", String(32), nullable=False),
    Column("helped", Boolean, nullable=False),
    Column("seconds", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)

# Where an account wants to get mail; without ``confirmed``, nothing but the mail that asks for it is sent.
addresses = Table(
    "addresses",
    metadata,
    Column("guest", String(32), ForeignKey("accounts.guest", ondelete="CASCADE"), primary_key=True),
    Column("address", String(254), nullable=False, index=True),
    Column("lang", String(2), nullable=False),
    Column("asked", BigInteger, nullable=False),
    Column("confirmed", BigInteger),
)

# The outbox: one mail for each person and table. While ``ply`` stays, no second one is sent.
mails = Table(
    "mails",
    metadata,
    Column("guest", String(32), ForeignKey("accounts.guest", ondelete="CASCADE"), primary_key=True),
    Column("table_id", String(16), primary_key=True),  # empty: the mail that asks to confirm the address
    Column("ply", Integer, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("due", BigInteger, index=True),  # null: it was sent, or given up
    Column("sent", BigInteger, index=True),
)

# Who the players named in the lines are: a guest, an engine with a level, or neither: a person known only by name.
entrants = Table(
    "entrants",
    metadata,
    Column("tournament_id", String(16), ForeignKey("tournaments.id"), primary_key=True),
    Column("player", String(40), primary_key=True),
    Column("guest", String(32), index=True),
    Column("level", Integer),
    Column("barred", Boolean, nullable=False),  # taken off the list by the organiser
)

# The live tables of the rounds.
rounds = Table(
    "tournament_tables",
    metadata,
    Column("tournament_id", String(16), ForeignKey("tournaments.id"), primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False, unique=True),
    Column("counted", Boolean, nullable=False, index=True),
)

# Between those moments nobody could move: no server ran, or (served) the store was away.
outages = Table(
    "outages",
    metadata,
    Column("start", BigInteger, primary_key=True),
    Column("end", BigInteger, nullable=False),
    Column("served", Boolean, nullable=False),
)

# Row 1: when some server process was last alive, while clocks run. Row 2: when /ready last tried to write.
pulse = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", BigInteger, nullable=False),
)
