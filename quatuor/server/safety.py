"""The addresses for one's own safety: sessions, recovery codes, blocked people, all data about me."""

from typing import Any

from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from quatuor.server.clock import now
from quatuor.server.routes import Services, services
from quatuor.server.sessions import Identity, hash_of
from quatuor.server.wire import Count, DeleteAccount, Line, Password, Short, body, described, respond
from quatuor.table import Refused

api = APIRouter(prefix="/api")

SHOWN = 16  # characters of a session's hash: enough to tell one's own apart


class Recover(Struct, forbid_unknown_fields=True):
    name: Line
    code: Short
    password: Password


class Block(Struct, forbid_unknown_fields=True):
    table: Short
    seat: Count


async def _signed_in(request: Request) -> tuple[Services, Identity, str]:
    at = services(request)
    at.limit(request)
    who = await at.guests.known(request)
    if who is None or who.session is None:
        raise Refused("not_signed_in")
    return at, who, who.session


@api.get("/account/sessions", summary="Where I am signed in")
async def sessions(request: Request) -> Response:
    at, who, session = await _signed_in(request)
    return respond({"sessions": await _sessions(at, who.guest, session)})


@api.delete("/account/sessions/{session}", summary="Sign out there")
async def close_session(request: Request, session: str) -> Response:
    at, who, own = await _signed_in(request)
    found = [row.hash for row in await at.session_rows.sessions(who.guest) if row.hash[:SHOWN] == session]
    if not found:
        raise Refused("not_found")
    await at.accounts.close_session(found[0])
    return respond({"sessions": await _sessions(at, who.guest, own)})


@api.post("/account/recovery", status_code=201, summary="Set a new password", openapi_extra=described(Recover))
async def recover(request: Request) -> Response:
    at = services(request)
    command = await body(request, Recover)
    origin = at.devices.origin(request)
    who = await at.accounts.recover(command.name, command.code, command.password, origin)
    left = len(await at.people.codes(who.guest))
    answer = respond(
        {"name": await at.guests.name(who.guest), "account": await at.accounts.name(who), "left": left}, 201
    )
    return at.guests.remember(request, at.devices.remember(request, answer, who.guest), who)


@api.post(
    "/account/recovery-codes", status_code=201, summary="Ten new recovery codes", openapi_extra=described(DeleteAccount)
)
async def renew_codes(request: Request) -> Response:
    at = services(request)
    command = await body(request, DeleteAccount)
    who = await at.guests.known(request)
    codes = await at.accounts.renew_codes(who, command.password, at.devices.origin(request))
    return respond({"recovery": codes}, 201)


@api.get("/me/blocked", summary="Whom I have blocked")
async def blocked(request: Request) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.known(request)
    return respond({"blocked": await _blocked(at, who)})


@api.post("/me/blocked", status_code=201, summary="Block the player of a seat", openapi_extra=described(Block))
async def block(request: Request) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.meet(request)
    command = await body(request, Block)
    seats = (await at.hub.get(command.table)).table.seats
    other = seats[command.seat].guest if command.seat < len(seats) else None
    if other is None or other == who.guest:
        raise Refused("not_found")
    await at.relations.block(who.guest, other, now())
    return at.guests.remember(request, respond({"blocked": await _blocked(at, who)}, 201), who)


@api.delete("/me/blocked/{number}", summary="Unblock somebody")
async def unblock(request: Request, number: str) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.known(request)
    if who is None or number not in {row.id for row in await at.relations.blocked(who.guest)}:
        raise Refused("not_found")
    await at.relations.unblock(who.guest, number)
    return respond({"blocked": await _blocked(at, who)})


@api.get("/me/export", summary="All data about me")
async def export(request: Request) -> Response:
    at = services(request)
    at.limit(request)
    who = await at.guests.known(request)
    if who is None:
        raise Refused("not_found")
    answer = respond(await _own_data(at, who))
    answer.headers["content-disposition"] = 'attachment; filename="quatuor.json"'
    return answer


async def _own_data(at: Services, who: Identity) -> dict[str, Any]:
    games: list[dict[str, Any]] = []
    for over in (False, True):
        page, more = 0, True
        while more:
            found = await at.lobby.games(who.guest, over, page)
            games += found["games"]
            page, more = page + 1, found["more"]
    history = await at.moderation.history(who.guest)
    return {
        "id": who.guest,
        "name": await at.guests.name(who.guest),
        "account": await at.accounts.name(who),
        "sessions": await _sessions(at, who.guest, who.session or "") if who.session else [],
        "bots": await at.bots.of(who.guest),
        "games": games,
        "sanctions": history["sanctions"],
        "blocked": await _blocked(at, who),
        **await at.people.data_of(who.guest),
    }


async def _sessions(at: Services, guest: str, own: str) -> list[dict[str, Any]]:
    return [
        {
            "id": row.hash[:SHOWN],
            "created": row.created,
            "seen": row.seen,
            "agent": row.agent,
            "here": row.hash == hash_of(own),
        }
        for row in await at.session_rows.sessions(guest)
    ]


async def _blocked(at: Services, who: Identity | None) -> list[dict[str, Any]]:
    found = await at.relations.blocked(who.guest) if who else []
    names = await at.guests.names({row.blocked for row in found})
    return [{"id": row.id, "name": names[row.blocked], "at": row.at} for row in found]
