"""Learning a game by playing it: courses of small tasks, each a real position whose goal the real rules check.

>>> from quatuor import learn
>>> learn.attempt("plus4", "push", 0, "b").verdict
'done'
"""

from quatuor.learn.classroom import Attempt, attempt, solutions, table
from quatuor.learn.courses import Course, Lesson, Step, Wrong, course, games

__all__ = [
    "Attempt",
    "Course",
    "Lesson",
    "Step",
    "Wrong",
    "attempt",
    "course",
    "games",
    "solutions",
    "table",
]
