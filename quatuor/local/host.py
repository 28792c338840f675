"""Answers the page's requests: the part of docs/protocol.md that one person without a server needs."""

import asyncio
import inspect
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from quatuor.games import catalogue
from quatuor.games.steps import Steps
from quatuor.local import thinking
from quatuor.local.session import ENGINE_PACE, LocalSession, PageListener
from quatuor.local.setups import GUEST, new_id, new_setup, now
from quatuor.local.store import Store
from quatuor.table import Refused, Table, history, summarise

JSON, TEXT, SVG, EVENTS = "application/json", "text/plain", "image/svg+xml", "text/event-stream"
STATUS = {"not_found": 404, "unknown_table": 404, "needs_server": 503, "store_failed": 503, "engine_failed": 500}
LATER = ("quatuor.learn.answers", "quatuor.games.blokus.puzzles.answers", "quatuor.interop.texts")  # imported late
GONE = 4404  # why a socket is closed: there is no such table


@dataclass
class Request:
    """One request of the page."""

    path: tuple[str, ...]
    query: dict[str, str]
    body: Any


@dataclass
class Reply:
    """The answer: a text, or pieces of one as they come."""

    content: str | AsyncIterator[str]
    kind: str = JSON
    status: int = 200


Route = Callable[["Host", Request], Awaitable[Reply]]
ROUTES: list[tuple[str, re.Pattern[str], Route]] = []


def route(method: str, pattern: str) -> Callable[[Route], Route]:
    """Answer requests of this method whose path matches; a star stands for one part of it."""

    def add(handler: Route) -> Route:
        ROUTES.append((method, re.compile(pattern.replace("*", "[^/]+") + "/?"), handler))
        return handler

    return add


def plain(content: Any, status: int = 200) -> Reply:
    """Plain data as JSON."""
    return Reply(json.dumps(content), JSON, status)


class Host:
    """The tables of this device, and everything else that the page asks for."""

    def __init__(self, store: Store, name: str = "", engine_pace: float = ENGINE_PACE) -> None:
        self.store, self.name = store, name
        self._pace = engine_pace
        self._sessions: dict[str, LocalSession] = {}

    async def request(self, method: str, address: str, body: str | None = None) -> Reply:
        """Answer one request; errors have the server's form."""
        parts = urlsplit(address)
        query = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        asked = Request(tuple(filter(None, parts.path.split("/"))), query, json.loads(body) if body else None)
        try:
            for wanted, pattern, handler in ROUTES:
                if wanted == method and pattern.fullmatch(parts.path):
                    return await handler(self, asked)
            raise Refused("not_found")
        except Refused as refused:
            error = {"error": {"code": refused.code, "detail": refused.detail}}
            return plain(error, STATUS.get(refused.code, 400))

    async def session(self, table: str) -> LocalSession:
        """A table by its id."""
        if table not in self._sessions:
            kept = await self.store.load(table)
            if kept is None:
                raise Refused("unknown_table")
            self._sessions.setdefault(table, LocalSession(table, kept, self.store, self.name, self._pace))
        return self._sessions[table]

    async def socket(
        self, table: str, since: int | None, send: Callable[[str], None], close: Callable[[int], None]
    ) -> "Socket | None":
        """A page follows a table; None if there is no such table."""
        try:
            session = await self.session(table)
        except Refused as refused:
            send(json.dumps({"t": "error", "ack": None, "code": refused.code, "detail": refused.detail}))
            close(GONE)
            return None
        listener = PageListener(send)
        session.enter(listener, since)
        return Socket(session, listener)

    def rename(self, name: str) -> None:
        """The person at this device has a new name."""
        self.name = name
        for session in self._sessions.values():
            session.rename(name)

    async def open(self, request: dict[str, Any]) -> str:
        """Open a table; returns its id."""
        setup, table = new_setup(request), new_id()
        await self.store.open(table, asdict(setup), asdict(summarise(Table(setup))))
        return table

    async def forget(self, table: str) -> None:
        """Delete a table."""
        if session := self._sessions.pop(table, None):
            session.stop_thinking()
        await self.store.remove(table)


