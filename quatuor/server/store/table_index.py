"""Summaries of tables: the lobby, a player's games, deadlines. Computed from the tables, again where missing."""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from quatuor.server.store.rating_rows import count, result_of
from quatuor.server.store.schema import cards, events, seated, tables
from quatuor.server.store.store import Store, StoreFailed
from quatuor.table import Table, TableSummary, summarise

log = logging.getLogger("quatuor.server")

LOBBY = 100  # tables shown
OF_PERSON, OF_NETWORK = 3, 10  # of them at most from one person, and from one network
OF_TOURNAMENT = 6
PAGE = 20  # of one's own games
SEARCHED = 1000  # of one's own games, the latest
DUE = 100  # flags looked after at a time
TOGETHER = 50  # summaries written at once: moves wait behind them


@dataclass(frozen=True)
class SummaryRow:
    """A summary as it comes out of the store."""

    table: str
    game: str
    status: str
    acting: int
    touched: int
    facts: dict[str, Any]
    mine: int = 0  # the reader's seats, as bits


class LobbySince(NamedTuple):
    """Since when a table must have been touched to be shown in the lobby."""

    quick: int
    slow: int  # of a table played by the day

    def shows(self, row: SummaryRow) -> bool:
        """Whether the lobby shows this table."""
        return row.touched >= (self.slow if row.facts["pace"]["days"] else self.quick)


def lobby_since(now: int) -> LobbySince:
    """What the lobby shows now: tables of the last hour, or by the day of the last two weeks."""
    return LobbySince(now - 3_600_000, now - 14 * 86_400_000)


class TableIndex:
    """Summaries are written a moment later, many together; a read first writes those that it needs."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._fresh: dict[str, Table] = {}
        self._people: WeakKeyDictionary[Table, dict[str, int]] = WeakKeyDictionary()  # who sits where, as written last
        self._lock = asyncio.Lock()
        self.changed = asyncio.Event()  # a table in the lobby has changed
        self.played: list[asyncio.Event] = []  # set when anything happens at a table that was in the lobby
        self.ended = asyncio.Event()  # a game of a tournament is over

    def update(self, name: str, table: Table) -> None:
        """Have a table's new summary written."""
        self._fresh[name] = table
        if table.setup.listed:
            self.changed.set()
            for event in self.played:
                event.set()
        if table.setup.tournament and table.ended_by:
            self.ended.set()

    async def flush_some(self) -> None:
        """Write a few of them, first those in the lobby: other processes show it too."""
        async with self._lock:
            names = sorted(self._fresh, key=lambda name: not self._fresh[name].setup.listed)
            await self._flush(names[:TOGETHER])

    async def flush(self, wanted: Callable[[Table], bool] = lambda _: True) -> None:
        """Write those that are wanted, after what is being written; what can't be is tried again next time."""
        async with self._lock:
            names = [name for name, table in self._fresh.items() if wanted(table)]
            for first in range(0, len(names), TOGETHER):
                await self._flush(names[first : first + TOGETHER])

    async def _flush(self, names: list[str]) -> None:
        taken = {name: self._fresh.pop(name) for name in names}
        if not taken:
            return
        made = {name: summarise(table) for name, table in taken.items()}
        moved = {name for name, summary in made.items() if self._people.get(taken[name]) != summary.people}
        try:
            await self._store.write(lambda connection: _write(connection, made, moved))
        except (StoreFailed, IntegrityError):  # the latter: another process wrote one of them at the same moment
            log.warning("%d table summaries were not written yet", len(taken))
            self._fresh = {**taken, **self._fresh}
            return
        for name in moved:
            self._people[taken[name]] = made[name].people

    async def lobby(self, since: LobbySince) -> list[SummaryRow]:
        """Tables that wait for players, the newest first, and few of each person and network."""
        await self.flush(lambda table: table.setup.listed)
        found = [row for row in await self._store.run(self._lobby, since.slow) if since.shows(row)]
        return _fair(found)[:LOBBY]

    async def running(self, since: LobbySince, game: str) -> list[SummaryRow]:
        """Games in progress at tables of the lobby and of public tournaments, the last played first."""
        which = cards.c.game == game if game else None
        found = await self._store.run(self._lobby, since.slow, which, "running")
        return _fair([row for row in found if since.shows(row)])

    async def waiting(self, key: str, value: str | None, since: LobbySince) -> int:
        """How many tables wait in the lobby whose ``owner``, or ``network``, is this one."""
        await self.flush(lambda table: table.setup.listed)
        same = cards.c.facts[key].as_string() == value
        return sum(map(since.shows, await self._store.run(self._lobby, since.slow, same)))

    async def games(self, guest: str, over: bool, page: int) -> tuple[list[SummaryRow], bool]:
        """A page of a guest's games, those that wait for them first; and whether there are more."""
        await self.flush(lambda table: guest in table.people)
        found = await self._store.run(self._games, guest, over, page)
        return found[:PAGE], len(found) > PAGE

    async def latest_games(self, guest: str, over: bool, game: str) -> list[SummaryRow]:
        """The last games of a guest in the same order, for a search; ``game``: only of this one."""
        await self.flush(lambda table: guest in table.people)
        return await self._store.run(self._games, guest, over, 0, game, SEARCHED)

    async def seated(self, guest: str) -> list[str]:
        """All tables where a guest has a seat."""
        await self.flush(lambda table: guest in table.people)
        return await self._store.run(self._column, select(seated.c.table_id).where(seated.c.guest == guest))

    async def due(self, now: int) -> list[str]:
        """Tables where a flag has fallen by now."""
        return await self._store.run(self._column, select(cards.c.table_id).where(cards.c.deadline <= now).limit(DUE))

    async def stale(self) -> list[str]:
        """Tables without a summary, or with one from before something happened."""
        last = select(events.c.table_id, func.max(events.c.version).label("version")).group_by(events.c.table_id)
        newest = last.subquery()
        known = tables.outerjoin(cards, cards.c.table_id == tables.c.id)
        known = known.outerjoin(newest, newest.c.table_id == tables.c.id)
        behind = cards.c.version.is_(None) | (cards.c.version < func.coalesce(newest.c.version, 0))
        return await self._store.run(self._column, select(tables.c.id).select_from(known).where(behind))

    def _column(self, query: Any) -> list[Any]:
        with self._store.engine.connect() as connection:
            return list(connection.execute(query).scalars())

    def _lobby(self, since: int, which: ColumnElement[bool] | None = None, status: str = "open") -> list[SummaryRow]:
        wanted = cards.c.listed & (cards.c.status == status) & (cards.c.touched >= since)
        wanted = wanted if which is None else wanted & which
        with self._store.engine.connect() as connection:
            rows = connection.execute(select(cards).where(wanted).order_by(cards.c.touched.desc()).limit(3 * LOBBY))
            return [_found(row) for row in rows]

    def _games(self, guest: str, over: bool, page: int, game: str = "", most: int = PAGE + 1) -> list[SummaryRow]:
        mine = seated.join(cards, cards.c.table_id == seated.c.table_id)
        status = cards.c.status == "over" if over else cards.c.status != "over"
        awaited = cards.c.acting.bitwise_and(seated.c.seats) != 0
        query = select(cards, seated.c.seats).select_from(mine).where((seated.c.guest == guest) & status)
        query = query.where(cards.c.game == game) if game else query
        query = query.order_by(awaited.desc(), cards.c.touched.desc(), cards.c.table_id)
        with self._store.engine.connect() as connection:
            rows = connection.execute(query.limit(most).offset(page * PAGE))
            return [_found(row, row.seats) for row in rows]


