"""The courses: one TOML file a game. A file that is not as it should be does not load, and the error says why."""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from quatuor.games.contract import Text
from quatuor.learn.goals import Goal, check


@dataclass(frozen=True)
class Wrong:
    """An answer to tries that miss the goal in a common way."""

    when: Goal
    tries: tuple[str, ...]  # such tries, for the tests
    says: Text
    clause: str | None  # the rule in the way


@dataclass(frozen=True)
class Step:
    """One task: a position, what to do there, and what is said about it."""

    clauses: tuple[str, ...]  # what it teaches
    variant: str | None
    options: Mapping[str, Any]
    moves: tuple[str, ...]  # from the start; orders of one turn stand side by side, as in records
    orders: Mapping[int, str]  # what the other seats have secretly ordered already
    goal: Goal
    solutions: tuple[str, ...]  # the first one is shown to those who ask
    text: Text
    task: Text
    done: Text
    wrong: tuple[Wrong, ...]


@dataclass(frozen=True)
class Lesson:
    """A few steps about one thing."""

    name: str
    title: Text
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Course:
    """All there is to learn about a game."""

    game: str
    lessons: tuple[Lesson, ...]

    def step(self, lesson: str, number: int) -> Step:
        """LookupError if there is none."""
        for item in self.lessons:
            if item.name == lesson and isinstance(number, int) and 0 <= number < len(item.steps):
                return item.steps[number]
        raise LookupError(f"{self.game} has no step {number} of a lesson {lesson!r}")

    def data(self) -> dict[str, Any]:
        """For the page: everything but how tries are judged."""
        return {
            "game": self.game,
            "lessons": [
                {"name": lesson.name, "title": asdict(lesson.title), "steps": [_texts(step) for step in lesson.steps]}
                for lesson in self.lessons
            ],
        }


@cache
def games() -> tuple[str, ...]:
    """The games that have a course."""
    names = (file.name for file in files(__name__).iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def course(game: str) -> Course:
    """The course of a game; LookupError if it has none."""
    if not isinstance(game, str) or game not in games():
        raise LookupError(f"there is no course for {game!r}; there are {', '.join(games())}")
    return _course(game)


@cache
def _course(game: str) -> Course:
    data = tomllib.loads(files(__name__).joinpath(f"{game}.toml").read_text(encoding="utf-8"))
    try:
        return Course(game, tuple(_lesson(lesson) for lesson in data["lesson"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{game}.toml: {error!r}") from error


def _texts(step: Step) -> dict[str, Any]:
    texts = {name: asdict(getattr(step, name)) for name in ("text", "task", "done")}
    return {"clauses": step.clauses, "show": step.solutions[0], **texts}


def _lesson(data: dict[str, Any]) -> Lesson:
    return Lesson(data["name"], Text(**data["title"]), tuple(_step(step) for step in data["step"]))


def _step(data: dict[str, Any]) -> Step:
    fields: dict[str, Any] = {"variant": None, "options": {}, "moves": (), "orders": {}, "wrong": ()} | data
    return Step(
        **fields
        | {name: tuple(fields[name]) for name in ("clauses", "moves", "solutions")}
        | {name: Text(**fields[name]) for name in ("text", "task", "done")}
        | {"orders": {int(seat): order for seat, order in fields["orders"].items()}}
        | {"goal": check(fields["goal"]), "wrong": tuple(_wrong(item) for item in fields["wrong"])}
    )


def _wrong(data: dict[str, Any]) -> Wrong:
    return Wrong(check(data["when"]), tuple(data["tries"]), Text(**data["says"]), data.get("clause"))
