"""The addresses for moderators: reports with what was said around them, people's history, decisions, the log."""

from typing import Annotated, Any

from fastapi import APIRouter
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from quatuor.server.clock import now
from quatuor.server.routes import Services, services
from quatuor.server.sanctions import shown
from quatuor.server.store.moderation import Decision, Moderation
from quatuor.server.wire import body, described, respond
from quatuor.table import Refused

api = APIRouter(prefix="/api", tags=["moderation"])

AROUND = 10  # messages before and after a reported one
LONGEST = 10 * 365 * 24  # hours


class Decide(Struct, forbid_unknown_fields=True):
    action: Annotated[str, Meta(pattern="^(warn|mute|ban|remove|rename|dismiss)$")]
    reason: Annotated[str, Meta(max_length=400)] = ""
    hours: Annotated[int, Meta(ge=1, le=LONGEST)] | None = None  # of a mute or a ban; None: for ever
    network: bool = False  # ban the networks, too


async def _moderator(request: Request) -> tuple[Services, Moderation, str]:
    """Whoever asks, if they are a moderator and signed in."""
    at = services(request)
    at.limit(request)
    who = await at.guests.known(request)
    if who is None or who.session is None or not await at.moderation.is_moderator(who.guest):
        raise Refused("not_moderator")
    return at, at.moderation, who.guest


@api.get("/me/sanctions", summary="Warnings, mutes and bans that concern me")
async def mine(request: Request) -> Response:
    at = services(request)
    who = await at.guests.known(request)
    found = await at.moderation.in_force(now(), who.guest) if who else []
    return respond({"sanctions": [shown(row) for row in found]})


@api.get("/moderation/reports", summary="Reports that wait for a decision, or those that were decided")
async def queue(request: Request, closed: str = "false") -> Response:
    at, moderation, _ = await _moderator(request)
    found = await moderation.queue(closed.lower() == "true")
    return respond({"reports": await _named(at, found)})


@api.get("/moderation/reports/{number}", summary="A report, the chat around it, and its author's history")
async def report(request: Request, number: str) -> Response:
    at, moderation, _ = await _moderator(request)
    found = await moderation.report(_number(number))
    live = await at.hub.get(found["table_id"])
    table, names = live.table, live.presence.names
    first = max(0, found["number"] - AROUND)
    chat = [
        {**message, "name": names.get(table.seats[message["seat"]].guest or "")}
        for message in table.chat[first : found["number"] + AROUND + 1]
    ]
    (named,) = await _named(at, [found])
    return respond({**named, "chat": chat, "history": await moderation.history(found["author"])})


@api.post("/moderation/reports/{number}", summary="Decide about a report", openapi_extra=described(Decide))
async def decide(request: Request, number: str) -> Response:
    at, moderation, moderator = await _moderator(request)
    found = await moderation.report(_number(number))
    return await _decide(request, at, moderator, found["author"], found)


@api.get("/moderation/people/{person}", summary="A person's history")
async def person(request: Request, person: str) -> Response:
    at, moderation, _ = await _moderator(request)
    _known(person)
    return respond({"id": person, "name": await at.guests.name(person), **await moderation.history(person)})


@api.post("/moderation/people/{person}", summary="Decide about a person", openapi_extra=described(Decide))
async def decide_person(request: Request, person: str) -> Response:
    at, _, moderator = await _moderator(request)
    _known(person)
    return await _decide(request, at, moderator, person, None)


@api.delete("/moderation/sanctions/{number}", summary="End a mute or a ban")
async def lift(request: Request, number: str) -> Response:
    at, moderation, moderator = await _moderator(request)
    await moderation.lift(moderator, _number(number), now())
    await at.sanctions.refresh()
    return respond({"ok": True})


@api.get("/moderation/log", summary="What moderators did, the newest first")
async def log(request: Request) -> Response:
    _, moderation, _ = await _moderator(request)
    return respond({"log": await moderation.log()})


async def _decide(
    request: Request, at: Services, moderator: str, author: str, found: dict[str, Any] | None
) -> Response:
    command = await body(request, Decide)
    if command.action != "dismiss" and (author == moderator or await at.moderation.is_moderator(author)):
        raise Refused("protected")
    decision = Decision(command.action, command.reason, command.hours, command.network)
    await at.moderation.decide(moderator, author, decision, now(), found)
    if found and (live := at.hub.here(found["table_id"])):
        await live.catch_up()
    if command.action == "rename":
        at.hub.rename(author, await at.guests.name(author))
    await at.sanctions.refresh()
    return respond({"ok": True})


async def _named(at: Services, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    people = {row[key] for row in found for key in ("author", "reporter")}
    names = await at.guests.names(people)
    return [
        {**row, **{key: {"id": row[key], "name": names[row[key]]} for key in ("author", "reporter")}} for row in found
    ]


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise Refused("not_found")
    return int(text)


def _known(person: str) -> None:
    if not (person.isascii() and person.replace("-", "").isalnum() and len(person) <= 32):
        raise Refused("not_found")
