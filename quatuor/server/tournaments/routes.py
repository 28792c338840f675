"""The addresses under /api/tournaments."""

from fastapi import APIRouter, WebSocket
from starlette.requests import Request
from starlette.responses import Response

from quatuor.server.routes import Services, services
from quatuor.server.sessions import Identity
from quatuor.server.wire import Enter, Forfeit, NewTournament, NextRound, body, described, encode, respond
from quatuor.table import Refused

api = APIRouter(prefix="/api/tournaments", tags=["tournaments"])


@api.get("", summary="My tournaments, and those that everybody may find")
async def lists(request: Request) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.known(request)
    return respond(await at.tournaments.lists(who.guest if who else None))


@api.post("", status_code=201, summary="Organise a tournament", openapi_extra=described(NewTournament))
async def organise(request: Request) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.meet(request)
    name = await at.tournaments.open(who.guest, await body(request, NewTournament))
    return at.guests.remember(request, respond({"id": name}, 201), who)


@api.get("/{tournament}", summary="How a tournament stands")
async def show(request: Request, tournament: str) -> Response:
    at = services(request)
    return await _stands(at, tournament, await at.guests.known(request))


@api.post("/{tournament}/players", summary="Enter it", openapi_extra=described(Enter))
async def enter(request: Request, tournament: str) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.meet(request)
    command = await body(request, Enter)
    if command.level is not None:
        await at.tournaments.enter_engine(tournament, who.guest, command.level)
    elif command.player is not None:
        await at.tournaments.restore(tournament, who.guest, command.player)
    else:
        await at.tournaments.enter(tournament, who.guest)
    return at.guests.remember(request, await _stands(at, tournament, who), who)


@api.delete("/{tournament}/players/{player}", summary="Withdraw a player: myself, or anybody if I organise it")
async def withdraw(request: Request, tournament: str, player: str) -> Response:
    at, who = await _known(request)
    if not player.isdecimal() or len(player) > 6:
        raise Refused("not_found")
    await at.tournaments.withdraw(tournament, who.guest, int(player))
    return await _stands(at, tournament, who)


@api.post("/{tournament}/rounds", summary="Pair the next round", openapi_extra=described(NextRound))
async def pair(request: Request, tournament: str) -> Response:
    at, who = await _known(request)
    await at.tournaments.pair(tournament, who.guest, (await body(request, NextRound)).after)
    return await _stands(at, tournament, who)


@api.post(
    "/{tournament}/forfeit",
    summary="A player did not come and loses",
    openapi_extra=described(Forfeit),
)
async def forfeit(request: Request, tournament: str) -> Response:
    at, who = await _known(request)
    await at.tournaments.forfeit(tournament, who.guest, (await body(request, Forfeit)).player)
    return await _stands(at, tournament, who)


@api.post("/{tournament}/close", summary="No more rounds")
async def close(request: Request, tournament: str) -> Response:
    at, who = await _known(request)
    await at.tournaments.close(tournament, who.guest)
    return await _stands(at, tournament, who)


@api.get("/{tournament}/file", summary="The tournament's file, as quatuor tournament reads it")
async def file(request: Request, tournament: str) -> Response:
    at = services(request)
    at.limit(request)
    headers = {"cache-control": "no-store", "content-disposition": "attachment"}  # the page knows a better name
    return Response(await at.tournaments.text(tournament), headers=headers, media_type="application/x-ndjson")


@api.websocket("/{tournament}/socket")
async def socket(websocket: WebSocket, tournament: str) -> None:
    """The whole view, again whenever it changes."""
    at = services(websocket)
    async with at.accepted(websocket) as sender:
        if sender is None:
            return
        try:
            await at.tournaments.shown(tournament)
        except Refused as refused:
            await websocket.send_text(encode({"t": "error", "code": refused.code}).decode())
            await websocket.close(4404)
            return
        live, guest = at.tournaments.live(tournament), sender.person
        await live.relay(websocket, at.settings.messages, lambda shown: {"t": "tournament", **shown.to(guest)})


async def _known(request: Request) -> tuple[Services, Identity]:
    """The services and the sender; a client without a cookie organises and plays in no tournament."""
    at = services(request)
    at.limit(request)
    who = await at.guests.known(request)
    if who is None:
        raise Refused("not_organiser")
    return at, who


async def _stands(at: Services, tournament: str, who: Identity | None) -> Response:
    return respond((await at.tournaments.shown(tournament)).to(who.guest if who else None))
