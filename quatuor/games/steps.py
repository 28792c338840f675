"""Long work in steps: a generator that pauses every few milliseconds, for programs with one thread, such as a browser's
worker. What it returns is the result."""

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")
Steps = Generator[None, None, T]
STEP_SECONDS = 0.01  # a step lasts about as long; chosen, not measured


def finished(steps: Steps[T]) -> T:
    """Do the work without pauses; its result."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
