"""Hints: what an engine would play, for people who play alone or against engines."""

import asyncio
import logging
from collections import OrderedDict
from typing import Any

from quatuor.game import Game
from quatuor.server.engine_queue import Asker
from quatuor.server.engines import Engines
from quatuor.server.listener import SocketListener
from quatuor.server.visitors import Visitor
from quatuor.table import Refused, Session, Table
from quatuor.table.turns import alone

log = logging.getLogger("quatuor.server")

REMEMBERED = 20  # hints that are sent again if a client asks with the same ack
Key = tuple[str | None, str]  # guest, ack


class Hints:
    """The hints of one table, one at a time for each guest."""

    def __init__(self, session: Session[SocketListener], engines: Engines) -> None:
        self._session, self._engines = session, engines
        self._searching: dict[Key, asyncio.Future[dict[str, Any]]] = {}
        self._found: OrderedDict[Key, dict[str, Any]] = OrderedDict()

    async def find(self, guest: str | None, ply: int, ack: str) -> dict[str, Any]:
        """The message with the hint, the same one if asked again with the same ack. Raises Refused."""
        key = (guest, ack)
        if key in self._found:
            return self._found[key]
        if key not in self._searching:
            if any(other == guest for other, _ in self._searching):
                raise Refused("rate_limited")  # one at a time
            game, seat = _question(self._session.table, guest, ply)
            self._searching[key] = asyncio.ensure_future(self._search(key, game, seat))
        try:
            return await asyncio.shield(self._searching[key])
        except Refused as refused:
            raise Refused("engine_busy", **refused.detail) from None
        except Exception as error:
            log.exception("table %s: a hint failed", self._session.id)
            raise Refused("engine_failed") from error

    def left(self, guest: str | None) -> None:
        """Stop the search of a guest who has no socket left; the hint can be asked for again."""
        if not any(listener.guest == guest for listener in self._session.listeners):
            for search in [search for (other, _), search in self._searching.items() if other == guest]:
                search.cancel()

    def cancel(self) -> None:
        """Stop all searches."""
        for search in self._searching.values():
            search.cancel()

    async def _search(self, key: Key, game: Game, seat: int) -> dict[str, Any]:
        try:
            found = await self._engines.hint(Asker(self._visitor(key[0]), self._session.id), game, seat)
        finally:
            del self._searching[key]
        message = self._found[key] = {"t": "hint", "ack": key[1], **found}
        if len(self._found) > REMEMBERED:
            self._found.popitem(last=False)
        return message

    def _visitor(self, guest: str | None) -> Visitor:
        listeners = self._session.listeners
        return next((listener.visitor for listener in listeners if listener.guest == guest), Visitor("", guest))


def _question(table: Table, guest: str | None, ply: int) -> tuple[Game, int]:
    """The position to search and the seat to search for."""
    seats = [seat for seat in table.to_move if seat in table.owned(guest)]
    if not alone(table, guest) or table.waiting:
        raise Refused("no_hint")  # another person plays, or may still join
    if not seats:
        raise Refused("game_over" if table.ended_by else "not_your_turn", to_move=list(table.to_move))
    if ply != table.game.ply:
        raise Refused("stale_ply", ply=table.game.ply)
    return table.study(), seats[0]
