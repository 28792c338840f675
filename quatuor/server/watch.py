"""Games to watch: a few running public tables with their positions, the same for all who watch.

Each process makes the list at most once a second, and only while someone watches; a socket gets what has changed.
"""

import asyncio
import contextlib
from typing import Any

import msgspec
from starlette.websockets import WebSocket

from quatuor.games import names
from quatuor.server.broadcast import Broadcast
from quatuor.server.clock import now
from quatuor.server.hub import Hub
from quatuor.server.store.table_index import TableIndex, lobby_since
from quatuor.server.table_session import TableSession
from quatuor.server.wire import send_json
from quatuor.table import Refused
from quatuor.table.session import error
from quatuor.table.visibility import watched_json

BOARDS = 8  # shown at a time
PAUSE = 1.0  # seconds between two looks
RESULT = 20_000  # milliseconds for which a game that has ended stays

Shown = list[tuple[str, msgspec.Raw]]  # tables by id, each as JSON


class Watch:
    """One list for all games and one for each of them, made when they are first asked for."""

    def __init__(self, hub: Hub, table_index: TableIndex) -> None:
        self._hub, self._table_index = hub, table_index
        self._lists: dict[str, Broadcast[Shown]] = {}

    def of(self, game: str) -> Broadcast[Shown]:
        """The running games of one kind; '': of all kinds. Raises Refused."""
        if game and game not in names():
            raise Refused("unknown_game", games=list(names()))
        if game not in self._lists:
            played = asyncio.Event()
            self._table_index.played.append(played)
            self._lists[game] = Broadcast(_Looker(self._hub, self._table_index, game).look, played, PAUSE)
        return self._lists[game]

    async def serve(self, websocket: WebSocket, limit: tuple[float, float]) -> None:
        """Send an accepted websocket all tables, then those that change, until it closes."""
        try:
            tables = self.of(websocket.query_params.get("game", ""))
        except Refused as refused:
            await send_json(websocket, error(refused, None))
            await websocket.close(4404)
            return
        sent: dict[str, msgspec.Raw] = {}

        def frame(shown: Shown) -> dict[str, Any]:
            nonlocal sent
            fresh = [table for name, table in shown if sent.get(name) != table]
            sent = dict(shown)
            return {"t": "watch", "ids": list(sent), "tables": fresh}

        await tables.relay(websocket, limit, frame)


class _Looker:
    """Keeps a table in its place as long as it is shown. A game that is over stays only while no other waits for it."""

    def __init__(self, hub: Hub, table_index: TableIndex, game: str) -> None:
        self._hub, self._table_index, self._game = hub, table_index, game
        self._places: list[str] = []

    async def look(self) -> Shown:
        rows = await self._table_index.running(lobby_since(now()), self._game)
        running = [row.table for row in rows]
        ended = {name for name in self._places if name not in running and await self._has_just_ended(name)}
        places = [name for name in self._places if name in running or name in ended]
        waiting = [name for name in running if name not in places]
        for place, name in enumerate(places):
            if name in ended and len(places) + len(waiting) > BOARDS:
                places[place] = waiting.pop(0)
        places = [*places, *waiting][:BOARDS]
        tables = {name: live for name in places if (live := await self._get(name))}
        self._places = list(tables)
        return [(name, msgspec.Raw(watched_json(live.table, live.presence, name))) for name, live in tables.items()]

    async def _has_just_ended(self, name: str) -> bool:
        live = self._hub.here(name)
        if live is not None and live.table.ended_by is None:
            with contextlib.suppress(Refused):
                await live.catch_up()  # another process has ended it
        return live is not None and live.table.ended_by is not None and now() - live.table.touched < RESULT

    async def _get(self, name: str) -> TableSession | None:
        try:
            return await self._hub.get(name)
        except Refused:
            return None  # it cannot be read now
