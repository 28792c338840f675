"""Lessons and attempts."""

from typing import Literal

from msgspec import Struct

from quatuor.server.answers.common import Text
from quatuor.server.answers.tables import Snapshot


class LessonInfo(Struct):
    name: str
    steps: int


class CourseInfo(Struct):
    game: str
    lessons: list[LessonInfo]


class Courses(Struct):
    courses: list[CourseInfo]


class Step(Struct):
    clauses: list[str]  # what it teaches
    text: Text
    task: Text
    done: Text
    show: str  # a move that solves the step


class Lesson(Struct):
    name: str
    title: Text
    steps: list[Step]


class Course(Struct):
    game: str
    lessons: list[Lesson]


class Attempt(Struct):
    verdict: Literal["done", "wrong", "refused"]
    says: Text | None  # null: nothing in particular
    clause: str | None  # the rule that forbids it
    table: Snapshot | None  # after the turn; null if it was refused
