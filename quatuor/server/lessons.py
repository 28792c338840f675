"""The routes under /api/learn. Nothing is stored here: a learner's progress stays on their device."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter
from msgspec import Struct
from starlette.responses import Response

from quatuor import learn
from quatuor.server import answers
from quatuor.server.dependencies import CHANGES, content, operation
from quatuor.server.wire import Short, respond
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


@api.get("", summary="The courses there are", **operation(answers.Courses))
async def courses() -> Response:
    def work() -> list[dict[str, Any]]:
        return [_info(learn.course(game)) for game in learn.games()]

    return respond({"courses": await _look_up(work)})


@api.get("/{game}", summary="A course: its lessons, their steps and texts", **operation(answers.Course))
async def course(game: str) -> Response:
    return respond(await _look_up(lambda: learn.course(game).data()))


@api.get(
    "/{game}/{lesson}/{step}", summary="A step's position, as a snapshot of a table", **operation(answers.Snapshot)
)
async def show(game: str, lesson: str, step: str) -> Response:
    return respond(_at_table(await _look_up(lambda: learn.table(game, lesson, _number(step)))))


@api.post(
    "/{game}/{lesson}/{step}",
    summary="Try a move at a step",
    dependencies=[CHANGES],
    **operation(answers.Attempt, body=Try),
)
async def attempt(game: str, lesson: str, step: str, command: Annotated[Try, content(Try)]) -> Response:
    found = await _look_up(lambda: learn.attempt(game, lesson, _number(step), command.move))
    return respond(
        {
            "verdict": found.verdict,
            "says": found.says and asdict(found.says),
            "clause": found.clause,
            "table": found.table and _at_table(found.table),
        }
    )


def _info(found: learn.Course) -> dict[str, Any]:
    lessons = [{"name": lesson.name, "steps": len(lesson.steps)} for lesson in found.lessons]
    return {"game": found.game, "lessons": lessons}


def _at_table(snapshot: dict[str, Any]) -> dict[str, Any]:
    return {"id": "", **snapshot}  # a table that nobody can open
