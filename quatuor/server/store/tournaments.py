"""Tournaments in the store: their lines, who the players are, the live tables of their rounds."""

from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from quatuor.server.store.database import snapshot
from quatuor.server.store.schema import cards, entrants, is_id, lines, rounds, tournaments
from quatuor.server.store.store import Store, insert_table
from quatuor.table import Conflict, Setup

SHOWN = 50  # tournaments in a list

Plain = dict[str, Any]


@dataclass(frozen=True)
class Entrant:
    """Who a player is: a guest, an engine, or, with neither, a person whom the organiser entered by name."""

    player: str
    guest: str | None = None
    level: int | None = None
    barred: bool = False  # taken off the list by the organiser

    @property
    def by_name(self) -> bool:
        """Plays over the board: nobody can sit down for them at a live table."""
        return self.guest is None and self.level is None


@dataclass(frozen=True)
class TournamentRow:
    """A tournament as it comes out of the store."""

    organiser: str
    setup: Plain
    entrants: dict[str, Entrant]  # by player
    tables: dict[tuple[int, int], str]  # (round, number) -> live table; none where a game is played over the board
    lines: list[Plain]  # those that were asked for


@dataclass
class Change:
    """What is written together with new lines."""

    entrants: list[Entrant] = field(default_factory=list)  # new, or changed
    opened: dict[tuple[int, int], tuple[str, Setup]] = field(default_factory=dict)  # live tables of a new round
    counted: tuple[int, int] | None = None  # a table whose result is in
    renamed: dict[str, str] = field(default_factory=dict)  # players: old name -> new name


class TournamentStore:
    """All methods may be called from the event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def open(self, name: str, organiser: str, setup: Plain, first: list[Plain], card: Plain, at: int) -> None:
        """Keep a new tournament with its first lines."""
        row = {"id": name, "organiser": organiser, "setup": setup, "card": card, "listed": setup["listed"]}

        def work(connection: Connection) -> None:
            connection.execute(insert(tournaments).values(**row, status=card["status"], touched=at))
            rows = [{"tournament_id": name, "number": i, "line": line, "at": at} for i, line in enumerate(first, 1)]
            connection.execute(insert(lines), rows)

        await self._store.write(work)

    async def append(self, name: str, first: int, new: list[Plain], change: Change, card: Plain, at: int) -> None:
        """Keep lines from that number on, and what belongs to them; Conflict if another process was quicker."""

        def work(connection: Connection) -> None:
            rows = [{"tournament_id": name, "number": first + i, "line": line, "at": at} for i, line in enumerate(new)]
            connection.execute(insert(lines), rows)
            _change(connection, name, change)
            news = {"card": card, "status": card["status"], "touched": at}
            connection.execute(update(tournaments).where(tournaments.c.id == name).values(news))

        try:
            await self._store.write(work)
        except IntegrityError as error:
            raise Conflict(f"tournament {name} already has a line {first}") from error

    async def load(self, name: str, after: int) -> TournamentRow | None:
        """A tournament with its lines after that number, or None if no tournament has that id."""
        return await self._store.run(self._load, name, after) if is_id(name) else None

    async def of(self, guest: str) -> list[Any]:
        """Those that a guest organises or has entered, the newest first."""
        mine = select(entrants.c.tournament_id).where(entrants.c.guest == guest)
        return await self._listed((tournaments.c.organiser == guest) | tournaments.c.id.in_(mine))

    async def entered(self, guest: str) -> list[str]:
        """The tournaments that a guest has entered."""
        found = await self._all(select(entrants.c.tournament_id).where(entrants.c.guest == guest).distinct())
        return [row.tournament_id for row in found]

    async def listed(self) -> list[Any]:
        """Those that everybody may find and that are not over, the newest first."""
        return await self._listed(tournaments.c.listed & (tournaments.c.status != "over"))

    async def finished(self) -> list[tuple[str, int, int, str]]:
        """Games that are over and not counted yet: tournament, round, number, table."""
        over = rounds.join(cards, cards.c.table_id == rounds.c.table_id)
        query = select(rounds.c.tournament_id, rounds.c.round, rounds.c.number, rounds.c.table_id).select_from(over)
        found = await self._all(query.where(~rounds.c.counted & (cards.c.status == "over")))
        return [(row.tournament_id, row.round, row.number, row.table_id) for row in found]

    async def due(self, at: int) -> list[str]:
        """Tournaments whose first round is to start by then."""
        starts = tournaments.c.card["starts"].as_float()  # PostgreSQL's integers are too small for milliseconds
        found = await self._all(select(tournaments.c.id).where((tournaments.c.status == "open") & (starts <= at)))
        return [row.id for row in found]

    def _load(self, name: str, after: int) -> TournamentRow | None:
        with snapshot(self._store.engine) as connection:
            row = connection.execute(select(tournaments).where(tournaments.c.id == name)).one_or_none()
            if row is None:
                return None
            new = (lines.c.tournament_id == name) & (lines.c.number > after)
            people = connection.execute(select(entrants).where(entrants.c.tournament_id == name)).all()
            paired = connection.execute(select(rounds).where(rounds.c.tournament_id == name)).all()
            return TournamentRow(
                row.organiser,
                row.setup,
                {one.player: Entrant(one.player, one.guest, one.level, one.barred) for one in people},
                {(one.round, one.number): one.table_id for one in paired},
                list(connection.execute(select(lines.c.line).where(new).order_by(lines.c.number)).scalars()),
            )

    async def _listed(self, which: Any) -> list[Any]:
        wanted = select(tournaments.c.id, tournaments.c.card).where(which)
        return await self._all(wanted.order_by(tournaments.c.touched.desc()).limit(SHOWN))

    async def _all(self, query: Any) -> list[Any]:
        def read() -> list[Any]:
            with self._store.engine.connect() as connection:
                return list(connection.execute(query).all())

        return await self._store.run(read)


def _change(connection: Connection, name: str, change: Change) -> None:
    for old, new in change.renamed.items():
        this = (entrants.c.tournament_id == name) & (entrants.c.player == old)
        connection.execute(update(entrants).where(this).values(player=new))
    for one in change.entrants:
        this = (entrants.c.tournament_id == name) & (entrants.c.player == one.player)
        if not connection.execute(update(entrants).where(this).values(asdict(one))).rowcount:
            connection.execute(insert(entrants).values(tournament_id=name, **asdict(one)))
    for (number, table), (live, setup) in change.opened.items():
        insert_table(connection, live, setup)
        place = {"tournament_id": name, "round": number, "number": table}
        connection.execute(insert(rounds).values(**place, table_id=live, counted=False))
    if change.counted:
        this = (rounds.c.round == change.counted[0]) & (rounds.c.number == change.counted[1])
        connection.execute(update(rounds).where((rounds.c.tournament_id == name) & this).values(counted=True))
