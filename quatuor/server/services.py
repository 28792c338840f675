"""All that routes need: one object for each app."""

import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from fastapi import WebSocket
from starlette.requests import HTTPConnection

from quatuor.server.accounts import Accounts
from quatuor.server.budgets import COSTS, EVENT_BYTES, TABLE_EVENTS, Budgets, Limit, Rate, adjusted
from quatuor.server.devices import Devices
from quatuor.server.engines import Engines
from quatuor.server.guests import Guests
from quatuor.server.hub import Hub
from quatuor.server.limits import Streams
from quatuor.server.listener import TRY_LATER
from quatuor.server.lobby import Lobby
from quatuor.server.mailer import Mailer
from quatuor.server.metrics import Metrics
from quatuor.server.pairing import Pairing
from quatuor.server.sanctions import Sanctions
from quatuor.server.sessions import Sessions
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.moderation import Moderation
from quatuor.server.store.names import AccountNames
from quatuor.server.store.people import People
from quatuor.server.store.profile_rows import ProfileRows
from quatuor.server.store.relations import Relations
from quatuor.server.store.session_rows import SessionRows
from quatuor.server.store.table_index import TableIndex
from quatuor.server.visitors import Visitor, visitor
from quatuor.server.watch import Watch
from quatuor.server.wire import send_json
from quatuor.table import Refused, Table
from quatuor.table.session import error

if TYPE_CHECKING:
    from quatuor.server.bots import Bots
    from quatuor.server.previews import Previews
    from quatuor.server.tournaments import Tournaments


class Services:
    """Built when the app starts; ``create_app`` adds bots, tournaments and link previews."""

    bots: "Bots"
    tournaments: "Tournaments"
    previews: "Previews"

    def __init__(self, settings: Settings, metrics: Metrics, store: Store, engines: Engines) -> None:
        self.settings, self.metrics, self.store, self.engines = settings, metrics, store, engines
        self.budgets = Budgets(_limits(settings), store.pubsub.shared)
        self.budgets.count_refusal = lambda budget, of: metrics.budget_refusals.labels(budget, of).inc()
        self.streams = Streams(settings.analyses, self.budgets.limits["analyses"].network)
        self.table_index, self.people, self.relations = TableIndex(store), People(store), Relations(store)
        self.session_rows, self.profiles = SessionRows(store), ProfileRows(store)
        self.account_names = AccountNames(store)
        self.sessions = Sessions(self.session_rows, settings)
        self.guests = Guests(settings.secret_file, store, self.sessions)
        self.devices = Devices(self.guests.key)
        self.hub = Hub(store, self.table_index, self.guests, self.profiles, engines, settings, self.budgets)
        self.accounts = Accounts(self.people, self.sessions, self.guests, self.hub, settings)
        self.moderation, self.sanctions = Moderation(store), Sanctions(store, self.guests, self.hub)
        self.accounts.admit = self.sanctions.check
        self.mailer = Mailer(store, self.guests, settings, self.hub.is_online)
        self.lobby = Lobby(self.table_index, self.guests, self.profiles)
        self.watch = Watch(self.hub, self.table_index)
        self.pairing = Pairing(store, self.hub, self.table_index, self.relations, self.budgets)

    def admit_command(self, sender: Visitor, table: Table, size: int) -> None:
        """Count a command of ``size`` bytes against the sender's budgets; Refused if one is spent or the table full."""
        self.budgets.spend("events", sender)
        self.budgets.spend("stored_bytes", sender, EVENT_BYTES + size)
        if table.version >= TABLE_EVENTS:
            raise self.budgets.refusal("over_budget", "table_events", "table", most=TABLE_EVENTS)

    @contextlib.asynccontextmanager
    async def accepted(self, websocket: WebSocket) -> AsyncIterator[Visitor | None]:
        """Accept a websocket and count it while it is open; None: its visitor has too many, and gets an error."""
        sender = await self.accept(websocket)
        try:
            yield sender
        finally:
            if sender:
                self.budgets.give_back("sockets", sender)

    async def accept(self, websocket: WebSocket) -> Visitor | None:
        """The same, for a caller who gives the place among the ``sockets`` back."""
        who = await self.guests.known(websocket)
        sender = visitor(websocket, who.guest if who else None)
        await websocket.accept()
        try:
            self.budgets.spend("requests", sender, COSTS["socket"])
            self.budgets.take("sockets", sender)
        except Refused as refused:
            await send_json(websocket, error(refused, None))
            await websocket.close(TRY_LATER)
            return None
        return sender


def services(connection: HTTPConnection) -> Services:
    """The services of the app that received a request or a websocket."""
    found: Services = connection.app.state.services
    return found


def _limits(settings: Settings) -> dict[str, Limit]:
    limits = adjusted(settings.budgets)
    if settings.requests is not None:
        size, rate = settings.requests
        limits["changes"] = Rate(size, size, size / rate)
    return limits
