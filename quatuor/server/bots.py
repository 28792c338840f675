"""Programs as players. The maker of a bot gets its token once; the store keeps only a hash."""

import hashlib
import secrets
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter
from sqlalchemy import Connection, delete, func, insert, select
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from quatuor.server import answers
from quatuor.server.dependencies import CHANGES, At, Known, Met, content, operation
from quatuor.server.errors import problem
from quatuor.server.guests import Guests
from quatuor.server.store import Store
from quatuor.server.store.schema import guests, is_id, tokens
from quatuor.server.wire import Me, respond
from quatuor.table import Refused
from quatuor.table.seats import BOT

PREFIX = "qt_"  # so that a token that leaked is recognised as one
MOST = 20  # bots of one guest

api = APIRouter(prefix="/api/bots", tags=["bots"])


class Bots:
    """Makes, lists, revokes and recognises bots."""

    def __init__(self, store: Store, people: Guests) -> None:
        self._store, self._people = store, people

    async def make(self, owner: str, name: str) -> dict[str, str]:
        """A new bot; its token is returned here and never again."""
        secret = PREFIX + secrets.token_urlsafe(24)
        row = {
            "id": secrets.token_urlsafe(9),
            "hash": _hash(secret),
            "guest": BOT + secrets.token_hex(12),
            "owner": owner,
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
        }

        def work(connection: Connection) -> None:
            if connection.execute(select(func.count()).where(tokens.c.owner == owner)).scalar_one() >= MOST:
                raise Refused("too_many_bots", most=MOST)
            connection.execute(insert(tokens).values(row))

        taken = await self._people.rename(row["guest"], name)
        await self._store.write(work)
        return {"id": row["id"], "name": taken, "created": row["created"], "token": secret}

    async def of(self, owner: str | None) -> list[dict[str, Any]]:
        """A guest's bots, the oldest first."""
        query = (
            select(tokens.c.id, guests.c.name, tokens.c.created)
            .join(guests, guests.c.id == tokens.c.guest)
            .where(tokens.c.owner == owner)
            .order_by(tokens.c.created, tokens.c.id)
        )
        return [dict(row) for row in await self._store.run(self._rows, query)]

    async def revoke(self, owner: str | None, bot: str) -> str:
        """Revoke a bot's token; returns the guest id that the bot had at tables."""
        if not is_id(bot):
            raise Refused("not_found")
        mine = (tokens.c.id == bot) & (tokens.c.owner == owner)
        found = await self._store.run(self._rows, select(tokens.c.guest).where(mine))
        if not found:
            raise Refused("not_found")

        def work(connection: Connection) -> None:
            connection.execute(delete(tokens).where(mine))

        await self._store.write(work)
        return str(found[0]["guest"])

    async def whose(self, secret: str) -> str | None:
        """The bot that has this token."""
        query = select(tokens.c.guest).where(tokens.c.hash == _hash(secret))
        found = await self._store.run(self._rows, query)
        return str(found[0]["guest"]) if found else None

    def _rows(self, query: Any) -> list[Any]:
        with self._store.engine.connect() as connection:
            return list(connection.execute(query).mappings().all())


class Bearer:
    """ASGI middleware: ``Authorization: Bearer`` identifies a bot; an unknown token is refused."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Identify the bot, then pass the request on."""
        given = Headers(scope=scope).get("authorization", "") if "headers" in scope else ""
        scheme, _, secret = given.partition(" ")
        if scheme.lower() == "bearer":
            bot = await scope["app"].state.services.bots.whose(secret.strip())
            if bot is None and scope["type"] == "websocket":
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": "bad_token"})  # before accept: HTTP 403
                return
            if bot is None:
                await problem("bad_token", status=401)(scope, receive, send)
                return
            scope.setdefault("state", {})["bot"] = bot
        await self._app(scope, receive, send)


@api.post(
    "",
    summary="Make a bot; its token is shown only here",
    dependencies=[CHANGES],
    **operation(answers.NewBot, 201, body=Me),
)
async def make(request: Request, at: At, owner: Met, command: Annotated[Me, content(Me)]) -> Response:
    if owner.guest.startswith(BOT):
        raise Refused("not_for_bots")
    bot = await at.bots.make(owner.guest, command.name)
    return at.guests.remember(request, respond(bot, 201), owner)


@api.get("", summary="My bots, without their tokens", **operation(answers.Bots))
async def mine(at: At, who: Known) -> Response:
    return respond({"bots": await at.bots.of(who.guest if who else None)})


@api.delete("/{bot}", summary="Revoke a bot's token", dependencies=[CHANGES], **operation(answers.Revoked))
async def revoke(bot: str, at: At, who: Known) -> Response:
    guest = await at.bots.revoke(who.guest if who else None, bot)
    at.hub.dismiss(guest)
    await at.store.note({"dismissed": guest})
    return respond({"id": bot})


def _hash(secret: str) -> str:
    """A token is long and random: a plain hash cannot be reversed."""
    return hashlib.sha256(secret.encode()).hexdigest()
