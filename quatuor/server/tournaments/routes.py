"""The routes under /api/tournaments."""

from typing import Annotated

from fastapi import APIRouter, Depends, WebSocket
from starlette.requests import Request
from starlette.responses import Response

from quatuor.server import answers
from quatuor.server.dependencies import CHANGES, At, Known, Met, content, operation
from quatuor.server.services import Services, services
from quatuor.server.sessions import Identity
from quatuor.server.store.tournaments import Entrant
from quatuor.server.tournaments import commands
from quatuor.server.wire import (
    Enter,
    Forfeit,
    NewTournament,
    NextRound,
    OnBoard,
    Schedule,
    TournamentResult,
    respond,
    send_json,
)
from quatuor.table import Refused

api = APIRouter(prefix="/api/tournaments", tags=["tournaments"])


async def _member(who: Known) -> Identity:
    """The sender; a client without a cookie organises and plays in no tournament."""
    if who is None:
        raise Refused("not_organiser")
    return who


Member = Annotated[Identity, Depends(_member)]


@api.get(
    "",
    summary="My tournaments, and those that are listed for everybody",
    dependencies=[CHANGES],
    **operation(answers.TournamentLists),
)
async def lists(at: At, who: Known) -> Response:
    return respond(await at.tournaments.lists(who.guest if who else None))


@api.post(
    "",
    summary="Organise a tournament",
    dependencies=[CHANGES],
    **operation(answers.TournamentId, 201, body=NewTournament),
)
async def organise(
    request: Request, at: At, who: Met, command: Annotated[NewTournament, content(NewTournament)]
) -> Response:
    name = await at.tournaments.open(who.guest, command)
    return at.guests.remember(request, respond({"id": name}, 201), who)


@api.get("/{tournament}", summary="The current state of a tournament", **operation(answers.Tournament))
async def show(tournament: str, at: At, who: Known, link: str = "") -> Response:
    return await _state(at, tournament, who, link)


@api.post(
    "/{tournament}/players",
    summary="Enter it",
    dependencies=[CHANGES],
    **operation(answers.Tournament, body=Enter),
)
async def enter(
    request: Request, tournament: str, at: At, who: Met, command: Annotated[Enter, content(Enter)]
) -> Response:
    if (level := command.level) is not None:
        engine = Entrant(f"Engine {level}", level=level)  # one of each level
        await at.tournaments.organise(tournament, who.guest, lambda it, kept: commands.enter(it, kept, engine))
    elif (names := command.names) is not None:
        await at.tournaments.organise(tournament, who.guest, lambda it, kept: commands.enter_names(it, kept, names))
    elif (number := command.player) is not None:
        await at.tournaments.organise(
            tournament, who.guest, lambda it, kept: commands.restore(it, kept, commands.player(it, number))
        )
    else:
        await at.tournaments.enter(tournament, who.guest)
    return at.guests.remember(request, await _state(at, tournament, who), who)


@api.delete(
    "/{tournament}/players/{player}",
    summary="Withdraw a player: myself, or anybody if I organise it",
    dependencies=[CHANGES],
    **operation(answers.Tournament),
)
async def withdraw(tournament: str, player: str, at: At, who: Member) -> Response:
    if not player.isdecimal() or len(player) > 6:
        raise Refused("not_found")
    await at.tournaments.withdraw(tournament, who.guest, int(player))
    return await _state(at, tournament, who)


@api.post(
    "/{tournament}/rounds",
    summary="Pair the next round",
    dependencies=[CHANGES],
    **operation(answers.Tournament, body=NextRound),
)
async def pair(tournament: str, at: At, who: Member, command: Annotated[NextRound, content(NextRound)]) -> Response:
    await at.tournaments.organise(
        tournament, who.guest, lambda it, kept: commands.pair(it, kept, tournament, command.after)
    )
    return await _state(at, tournament, who)


@api.put(
    "/{tournament}/start",
    summary="When the first round starts by itself",
    dependencies=[CHANGES],
    **operation(answers.Tournament, body=Schedule),
)
async def schedule(tournament: str, at: At, who: Member, command: Annotated[Schedule, content(Schedule)]) -> Response:
    await at.tournaments.organise(tournament, who.guest, lambda it, _kept: commands.schedule(it, command.starts))
    return await _state(at, tournament, who)


@api.post(
    "/{tournament}/results",
    summary="Record or state the result of a game over the board, or correct a result",
    dependencies=[CHANGES],
    **operation(answers.Tournament, body=TournamentResult),
)
async def result(
    tournament: str, at: At, who: Member, command: Annotated[TournamentResult, content(TournamentResult)]
) -> Response:
    await at.tournaments.result(tournament, who.guest, command)
    return await _state(at, tournament, who, command.link)


@api.post(
    "/{tournament}/board",
    summary="Have a game that was paired online played over the board",
    dependencies=[CHANGES],
    **operation(answers.Tournament, body=OnBoard),
)
async def board(tournament: str, at: At, who: Member, command: Annotated[OnBoard, content(OnBoard)]) -> Response:
    await at.tournaments.move_to_board(tournament, who.guest, command)
    return await _state(at, tournament, who)


@api.post(
    "/{tournament}/forfeit",
    summary="A player did not come and loses",
    dependencies=[CHANGES],
    **operation(answers.Tournament, body=Forfeit),
)
async def forfeit(tournament: str, at: At, who: Member, command: Annotated[Forfeit, content(Forfeit)]) -> Response:
    await at.tournaments.forfeit(tournament, who.guest, command.player)
    return await _state(at, tournament, who)


@api.post("/{tournament}/close", summary="No more rounds", dependencies=[CHANGES], **operation(answers.Tournament))
async def close(tournament: str, at: At, who: Member) -> Response:
    await at.tournaments.organise(tournament, who.guest, lambda it, _kept: commands.close(it))
    return await _state(at, tournament, who)


@api.get(
    "/{tournament}/file",
    summary="The tournament's file, as quatuor tournament reads it",
    dependencies=[CHANGES],
    **operation(None, media="application/x-ndjson"),
)
async def file(tournament: str, at: At) -> Response:
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
            await send_json(websocket, {"t": "error", "code": refused.code})
            await websocket.close(4404)
            return
        live, guest = at.tournaments.live(tournament), sender.person
        player = at.guests.player_of(tournament, websocket.query_params.get("link", ""))
        await live.relay(websocket, at.settings.messages, lambda shown: {"t": "tournament", **shown.to(guest, player)})


async def _state(at: Services, tournament: str, who: Identity | None, link: str = "") -> Response:
    player = at.guests.player_of(tournament, link)
    return respond((await at.tournaments.shown(tournament)).to(who.guest if who else None, player))
