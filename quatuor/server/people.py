"""The routes about people: who I am, accounts, the lobby, my games, whom I have muted."""

from typing import Annotated, Any

from fastapi import APIRouter, WebSocket
from starlette.requests import Request
from starlette.responses import Response

from quatuor.server import answers
from quatuor.server.budgets import COSTS
from quatuor.server.clock import now
from quatuor.server.dependencies import CHANGES, At, Known, Met, Sender, content, costs, operation
from quatuor.server.lobby import Wanted
from quatuor.server.services import Services, services
from quatuor.server.sessions import Identity
from quatuor.server.visitors import Visitor, visitor
from quatuor.server.wire import (
    DeleteAccount,
    Me,
    Mute,
    NewPassword,
    Pair,
    Report,
    SignIn,
    SignUp,
    respond,
)
from quatuor.table import Refused
from quatuor.table.chat import author, person_at

api = APIRouter(prefix="/api")

PAGES = 1000  # of one's own games
LONGEST_SEARCH = 60  # characters


@api.get("/me", summary="Who I am; a visitor without a cookie becomes a guest", **operation(answers.Me))
async def me(request: Request, at: At, who: Met) -> Response:
    return await _introduced(at, request, who)


@api.put("/me", summary="Change my name", dependencies=[CHANGES], **operation(answers.Me, body=Me))
async def rename(request: Request, at: At, who: Met, command: Annotated[Me, content(Me)]) -> Response:
    name = await at.guests.rename(who.guest, command.name, await at.accounts.name(who))
    at.hub.rename(who.guest, name)
    return await _introduced(at, request, who)


@api.get(
    "/me/games",
    summary="A page of my games: running, those that wait for me first, or over",
    dependencies=[costs("list")],
    **operation(answers.MyGames),
)
async def games(
    at: At, who: Known, sender: Sender, over: str = "false", page: str = "0",
    text: str = "", game: str = "", against: str = "",
) -> Response:  # fmt: skip
    number = min(int(page), PAGES) if page.isdecimal() and len(page) < 7 else 0
    if who is None:
        return respond({"games": [], "more": False})
    if wanted := Wanted(text[:LONGEST_SEARCH], game[:LONGEST_SEARCH], against):
        at.budgets.spend("requests", sender, COSTS["search"])
        found = await at.lobby.search(who.guest, over.lower() == "true", number, wanted)
    else:
        found = await at.lobby.games(who.guest, over.lower() == "true", number)
    return respond(found)


@api.post("/account", summary="Sign up; my games come along", **operation(answers.Me, 201, body=SignUp))
async def sign_up(request: Request, at: At, known: Known, command: Annotated[SignUp, content(SignUp)]) -> Response:
    who = await at.accounts.sign_up(known, command.name, command.password, at.devices.origin(request), _agent(request))
    codes = await at.accounts.new_codes(who.guest)
    return at.devices.remember(request, await _introduced(at, request, who, 201, recovery=codes), who.guest)


@api.delete(
    "/account",
    summary="Delete my account; the games stay, without my name",
    **operation(answers.Ok, body=DeleteAccount),
)
async def remove(
    request: Request, at: At, who: Known, command: Annotated[DeleteAccount, content(DeleteAccount)]
) -> Response:
    await at.accounts.remove(who, command.password, at.devices.origin(request), at.tournaments.forget)
    return at.guests.forget(respond({"ok": True}))


@api.put(
    "/account/password",
    summary="Change my password; signs out everywhere else",
    **operation(answers.Ok, body=NewPassword),
)
async def change_password(
    request: Request, at: At, who: Known, command: Annotated[NewPassword, content(NewPassword)]
) -> Response:
    await at.accounts.change_password(who, command.old, command.new, at.devices.origin(request))
    return respond({"ok": True})


@api.post("/account/session", summary="Sign in", **operation(answers.Me, 201, body=SignIn))
async def sign_in(request: Request, at: At, known: Known, command: Annotated[SignIn, content(SignIn)]) -> Response:
    origin, agent = at.devices.origin(request), _agent(request)
    who = await at.accounts.sign_in(known, command.name, command.password, command.keep, origin, agent)
    return at.devices.remember(request, await _introduced(at, request, who, 201), who.guest)


@api.delete(
    "/account/session",
    summary="Sign out, here or everywhere",
    dependencies=[CHANGES],
    **operation(answers.Ok),
)
async def sign_out(at: At, who: Known, everywhere: str = "false") -> Response:
    await at.accounts.sign_out(who, everywhere.lower() == "true")
    return at.guests.forget(respond({"ok": True}))


