"""The routes under /api/analysis: read a game from text, and analyse it turn by turn."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter
from msgspec import Struct
from starlette.responses import Response, StreamingResponse

from quatuor.game import Game
from quatuor.interop import texts
from quatuor.server import answers
from quatuor.server.connected import unless
from quatuor.server.dependencies import CHANGES, At, Sender, content, operation
from quatuor.server.engine_queue import Asker
from quatuor.server.precompile import precompile
from quatuor.server.wire import encode, respond
from quatuor.server.workers import WorkerError

api = APIRouter(prefix="/api/analysis")
TEXT_LIMIT = 64 * 1024  # bytes of a request: a game with comments


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
    game = texts.read(text)
    precompile(game.name)
    return game


def _shown(text: str) -> dict[str, Any]:
    return texts.shown(_read(text))
