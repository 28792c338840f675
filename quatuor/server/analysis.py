"""The routes under /api/analysis: read a game from text, and analyse it turn by turn."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, TypeVar

from fastapi import APIRouter
from msgspec import Struct
from starlette.responses import Response, StreamingResponse

from quatuor.server import answers, readings
from quatuor.server.connected import unless, while_connected
from quatuor.server.dependencies import CHANGES, content, operation
from quatuor.server.engine_queue import Asker
from quatuor.server.puzzles import Asked
from quatuor.server.wire import encode, respond
from quatuor.server.workers import WorkerError
from quatuor.table import Refused

T = TypeVar("T")

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
async def read(asked: Asked, command: Annotated[Text, content(Text, TEXT_LIMIT)]) -> Response:
    return respond(await _from(asked, readings.shown, command))


@api.post(
    "",
    summary="What an engine thinks of every turn, as server-sent events",
    dependencies=[CHANGES],
    **operation(None, body=Text, media="text/event-stream"),
)
async def analyse(asked: Asked, command: Annotated[Text, content(Text, TEXT_LIMIT)]) -> Response:
    at, asker = asked.at, Asker(asked.sender, "analysis")
    game = await _from(asked, readings.game_of, command)
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
async def picture(asked: Asked, command: Annotated[Text, content(Text, TEXT_LIMIT)]) -> Response:
    svg = await _from(asked, readings.picture, command)
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": "no-store"})


async def _from(asked: Asked, work: Callable[[str], T], command: Text) -> T:
    """What a worker finds in a text while the client waits; ``bad_record`` says what is wrong with the text."""
    asker = Asker(asked.sender, "text")
    try:
        return await while_connected(asked.request, asked.at.engines.read(asker, partial(work, command.text)))
    except ValueError as error:
        raise Refused("bad_record", message=str(error)) from None
    except WorkerError:
        raise Refused("engine_failed") from None
