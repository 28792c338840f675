"""Play with HTTP alone: commands by POST, news by long polling. docs/protocol.md explains both."""

import asyncio
import contextlib
from typing import Annotated

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from quatuor.server import answers
from quatuor.server.connected import while_connected
from quatuor.server.dependencies import CHANGES, At, Known, Sender, content, costs, operation
from quatuor.server.sessions import Identity, Sessions
from quatuor.server.table_session import TableSession
from quatuor.server.visitors import Visitor
from quatuor.server.wire import Abort, Answer, Claim, Move, Offer, Resign, Undo, encode, json_response, respond
from quatuor.table import Refused

api = APIRouter(prefix="/api/tables/{table}")
WAIT, LONGEST_WAIT = 25, 30  # seconds of a poll: by default, and at most; proxies often give up after 60
LINGER = 5.0  # seconds that a client counts as present after a poll: engines do not stop thinking before the next one
PRESENCE = b'{"t":"presence"'  # such a message alone does not end a poll


class Poll:
    """A request that waits for news: a listener at the table like a socket, so its player counts as present.

    It stays a listener for a while after its answer, until the same client polls again.
    """

    def __init__(self, who: Identity | None, sender: Visitor, sessions: Sessions) -> None:
        self.guest = who.guest if who else None
        self.session = who.session if who else None
        self.visitor, self._sessions = sender, sessions
        self.frames: list[bytes] = []
        self.news, self.answered = asyncio.Event(), False

    async def valid(self) -> bool:
        """Whether the session or the token of the request still holds."""
        return await self._sessions.valid(self.guest, self.session)

    def send(self, frame: bytes) -> None:
        """Keep a message for the answer."""
        if self.answered:
            return
        self.frames.append(frame)
        if not frame.startswith(PRESENCE):
            self.news.set()

    def close(self, code: int) -> None:
        """Answer now."""
        self.news.set()


PlayMessage = Move | Undo | Resign | Claim | Offer | Answer | Abort
COMMANDS: dict[str, tuple[type[PlayMessage], str]] = {  # by the end of the path
    "moves": (Move, "Play a move, or give a secret order"),
    "undo": (Undo, "Take back my last turn"),
    "resign": (Resign, "Resign"),
    "offer": (Offer, "Offer a draw or to take back"),
    "answer": (Answer, "Accept or decline an offer"),
    "abort": (Abort, "Call the game off before its second turn"),
    "claim": (Claim, "Act against a player who is away: win, or let an engine play on"),
}


def _add_command(path: str, kind: type[PlayMessage], summary: str) -> None:
    """A route that executes a command; the same answer as on the socket."""

    async def command(
        table: str, at: At, who: Known, sender: Sender, message: Annotated[PlayMessage, content(kind)]
    ) -> Response:
        live = await at.hub.get(table, sender)
        try:
            at.admit_command(sender, live.table, len(encode(message)))
            version = await live.handle(message.command(), who.guest if who else None)
        except Refused as refused:
            at.metrics.refusals.labels(refused.code).inc()
            raise
        return respond({"t": "ack", "ack": message.ack, "version": version})

    described = operation(answers.AckMessage, body=kind)
    api.post(f"/{path}", name=kind.__name__.lower(), summary=summary, dependencies=[CHANGES], **described)(command)


for _path, (_kind, _summary) in COMMANDS.items():
    _add_command(_path, _kind, _summary)


@api.get(
    "/events",
    summary="What happened after a version, or what happens next within some seconds",
    dependencies=[costs("poll")],
    **operation(answers.Events),
)
async def events(
    request: Request, table: str, at: At, who: Known, sender: Sender, since: str = "", wait: str = ""
) -> Response:
    seconds = _number(wait, "wait", WAIT)
    if seconds > LONGEST_WAIT:
        raise Refused("bad_request", reason=f"wait is at most {LONGEST_WAIT} seconds")
    version = _number(since, "since") if since else None
    live = await at.hub.get(table, sender)
    if at.store.pubsub.shared:
        await live.catch_up()  # what the caller has just done at another process
    poll = Poll(who, sender, at.sessions)
    with at.budgets.place("sockets", sender):
        await while_connected(request, _news(live, poll, version, seconds))
    return json_response(b'{"version":%d,"messages":[%b]}' % (live.table.version, b",".join(poll.frames)))


async def _news(live: TableSession, poll: Poll, since: int | None, seconds: int) -> None:
    """Listen until there is news or time is up."""
    try:
        await live.enter(poll, since)
        _replace_answered(live, poll)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await poll.news.wait()
        poll.answered = bool(poll.frames)
    finally:
        if poll.answered:
            asyncio.get_running_loop().call_later(LINGER, _leave, live, poll)
        else:
            live.leave(poll)
    if not poll.frames:
        raise Refused("not_signed_in")  # signed out, or the token was revoked, while the request came in


def _replace_answered(live: TableSession, poll: Poll) -> None:
    """End the listening of earlier polls of the same client."""
    for other in list(live.listeners):
        if isinstance(other, Poll) and other.answered and other.visitor == poll.visitor:
            live.leave(other)


def _leave(live: TableSession, poll: Poll) -> None:
    if poll in live.listeners:
        live.leave(poll)


def _number(text: str, name: str, default: int = 0) -> int:
    if not text:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise Refused("bad_request", reason=f"{name} is a whole number")
    return int(text)
