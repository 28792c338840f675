"""Quick pairing: join a table in the lobby that waits for the same kind of game, or open one and wait there."""

import asyncio
import random
from dataclasses import asdict
from typing import NamedTuple

from quatuor.game import Game
from quatuor.server import setups
from quatuor.server.budgets import EVENT_BYTES, Budgets
from quatuor.server.clock import now
from quatuor.server.hub import Hub
from quatuor.server.store import Store
from quatuor.server.store.relations import Relations
from quatuor.server.store.table_index import SummaryRow, TableIndex, lobby_since
from quatuor.server.table_session import TableSession
from quatuor.server.visitors import Visitor
from quatuor.server.wire import NewTable, PaceChoice, Pair, SeatChoice, encode
from quatuor.table import Pace, Refused
from quatuor.table.request import requested_game

TRIED = 10  # waiting tables looked at
PAIRING = 0x7061_6972  # the key of the lock for all processes
ARRIVING = 20_000  # milliseconds after opening a table in which its owner need not be connected yet


class Paired(NamedTuple):
    """The table at which a visitor now has a seat; ``opened``: it is new and waits for others."""

    live: TableSession
    seat: int
    opened: bool


class Wanted(NamedTuple):
    """What a visitor wants to play."""

    sender: Visitor
    guest: str
    game: Game  # before its first move
    pace: Pace


class Pairing:
    """One request at a time, at all processes, so that of two visitors who ask together the second finds the first."""

    def __init__(self, store: Store, hub: Hub, table_index: TableIndex, relations: Relations, budgets: Budgets) -> None:
        self._store, self._hub, self._table_index = store, hub, table_index
        self._relations, self._budgets = relations, budgets
        self._lock = asyncio.Lock()

    async def pair(self, sender: Visitor, command: Pair) -> Paired:
        """Take a seat at a waiting table of this kind, or at a new one. Raises Refused."""
        game = await asyncio.to_thread(requested_game, command.game, command.variant, {})
        pace = setups.requested_pace(command.pace)
        guest = sender.person
        assert guest is not None
        wanted = Wanted(sender, guest, game, pace)
        async with self._lock, self._store.exclusively(PAIRING):
            found = await self._join(wanted) or await self._open(wanted, command.pace)
            if found.opened:
                await self._table_index.flush(lambda table: table.setup.listed)  # other processes read it in the store
            return found

    async def _join(self, wanted: Wanted) -> Paired | None:
        """The visitor's own waiting table, else the one of another that has waited longest."""
        rows = await self._waiting(wanted)
        own = [row for row in rows if any(seat["guest"] == wanted.guest for seat in row.facts["seats"])]
        for row in [*own, *rows][:TRIED]:
            try:
                live = await self._hub.get(row.table, wanted.sender)
                if await self._suits(live, wanted):
                    return Paired(live, await self._hub.join(live, wanted.guest, None, None), False)
            except Refused as refused:  # another visitor was faster, or it cannot be read
                if refused.code == "try_again":
                    break  # who is connected where is not known now: do not wait for that again
        return None

    async def _waiting(self, wanted: Wanted) -> list[SummaryRow]:
        """The tables of this kind in the lobby, the one that has waited longest first."""
        rows = await self._table_index.lobby(lobby_since(now()))
        return sorted((row for row in rows if _fits(row, wanted)), key=lambda row: (row.touched, row.table))

    async def _suits(self, live: TableSession, wanted: Wanted) -> bool:
        """Whether this is the usual game, its owner is there, and no player has blocked the visitor or vice versa."""
        table, guest = live.table, wanted.guest
        if table.owned(guest):
            return True
        setup = table.setup
        if table.game.options != wanted.game.options or setup.opening or setup.position or setup.rated:
            return False
        if (
            not table.setup.pace.days
            and now() - table.setup.opened > ARRIVING
            and table.owner not in await _online(live)
        ):
            return False
        others = {*table.people, table.owner}
        blocked = {row.blocked for row in await self._relations.blocked(guest)}
        return not others & blocked and not await self._relations.blocked_by(guest, others)

    async def _open(self, wanted: Wanted, pace: PaceChoice | None) -> Paired:
        sender, game = wanted.sender, wanted.game
        mine = random.randrange(game.seats)
        seats = [SeatChoice("me" if seat == mine else "open") for seat in range(game.seats)]
        table = NewTable(game.name, seats, game.variant.name, pace=pace, listed=True)
        self._budgets.spend("new_tables", sender)
        self._budgets.spend("stored_bytes", sender, EVENT_BYTES + len(encode(table)))
        return Paired(await self._hub.open(sender, table), mine, True)


def _fits(row: SummaryRow, wanted: Wanted) -> bool:
    """Whether people wait there for such a game; a table with engines or take-backs is another kind."""
    facts, game = row.facts, wanted.game
    kind = (row.game, facts["variant"], facts["pace"], facts["takeback"])
    engines = any(seat["kind"] == "engine" for seat in facts["seats"])
    return kind == (game.name, game.variant.name, asdict(wanted.pace), False) and not engines


async def _online(live: TableSession) -> set[str]:
    """Who is connected to the table, at any process."""
    await live.replication.ask_who_is_here()
    return live.presence.online
