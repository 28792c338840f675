"""The addresses under /api/learn. Nothing is kept here: how far somebody has come stays on their device."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar

from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from quatuor import learn
from quatuor.server.routes import services
from quatuor.server.wire import Short, body, described, respond
from quatuor.table import Refused

T = TypeVar("T")

api = APIRouter(prefix="/api/learn")


class Try(Struct, forbid_unknown_fields=True):
    """A move at a step."""

    move: Short


async def _look_up(work: Callable[[], T]) -> T:
    """Off the event loop: a position is played up to."""
    try:
        return await asyncio.to_thread(work)
    except LookupError:
        raise Refused("not_found") from None


def _number(step: str) -> int:
    return int(step) if step.isdecimal() and len(step) < 4 else -1


@api.get("", summary="The courses there are")
async def courses() -> Response:
    def work() -> list[dict[str, Any]]:
        return [_shelved(learn.course(game)) for game in learn.games()]

    return respond({"courses": await _look_up(work)})


@api.get("/{game}", summary="A course: its lessons, their steps, and what is said about them")
async def course(game: str) -> Response:
    return respond(await _look_up(lambda: learn.course(game).data()))


@api.get("/{game}/{lesson}/{step}", summary="A step's position, as a snapshot of a table")
async def show(game: str, lesson: str, step: str) -> Response:
    return respond(_at_table(await _look_up(lambda: learn.table(game, lesson, _number(step)))))


@api.post("/{game}/{lesson}/{step}", summary="Try a move at a step", openapi_extra=described(Try))
async def attempt(request: Request, game: str, lesson: str, step: str) -> Response:
    services(request).limit(request)
    move = (await body(request, Try)).move
    found = await _look_up(lambda: learn.attempt(game, lesson, _number(step), move))
    return respond(
        {
            "verdict": found.verdict,
            "says": found.says and asdict(found.says),
            "clause": found.clause,
            "table": found.table and _at_table(found.table),
        }
    )


def _shelved(found: learn.Course) -> dict[str, Any]:
    lessons = [{"name": lesson.name, "steps": len(lesson.steps)} for lesson in found.lessons]
    return {"game": found.game, "lessons": lessons}


def _at_table(snapshot: dict[str, Any]) -> dict[str, Any]:
    return {"id": "", **snapshot}  # a table nobody else can come to