class Socket:
    """A page that follows a table."""

    def __init__(self, session: LocalSession, listener: PageListener) -> None:
        self._session, self._listener = session, listener

    async def receive(self, text: str) -> None:
        """A message of the page."""
        message = json.loads(text)
        if message["t"] == "ping":
            self._listener.send(json.dumps({"t": "pong", "now": now()}).encode())
        elif message["t"] != "heard":
            self._listener.send(await self._session.answer(message))

    def close(self) -> None:
        """The page has gone."""
        self._session.leave(self._listener)


# ---- who, and which tables


@route("GET", "/games")
async def _games(host: Host, request: Request) -> Reply:
    return plain({"games": catalogue.games()})


@route("GET", "/me")
async def _me(host: Host, request: Request) -> Reply:
    return plain({"name": host.name, "account": None})


@route("PUT", "/me")
async def _rename(host: Host, request: Request) -> Reply:
    host.rename(request.body["name"])
    return await _me(host, request)


@route("GET", "/me/games")
async def _my_games(host: Host, request: Request) -> Reply:
    over = request.query.get("over") == "true"
    found = [card for card in await host.store.summaries() if (card["status"] == "over") == over]
    found.sort(key=lambda card: (not _my_turn(card), -card["touched"]))
    return plain({"games": [_summary(row, host.name) for row in found], "more": False})


@route("POST", "/tables")
async def _open(host: Host, request: Request) -> Reply:
    return plain({"id": await host.open(request.body), "invites": {}}, 201)


@route("GET", "/tables/*")
async def _show(host: Host, request: Request) -> Reply:
    return Reply((await host.session(request.path[1])).snapshot(GUEST).decode())


@route("DELETE", "/tables/*")
async def _forget(host: Host, request: Request) -> Reply:
    await host.forget(request.path[1])
    return plain({"ok": True})


@route("POST", "/tables/*/rematch")
async def _rematch(host: Host, request: Request) -> Reply:
    return plain({"id": await (await host.session(request.path[1])).rematch(), "offered": []}, 201)


@route("GET", "/tables/*/muted")
async def _muted(host: Host, request: Request) -> Reply:
    return plain({"seats": []})


@route("GET", "/tables/*/record")
async def _record(host: Host, request: Request) -> Reply:
    session = await host.session(request.path[1])
    return Reply(history(session.table, session.presence).record(), TEXT)


@route("GET", "/tables/*/svg")
async def _picture(host: Host, request: Request) -> Reply:
    game = history((await host.session(request.path[1])).table)
    wanted = int(request.query.get("ply", game.ply))
    if wanted > game.ply:
        raise Refused("not_found", ply=game.ply)
    while game.ply > wanted:
        game.undo()
    return Reply(game.svg(), SVG)


# ---- lessons, puzzles, analysis


@route("GET", "/learn")
async def _courses(host: Host, request: Request) -> Reply:
    from quatuor.learn import answers as lessons

    return plain(lessons.courses())


@route("GET", "/learn/*")
async def _course(host: Host, request: Request) -> Reply:
    from quatuor.learn import answers as lessons

    return plain(lessons.course(request.path[1]))


@route("GET", "/learn/*/*/*")
async def _step(host: Host, request: Request) -> Reply:
    from quatuor.learn import answers as lessons

    _, game, lesson, step = request.path
    return plain(lessons.show(game, lesson, step))


@route("POST", "/learn/*/*/*")
async def _attempt(host: Host, request: Request) -> Reply:
    from quatuor.learn import answers as lessons

    _, game, lesson, step = request.path
    return plain(lessons.attempt(game, lesson, step, request.body["move"]))


