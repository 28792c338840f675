"""Ratings, results, solved puzzles, and who may see them."""

import contextlib
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, delete, func, insert, or_, select
from sqlalchemy.exc import IntegrityError

from quatuor.match.ratings import Skill
from quatuor.server.store.rating_rows import ENGINE, has_counted
from quatuor.server.store.rows import execute, rows
from quatuor.server.store.schema import accounts, cards, profiles, ratings, seated, solved_puzzles
from quatuor.server.store.store import Store
from quatuor.table.seats import ACCOUNT

PARTS = ("ratings", "games", "puzzles")  # of a profile, each shown to everybody or only to its owner
EVERYBODY, ME = "everybody", "me"
GAMES = 1000  # the last ones, from which results are counted
PUZZLES = 2000  # kept for one account

Kind = tuple[str, str]  # game, variant


class ProfileRows:
    """All methods may be called from the event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def name(self, guest: str) -> str | None:
        """The name with which an account signs in; None: there is no such account."""
        found = await rows(self._store, select(accounts.c.name).where(accounts.c.guest == guest))
        return found[0].name if found else None

    async def shows(self, guest: str) -> dict[str, str]:
        """To whom an account shows each part of its profile."""
        found = await rows(self._store, select(profiles).where(profiles.c.guest == guest))
        return {part: getattr(found[0], part) if found else ME for part in PARTS}

    async def show(self, guest: str, **parts: str) -> None:
        """Choose to whom each part is shown."""
        await execute(
            self._store,
            delete(profiles).where(profiles.c.guest == guest),
            insert(profiles).values(guest=guest, **parts),
        )

    async def showing(self, guests: Iterable[str]) -> set[str]:
        """Those of these guests who have an account and show everybody at least a part of its profile."""
        people = {guest for guest in guests if guest.startswith(ACCOUNT)}
        if not people:
            return set()
        public = or_(*(profiles.c[part] == EVERYBODY for part in PARTS))
        found = await rows(self._store, select(profiles.c.guest).where(profiles.c.guest.in_(people) & public))
        return {row.guest for row in found}

    async def showing_games(self, guests: set[str]) -> set[str]:
        """Those of these accounts whose games everybody may see."""
        which = profiles.c.guest.in_(guests) & (profiles.c.games == EVERYBODY)
        return {row.guest for row in await rows(self._store, select(profiles.c.guest).where(which))}

    async def ratings(self, guest: str) -> dict[Kind, Skill]:
        """An account's skills, by game and variant."""
        found = await rows(self._store, select(ratings).where(ratings.c.player == guest))
        return {(row.game, row.variant): Skill(row.mu, row.sigma, row.games) for row in found}

    async def has_counted(self, table: str) -> bool | None:
        """Whether a rated game that is over changed ratings; None: it is not one."""
        return await self._store.run(self._read_counted, table)

    def _read_counted(self, table: str) -> bool | None:
        with self._store.engine.connect() as connection:
            return has_counted(connection, table)

    async def engines(self) -> dict[Kind, dict[int, Skill]]:
        """The skills of all engines by level: their rows are few."""
        found = await rows(self._store, select(ratings).where(ratings.c.player.startswith(ENGINE)))
        by_kind: dict[Kind, dict[int, Skill]] = {}
        for row in found:
            level = int(row.player.removeprefix(ENGINE))
            by_kind.setdefault((row.game, row.variant), {})[level] = Skill(row.mu, row.sigma, row.games)
        return by_kind

    async def finished(self, guest: str) -> list[Any]:
        """The last games of a player that are over: game, facts, own seats as bits; the latest first."""
        mine = seated.join(cards, cards.c.table_id == seated.c.table_id)
        query = select(cards.c.game, cards.c.facts, cards.c.touched, seated.c.seats).select_from(mine)
        query = query.where((seated.c.guest == guest) & (cards.c.status == "over"))
        return await rows(self._store, query.order_by(cards.c.touched.desc(), cards.c.table_id).limit(GAMES))

    async def solved(self, guest: str) -> list[Any]:
        """The puzzles that an account has solved, the latest first."""
        query = select(solved_puzzles).where(solved_puzzles.c.guest == guest)
        return await rows(self._store, query.order_by(solved_puzzles.c.at.desc()))

    async def add_solved(self, row: dict[str, Any]) -> None:
        """Keep a solved puzzle; the same one again changes nothing, nor do any beyond the limit for one account."""

        def work(connection: Connection) -> None:
            mine = solved_puzzles.c.guest == row["guest"]
            same = mine & (solved_puzzles.c.task == row["task"])
            number = connection.execute(select(func.count()).select_from(solved_puzzles).where(mine)).scalar_one()
            if number < PUZZLES and connection.execute(select(solved_puzzles).where(same)).first() is None:
                connection.execute(insert(solved_puzzles).values(row))

        with contextlib.suppress(IntegrityError):  # another process was quicker
            await self._store.write(work)
