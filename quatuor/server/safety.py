"""The routes for a person's own safety: sessions, recovery codes, blocked people, all data about them."""

from typing import Annotated, Any

from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from quatuor.server import answers
from quatuor.server.clock import now
from quatuor.server.dependencies import CHANGES, At, Known, Met, SignedIn, content, operation
from quatuor.server.services import Services
from quatuor.server.sessions import Identity, hash_of
from quatuor.server.visitors import visitor
from quatuor.server.wire import Count, DeleteAccount, Line, Password, Short, respond
from quatuor.table import Refused
from quatuor.table.chat import person_at

api = APIRouter(prefix="/api")

SHOWN = 16  # characters of a session's hash: enough to distinguish a person's own


class Recover(Struct, forbid_unknown_fields=True):
    name: Line
    code: Short
    password: Password


class Block(Struct, forbid_unknown_fields=True):
    """A player by ``seat``, or a spectator by the ``number`` of a message."""

    table: Short
    seat: Count | None = None
    number: Count | None = None


@api.get("/account/sessions", summary="Where I am signed in", dependencies=[CHANGES], **operation(answers.SignedInList))
async def sessions(at: At, who: SignedIn) -> Response:
    return respond({"sessions": await _sessions(at, who)})


@api.delete(
    "/account/sessions/{session}", summary="Sign out there", dependencies=[CHANGES], **operation(answers.SignedInList)
)
async def close_session(session: str, at: At, who: SignedIn) -> Response:
    found = [row.hash for row in await at.session_rows.sessions(who.guest) if row.hash[:SHOWN] == session]
    if not found:
        raise Refused("not_found")
    await at.accounts.close_session(found[0])
    return respond({"sessions": await _sessions(at, who)})


@api.post("/account/recovery", summary="Set a new password", **operation(answers.Me, 201, body=Recover))
async def recover(request: Request, at: At, command: Annotated[Recover, content(Recover)]) -> Response:
    origin = at.devices.origin(request)
    who = await at.accounts.recover(command.name, command.code, command.password, origin)
    left = len(await at.people.codes(who.guest))
    answer = respond(
        {"name": await at.guests.name(who.guest), "account": await at.accounts.name(who), "left": left}, 201
    )
    return at.guests.remember(request, at.devices.remember(request, answer, who.guest), who)


@api.post(
    "/account/recovery-codes",
    summary="Ten new recovery codes",
    **operation(answers.RecoveryCodes, 201, body=DeleteAccount),
)
async def renew_codes(
    request: Request, at: At, who: Known, command: Annotated[DeleteAccount, content(DeleteAccount)]
) -> Response:
    codes = await at.accounts.renew_codes(who, command.password, at.devices.origin(request))
    return respond({"recovery": codes}, 201)


@api.get("/me/blocked", summary="Whom I have blocked", dependencies=[CHANGES], **operation(answers.Blocked))
async def blocked(at: At, who: Known) -> Response:
    return respond({"blocked": await _blocked(at, who)})


@api.post(
    "/me/blocked",
    summary="Block the player of a seat, or the spectator who wrote a message",
    dependencies=[CHANGES],
    **operation(answers.Blocked, 201, body=Block),
)
async def block(request: Request, at: At, who: Met, command: Annotated[Block, content(Block)]) -> Response:
    live = await at.hub.get(command.table, visitor(request, who.guest))
    other = person_at(live.table, command.seat, command.number)
    if other is None or other == who.guest:
        raise Refused("not_found")
    await at.relations.block(who.guest, other, now())
    return at.guests.remember(request, respond({"blocked": await _blocked(at, who)}, 201), who)


@api.delete("/me/blocked/{number}", summary="Unblock a person", dependencies=[CHANGES], **operation(answers.Blocked))
async def unblock(number: str, at: At, who: Known) -> Response:
    if who is None or number not in {row.id for row in await at.relations.blocked(who.guest)}:
        raise Refused("not_found")
    await at.relations.unblock(who.guest, number)
    return respond({"blocked": await _blocked(at, who)})


@api.get("/me/export", summary="All data about me", dependencies=[CHANGES], **operation(answers.Export))
async def export(at: At, who: Known) -> Response:
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
        "sessions": await _sessions(at, who) if who.session else [],
        "bots": await at.bots.of(who.guest),
        "games": games,
        "sanctions": history["sanctions"],
        "blocked": await _blocked(at, who),
        **await at.people.data_of(who.guest),
    }


async def _sessions(at: Services, who: Identity) -> list[dict[str, Any]]:
    return [
        {
            "id": row.hash[:SHOWN],
            "created": row.created,
            "seen": row.seen,
            "agent": row.agent,
            "here": row.hash == hash_of(who.session or ""),
        }
        for row in await at.session_rows.sessions(who.guest)
    ]


async def _blocked(at: Services, who: Identity | None) -> list[dict[str, Any]]:
    found = await at.relations.blocked(who.guest) if who else []
    names = await at.guests.names({row.blocked for row in found})
    return [{"id": row.id, "name": names[row.blocked], "at": row.at} for row in found]
