"""The routes of tables under /api. docs/protocol.md explains them; /api/docs lists them."""

import asyncio
import contextlib
from typing import Annotated

from fastapi import APIRouter, WebSocket
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from quatuor.games import catalogue
from quatuor.server import answers
from quatuor.server.budgets import EVENT_BYTES
from quatuor.server.clients import Client
from quatuor.server.dependencies import CHANGES, At, Known, Met, Sender, content, costs, operation
from quatuor.server.listener import TRY_LATER
from quatuor.server.services import Services, services
from quatuor.server.sessions import Identity
from quatuor.server.visitors import Visitor, visitor
from quatuor.server.websocket import serve
from quatuor.server.wire import Join, NewTable, encode, json_response, respond, send_json
from quatuor.table import Refused, history
from quatuor.table.commands import DeclineRematch
from quatuor.table.session import error
from quatuor.table.tries import lines
from quatuor.table.visibility import invites

api = APIRouter(prefix="/api")
LINES = "application/x-ndjson"


@api.get("/games", summary="What there is to play", **operation(answers.Games))
async def games() -> Response:
    return respond({"games": await asyncio.to_thread(catalogue.games)})


@api.post("/tables", summary="Open a table", dependencies=[CHANGES], **operation(answers.Opened, 201, body=NewTable))
async def open_table(request: Request, at: At, who: Met, command: Annotated[NewTable, content(NewTable)]) -> Response:
    sender = visitor(request, who.guest)
    at.budgets.spend("new_tables", sender)
    at.budgets.spend("stored_bytes", sender, EVENT_BYTES + len(encode(command)))
    live = await at.hub.open(sender, command)
    answer = respond({"id": live.id, "invites": invites(live.table, who.guest)}, 201)
    return at.guests.remember(request, answer, who)


@api.get(
    "/tables/{table}",
    summary="A table as the caller may see it",
    dependencies=[costs("snapshot")],
    **operation(answers.Snapshot),
)
async def show(table: str, at: At, who: Known, sender: Sender) -> Response:
    live = await at.hub.get(table, sender)
    if at.store.pubsub.shared:
        await live.catch_up()  # what the caller has just done at another process
    return json_response(live.snapshot(who.guest if who else None))


@api.post(
    "/tables/{table}/join",
    summary="Take an open seat",
    dependencies=[CHANGES],
    **operation(answers.Joined, body=Join),
)
async def join(request: Request, table: str, at: At, who: Met, command: Annotated[Join, content(Join)]) -> Response:
    live = await at.hub.get(table, visitor(request, who.guest))
    others = {*live.table.people, live.table.owner}
    if not live.table.owned(who.guest) and await at.relations.blocked_by(who.guest, others):
        raise Refused("blocked")
    seat = await at.hub.join(live, who.guest, command.token, command.seat)
    return at.guests.remember(request, respond({"seat": seat}), who)


@api.post(
    "/tables/{table}/rematch",
    summary="Offer a rematch, or accept one",
    dependencies=[CHANGES],
    **operation(answers.Rematch, 201, also=202),
)
async def rematch(table: str, at: At, who: Known, sender: Sender) -> Response:
    if who is None:
        raise Refused("not_your_seat", yours=[])
    at.budgets.spend("new_tables", sender)
    live = await at.hub.get(table, sender)
    if await at.relations.blocked_by(who.guest, live.table.people):
        raise Refused("blocked")
    found = await at.hub.rematch(live, who.guest, sender)
    return respond({"id": found, "offered": live.table.rematch_offer}, 201 if found else 202)


@api.delete(
    "/tables/{table}/rematch",
    summary="Decline a rematch, or withdraw my offer",
    dependencies=[CHANGES],
    **operation(answers.Rematch),
)
async def decline_rematch(table: str, at: At, who: Known, sender: Sender) -> Response:
    live = await at.hub.get(table, sender)
    await live.handle(DeclineRematch(), who.guest if who else None)
    return respond({"id": None, "offered": []})


@api.get(
    "/tables/{table}/record",
    summary="The game as a text file",
    dependencies=[costs("record")],
    **operation(None, media="text/plain"),
)
async def record(request: Request, table: str, at: At) -> Response:
    live = await at.hub.get(table, visitor(request))
    return PlainTextResponse(history(live.table, live.presence).record(), headers={"cache-control": "no-store"})


@api.get(
    "/tables/{table}/tries",
    summary="Time and illegal moves before each move of a game that is over, as lines of JSON for `quatuor judge`",
    dependencies=[costs("record")],
    **operation(None, media=LINES),
)
async def tries(request: Request, table: str, at: At) -> Response:
    live = await at.hub.get(table, visitor(request))
    if not live.table.ended_by:
        raise Refused("not_over")
    found = b"".join(encode(line) + b"\n" for line in lines(live.table))
    return Response(found, headers={"cache-control": "no-store"}, media_type=LINES)


@api.get(
    "/tables/{table}/svg",
    summary="A picture of the position, now or after a number of plies",
    dependencies=[costs("picture")],
    **operation(None, media="image/svg+xml"),
)
async def picture(request: Request, table: str, at: At, ply: str = "") -> Response:
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
    """The socket of a table: see docs/protocol.md."""
    table, since = websocket.path_params["table"], websocket.query_params.get("since", "")
    version = int(since) if since.isdecimal() and len(since) < 16 else None
    at = services(websocket)
    sender = await at.accept(websocket)
    if sender is None:
        return
    try:
        who = await at.guests.known(websocket)
    except Refused:  # the store failed: the client connects again
        at.budgets.give_back("sockets", sender)
        return
    await serve(websocket, lambda accepted: _play(at, accepted, who, sender, table, version))


async def _play(
    at: Services, websocket: WebSocket, who: Identity | None, sender: Visitor, table: str, since: int | None
) -> None:
    """Serve a client from the table to the end of the connection."""
    try:
        live = await at.hub.get(table, sender)
    except Refused as refused:
        await send_json(websocket, error(refused, None))
        await websocket.close(TRY_LATER if refused.code == "over_budget" else 4404)
    else:
        with contextlib.suppress(Refused):  # the store failed: the client connects again
            await Client(websocket, who, sender, at).serve(live, since)
    finally:
        at.budgets.give_back("sockets", sender)


# Without FastAPI's own route: what it keeps for each open websocket needs more memory than the table's part of it.
api.add_websocket_route("/api/tables/{table}/socket", socket)


@api.api_route("/{path:path}", methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], include_in_schema=False)
async def unknown(path: str) -> Response:
    """There is nothing else under /api."""
    raise Refused("not_found")
