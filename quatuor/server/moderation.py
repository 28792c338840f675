"""The routes for moderators: reports with the chat around them, people's history, decisions, the log."""

from typing import Annotated, Any

from fastapi import APIRouter
from msgspec import Meta, Struct
from starlette.responses import Response

from quatuor.server import answers
from quatuor.server.clock import now
from quatuor.server.dependencies import CHANGES, At, Known, Moderator, content, operation
from quatuor.server.sanctions import shown
from quatuor.server.services import Services
from quatuor.server.store.moderation import OPERATOR, Decision
from quatuor.server.wire import respond
from quatuor.table import Refused
from quatuor.table.chat import author

api = APIRouter(prefix="/api", tags=["moderation"])

AROUND = 10  # messages before and after a reported one
LONGEST = 10 * 365 * 24  # hours


class Decide(Struct, forbid_unknown_fields=True):
    action: Annotated[str, Meta(pattern="^(warn|mute|ban|remove|rename|dismiss)$")]
    reason: Annotated[str, Meta(max_length=400)] = ""
    hours: Annotated[int, Meta(ge=1, le=LONGEST)] | None = None  # of a mute or a ban; None: for ever
    network: bool = False  # ban the networks, too


@api.get("/me/sanctions", summary="Warnings, mutes and bans that concern me", **operation(answers.Sanctions))
async def mine(at: At, who: Known) -> Response:
    found = await at.moderation.in_force(now(), who.guest) if who else []
    return respond({"sanctions": [shown(row) for row in found]})


@api.get(
    "/moderation/reports",
    summary="Reports that wait for a decision, or those that were decided",
    dependencies=[CHANGES],
    **operation(answers.Reports),
)
async def queue(at: At, _: Moderator, closed: str = "false") -> Response:
    return respond({"reports": await _named(at, await at.moderation.queue(closed.lower() == "true"))})


@api.get(
    "/moderation/reports/{number}",
    summary="A report, the chat around it, and its author's history",
    dependencies=[CHANGES],
    **operation(answers.ReportInContext),
)
async def report(number: str, at: At, _: Moderator) -> Response:
    found = await at.moderation.report(_number(number))
    live = await at.hub.get(found["table_id"])
    table, names = live.table, live.presence.names
    first = max(0, found["number"] - AROUND)
    chat = [
        {key: value for key, value in message.items() if key != "guest"} | {"name": names.get(author(table, message))}
        for message in table.chat[first : found["number"] + AROUND + 1]
    ]
    (named,) = await _named(at, [found])
    return respond({**named, "chat": chat, "history": await at.moderation.history(found["author"])})


@api.post(
    "/moderation/reports/{number}",
    summary="Decide about a report",
    dependencies=[CHANGES],
    **operation(answers.Ok, body=Decide),
)
async def decide(number: str, at: At, moderator: Moderator, command: Annotated[Decide, content(Decide)]) -> Response:
    found = await at.moderation.report(_number(number))
    return await _decide(at, moderator, command, found["author"], found)


@api.get(
    "/moderation/people/{person}",
    summary="A person's history",
    dependencies=[CHANGES],
    **operation(answers.PersonHistory),
)
async def person(person: str, at: At, _: Moderator) -> Response:
    _check_id(person)
    return respond({"id": person, "name": await at.guests.name(person), **await at.moderation.history(person)})


@api.post(
    "/moderation/people/{person}",
    summary="Decide about a person",
    dependencies=[CHANGES],
    **operation(answers.Ok, body=Decide),
)
async def decide_person(
    person: str, at: At, moderator: Moderator, command: Annotated[Decide, content(Decide)]
) -> Response:
    _check_id(person)
    return await _decide(at, moderator, command, person, None)


@api.delete(
    "/moderation/sanctions/{number}", summary="End a mute or a ban", dependencies=[CHANGES], **operation(answers.Ok)
)
async def lift(number: str, at: At, moderator: Moderator) -> Response:
    await at.moderation.lift(moderator, _number(number), now())
    await at.sanctions.refresh()
    return respond({"ok": True})


@api.get(
    "/moderation/log",
    summary="What moderators did, the newest first",
    dependencies=[CHANGES],
    **operation(answers.Log),
)
async def log(at: At, _: Moderator) -> Response:
    found = await at.moderation.log()
    names = await at.guests.names({row[key] for row in found for key in ("moderator", "guest") if row[key]})
    names[OPERATOR] = OPERATOR
    named = [
        {**row, "moderator_name": names[row["moderator"]], "name": names[row["guest"]] if row["guest"] else None}
        for row in found
    ]
    return respond({"log": named})


async def _decide(at: Services, moderator: str, command: Decide, author: str, found: dict[str, Any] | None) -> Response:
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


def _check_id(person: str) -> None:
    if not (person.isascii() and person.replace("-", "").isalnum() and len(person) <= 32):
        raise Refused("not_found")
