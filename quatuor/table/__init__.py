"""One live game without any input or output: seats, turns, secret orders, taking back, and who may see what.

A table is what its events made of it. A wish (``table.move``, ``table.undo``, …) is checked and answered by the event
that would carry it out, or ``Refused``; nothing changes until that event comes back through ``table.apply``. So
whoever keeps the table can write the event down first, and a table is brought back by applying its events again.
"""

from quatuor.table.absence import claim, come_back, fill, flag, forfeit
from quatuor.table.card import Card, card
from quatuor.table.clocks import Pace
from quatuor.table.events import Event, Refused
from quatuor.table.seats import Seat, Setup
from quatuor.table.sight import history, logged, presence, seen_by, seen_by_all, snapshot, stands_anew, told
from quatuor.table.table import Table
from quatuor.table.talk import allow_words, say

__all__ = [
    "Card",
    "Event",
    "Pace",
    "Refused",
    "Seat",
    "Setup",
    "Table",
    "allow_words",
    "card",
    "claim",
    "come_back",
    "fill",
    "flag",
    "forfeit",
    "history",
    "logged",
    "presence",
    "say",
    "seen_by",
    "seen_by_all",
    "snapshot",
    "stands_anew",
    "told",
]
