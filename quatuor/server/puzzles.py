"""The addresses under /api/puzzles. Nothing is kept here: the page sends the position with every question."""

import contextlib
import datetime
from dataclasses import asdict
from functools import partial
from typing import Any, TypeVar

from fastapi import APIRouter
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from quatuor.puzzles import DIFFICULTIES, KINDS
from quatuor.server import searches
from quatuor.server.connected import while_connected
from quatuor.server.engine_queue import Asker
from quatuor.server.routes import services
from quatuor.server.visitors import visitor
from quatuor.server.wire import body, described, respond
from quatuor.server.workers import WorkerError
from quatuor.table import Refused

T = TypeVar("T")

api = APIRouter(prefix="/api/puzzles")
SECONDS = 1.0  # for an answer while a person plays
PATIENCE = 10.0  # for the solution, when a person has given up


class Question(Struct, forbid_unknown_fields=True):
    """A position, and a completion that an earlier answer gave, if there was one: the next answer comes quicker."""

    position: dict[str, Any]
    witness: dict[str, Any] | None = None


async def _work(request: Request, call: partial[T], short: bool = True) -> T:
    """In a worker, while the client waits; ``bad_puzzle`` says what is wrong with the request."""
    at = services(request)
    at.limit(request)
    known = await at.guests.known(request)
    asker = Asker(visitor(request, known.guest if known else None), "puzzle")
    try:
        with contextlib.nullcontext() if short else at.budgets.place("puzzles", asker.visitor):
            return await while_connected(request, at.engines.puzzle(asker, call, short))
    except ValueError as error:
        raise Refused("bad_puzzle", message=str(error)) from None
    except WorkerError:
        raise Refused("engine_failed") from None


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
    return respond({"puzzles": found, "difficulties": DIFFICULTIES})


@api.get("/new", summary="A graded puzzle, the same for the same query; with its solution if asked")
async def new(
    request: Request, puzzle: str = "", difficulty: str = "easy", seed: str = "0", hard: str = "",
    rows: str = "", columns: str = "", solution: str = "",
) -> Response:  # fmt: skip
    board = (_number("rows", rows), _number("columns", columns)) if rows or columns else (None, None)
    call = partial(searches.new_puzzle, puzzle, difficulty, _number("seed", seed), hard == "true", *board)
    return respond(_shown(await _work(request, call, short=False), solution))


@api.get("/daily", summary="The puzzle of a day, the same for everyone; with its solution if asked")
async def daily(request: Request, date: str = "", difficulty: str = "medium", solution: str = "") -> Response:
    try:
        day = datetime.date.fromisoformat(date) if date else datetime.date.today()
    except ValueError as error:
        raise Refused("bad_puzzle", message=str(error)) from None
    challenge = await _work(request, partial(searches.daily_puzzle, day, difficulty), short=False)
    return respond({"date": day.isoformat()} | _shown(challenge, solution))


@api.post("/check", summary="Which rules are broken, and what is left to place", openapi_extra=described(Question))
async def check(request: Request) -> Response:
    question = await body(request, Question)
    return respond(await _work(request, partial(searches.check_puzzle, question.position)))


@api.post("/solvable", summary="Whether this can still be solved: yes, no, unknown", openapi_extra=described(Question))
async def solvable(request: Request) -> Response:
    question = await body(request, Question)
    call = partial(searches.complete_puzzle, question.position, question.witness, SECONDS)
    return respond(await _work(request, call))


@api.post("/hint", summary="One piece that belongs", openapi_extra=described(Question))
async def hint(request: Request) -> Response:
    question = await body(request, Question)
    call = partial(searches.puzzle_hint, question.position, question.witness, SECONDS)
    return respond(await _work(request, call))


@api.post("/solution", summary="A completion, in an order of placing", openapi_extra=described(Question))
async def solution(request: Request) -> Response:
    question = await body(request, Question)
    call = partial(searches.complete_puzzle, question.position, question.witness, PATIENCE)
    return respond(await _work(request, call, short=False))


def _number(name: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        message = f"{name}={text!r}: write a whole number of at most nine digits"
        raise Refused("bad_puzzle", message=message)
    return int(text)


def _shown(challenge: dict[str, Any], solution: str) -> dict[str, Any]:
    return {key: value for key, value in challenge.items() if key != "solution" or solution == "true"}
