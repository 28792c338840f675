"""The addresses under /api. docs/protocol.md tells their story; /api/docs their shape."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from fastapi import APIRouter, WebSocket
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response

from quatuor.games import catalogue
from quatuor.server.accounts import Accounts
from quatuor.server.budgets import COSTS, EVENT_BYTES, Budgets, Limit, Rate, adjusted
from quatuor.server.clients import TRY_LATER, Client
from quatuor.server.devices import Devices
from quatuor.server.engines import Engines
from quatuor.server.guests import Guests
from quatuor.server.hub import Hub
from quatuor.server.limits import Streams
from quatuor.server.lobby import Lobby
from quatuor.server.metrics import Metrics
from quatuor.server.sanctions import Sanctions
from quatuor.server.sessions import Sessions
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.moderation import Moderation
from quatuor.server.store.people import People
from quatuor.server.store.relations import Relations
from quatuor.server.store.session_rows import SessionRows
from quatuor.server.store.table_index import TableIndex
from quatuor.server.visitors import Visitor, visitor
from quatuor.server.wire import Join, NewTable, body, described, encode, json_response, respond
from quatuor.table import Refused, history
from quatuor.table.commands import DeclineRematch
from quatuor.table.visibility import invites

if TYPE_CHECKING:
    from quatuor.server.bots import Bots
    from quatuor.server.tournaments import Tournaments

api = APIRouter(prefix="/api")


class Services:
    """What the routes need at hand; one for each app."""

    bots: "Bots"
    tournaments: "Tournaments"

    def __init__(self, settings: Settings, metrics: Metrics, store: Store, engines: Engines) -> None:
        self.settings, self.metrics, self.store, self.engines = settings, metrics, store, engines
        self.budgets = Budgets(_limits(settings), store.pubsub.shared)
        self.streams = Streams(settings.analyses, self.budgets.limits["analyses"].network)
        self.table_index, self.people, self.relations = TableIndex(store), People(store), Relations(store)
        self.session_rows = SessionRows(store)
        self.sessions = Sessions(self.session_rows, settings)
        self.guests = Guests(settings.secret_file, store, self.sessions)
        self.devices = Devices(self.guests.key)
        self.hub = Hub(store, self.table_index, self.guests, engines, settings, self.budgets)
        self.accounts = Accounts(self.people, self.sessions, self.guests, self.hub, settings)
        self.moderation, self.sanctions = Moderation(store), Sanctions(store, self.guests, self.hub)
        self.accounts.admit = self.sanctions.check
        self.lobby = Lobby(self.table_index, self.guests)

    def limit(self, request: HTTPConnection) -> None:
        """Count a request that changes something; Refused if its network sends too many."""
        self.budgets.spend("changes", visitor(request))

    def weigh(self, request: HTTPConnection, kind: str) -> None:
        """Count what a request costs beyond an ordinary one."""
        self.budgets.spend("requests", visitor(request), COSTS[kind] - 1)

    @staticmethod
    def address(request: HTTPConnection) -> str:
        """The network a request comes from."""
        return visitor(request).network

    @contextlib.asynccontextmanager
    async def accepted(self, websocket: WebSocket) -> AsyncIterator[Visitor | None]:
        """Accept a websocket and hold its place; None if its visitor has too many, and the client knows why."""
        who = await self.guests.known(websocket)
        sender = visitor(websocket, who.guest if who else None)
        await websocket.accept()
        try:
            self.budgets.spend("requests", sender, COSTS["socket"])
            self.budgets.take("sockets", sender)
        except Refused as refused:
            frame = {"t": "error", "ack": None, "code": refused.code, "detail": refused.detail}
            await websocket.send_text(encode(frame).decode())
            await websocket.close(TRY_LATER)
            yield None
            return
        try:
            yield sender
        finally:
            self.budgets.give_back("sockets", sender)


def _limits(settings: Settings) -> dict[str, Limit]:
    limits = adjusted(settings.budgets)
    if settings.requests is not None:
        size, rate = settings.requests
        limits["changes"] = Rate(size, size, size / rate)
    return limits


def services(connection: HTTPConnection) -> Services:
    """The services of the app that received this."""
    found: Services = connection.app.state.services
    return found


@api.get("/games", summary="What there is to play")
async def games() -> Response:
    return respond({"games": await asyncio.to_thread(catalogue.games)})


@api.post("/tables", status_code=201, summary="Open a table", openapi_extra=described(NewTable))
async def open_table(request: Request) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.meet(request)
    sender = visitor(request, who.guest)
    at.budgets.spend("new_tables", sender)
    command = await body(request, NewTable)
    at.budgets.spend("stored_bytes", sender, EVENT_BYTES + len(encode(command)))
    live = await at.hub.open(sender, command)
    answer = respond({"id": live.id, "invites": invites(live.table, who.guest)}, 201)
    return at.guests.remember(request, answer, who)


@api.get("/tables/{table}", summary="A table as the caller may see it")
async def show(request: Request, table: str) -> Response:
    at = services(request)
    at.weigh(request, "snapshot")
    who = await at.guests.known(request)
    live = await at.hub.get(table, visitor(request, who.guest if who else None))
    if at.store.pubsub.shared:
        await live.catch_up()  # what the caller has just done at another process
    return json_response(live.snapshot(who.guest if who else None))


@api.post("/tables/{table}/join", summary="Take an open seat", openapi_extra=described(Join))
async def join(request: Request, table: str) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.meet(request)
    command = await body(request, Join)
    live = await at.hub.get(table, visitor(request, who.guest))
    others = {*live.table.people, live.table.owner}
    if not live.table.owned(who.guest) and await at.relations.blocked_by(who.guest, others):
        raise Refused("blocked")
    seat = await at.hub.join(live, who.guest, command.token, command.seat)
    return at.guests.remember(request, respond({"seat": seat}), who)


@api.post("/tables/{table}/rematch", status_code=201, summary="Offer a rematch, or accept one")
async def rematch(request: Request, table: str) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.known(request)
    if who is None:
        raise Refused("not_your_seat", yours=[])
    sender = visitor(request, who.guest)
    at.budgets.spend("new_tables", sender)
    live = await at.hub.get(table, sender)
    if await at.relations.blocked_by(who.guest, live.table.people):
        raise Refused("blocked")
    found = await at.hub.rematch(live, who.guest, sender)
    return respond({"id": found, "offered": live.table.rematch_offer}, 201 if found else 202)


@api.delete("/tables/{table}/rematch", summary="Decline a rematch, or withdraw my offer")
async def decline_rematch(request: Request, table: str) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.known(request)
    live = await at.hub.get(table, visitor(request, who.guest if who else None))
    await live.handle(DeclineRematch(), who.guest if who else None)
    return respond({"id": None, "offered": []})


@api.get("/tables/{table}/record", summary="The game as a text file")
async def record(request: Request, table: str) -> Response:
    at = services(request)
    at.weigh(request, "record")
    live = await at.hub.get(table, visitor(request))
    return PlainTextResponse(history(live.table, live.presence).record(), headers={"cache-control": "no-store"})


@api.get("/tables/{table}/svg", summary="A picture of the position, now or after so many plies")
async def picture(request: Request, table: str, ply: str = "") -> Response:
    at = services(request)
    at.weigh(request, "picture")
    live = await at.hub.get(table, visitor(request))
    game = history(live.table, live.presence)
    wanted = int(ply) if ply.isdecimal() and len(ply) < 7 else game.ply
    if wanted > game.ply:
        raise Refused("not_found", ply=game.ply)
    while game.ply > wanted:
        game.undo()
    return Response(
        await asyncio.to_thread(game.svg), headers={"cache-control": "no-store"}, media_type="image/svg+xml"
    )


async def socket(websocket: WebSocket) -> None:
    """The live line: see docs/protocol.md."""
    table, since = websocket.path_params["table"], websocket.query_params.get("since", "")
    at = services(websocket)
    async with at.accepted(websocket) as sender:
        if sender is None:
            return
        try:
            live = await at.hub.get(table, sender)
        except Refused as refused:
            frame = {"t": "error", "ack": None, "code": refused.code, "detail": refused.detail}
            await websocket.send_text(encode(frame).decode())
            await websocket.close(TRY_LATER if refused.code == "over_budget" else 4404)
            return
        version = int(since) if since.isdecimal() and len(since) < 16 else None
        with contextlib.suppress(Refused):  # the store failed: the client is told to come back
            who = await at.guests.known(websocket)
            client = Client(websocket, who, sender, at.sessions, at.budgets, at.settings, at.metrics)
            await client.serve(live, version)


# Without FastAPI's own route: what it keeps for each open websocket needs more memory than the table's part of it.
api.add_websocket_route("/api/tables/{table}/socket", socket)


@api.api_route("/{path:path}", methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], include_in_schema=False)
async def unknown(path: str) -> Response:
    """Anything else under /api is nothing."""
    raise Refused("not_found")