@route("GET", "/puzzles")
async def _kinds(host: Host, request: Request) -> Reply:
    from quatuor.games.blokus.puzzles import answers as puzzles

    return plain(puzzles.kinds())


@route("GET", "/puzzles/(new|daily)")
async def _challenge(host: Host, request: Request) -> Reply:
    from quatuor.games.blokus.puzzles import answers as puzzles

    work = puzzles.daily if request.path[1] == "daily" else puzzles.new
    known = inspect.signature(work).parameters
    return await _puzzle(work, **{key: value for key, value in request.query.items() if key in known})


@route("POST", "/puzzles/(check|solvable|hint|solution)")
async def _ask(host: Host, request: Request) -> Reply:
    from quatuor.games.blokus.puzzles import answers as puzzles

    work = {"check": puzzles.check, "solvable": puzzles.solvable, "hint": puzzles.hint, "solution": puzzles.solution}
    return await _puzzle(work[request.path[1]], request.body["position"], request.body.get("witness"))


async def _puzzle(work: Callable[..., Steps[dict[str, Any]]], *arguments: Any, **query: str) -> Reply:
    try:
        return plain(await thinking.in_steps(work(*arguments, **query)))
    except ValueError as error:
        raise Refused("bad_puzzle", message=str(error)) from None


@route("POST", "/hint")
async def _hint(host: Host, request: Request) -> Reply:
    """For a table of the server: the page sends its record."""
    from quatuor.interop import texts

    game = texts.read(request.body["text"]).copy(tree=False)
    if game.ply != request.body["ply"]:
        raise Refused("stale_ply", ply=game.ply)
    return plain(await thinking.hint(game, request.body["seat"]))


@route("POST", "/analysis/game")
async def _read(host: Host, request: Request) -> Reply:
    from quatuor.interop import texts

    return plain(texts.shown(texts.read(request.body["text"])))


@route("POST", "/analysis/picture")
async def _draw(host: Host, request: Request) -> Reply:
    from quatuor.interop import texts

    return Reply(texts.read(request.body["text"]).svg(), SVG)


@route("POST", "/analysis")
async def _analyse(host: Host, request: Request) -> Reply:
    from quatuor.interop import texts

    game = texts.read(request.body["text"]).copy(tree=False)
    every_turn = not request.body.get("only_now")

    async def events() -> AsyncIterator[str]:
        try:
            if every_turn:
                async for turn in thinking.review(game):
                    yield f"data: {json.dumps(turn)}\n\n"
            if not game.over:
                yield f"event: now\ndata: {json.dumps(await thinking.standing(game))}\n\n"
            yield "event: end\ndata: {}\n\n"
        except asyncio.CancelledError:
            raise
        except Exception:
            yield 'event: error\ndata: {"code":"engine_failed"}\n\n'
            raise

    return Reply(events(), EVENTS)


# ---- lists of games


def _my_turn(card: dict[str, Any]) -> bool:
    return bool(card["people"].get(GUEST, 0) & card["acting"])


def _summary(row: dict[str, Any], name: str) -> dict[str, Any]:
    """A table as lists show it; the form is the server's."""
    facts = row["facts"]
    bits = row["people"].get(GUEST, 0)
    return {
        "id": row["id"],
        "game": row["game"],
        "variant": facts["variant"],
        "pace": facts["pace"],
        "takeback": facts["takeback"],
        "seats": [
            {
                "kind": seat["kind"],
                "level": seat["level"],
                "name": seat.get("label") or (name if seat["guest"] else None),
                "account": False,
                "profile": None,
                "invited": False,
            }
            for seat in facts["seats"]
        ],
        "status": row["status"],
        "ply": facts["ply"],
        "touched": row["touched"],
        "you": [seat for seat in range(len(facts["seats"])) if bits >> seat & 1],
        "your_turn": _my_turn(row),
        "until": None,
        "ended_by": facts["ended_by"],
        "ranking": facts["ranking"],
        "scores": facts.get("scores"),
        "rated": False,
    }