def _fair(rows: list[SummaryRow]) -> list[SummaryRow]:
    """The newest tables, with at most a few of the same person, tournament or network: nobody fills the list alone."""
    shown: Counter[str | None] = Counter()
    kept = []
    for row in rows:
        tournament, network = row.facts.get("tournament"), row.facts.get("network")
        source = tournament or row.facts.get("owner")
        shown[source] += 1
        shown[network] += 1
        most = OF_TOURNAMENT if tournament else OF_PERSON
        if (not source or shown[source] <= most) and (not network or shown[network] <= OF_NETWORK):
            kept.append(row)
    return kept


def _found(row: Any, mine: int = 0) -> SummaryRow:
    return SummaryRow(row.table_id, row.game, row.status, row.acting, row.touched, row.facts, mine)


def _write(connection: Connection, fresh: dict[str, TableSummary], moved: set[str]) -> None:
    """All these summaries; the players only of the tables where they have changed (``moved``)."""
    connection.execute(delete(cards).where(cards.c.table_id.in_(list(fresh))))
    connection.execute(delete(seated).where(seated.c.table_id.in_(list(moved))))
    columns = ("version", "game", "status", "listed", "acting", "deadline", "touched", "facts")
    connection.execute(
        insert(cards),
        [{"table_id": table, **{name: getattr(card, name) for name in columns}} for table, card in fresh.items()],
    )
    people = [
        {"table_id": table, "guest": guest, "seats": seats}
        for table in moved
        for guest, seats in fresh[table].people.items()
    ]
    if people:
        connection.execute(insert(seated), people)
    results = [result_of(table, card.game, card.facts) for table, card in fresh.items()]
    count(connection, [result for result in results if result])
