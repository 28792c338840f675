"""Lists of tables for readers: those that wait for players, live, and one's own."""

import asyncio
import contextlib
import logging
from collections.abc import Iterator
from typing import Any

from quatuor.server.guests import Guests
from quatuor.server.moment import now
from quatuor.server.store.shelf import Found, Shelf

log = logging.getLogger("quatuor.server")

Tables = list[dict[str, Any]]
LOOK_EVERY = 2.0  # seconds: other processes open tables too
QUICK, SLOW = 3_600_000, 14 * 86_400_000  # how long a table waits in the lobby: one hour, or by the day two weeks


class Lobby:
    """Everybody who looks at the lobby is told when it changes."""

    def __init__(self, shelf: Shelf, guests: Guests) -> None:
        self._shelf, self._guests = shelf, guests
        self._readers: set[asyncio.Queue[Tables]] = set()
        self._looking: asyncio.Task[None] | None = None

    async def tables(self) -> Tables:
        """The tables that wait for players, the newest first."""
        return await self._shown(await self._shelf.lobby(now() - QUICK, now() - SLOW))

    async def games(self, guest: str, over: bool, page: int) -> dict[str, Any]:
        """A page of somebody's own games."""
        found, more = await self._shelf.games(guest, over, page)
        return {"games": await self._shown(found), "more": more}

    @contextlib.contextmanager
    def reading(self) -> Iterator[asyncio.Queue[Tables]]:
        """A queue with the newest list in it, whenever there is a newer one."""
        queue: asyncio.Queue[Tables] = asyncio.Queue(1)
        self._readers.add(queue)
        if self._looking is None:
            self._looking = asyncio.ensure_future(self._look())
        try:
            yield queue
        finally:
            self._readers.discard(queue)
            if not self._readers and self._looking:
                self._looking.cancel()
                self._looking = None

    async def _look(self) -> None:
        shown: Tables = []
        while True:
            self._shelf.changed.clear()
            try:
                found = await self.tables()
            except Exception:
                log.exception("the lobby could not be read")
                found = shown
            if found != shown:
                shown = found
                for queue in self._readers:
                    if queue.full():
                        queue.get_nowait()  # a slow reader gets only the newest
                    queue.put_nowait(found)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._shelf.changed.wait(), LOOK_EVERY)

    async def _shown(self, found: list[Found]) -> Tables:
        people = {seat["guest"] for card in found for seat in card.facts["seats"] if seat["guest"]}
        names = await self._guests.names(people)
        return [_shown(card, names) for card in found]


def _shown(card: Found, names: dict[str, str]) -> dict[str, Any]:
    """A card as readers may see it: names instead of ids."""
    facts = card.facts
    mine = [seat for seat in range(len(facts["seats"])) if card.mine >> seat & 1]
    untils = [until for seat, until in facts["until"].items() if int(seat) in mine]
    return {
        "id": card.table,
        "game": card.game,
        "variant": facts["variant"],
        "pace": facts["pace"],
        "takeback": facts["takeback"],
        "seats": [
            {"kind": seat["kind"], "level": seat["level"], "name": names.get(seat["guest"])} for seat in facts["seats"]
        ],
        "status": card.status,
        "ply": facts["ply"],
        "touched": card.touched,
        "you": mine,
        "your_turn": bool(card.mine & card.acting),
        "until": min(untils, default=None),
        "ended_by": facts["ended_by"],
        "ranking": facts["ranking"],
    }
