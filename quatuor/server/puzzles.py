"""The routes under /api/puzzles. Nothing is stored here: the page sends the position with every question."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from quatuor.games.blokus.puzzles import answers as puzzles
from quatuor.games.steps import Steps
from quatuor.server import answers, searches
from quatuor.server.connected import while_connected
from quatuor.server.dependencies import CHANGES, At, Sender, content, operation
from quatuor.server.engine_queue import Asker
from quatuor.server.wire import respond
from quatuor.server.workers import WorkerError
from quatuor.table import Refused

T = TypeVar("T")

api = APIRouter(prefix="/api/puzzles")


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


async def _asking(request: Request, at: At, sender: Sender) -> Asking:
    return Asking(request, at, sender)


Asked = Annotated[Asking, Depends(_asking)]
Asks = Annotated[Question, content(Question)]


async def answer_to(asked: Asking, work: Callable[..., Steps[T]], *arguments: Any, short: bool = True) -> T:
    """Do the work in a worker while the client waits; ``bad_puzzle`` says what is wrong with the request."""
    call = partial(searches.finish, work, *arguments)
    request, at, asker = asked.request, asked.at, Asker(asked.sender, "puzzle")
    try:
        with contextlib.nullcontext() if short else at.budgets.place("puzzles", asker.visitor):
            return await while_connected(request, at.engines.puzzle(asker, call, short))
    except ValueError as error:
        raise Refused("bad_puzzle", message=str(error)) from None
    except WorkerError:
        raise Refused("engine_failed") from None


async def _answer(asked: Asking, work: Callable[..., Steps[T]], *arguments: Any, short: bool = True) -> Response:
    return respond(await answer_to(asked, work, *arguments, short=short))


@api.get("", summary="The puzzles there are", **operation(answers.PuzzleKinds))
async def kinds() -> Response:
    return respond(puzzles.kinds())


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
    query = (puzzle, difficulty, seed, hard, rows, columns, solution)
    return await _answer(asked, puzzles.new, *query, short=False)


@api.get(
    "/daily",
    summary="The puzzle of a day, the same for everyone; with its solution if asked",
    dependencies=[CHANGES],
    **operation(answers.Puzzle),
)
async def daily(asked: Asked, date: str = "", difficulty: str = "medium", solution: str = "") -> Response:
    return await _answer(asked, puzzles.daily, date, difficulty, solution, short=False)


@api.post(
    "/check",
    summary="Which rules are broken, and what is left to place",
    dependencies=[CHANGES],
    **operation(answers.PuzzleCheck, body=Question),
)
async def check(asked: Asked, question: Asks) -> Response:
    return await _answer(asked, puzzles.check, question.position)


@api.post(
    "/solvable",
    summary="Whether this can still be solved: yes, no, unknown",
    dependencies=[CHANGES],
    **operation(answers.PuzzleAnswer, body=Question),
)
async def solvable(asked: Asked, question: Asks) -> Response:
    return await _answer(asked, puzzles.solvable, question.position, question.witness)


@api.post(
    "/hint",
    summary="One piece that belongs",
    dependencies=[CHANGES],
    **operation(answers.PuzzleHint, body=Question),
)
async def hint(asked: Asked, question: Asks) -> Response:
    return await _answer(asked, puzzles.hint, question.position, question.witness)


@api.post(
    "/solution",
    summary="A completion, in an order of placing",
    dependencies=[CHANGES],
    **operation(answers.PuzzleAnswer, body=Question),
)
async def solution(asked: Asked, question: Asks) -> Response:
    return await _answer(asked, puzzles.solution, question.position, question.witness, short=False)
