"""Mutes and bans in force, and the one place where a banned person or network is refused."""

import asyncio
import logging
import math
from typing import Any

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from quatuor.server.clock import now
from quatuor.server.errors import problem
from quatuor.server.guests import Guests
from quatuor.server.hub import Hub
from quatuor.server.listener import SocketListener
from quatuor.server.remembered import Remembered
from quatuor.server.store import Store
from quatuor.server.store.moderation import Moderation
from quatuor.server.visitors import visitor
from quatuor.server.wire import encode
from quatuor.table import Refused

log = logging.getLogger("quatuor.server")

EVERY = 3.0  # seconds between two reads of the store: the command line may have decided something
DAY = 86_400_000
KEPT = 30 * DAY  # how long it is known from which networks a person came
SEEN = 600_000  # milliseconds for which a person at a network is not written again
REMEMBERED = 20_000
POLICY = 1008
ALWAYS = {("DELETE", "/api/account"), ("DELETE", "/api/account/session")}  # what a banned person may do, too
HARMLESS = ("GET", "HEAD", "OPTIONS")


class Sanctions:
    """What is in force, kept in memory: every request that changes something is checked against it."""

    def __init__(self, store: Store, guests: Guests, hub: Hub) -> None:
        self._moderation, self._guests, self._hub = Moderation(store), guests, hub
        self._notes = store.pubsub.shared  # whether others send notes of what they decide
        self._decided: int | None = None  # the last entry of the log that was read
        self._bans: dict[str, dict[str, Any]] = {}  # by person and by network
        self._mutes: dict[str, dict[str, Any]] = {}
        self.moderators: set[str] = set()  # the ban of a network does not hold for them: they may have to lift it
        # person, network -> when it was written
        self._seen: Remembered[tuple[str, str], int] = Remembered(REMEMBERED, lambda at: at < now() - SEEN)

    async def refresh(self) -> None:
        """Read what is in force, and close the sockets of those who are banned."""
        found = await self._moderation.in_force(now())
        self.moderators = await self._moderation.moderators()
        found.sort(key=lambda row: math.inf if row["until"] is None else row["until"])  # the longest wins
        self._mutes = {row["guest"]: row for row in found if row["kind"] == "mute"}
        self._bans = {row["network"] or row["guest"]: row for row in found if row["kind"] == "ban"}
        for live in self._hub.all_here() if self._bans else ():
            live.close_sockets(self._banned, "banned")

    def _banned(self, listener: SocketListener) -> bool:
        return self.ban(listener.guest, self._guests.network_hash(listener.visitor.network)) is not None

    async def watch(self) -> None:
        """Refresh every few seconds, for ever."""
        while True:
            try:
                await self.refresh()
                await self._follow()
                await self._forget()
            except Exception as error:  # the store is away; what was known stays in force
                log.warning("sanctions could not be read: %s", error.__class__.__name__)
            await asyncio.sleep(EVERY)

    def ban(self, guest: str | None, network: str | None = None) -> dict[str, Any] | None:
        """The ban of a person or a network, if one is in force."""
        of_network = None if guest in self.moderators else self._bans.get(network or "")
        return self._valid(self._bans.get(guest or "") or of_network)

    def check(self, guest: str) -> None:
        """Refuse a banned person."""
        if found := self.ban(guest):
            raise Refused("banned", **shown(found))

    def check_speech(self, guest: str | None) -> None:
        """Refuse the words of a muted person."""
        if found := self._valid(self._mutes.get(guest or "")):
            raise Refused("muted", **shown(found))

    async def admit(self, connection: HTTPConnection) -> None:
        """Refuse what a banned person, or a banned network, sends."""
        who = await self._guests.known(connection)
        network = self._guests.network_hash(visitor(connection).network)
        if found := self.ban(who.guest if who else None, network):
            raise Refused("banned", **shown(found))
        if who and self._seen.get((who.guest, network), 0) < now() - SEEN:
            self._seen.remember((who.guest, network), now())
            await self._moderation.saw(who.guest, network, now())

    async def _follow(self) -> None:
        """Show what the command line has removed or renamed, where no note says so."""
        if self._notes:
            return
        if self._decided is None:
            self._decided = max((entry["id"] for entry in await self._moderation.log(1)), default=0)
        for entry in await self._moderation.log_after(self._decided):
            if entry["action"] == "remove" and (live := self._hub.here(entry["detail"]["table"])):
                await live.catch_up()
            elif entry["action"] == "rename":
                self._hub.rename(entry["guest"], await self._guests.name(entry["guest"]))
            self._decided = entry["id"]

    @staticmethod
    def _valid(found: dict[str, Any] | None) -> dict[str, Any] | None:
        return found if found and (found["until"] is None or found["until"] > now()) else None

    async def _forget(self) -> None:
        today = now() // DAY
        if today != getattr(self, "_forgot", None):
            self._forgot = today
            await self._moderation.forget_networks(now() - KEPT)


class Admission:
    """ASGI middleware: what a banned person sends to change something, and their sockets, are refused."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass."""
        kind, path = scope["type"], scope.get("path", "")
        changes = kind == "http" and scope["method"] not in HARMLESS and (scope["method"], path) not in ALWAYS
        if path.startswith("/api/") and (changes or kind == "websocket"):
            try:
                await scope["app"].state.services.sanctions.admit(HTTPConnection(scope))
            except Refused as refused:
                if kind == "http":
                    await problem(refused.code, refused.detail)(scope, receive, send)
                else:
                    await _turn_away(refused, receive, send)
                return
        await self._app(scope, receive, send)


async def _turn_away(refused: Refused, receive: Receive, send: Send) -> None:
    """Accept a socket, say why, and close it: a browser shows nothing of a socket that was refused."""
    await receive()
    await send({"type": "websocket.accept"})
    frame = encode({"t": "error", "ack": None, "code": refused.code, "detail": refused.detail}).decode()
    await send({"type": "websocket.send", "text": frame})
    await send({"type": "websocket.close", "code": POLICY})


def shown(sanction: dict[str, Any]) -> dict[str, Any]:
    """What the person themselves may know of a sanction."""
    return {key: sanction[key] for key in ("kind", "reason", "until", "at")}