@api.get("/lobby", summary="Tables that wait for players", dependencies=[costs("list")], **operation(answers.Lobby))
async def lobby(at: At) -> Response:
    return respond({"tables": await at.lobby.tables()})


@api.post(
    "/lobby/pairing",
    summary="Join a waiting table for such a game, or open one in the lobby",
    dependencies=[CHANGES],
    **operation(answers.Paired, 201, body=Pair, also=200),
)
async def pair(request: Request, at: At, who: Met, command: Annotated[Pair, content(Pair)]) -> Response:
    found = await at.pairing.pair(visitor(request, who.guest), command)
    answer = respond({"id": found.live.id, "seat": found.seat, "opened": found.opened}, 201 if found.opened else 200)
    return at.guests.remember(request, answer, who)


@api.websocket("/lobby/socket")
async def lobby_socket(websocket: WebSocket) -> None:
    """The lobby, live: the whole list whenever it changes."""
    at = services(websocket)
    async with at.accepted(websocket) as sender:
        if sender:
            await at.lobby.live.relay(websocket, at.settings.messages, lambda tables: {"t": "lobby", "tables": tables})


@api.get(
    "/watch",
    summary="Running public games with their positions",
    dependencies=[costs("watch")],
    **operation(answers.Watch),
)
async def watch(at: At, game: str = "") -> Response:
    return respond({"tables": [shown for _, shown in await at.watch.of(game).look()]})


@api.websocket("/watch/socket")
async def watch_socket(websocket: WebSocket) -> None:
    """Running public games, live: at first all, then those that have changed."""
    at = services(websocket)
    async with at.accepted(websocket) as sender:
        if sender:
            await at.watch.serve(websocket, at.settings.messages)


@api.get(
    "/tables/{table}/muted",
    summary="The seats at this table whose players I have muted or blocked",
    **operation(answers.Muted),
)
async def muted(table: str, at: At, who: Known, sender: Sender) -> Response:
    return respond(await _muted(at, table, who, sender))


@api.put(
    "/tables/{table}/muted",
    summary="Mute the player of a seat, or end it",
    dependencies=[CHANGES],
    **operation(answers.Muted, body=Mute),
)
async def mute(request: Request, table: str, at: At, who: Met, command: Annotated[Mute, content(Mute)]) -> Response:
    sender = visitor(request, who.guest)
    other = person_at((await at.hub.get(table, sender)).table, command.seat, command.number)
    if other is None or other == who.guest:
        raise Refused("not_found")
    await at.relations.mute(who.guest, other, command.on)
    return at.guests.remember(request, respond(await _muted(at, table, who, sender)), who)


@api.post(
    "/tables/{table}/report",
    summary="Report a message",
    dependencies=[CHANGES],
    **operation(answers.Ok, 201, body=Report),
)
async def report(
    request: Request, table: str, at: At, who: Met, command: Annotated[Report, content(Report)]
) -> Response:
    sender = visitor(request, who.guest)
    at.budgets.spend("reports", sender)
    live = await at.hub.get(table, sender)
    chat = live.table.chat
    if command.number >= len(chat):
        await live.catch_up()  # another process may have stored the message
    if command.number >= len(chat):
        raise Refused("not_found")
    message = chat[command.number]
    await at.relations.report(
        table_id=table,
        number=command.number,
        reporter=who.guest,
        author=author(live.table, message),
        said=message["words"] or message["phrase"],
        at=now(),
    )
    return at.guests.remember(request, respond({"ok": True}, 201), who)


async def _muted(at: Services, table: str, who: Identity | None, sender: Visitor) -> dict[str, list[int]]:
    live = await at.hub.get(table, sender)
    others = await at.relations.muted(who.guest) if who else set()
    others |= {row.blocked for row in await at.relations.blocked(who.guest)} if who else set()
    found = {"seats": [number for number, seat in enumerate(live.table.seats) if seat.guest in others]}
    numbers = [
        message["number"] for message in live.table.chat if message["seat"] is None and message["guest"] in others
    ]
    return found | ({"numbers": numbers} if numbers else {})


def _agent(request: Request) -> str | None:
    """Which browser this is, by its own account; for the list of sessions."""
    said = "".join(letter for letter in request.headers.get("user-agent", "") if letter.isprintable())
    return said[:200] or None


async def _introduced(at: Services, request: Request, who: Identity, status: int = 200, **more: Any) -> Response:
    name = await at.guests.name(who.guest)
    more |= {"moderator": True} if who.session and who.guest in at.sanctions.moderators else {}
    more |= {"mail": True} if at.mailer.server else {}
    answer = respond({"name": name, "account": await at.accounts.name(who), **more}, status)
    return at.guests.remember(request, answer, who)
