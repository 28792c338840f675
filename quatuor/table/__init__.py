"""One live game without input or output: seats, turns, secret orders, undo, and who may see what.

A command is decided (``decide``: ``Accepted``, ``AlreadyDone`` or ``Refused``), its event is stored, applied
(``table.apply``) and sent to each viewer as ``visibility`` allows. ``Session`` does these steps in order. A table is
restored by applying its events again.

>>> from quatuor.table import Accepted, Context, Seat, Setup, Table, commands, decide
>>> table = Table(Setup("plus4", "elementary", {}, (Seat("human", "ada"), Seat("human", "bob")), creator="ada"))
>>> decision = decide(table, commands.Move(ply=0, seat=0, move="a"), Context("ada"))
>>> table.apply(decision.event)
>>> table.to_move
(1,)
>>> decide(table, commands.Move(ply=1, seat=0, move="a"), Context("ada")).code
'not_your_turn'
"""

from quatuor.table import commands
from quatuor.table.clocks import Pace
from quatuor.table.context import Context
from quatuor.table.decide import decide
from quatuor.table.events import Accepted, AlreadyDone, Decision, Event, Refused
from quatuor.table.presence import Presence
from quatuor.table.seats import Seat, Setup
from quatuor.table.session import Conflict, EventLog, Listener, Session, restore
from quatuor.table.summary import TableSummary, summarise
from quatuor.table.table import Table
from quatuor.table.visibility import (
    changes_position,
    history,
    logged,
    public_event,
    shared_view,
    snapshot,
    view_for,
    who_is_here,
)

__all__ = [
    "Accepted",
    "AlreadyDone",
    "Conflict",
    "Context",
    "Decision",
    "Event",
    "EventLog",
    "Listener",
    "Pace",
    "Presence",
    "Refused",
    "Seat",
    "Session",
    "Setup",
    "Table",
    "TableSummary",
    "changes_position",
    "commands",
    "decide",
    "history",
    "logged",
    "public_event",
    "restore",
    "shared_view",
    "snapshot",
    "summarise",
    "view_for",
    "who_is_here",
]
