"""One live game without any input or output: seats, turns, secret orders, taking back, and who may see what.

A table is what its events made of it. A wish (``table.move``, ``table.undo``, …) is checked and answered by the event
that would carry it out, or ``Refused``; nothing changes until that event comes back through ``table.apply``. So
whoever keeps the table can write the event down first, and a table is brought back by applying its events again.
"""

from quatuor.table.chat import allow_words, remove_message, say
from quatuor.table.claims import claim, come_back, fill, flag, forfeit
from quatuor.table.clocks import Pace
from quatuor.table.events import Event, Refused
from quatuor.table.rematches import agree, decline
from quatuor.table.seats import Seat, Setup
from quatuor.table.summary import TableSummary, summarise
from quatuor.table.table import Table
from quatuor.table.visibility import (
    changes_position,
    history,
    logged,
    presence,
    public_event,
    shared_view,
    snapshot,
    view_for,
)

__all__ = [
    "Event",
    "Pace",
    "Refused",
    "Seat",
    "Setup",
    "Table",
    "TableSummary",
    "agree",
    "allow_words",
    "changes_position",
    "claim",
    "come_back",
    "decline",
    "fill",
    "flag",
    "forfeit",
    "history",
    "logged",
    "presence",
    "public_event",
    "remove_message",
    "say",
    "shared_view",
    "snapshot",
    "summarise",
    "view_for",
]
