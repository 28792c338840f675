"""Work for a client, for as long as the client is there."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

from starlette.requests import Request

from quatuor.table import Refused

T = TypeVar("T")


async def unless(event: "asyncio.Future[Any]", work: Awaitable[T]) -> T | None:
    """The result of some work; None if the event comes first, which cancels the work."""
    task = asyncio.ensure_future(work)
    try:
        await asyncio.wait({task, event}, return_when=asyncio.FIRST_COMPLETED)
        return task.result() if task.done() else None
    finally:
        task.cancel()


async def while_connected(request: Request, work: Awaitable[T]) -> T:
    """The result of some work; it is cancelled when the client closes the connection."""
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        result = await unless(gone, _boxed(work))
    finally:
        gone.cancel()
    if result is None:
        raise Refused("client_gone")
    return result[0]


async def _boxed(work: Awaitable[T]) -> tuple[T]:
    return (await work,)


async def _disconnected(request: Request) -> None:
    """Wait until the client is gone. The body has been read: nothing else is received any more."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
