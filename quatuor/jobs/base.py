"""What all kinds of workers do alike: hand out pieces, collect results, repeat the pieces of workers that died."""

import math
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, Self, TypeVar

MAX_DEATHS = 4  # workers that may die while computing a piece before the piece is taken to be the cause

R = TypeVar("R")


class Died(Exception):
    """The worker that computed a piece has died."""


class Workers(ABC):
    """Compute pieces. ``redone`` counts the pieces that were computed again because their worker died."""

    def __init__(self) -> None:
        self.redone = 0

    @property
    @abstractmethod
    def room(self) -> int:
        """How many pieces to compute at a time."""

    @abstractmethod
    def begin(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Future[Any]:
        """Start a piece."""

    @abstractmethod
    def result(self, future: Future[Any]) -> Any:
        """The result of a piece that has ended. Raises ``Died`` if its worker died."""

    @abstractmethod
    def give_up(self) -> None:
        """Cancel the pieces that are being computed."""

    def map(
        self, function: Callable[..., R], pieces: Mapping[str, tuple[Any, ...]], until: float = math.inf
    ) -> Iterator[tuple[str, R]]:
        """The name and result of every piece, in the order they are found.

        After ``until`` (time.monotonic) no more are started. When the caller stops iterating or is interrupted, the
        pieces that are being computed are cancelled.
        """
        todo, again = iter(pieces), list[str]()
        running, ended, losses = dict[Future[R], str](), SimpleQueue[Future[R]](), Counter[str]()
        try:
            while True:
                while len(running) < self.room and time.monotonic() < until:
                    name = again.pop() if again else next(todo, None)
                    if name is None:
                        break
                    future = self.begin(function, pieces[name])
                    running[future] = name
                    future.add_done_callback(ended.put)
                if not running:
                    return
                future = ended.get()
                name = running.pop(future)
                try:
                    result = self.result(future)
                except Died as death:
                    losses[name] += 1
                    if losses[name] == MAX_DEATHS:
                        raise ChildProcessError(
                            f"{name}: given up, {MAX_DEATHS} workers died over it ({death})"
                        ) from None
                    self.redone += 1
                    again.append(name)
                else:
                    yield name, result
        finally:
            self.give_up()

    @abstractmethod
    def close(self) -> None:
        """End the workers."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
