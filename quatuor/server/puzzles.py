"""The addresses under /api/puzzles. Nothing is kept here: the page sends the position with every question."""

import asyncio
import datetime
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any, TypeVar

from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from quatuor import puzzles
from quatuor.puzzles import KINDS, Challenge, Position
from quatuor.server.routes import services
from quatuor.server.wire import body, described, respond
from quatuor.table import Refused

T = TypeVar("T")

api = APIRouter(prefix="/api/puzzles")
SECONDS = 1.0  # for an answer while somebody plays
PATIENCE = 10.0  # for the solution, when somebody has given up
_pool = ThreadPoolExecutor(os.cpu_count() or 1, "quatuor-puzzle")  # searches let go of the interpreter lock


class Question(Struct, forbid_unknown_fields=True):
    """A position, and a completion that an earlier answer gave, if there was one: the next answer comes quicker."""

    position: dict[str, Any]
    witness: dict[str, Any] | None = None


async def _work(request: Request, work: Callable[[], T]) -> T:
    """Off the event loop; what is wrong with the request is told as ``bad_puzzle``."""
    services(request).limit(request)
    try:
        return await asyncio.get_running_loop().run_in_executor(_pool, work)
    except ValueError as error:
        raise Refused("bad_puzzle", message=str(error)) from None


def _positions(question: Question) -> tuple[Position, Position | None]:
    witness = None if question.witness is None else puzzles.read(question.witness)
    return puzzles.read(question.position), witness


@api.get("", summary="The puzzles there are")
async def kinds() -> Response:
    found = [
        {
            "name": kind.name,
            "title": asdict(kind.title),
            "colours": kind.colours,
            "sizes": kind.sizes,
            "boards": [{"rows": rows, "columns": columns} for rows, columns in kind.boards],
            "fills": kind.fills,
            "hard": kind.may_be_hard,
            "open": kind.open,
        }
        for kind in KINDS.values()
    ]
    return respond({"puzzles": found, "difficulties": puzzles.DIFFICULTIES})


@api.get("/new", summary="A graded puzzle, the same for the same query; with its solution if asked")
async def new(
    request: Request, puzzle: str = "", difficulty: str = "easy", seed: str = "0", hard: str = "",
    rows: str = "", columns: str = "", solution: str = "",
) -> Response:  # fmt: skip
    def make() -> Challenge:
        board = (_number("rows", rows), _number("columns", columns)) if rows or columns else (None, None)
        return puzzles.new(puzzle, difficulty, _number("seed", seed), hard == "true", *board)

    return respond(_told(await _work(request, make), solution))


@api.get("/daily", summary="The puzzle of a day, the same for everyone; with its solution if asked")
async def daily(request: Request, date: str = "", difficulty: str = "medium", solution: str = "") -> Response:
    def make() -> tuple[datetime.date, Challenge]:
        day = datetime.date.fromisoformat(date) if date else datetime.date.today()
        return day, puzzles.daily(day, difficulty)

    day, challenge = await _work(request, make)
    return respond({"date": day.isoformat()} | _told(challenge, solution))


@api.post("/check", summary="Which rules are broken, and what is left to place", openapi_extra=described(Question))
async def check(request: Request) -> Response:
    question = await body(request, Question)
    return respond(await _work(request, lambda: puzzles.check(_positions(question)[0]).data()))


@api.post("/solvable", summary="Whether this can still be solved: yes, no, unknown", openapi_extra=described(Question))
async def solvable(request: Request) -> Response:
    return await _completed(request, SECONDS)


@api.post("/hint", summary="One piece that belongs", openapi_extra=described(Question))
async def hint(request: Request) -> Response:
    question = await body(request, Question)

    def work() -> dict[str, Any]:
        position, witness = _positions(question)
        piece, answer = puzzles.hint(position, SECONDS, witness)
        return {"piece": piece and piece.data()} | answer.data()

    return respond(await _work(request, work))


@api.post("/solution", summary="A completion, in an order of placing", openapi_extra=described(Question))
async def solution(request: Request) -> Response:
    return await _completed(request, PATIENCE)


async def _completed(request: Request, seconds: float) -> Response:
    """Whether a position can be completed, and how, after looking for so long at most."""
    question = await body(request, Question)

    def work() -> dict[str, Any]:
        position, witness = _positions(question)
        return puzzles.solvable(position, seconds, witness).data()

    return respond(await _work(request, work))


def _number(name: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise ValueError(f"{name}={text!r}: write a whole number of at most nine digits")
    return int(text)


def _told(challenge: Challenge, solution: str) -> dict[str, Any]:
    return challenge.data() | ({"solution": challenge.solution.data()} if solution == "true" else {})
