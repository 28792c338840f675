"""What the requests under /api/learn answer: by the server, and by the page without one."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar

from quatuor import learn
from quatuor.table import Refused

T = TypeVar("T")


def courses() -> dict[str, Any]:
    """The courses there are."""
    return {"courses": [_listed(learn.course(game)) for game in learn.games()]}


def course(game: str) -> dict[str, Any]:
    """One course."""
    return _found(lambda: learn.course(game).data())


def show(game: str, lesson: str, step: str) -> dict[str, Any]:
    """A step's position, as a snapshot of a table."""
    return _at_table(_found(lambda: learn.table(game, lesson, _number(step))))


def attempt(game: str, lesson: str, step: str, move: str) -> dict[str, Any]:
    """The result of a move at a step."""
    found = _found(lambda: learn.attempt(game, lesson, _number(step), move))
    return {
        "verdict": found.verdict,
        "says": found.says and asdict(found.says),
        "clause": found.clause,
        "table": found.table and _at_table(found.table),
    }


def _found(look_up: Callable[[], T]) -> T:
    try:
        return look_up()
    except LookupError:
        raise Refused("not_found") from None


def _number(step: str) -> int:
    return int(step) if step.isdecimal() and len(step) < 4 else -1


def _listed(found: learn.Course) -> dict[str, Any]:
    lessons = [{"name": lesson.name, "steps": len(lesson.steps)} for lesson in found.lessons]
    return {"game": found.game, "lessons": lessons}


def _at_table(snapshot: dict[str, Any]) -> dict[str, Any]:
    return {"id": "", **snapshot}
