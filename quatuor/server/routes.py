"""The addresses under /api. docs/protocol.md tells their story; /api/docs their shape."""

import asyncio
import contextlib
from typing import TYPE_CHECKING

from fastapi import APIRouter, WebSocket
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response

from quatuor.games import catalogue
from quatuor.server.accounts import Accounts
from quatuor.server.clients import Client
from quatuor.server.engines import Engines
from quatuor.server.guests import Guests
from quatuor.server.hub import Hub
from quatuor.server.limits import Buckets, Streams
from quatuor.server.lobby import Lobby
from quatuor.server.metrics import Metrics
from quatuor.server.sessions import Sessions
from quatuor.server.settings import Settings
from quatuor.server.store import Store
from quatuor.server.store.people import People
from quatuor.server.store.table_index import TableIndex
from quatuor.server.wire import Join, NewTable, body, described, encode, respond
from quatuor.table import Refused, history

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
        self.streams = Streams()
        self.table_index, self.people = TableIndex(store), People(store)
        self.sessions = Sessions(self.people, settings)
        self.guests = Guests(settings.secret_file, store, self.sessions)
        self.hub = Hub(store, self.table_index, self.guests, engines, settings)
        self.accounts = Accounts(self.people, self.sessions, self.guests, self.hub, settings)
        self.lobby = Lobby(self.table_index, self.guests)
        self._requests = Buckets(settings.requests)

    def limit(self, request: HTTPConnection) -> None:
        """Refuse an address that asks for too much."""
        if not self._requests.take(self.address(request)):
            raise Refused("rate_limited")

    @staticmethod
    def address(request: HTTPConnection) -> str:
        """Where a request comes from."""
        return request.client.host if request.client else ""


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
    live = await at.hub.open(who.guest, await body(request, NewTable))
    answer = respond({"id": live.id, "invites": live.snapshot(who.guest)["invites"]}, 201)
    return at.guests.remember(request, answer, who)


@api.get("/tables/{table}", summary="A table as the caller may see it")
async def show(request: Request, table: str) -> Response:
    at = services(request)
    live = await at.hub.get(table)
    who = await at.guests.known(request)
    return respond(live.snapshot(who.guest if who else None))


@api.post("/tables/{table}/join", summary="Take an open seat", openapi_extra=described(Join))
async def join(request: Request, table: str) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.meet(request)
    command = await body(request, Join)
    seat = await at.hub.join(await at.hub.get(table), who.guest, command.token, command.seat)
    return at.guests.remember(request, respond({"seat": seat}), who)


@api.post("/tables/{table}/rematch", status_code=201, summary="The same people once more")
async def rematch(request: Request, table: str) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.known(request)
    if who is None:
        raise Refused("not_your_seat", yours=[])
    return respond({"id": await at.hub.rematch(await at.hub.get(table), who.guest)}, 201)


@api.get("/tables/{table}/record", summary="The game as a text file")
async def record(request: Request, table: str) -> Response:
    live = await services(request).hub.get(table)
    return PlainTextResponse(history(live.table).record(), headers={"cache-control": "no-store"})


@api.get("/tables/{table}/svg", summary="A picture of the position, now or after so many plies")
async def picture(request: Request, table: str, ply: str = "") -> Response:
    game = history((await services(request).hub.get(table)).table)
    wanted = int(ply) if ply.isdecimal() and len(ply) < 7 else game.ply
    if wanted > game.ply:
        raise Refused("not_found", ply=game.ply)
    while game.ply > wanted:
        game.undo()
    return Response(
        await asyncio.to_thread(game.svg), headers={"cache-control": "no-store"}, media_type="image/svg+xml"
    )


@api.websocket("/tables/{table}/socket")
async def socket(websocket: WebSocket, table: str, since: str = "") -> None:
    """The live line: see docs/protocol.md."""
    at = services(websocket)
    await websocket.accept()
    try:
        live = await at.hub.get(table)
    except Refused as refused:
        await websocket.send_text(encode({"t": "error", "ack": None, "code": refused.code, "detail": {}}).decode())
        await websocket.close(4404)
        return
    version = int(since) if since.isdecimal() and len(since) < 16 else None
    with contextlib.suppress(Refused):  # the store failed: the client is told to come back
        who = await at.guests.known(websocket)
        await Client(websocket, who, at.sessions, at.settings, at.metrics).serve(live, version)


@api.api_route("/{path:path}", methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], include_in_schema=False)
async def unknown(path: str) -> Response:
    """Anything else under /api is nothing."""
    raise Refused("not_found")
