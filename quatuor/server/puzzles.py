"""The routes under /api/puzzles. Nothing is stored here: the page sends the position with every question."""

import contextlib
import datetime
from dataclasses import asdict, dataclass
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from quatuor.puzzles import DIFFICULTIES, KINDS
from quatuor.server import answers, searches
from quatuor.server.connected import while_connected
from quatuor.server.dependencies import CHANGES, At, Sender, content, operation
from quatuor.server.engine_queue import Asker
from quatuor.server.wire import respond
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


@dataclass(frozen=True)
class Asking:
    """Who asks, and how to notice that they are gone."""

    request: Request
    at: At
    sender: Sender


Asked = Annotated[Asking, Depends(Asking)]
Asks = Annotated[Question, content(Question)]


async def _work(asked: Asking, call: partial[T], short: bool = True) -> T:
    """In a worker, while the client waits; ``bad_puzzle`` says what is wrong with the request."""
    request, at, asker = asked.request, asked.at, Asker(asked.sender, "puzzle")
    try:
        with contextlib.nullcontext() if short else at.budgets.place("puzzles", asker.visitor):
            return await while_connected(request, at.engines.puzzle(asker, call, short))
    except ValueError as error:
        raise Refused("bad_puzzle", message=str(error)) from None
    except WorkerError:
        raise Refused("engine_failed") from None


@api.get("", summary="The puzzles there are", **operation(answers.PuzzleKinds))
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


@api.get(
    "/new",
    summary="A graded puzzle, the same for the same query; with its solution if asked",
    dependencies=[CHANGES],
    **operation(answers.Puzzle),
)
async def new(
    asked: Asked, puzzle: str = "", difficulty: str = "easy", seed: str = "0", hard: str = "",
    rows: str = "", columns: str = "", solution: str = "",
) -> Response:  # fmt: skip
    board = (_number("rows", rows), _number("columns", columns)) if rows or columns else (None, None)
    call = partial(searches.new_puzzle, puzzle, difficulty, _number("seed", seed), hard == "true", *board)
    return respond(_shown(await _work(asked, call, short=False), solution))


@api.get(
    "/daily",
    summary="The puzzle of a day, the same for everyone; with its solution if asked",
    dependencies=[CHANGES],
    **operation(answers.Puzzle),
)
async def daily(asked: Asked, date: str = "", difficulty: str = "medium", solution: str = "") -> Response:
    try:
        day = datetime.date.fromisoformat(date) if date else datetime.date.today()
    except ValueError as error:
        raise Refused("bad_puzzle", message=str(error)) from None
    challenge = await _work(asked, partial(searches.daily_puzzle, day, difficulty), short=False)
    return respond({"date": day.isoformat()} | _shown(challenge, solution))


@api.post(
    "/check",
    summary="Which rules are broken, and what is left to place",
    dependencies=[CHANGES],
    **operation(answers.PuzzleCheck, body=Question),
)
async def check(asked: Asked, question: Asks) -> Response:
    return respond(await _work(asked, partial(searches.check_puzzle, question.position)))


@api.post(
    "/solvable",
    summary="Whether this can still be solved: yes, no, unknown",
    dependencies=[CHANGES],
    **operation(answers.PuzzleAnswer, body=Question),
)
async def solvable(asked: Asked, question: Asks) -> Response:
    call = partial(searches.complete_puzzle, question.position, question.witness, SECONDS)
    return respond(await _work(asked, call))


@api.post(
    "/hint",
    summary="One piece that belongs",
    dependencies=[CHANGES],
    **operation(answers.PuzzleHint, body=Question),
)
async def hint(asked: Asked, question: Asks) -> Response:
    call = partial(searches.puzzle_hint, question.position, question.witness, SECONDS)
    return respond(await _work(asked, call))


@api.post(
    "/solution",
    summary="A completion, in an order of placing",
    dependencies=[CHANGES],
    **operation(answers.PuzzleAnswer, body=Question),
)
async def solution(asked: Asked, question: Asks) -> Response:
    call = partial(searches.complete_puzzle, question.position, question.witness, PATIENCE)
    return respond(await _work(asked, call, short=False))


def _number(name: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        message = f"{name}={text!r}: write a whole number of at most nine digits"
        raise Refused("bad_puzzle", message=message)
    return int(text)


def _shown(challenge: dict[str, Any], solution: str) -> dict[str, Any]:
    return {key: value for key, value in challenge.items() if key != "solution" or solution == "true"}
