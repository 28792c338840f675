"""The addresses about people: who I am, accounts, the lobby, my games, whom I do not want to read."""

from typing import Any

from fastapi import APIRouter, WebSocket
from starlette.requests import Request
from starlette.responses import Response

from quatuor.server.clock import now
from quatuor.server.routes import Services, services
from quatuor.server.sessions import Identity
from quatuor.server.visitors import visitor
from quatuor.server.wire import (
    DeleteAccount,
    Me,
    Mute,
    NewPassword,
    Report,
    SignIn,
    SignUp,
    body,
    described,
    respond,
)
from quatuor.table import Refused

api = APIRouter(prefix="/api")

PAGES = 1000  # of one's own games


@api.get("/me", summary="Who I am; makes a guest of a stranger")
async def me(request: Request) -> Response:
    at = services(request)
    return await _introduced(at, request, await at.guests.meet(request))


@api.put("/me", summary="Call me something else", openapi_extra=described(Me))
async def rename(request: Request) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.meet(request)
    name = await at.guests.rename(who.guest, (await body(request, Me)).name, await at.accounts.name(who))
    at.hub.rename(who.guest, name)
    return await _introduced(at, request, who)


@api.get("/me/games", summary="A page of my games: running, those that wait for me first, or over")
async def games(request: Request, over: str = "false", page: str = "0") -> Response:
    at = services(request)
    at.weigh(request, "list")
    who = await at.guests.known(request)
    number = min(int(page), PAGES) if page.isdecimal() and len(page) < 7 else 0
    if who is None:
        return respond({"games": [], "more": False})
    return respond(await at.lobby.games(who.guest, over.lower() == "true", number))


@api.post("/account", status_code=201, summary="Sign up; my games come along", openapi_extra=described(SignUp))
async def sign_up(request: Request) -> Response:
    at = services(request)
    command = await body(request, SignUp)
    known = await at.guests.known(request)
    who = await at.accounts.sign_up(known, command.name, command.password, at.devices.origin(request), _agent(request))
    codes = await at.accounts.new_codes(who.guest)
    return at.devices.remember(request, await _introduced(at, request, who, 201, recovery=codes), who.guest)


@api.delete(
    "/account", summary="Delete my account; the games stay, without my name", openapi_extra=described(DeleteAccount)
)
async def remove(request: Request) -> Response:
    at = services(request)
    command = await body(request, DeleteAccount)
    who = await at.guests.known(request)
    await at.accounts.remove(who, command.password, at.devices.origin(request), at.tournaments.forget)
    return at.guests.forget(respond({"ok": True}))


@api.put("/account/password", summary="Change my password; signs out elsewhere", openapi_extra=described(NewPassword))
async def change_password(request: Request) -> Response:
    at = services(request)
    command = await body(request, NewPassword)
    who, origin = await at.guests.known(request), at.devices.origin(request)
    await at.accounts.change_password(who, command.old, command.new, origin)
    return respond({"ok": True})


@api.post("/account/session", status_code=201, summary="Sign in", openapi_extra=described(SignIn))
async def sign_in(request: Request) -> Response:
    at = services(request)
    command = await body(request, SignIn)
    known = await at.guests.known(request)
    origin, agent = at.devices.origin(request), _agent(request)
    who = await at.accounts.sign_in(known, command.name, command.password, command.keep, origin, agent)
    return at.devices.remember(request, await _introduced(at, request, who, 201), who.guest)


@api.delete("/account/session", summary="Sign out, here or everywhere")
async def sign_out(request: Request, everywhere: str = "false") -> Response:
    at = services(request)
    at.limit(request)
    await at.accounts.sign_out(await at.guests.known(request), everywhere.lower() == "true")
    return at.guests.forget(respond({"ok": True}))


@api.get("/lobby", summary="Tables that wait for players")
async def lobby(request: Request) -> Response:
    at = services(request)
    at.weigh(request, "list")
    return respond({"tables": await at.lobby.tables()})


@api.websocket("/lobby/socket")
async def lobby_socket(websocket: WebSocket) -> None:
    """The lobby, live: the whole list whenever it changes."""
    at = services(websocket)
    async with at.accepted(websocket) as sender:
        if sender:
            await at.lobby.live.relay(websocket, at.settings.messages, lambda tables: {"t": "lobby", "tables": tables})


@api.get("/tables/{table}/muted", summary="The seats at this table that I do not want to read")
async def muted(request: Request, table: str) -> Response:
    at = services(request)
    who = await at.guests.known(request)
    live = await at.hub.get(table, visitor(request, who.guest if who else None))
    others = await at.relations.muted(who.guest) if who else set()
    others |= {row.blocked for row in await at.relations.blocked(who.guest)} if who else set()
    return respond({"seats": [number for number, seat in enumerate(live.table.seats) if seat.guest in others]})


@api.put("/tables/{table}/muted", summary="Read somebody no longer, or again", openapi_extra=described(Mute))
async def mute(request: Request, table: str) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.meet(request)
    command = await body(request, Mute)
    seats = (await at.hub.get(table, visitor(request, who.guest))).table.seats
    other = seats[command.seat].guest if command.seat < len(seats) else None
    if other is None or other == who.guest:
        raise Refused("not_found")
    await at.relations.mute(who.guest, other, command.on)
    return at.guests.remember(request, await muted(request, table), who)


@api.post("/tables/{table}/report", status_code=201, summary="Report a message", openapi_extra=described(Report))
async def report(request: Request, table: str) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.meet(request)
    command = await body(request, Report)
    live = await at.hub.get(table, visitor(request, who.guest))
    sitting = live.table
    if command.number >= len(sitting.chat):
        await live.catch_up()  # another process may have written the message
    if command.number >= len(sitting.chat):
        raise Refused("not_found")
    message = sitting.chat[command.number]
    await at.relations.report(
        table_id=table,
        number=command.number,
        reporter=who.guest,
        author=sitting.seats[message["seat"]].guest or "",
        said=message["words"] or message["phrase"],
        at=now(),
    )
    return at.guests.remember(request, respond({"ok": True}, 201), who)


def _agent(request: Request) -> str | None:
    """Which browser this is, as it says itself; for the list of sessions."""
    said = "".join(letter for letter in request.headers.get("user-agent", "") if letter.isprintable())
    return said[:200] or None


async def _introduced(at: Services, request: Request, who: Identity, status: int = 200, **more: Any) -> Response:
    name = await at.guests.name(who.guest)
    answer = respond({"name": name, "account": await at.accounts.name(who), **more}, status)
    return at.guests.remember(request, answer, who)
