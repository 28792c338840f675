"""Alembic runs this; the connection comes from ``Store``."""

from alembic import context

from quatuor.server.store.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transactional_ddl=True,  # of SQLite too: the connection begins transactions itself
)
with context.begin_transaction():
    context.run_migrations()
