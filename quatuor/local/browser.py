"""The host in a browser's worker: JavaScript calls these functions, and the answers go through ``quatuor_page``.

``quatuor_page`` is a module that the worker provides (web/src/local/worker.ts). Texts travel as JSON.
"""

import asyncio
import json
from collections.abc import Coroutine
from typing import Any, TypeVar

import quatuor_page as page  # type: ignore[import-not-found]

from quatuor.local.host import Host, Socket
from quatuor.local.store import StoredTable
from quatuor.table import Conflict

T = TypeVar("T")


class PageStore:
    """Games as the worker keeps them, in IndexedDB."""

    async def open(self, table: str, setup: dict[str, Any], summary: dict[str, Any]) -> None:
        await page.create(table, json.dumps(setup), json.dumps(summary))

    async def append(self, table: str, version: int, event: dict[str, Any]) -> None:
        if not await page.append(table, version, json.dumps(event)):
            raise Conflict

    async def summarise(self, table: str, summary: dict[str, Any]) -> None:
        await page.summarise(table, json.dumps(summary))

    async def load(self, table: str) -> StoredTable | None:
        kept = json.loads(await page.load(table))
        return kept and StoredTable(json.loads(kept["setup"]), [json.loads(event) for event in kept["events"]])

    async def summaries(self) -> list[dict[str, Any]]:
        return [{"id": kept["id"], **json.loads(kept["summary"])} for kept in json.loads(await page.all())]

    async def remove(self, table: str) -> None:
        await page.remove(table)


_host: Host
_requests: dict[int, asyncio.Task[None]] = {}
_sockets: dict[int, asyncio.Task[Socket | None]] = {}  # a message may come while its table is still being loaded
_tasks: set[asyncio.Task[Any]] = set()


def start(name: str) -> None:
    """Be ready for requests."""
    global _host
    _host = Host(PageStore(), name)


def request(n: int, method: str, path: str, body: str | None) -> None:
    """Answer a request under its number."""
    task = _requests[n] = _spawn(_answer(n, method, path, body))
    task.add_done_callback(lambda _: _requests.pop(n, None))


def abort(n: int) -> None:
    """Nobody waits for this answer any more."""
    if task := _requests.pop(n, None):
        task.cancel()


def open(n: int, table: str, since: int | None) -> None:
    """A page follows a table."""
    _sockets[n] = _spawn(_open(n, table, since))


def message(n: int, text: str) -> None:
    """A page sends a message about its table."""
    if n in _sockets:
        _spawn(_receive(_sockets[n], text))


def close(n: int) -> None:
    """A page has left its table."""
    if n in _sockets:
        _spawn(_close(_sockets.pop(n)))


def rename(name: str) -> None:
    """The person at this device has a new name."""
    _host.rename(name)


async def _answer(n: int, method: str, path: str, body: str | None) -> None:
    try:
        reply = await _host.request(method, path, body)
        page.head(n, reply.status, reply.kind)
        if isinstance(reply.content, str):
            page.piece(n, reply.content)
        else:
            async for piece in reply.content:
                page.piece(n, piece)
        page.end(n)
    except Exception as error:
        page.broken(n, f"{type(error).__name__}: {error}")
        raise


async def _open(n: int, table: str, since: int | None) -> Socket | None:
    def send(text: str) -> None:
        page.message(n, text)

    page.opened(n)
    return await _host.socket(table, since, send, lambda code: page.closed(n, code))


async def _receive(opening: asyncio.Task[Socket | None], text: str) -> None:
    if socket := await opening:
        await socket.receive(text)


async def _close(opening: asyncio.Task[Socket | None]) -> None:
    if socket := await opening:
        socket.close()


def _spawn(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    task = asyncio.ensure_future(work)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
    return task
