"""The routes under /api/analysis: read a game from text, and analyse it turn by turn."""

import asyncio
import re
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter
from msgspec import Struct
from starlette.responses import Response, StreamingResponse

from quatuor.game import Game
from quatuor.interop import sgf
from quatuor.match.standings import ranking_of
from quatuor.record import gone, load
from quatuor.record.endings import reason
from quatuor.server import answers
from quatuor.server.connected import unless
from quatuor.server.dependencies import CHANGES, At, Sender, content, operation
from quatuor.server.engine_queue import Asker
from quatuor.server.precompile import precompile
from quatuor.server.wire import encode, respond
from quatuor.server.workers import WorkerError
from quatuor.table import Event, Presence, Refused, Seat, Setup, Table, snapshot
from quatuor.table.table import LONGEST_GAME

api = APIRouter(prefix="/api/analysis")
TEXT_LIMIT = 64 * 1024  # bytes of a request: a game with comments
_ENGINE = re.compile(r"engine, level ([1-8])")


class Text(Struct, forbid_unknown_fields=True):
    """A record, a position, or Blokus as SGF."""

    text: str
    only_now: bool = False  # to analyse: the last position alone, not every turn


@api.post(
    "/game",
    summary="A game from its record, as a table shows it",
    dependencies=[CHANGES],
    **operation(answers.ReadGame, body=Text),
)
async def read(command: Annotated[Text, content(Text, TEXT_LIMIT)]) -> Response:
    return respond(await asyncio.to_thread(_shown, command.text))


@api.post(
    "",
    summary="What an engine thinks of every turn, as server-sent events",
    dependencies=[CHANGES],
    **operation(None, body=Text, media="text/event-stream"),
)
async def analyse(at: At, sender: Sender, command: Annotated[Text, content(Text, TEXT_LIMIT)]) -> Response:
    game = (await asyncio.to_thread(_read, command.text)).copy(tree=False)
    asker = Asker(sender, "analysis")
    place = at.streams.begin(asker.visitor)

    async def events() -> AsyncIterator[bytes]:
        turns = at.engines.review(asker, game)
        try:
            while not command.only_now and (turn := await unless(place, anext(turns, None))) is not None:
                yield b"data: " + encode(turn) + b"\n\n"
            if not place.done() and not game.over:
                now = await unless(place, at.engines.standing(asker, game))
                if now is not None:
                    yield b"event: now\ndata: " + encode(now) + b"\n\n"
            if not place.done():
                yield b"event: end\ndata: {}\n\n"
            elif place.result() == "busy":
                yield b'event: error\ndata: {"code":"busy"}\n\n'
        except WorkerError:
            yield b'event: error\ndata: {"code":"engine_failed"}\n\n'
        finally:
            at.streams.end(asker.visitor, place)

    return StreamingResponse(events(), headers={"cache-control": "no-store"}, media_type="text/event-stream")


@api.post(
    "/picture",
    summary="A picture of the last position, as SVG",
    dependencies=[CHANGES],
    **operation(None, body=Text, media="image/svg+xml"),
)
async def picture(command: Annotated[Text, content(Text, TEXT_LIMIT)]) -> Response:
    svg = (await asyncio.to_thread(_read, command.text)).svg()
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "no-store"})


def _read(text: str) -> Game:
    """The game in a text; Refused tells the line and the reason."""
    try:
        game = sgf.read(text).game() if text.lstrip().startswith("(") else load(text)
        game.record()  # a start that was set up can be written down
    except ValueError as error:
        raise Refused("bad_record", message=str(error)) from None
    if game.ply > LONGEST_GAME:
        raise Refused("bad_record", message=f"{game.ply} turns; at most {LONGEST_GAME} are analysed")
    precompile(game.name)
    return game


def _shown(text: str) -> dict[str, Any]:
    """The game as a spectator of its table would see it, with its tree, and what can be played in the last position."""
    game = _read(text)
    start = game.tree.game()
    usual = Game(game.book, game.variant.name, game.options)
    position = "" if start == usual else start.position
    names = {f"seat {n}": game.headers.get(f"Seat{n}", "?") for n in range(game.seats)}
    seats = tuple(_seat(who, name) for who, name in names.items())
    opening = tuple({str(seat): move for seat, move in turn.items()} for turn in game.moves)
    about = (game.name, game.variant.name, game.options, seats, "", game.headers.get("Date", ""), opening)
    table = Table(Setup(*about, position=position))
    for event in _went_out(game):
        if not table.ended_by or table.ended_by == "rules":
            table.apply(event)
    presence = Presence({who: name for who, name in names.items() if name != "?"})
    shown = {"id": "", **snapshot(table, None, presence)}
    legal = {str(seat): game.legal(seat) for seat in game.to_move}
    now = game.position if game.book.position else None
    told = {"record": game.record(), "begins": position, "position_text": now, "tree": _tree(game)}
    return {**shown, **told, "playable": legal}


def _tree(game: Game) -> list[dict[str, Any]]:
    """The turns of a game and of its variations: each with the number of the one before it, the start first."""
    names = ("parent", "moves", "marks", "comment")
    return [dict(zip(names, row, strict=True)) for row in game.tree._flat()]


def _seat(who: str, name: str) -> Seat:
    engine = _ENGINE.fullmatch(name)
    return Seat("engine", level=int(engine[1])) if engine else Seat("human", guest=who)


def _went_out(game: Game) -> list[Event]:
    """The seats that went out, the first to go first: while others played on, or by the end of the game."""
    if game.over or "Termination" not in game.headers:
        return [Event("out", {"seat": seat, "why": "left"}) for seat in gone(game)]
    why = reason(game.headers["Termination"])
    places = ranking_of(game)
    lost = [seat for seat, place in enumerate(places) if place > 1]
    return [Event("out", {"seat": seat, "why": why}) for seat in sorted(lost, key=lambda seat: -places[seat])]
