"""The routes under /api/learn. Nothing is stored here: a learner's progress stays on their device."""

import asyncio
from typing import Annotated

from fastapi import APIRouter
from msgspec import Struct
from starlette.responses import Response

from quatuor.learn import answers as lessons
from quatuor.server import answers
from quatuor.server.dependencies import CHANGES, content, operation
from quatuor.server.wire import Short, respond

api = APIRouter(prefix="/api/learn")


class Try(Struct, forbid_unknown_fields=True):
    """A move at a step."""

    move: Short


@api.get("", summary="The courses there are", **operation(answers.Courses))
async def courses() -> Response:
    return respond(await asyncio.to_thread(lessons.courses))


@api.get("/{game}", summary="A course: its lessons, their steps and texts", **operation(answers.Course))
async def course(game: str) -> Response:
    return respond(await asyncio.to_thread(lessons.course, game))


@api.get(
    "/{game}/{lesson}/{step}", summary="A step's position, as a snapshot of a table", **operation(answers.Snapshot)
)
async def show(game: str, lesson: str, step: str) -> Response:
    return respond(await asyncio.to_thread(lessons.show, game, lesson, step))


@api.post(
    "/{game}/{lesson}/{step}",
    summary="Try a move at a step",
    dependencies=[CHANGES],
    **operation(answers.Attempt, body=Try),
)
async def attempt(game: str, lesson: str, step: str, command: Annotated[Try, content(Try)]) -> Response:
    return respond(await asyncio.to_thread(lessons.attempt, game, lesson, step, command.move))
