"""Ratings in the store: each rated game counts once, when its result is written; a command recomputes all."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, and_, delete, func, insert, or_, select, text

from quatuor.games import names, rulebook
from quatuor.match.ratings import Played, Skill, updated
from quatuor.server.store.database import writing
from quatuor.server.store.schema import accounts, cards, rated_games, ratings, seated, tables
from quatuor.server.store.store import read_setup, stored_events
from quatuor.table import restore, summarise

RATING = 0x7261_7465  # a PostgreSQL lock: two games of one player never count at the same moment
ENGINE = "engine:"  # before the level, where a player is an engine
# Rated games of the same two people, in one game and variant, that count on one day (UTC). Without a limit, two
# accounts of one person could play each other all night. Their network says nothing: families and clubs share one.
OF_PAIR = 5
DAY = 86_400_000

Pair = tuple[str, str]  # of people


class Result(NamedTuple):
    """A rated game that is over."""

    table: str
    ended: int
    played: Played

    @property
    def day(self) -> int:
        """The start of the day on which it ended."""
        return self.ended - self.ended % DAY

    @property
    def pairs(self) -> list[Pair]:
        """Every pair of its people."""
        return list(combinations(sorted(one for one in self.played.players if not one.startswith(ENGINE)), 2))


def result_of(table: str, game: str, facts: dict[str, Any]) -> Result | None:
    """The result of a table by the facts of its summary; None if it does not count."""
    if not facts.get("rated") or not facts["ranking"]:
        return None
    seats = facts["seats"]
    players = tuple(f"{ENGINE}{seat['level']}" if seat["kind"] == "engine" else seat["guest"] for seat in seats)
    played = Played(f"{game}:{facts['variant']}", players, tuple(facts["ranking"]), sides_of(game, facts["variant"]))
    return Result(table, facts["ended"] or 0, played)


def sides_of(game: str, variant: str) -> tuple[int, ...]:
    """The side of each seat, where seats are allies."""
    if game not in names():
        return ()
    return next((tuple(found.sides) for found in rulebook(game).variants if found.name == variant), ())


def count(connection: Connection, results: list[Result]) -> None:
    """Count games that are over, each once, in the transaction that writes their summaries.

    Those that change no rating, since the same people have played too many that day, are noted too.
    """
    if not results:
        return
    _lock(connection)
    wanted = [result.table for result in results]
    known = set(connection.execute(select(rated_games.c.table_id).where(rated_games.c.table_id.in_(wanted))).scalars())
    for result in sorted(results, key=lambda found: (found.ended, found.table)):
        if result.table not in known:
            connection.execute(insert(rated_games).values(table_id=result.table, ended=result.ended))
            if all(_met(connection, result, pair) < OF_PAIR for pair in result.pairs):
                kind, players = result.played.kind, set(result.played.players)
                _write(connection, kind, updated(result.played, _read(connection, kind, players)))


def has_counted(connection: Connection, table: str) -> bool | None:
    """Whether a rated game that is over changed ratings; None: it is not rated, not over, or was called off."""
    known = rated_games.join(cards, cards.c.table_id == rated_games.c.table_id)
    query = select(cards.c.game, cards.c.facts).select_from(known).where(rated_games.c.table_id == table)
    row = connection.execute(query).one_or_none()
    result = result_of(table, row.game, row.facts) if row else None
    return all(_met(connection, result, pair) < OF_PAIR for pair in result.pairs) if result else None


def recompute(engine: Engine) -> int:
    """Recompute all ratings from the stored games, in the order in which they ended; returns how many games counted."""
    with writing(engine) as connection:
        _lock(connection)
        results = sorted(_stored(connection), key=lambda found: (found.ended, found.table))
        skills: dict[str, dict[str, Skill]] = {}
        met: Counter[tuple[str, int, Pair]] = Counter()
        counted = 0
        for result in results:
            kind, day = result.played.kind, result.day
            if all(met[kind, day, pair] < OF_PAIR for pair in result.pairs):
                counted += 1
                known = skills.setdefault(kind, {})
                known |= updated(result.played, known)
            met.update((kind, day, pair) for pair in result.pairs)
        connection.execute(delete(ratings))
        connection.execute(delete(rated_games))
        for result in results:
            connection.execute(insert(rated_games).values(table_id=result.table, ended=result.ended))
        for kind, known in skills.items():
            _write(connection, kind, known)
    return counted


def _met(connection: Connection, result: Result, pair: Pair) -> int:
    """How many rated games of this kind two people had played that day before this one."""
    game, _, variant = result.played.kind.partition(":")
    one, other = seated.alias(), seated.alias()
    played = rated_games.join(cards, cards.c.table_id == rated_games.c.table_id)
    played = played.join(one, and_(one.c.table_id == cards.c.table_id, one.c.guest == pair[0]))
    played = played.join(other, and_(other.c.table_id == cards.c.table_id, other.c.guest == pair[1]))
    ended, table = rated_games.c.ended, rated_games.c.table_id
    before = or_(ended < result.ended, and_(ended == result.ended, table < result.table))
    same = (cards.c.game == game) & (cards.c.facts["variant"].as_string() == variant)
    query = select(func.count()).select_from(played).where(same, ended >= result.day, before)
    return connection.execute(query).scalar_one()


def _lock(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({RATING})"))


def _stored(connection: Connection) -> Iterator[Result]:
    """The results of all rated tables, replayed from their events."""
    for name, setup in connection.execute(select(tables.c.id, tables.c.setup)).all():
        if setup.get("rated"):
            table, _ = restore(read_setup(setup), stored_events(connection, name))
            if found := result_of(name, table.setup.game, summarise(table).facts):
                yield found


def _read(connection: Connection, kind: str, players: set[str]) -> dict[str, Skill]:
    game, _, variant = kind.partition(":")
    which = (ratings.c.game == game) & (ratings.c.variant == variant) & ratings.c.player.in_(players)
    return {row.player: Skill(row.mu, row.sigma, row.games) for row in connection.execute(select(ratings).where(which))}


def _write(connection: Connection, kind: str, skills: Mapping[str, Skill]) -> None:
    """The ratings of engines and of accounts that still exist."""
    game, _, variant = kind.partition(":")
    people = [player for player in skills if not player.startswith(ENGINE)]
    known = set(connection.execute(select(accounts.c.guest).where(accounts.c.guest.in_(people))).scalars())
    kept = {player: skill for player, skill in skills.items() if player.startswith(ENGINE) or player in known}
    same = (ratings.c.game == game) & (ratings.c.variant == variant) & ratings.c.player.in_(list(kept))
    connection.execute(delete(ratings).where(same))
    rows = [{"player": player, "game": game, "variant": variant, **skill._asdict()} for player, skill in kept.items()]
    if rows:
        connection.execute(insert(ratings), rows)
