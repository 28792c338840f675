"""A tournament: a list of things that happened, from which everything else is computed.

The file has one event a line, as JSON: ``created``, ``entered``, ``withdrawn``, ``paired``, ``played`` (with the record
of the game), ``forfeited``. Nothing is ever changed or taken away, so standings can be recomputed at any time.

Formats
- ``round_robin``: everybody meets everybody. For three or four seats, whoever has met least often sits together, until
  every two have met.
- ``swiss``: as many rounds as were agreed; equals meet, and nobody meets twice while that can be avoided.
- ``knockout``: the first of a table for two, the first two of a larger one, go on; a tie at the cut is played again.
  The first to enter meet the last; where players are too many for full tables, the first sit out; where they are too
  few for the last table, the best of those who went out come back.

Standing: points of the rulebook (``Rulebook.match_points``), then first places, then the points of the opponents one
has met (Buchholz), then a shared place. A bye is worth what the winners of that round's other tables got on average, a
walkover what a win is worth at least; in a round robin a bye is worth nothing, since everybody has one.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.match import knockout, pairing
from quatuor.match.knockout import Result
from quatuor.match.pairing import Table
from quatuor.record import RecordError, load

FORMATS = ("round_robin", "swiss", "knockout")
LONGEST_NAME = 60
MOST_PLAYERS = 1000


class TournamentError(ValueError):
    """Something that cannot be done; the message says why and what could be."""


@dataclass
class Round:
    """The tables of a round, who sits out, and the results so far by table (from 0)."""

    tables: list[Table]
    byes: list[str]
    results: dict[int, Result]

    @property
    def missing(self) -> list[int]:
        return [table for table in range(len(self.tables)) if table not in self.results]


@dataclass(frozen=True)
class Standing:
    """A player's line."""

    place: int  # from 1; equals share the better place
    player: str
    points: Fraction
    firsts: int
    buchholz: Fraction
    games: int
    byes: int
    withdrawn: bool


class Tournament:
    """A tournament, kept in a file if it has one.

    >>> cup = Tournament.create("plus4", players=("Ann", "Ben", "Cem"), format="round_robin")
    >>> cup.pair().tables
    [('Ben', 'Cem')]
    """

    def __init__(self, events: list[dict[str, Any]], path: Path | None = None) -> None:
        self.path = path
        self.events: list[dict[str, Any]] = []
        self.players: list[str] = []
        self.withdrawn: set[str] = set()
        self.rounds: list[Round] = []
        for event in events:
            self._happen(event)

    # ---- making one

    @classmethod
    def create(
        cls,
        game: str,
        variant: str | None = None,
        options: dict[str, Any] | None = None,
        *,
        format: str = "swiss",
        rounds: int | None = None,
        players: tuple[str, ...] | list[str] = (),
        title: str = "",
        path: Path | None = None,
    ) -> "Tournament":
        """A new tournament. A file that exists already is not written over."""
        if format not in FORMATS:
            raise TournamentError(f"format={format!r}: choose one of {', '.join(FORMATS)}")
        if rounds is not None and rounds < 1:
            raise TournamentError(f"rounds={rounds!r}: choose a whole number from 1")
        kind = Game(rulebook(game), variant, options or {})
        if path is not None and path.exists():
            raise TournamentError(f"{path} exists already; choose another name")
        about = {"game": game, "variant": kind.variant.name, "options": dict(kind.options)}
        cup = cls([], path)
        cup._add({"kind": "created", **about, "format": format, "rounds": rounds, "title": title})
        for player in players:
            cup.enter(player)
        return cup

    @classmethod
    def open(cls, path: Path) -> "Tournament":
        """Read a tournament's file; a damaged line is named."""
        cup = cls([], path)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            try:
                cup._happen(json.loads(line))
            except (ValueError, KeyError, TypeError, IndexError, AttributeError) as why:
                raise TournamentError(f"{path}, line {number}: {why}") from None
        if not cup.events:
            raise TournamentError(f"{path} is empty: no tournament")
        return cup

    # ---- what may happen

    def enter(self, player: str) -> None:
        """Somebody joins, also late: rounds that were missed bring nothing."""
        name = player.strip()
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise TournamentError(f"{player!r}: a name has 1 to {LONGEST_NAME} printable characters")
        if name in self.players:
            raise TournamentError(f"{name} has entered already")
        if len(self.players) >= MOST_PLAYERS:
            raise TournamentError(f"there are {MOST_PLAYERS} players: no more can enter")
        if self.format == "knockout" and self.rounds:
            raise TournamentError("a knock-out takes nobody once it has begun")
        self._add({"kind": "entered", "player": name})

    def withdraw(self, player: str) -> None:
        """Somebody leaves: results stand, no more games."""
        self._known(player)
        if player in self.withdrawn:
            raise TournamentError(f"{player} has withdrawn already")
        self._add({"kind": "withdrawn", "player": player})

    def pair(self) -> Round:
        """Draw up the next round."""
        if self.rounds and self.rounds[-1].missing:
            missing = ", ".join(str(table + 1) for table in self.rounds[-1].missing)
            raise TournamentError(f"round {len(self.rounds)} is not over: no result of table {missing}")
        if self.over:
            raise TournamentError("the tournament is over")
        tables, out = self._next()
        if not tables:
            raise TournamentError(f"{len(self._active)} players: {self.seats} are needed for a table")
        sat = Counter((player, seat) for r in self.rounds for t in r.tables for seat, player in enumerate(t))
        seated = [list(pairing.seated(table, sat)) for table in tables]
        self._add({"kind": "paired", "tables": seated, "byes": out})
        return self.rounds[-1]

    def report(self, table: int, record: str) -> Result:
        """Count the game of a table (from 1) of this round, from its record."""
        players = self._waiting(table)
        try:
            game = load(record)
        except RecordError as why:
            raise TournamentError(f"the record of table {table} is damaged: {why}") from None
        self._fits(game, players)
        self._add({"kind": "played", "round": len(self.rounds), "table": table, "record": record})
        return self.rounds[-1].results[table - 1]

    def forfeit(self, table: int, player: str) -> Result:
        """A player of this round did not come: last, and the others share the first place."""
        players = self._waiting(table)
        if player not in players:
            raise TournamentError(f"{player} does not sit at table {table}; there are {', '.join(players)}")
        self._add({"kind": "forfeited", "round": len(self.rounds), "table": table, "player": player})
        return self.rounds[-1].results[table - 1]

    # ---- how it stands

    @property
    def seats(self) -> int:
        """Players at a table."""
        return self._kind.seats

    @property
    def over(self) -> bool:
        """Whether all rounds have been played."""
        if not self.rounds or self.rounds[-1].missing:
            return False
        if self.format == "knockout":
            return len(self._through()) <= 1
        if self.format == "swiss":
            return len(self.rounds) >= self._swiss_rounds
        times, active = pairing.met(self._tables()), self._active
        return all(times[frozenset((a, b))] for i, a in enumerate(active) for b in active[:i])

    def standings(self) -> list[Standing]:
        """From first to last."""
        points, firsts, games, sat_out = self._sums()
        opponents: dict[str, Fraction] = {player: Fraction() for player in self.players}
        for result in self._results():
            for player in result.players:
                opponents[player] += sum((points[other] for other in result.players if other != player), Fraction())
        reached = self._reached()
        rank = {p: (reached[p], points[p], firsts[p], opponents[p]) for p in self.players}
        rows = [
            Standing(
                1 + sum(other > rank[player] for other in rank.values()),
                player,
                points[player],
                firsts[player],
                opponents[player],
                games[player],
                sat_out[player],
                player in self.withdrawn,
            )
            for player in self.players
        ]
        return sorted(rows, key=lambda row: row.place)

    def cross_table(self) -> dict[str, dict[str, Fraction]]:
        """For each player, the points made in games against each other one."""
        cells: dict[str, dict[str, Fraction]] = {player: {} for player in self.players}
        for result in self._results():
            for player, points in zip(result.players, result.points, strict=True):
                for other in result.players:
                    if other != player:
                        cells[player][other] = cells[player].get(other, Fraction()) + points
        return cells

    def records(self) -> Iterator[tuple[int, int, str]]:
        """Round, table and record of every game played."""
        for event in self.events:
            if event["kind"] == "played":
                yield event["round"], event["table"], event["record"]

    # ---- inside

    @property
    def _active(self) -> list[str]:
        """Those who play on, from first to last."""
        return [row.player for row in self.standings() if not row.withdrawn]

    @property
    def _swiss_rounds(self) -> int:
        return self._rounds or max(1, (len(self.players) - 1).bit_length())

    def _add(self, event: dict[str, Any]) -> None:
        """Let something happen, and keep it."""
        self._happen(event)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(event, ensure_ascii=False) + "\n")

    def _happen(self, event: dict[str, Any]) -> None:
        kind = event["kind"]
        if (kind == "created") != (not self.events):
            raise TournamentError("a tournament's file begins with a line of kind created, and has no other one")
        happened: dict[str, Callable[[dict[str, Any]], None]] = {
            "created": self._created, "entered": lambda e: self.players.append(e["player"]),
            "withdrawn": lambda e: self.withdrawn.add(e["player"]), "paired": self._paired,
            "played": self._played, "forfeited": self._forfeited,
        }  # fmt: skip
        if kind not in happened:
            raise TournamentError(f"unknown kind of event {kind!r}; known are {', '.join(happened)}")
        happened[kind](event)
        self.events.append(event)

    def _created(self, event: dict[str, Any]) -> None:
        self._kind = Game(rulebook(event["game"]), event["variant"], event["options"])
        self.format, self._rounds, self.title = event["format"], event["rounds"], event["title"]

    def _paired(self, event: dict[str, Any]) -> None:
        self.rounds.append(Round([tuple(table) for table in event["tables"]], list(event["byes"]), {}))

    def _played(self, event: dict[str, Any]) -> None:
        players = self.rounds[event["round"] - 1].tables[event["table"] - 1]
        game = load(event["record"])
        self._fits(game, players)
        ranking = ranking_of(game)
        worth = self._kind.book.match_points(game.variant.name, game.scores, ranking)
        self._count(event, Result(players, ranking, tuple(map(Fraction, worth))))

    def _forfeited(self, event: dict[str, Any]) -> None:
        """Whoever is there shares the first place."""
        players = self.rounds[event["round"] - 1].tables[event["table"] - 1]
        ranking = tuple(len(players) if player == event["player"] else 1 for player in players)
        worth = self._kind.book.match_points(self._kind.variant.name, (0,) * len(players), ranking)
        self._count(event, Result(players, ranking, tuple(map(Fraction, worth))))

    def _count(self, event: dict[str, Any], result: Result) -> None:
        results = self.rounds[event["round"] - 1].results
        if event["table"] - 1 in results:
            raise TournamentError(f"round {event['round']}, table {event['table']}: a result is counted already")
        results[event["table"] - 1] = result

    def _waiting(self, table: int) -> Table:
        """The players of a table (from 1) whose result is still missing."""
        if not self.rounds:
            raise TournamentError("no round has been paired yet")
        tables, missing = self.rounds[-1].tables, self.rounds[-1].missing
        if not 1 <= table <= len(tables):
            raise TournamentError(f"no table {table}; round {len(self.rounds)} has tables 1 to {len(tables)}")
        if table - 1 not in missing:
            raise TournamentError(f"round {len(self.rounds)}, table {table}: a result is counted already")
        return tables[table - 1]

    def _fits(self, game: Game, players: Table) -> None:
        """Raise unless a game is one of this tournament's, between these players, and finished."""
        wanted, kind = self._kind, (game.name, game.variant, game.options)
        if kind != (wanted.name, wanted.variant, wanted.options):
            raise TournamentError(f"{game!r} is not {wanted.name}:{wanted.variant.name} with {wanted.options}")
        names = tuple(game.headers.get(f"Seat{seat}", "?") for seat in range(game.seats))
        if names != players and set(names) != {"?"}:
            raise TournamentError(f"the record names {', '.join(names)}; at the table sit {', '.join(players)}")
        if not game.over and not game.headers.get("Termination"):
            raise TournamentError("the game is not over")

    def _known(self, player: str) -> None:
        if player not in self.players:
            raise TournamentError(f"{player} has not entered; players: {', '.join(self.players) or 'none'}")

    def _results(self) -> Iterator[Result]:
        return (result for r in self.rounds for result in r.results.values())

    def _tables(self) -> list[Table]:
        return [table for r in self.rounds for table in r.tables]

    def _sums(self) -> tuple[dict[str, Fraction], Counter[str], Counter[str], Counter[str]]:
        """Points, first places, games and byes of everybody."""
        points = dict.fromkeys(self.players, Fraction())
        firsts: Counter[str] = Counter()
        games: Counter[str] = Counter()
        sat_out: Counter[str] = Counter()
        for r in self.rounds:
            won = []
            for result in r.results.values():
                for player, worth, place in zip(result.players, result.points, result.ranking, strict=True):
                    points[player] += worth
                    games[player] += 1
                    firsts[player] += place == 1
                    won += [worth] * (place == 1)
            for player in r.byes:
                sat_out[player] += 1
                if self.format == "swiss" and won:
                    points[player] += sum(won, Fraction()) / len(won)
        return points, firsts, games, sat_out

    def _reached(self) -> Counter[str]:
        """In a knock-out, the last round that somebody survived; else nothing."""
        reached: Counter[str] = Counter()
        if self.format == "knockout":
            for number, r in enumerate(self.rounds, 1):
                for player in (*knockout.survivors(r.results.values(), self._best(r)), *r.byes):
                    reached[player] = number
        return reached

    def _through(self) -> list[str]:
        """Who is still in a knock-out; those who have to play again among them."""
        if not self.rounds:
            return list(self.players)
        last = self.rounds[-1]
        again = {player for table in self._tied() for player in table}
        inside = {*knockout.survivors(last.results.values(), self._best(last)), *last.byes, *again}
        return [player for player in self.players if player in inside and player not in self.withdrawn]

    def _best(self, r: Round) -> int:
        """How many of a table go on: one from the last table and from tables for two, else two."""
        return 1 if self.seats == 2 or (len(r.tables) == 1 and not r.byes) else 2

    def _tied(self) -> list[Table]:
        """Tables of the last round that have to play again."""
        return knockout.tied(self.rounds[-1].results.values(), self._best(self.rounds[-1])) if self.rounds else []

    def _next(self) -> tuple[list[Table], list[str]]:
        """The tables of the next round, and who sits out."""
        if self.format == "knockout":
            return self._next_knockout()
        active, times = self._active, pairing.met(self._tables())
        if self.format == "round_robin" and self.seats == 2 and not self.withdrawn and self._nobody_came_late():
            tables = pairing.circle(self.players, len(self.rounds))
            return tables, [player for player in self.players if player not in {p for t in tables for p in t}]
        *_, sat_out = self._sums()
        out = pairing.byes(active, self.seats, sat_out)
        near = self.format == "swiss"
        return pairing.by_standing([p for p in active if p not in out], self.seats, times, near), out

    def _nobody_came_late(self) -> bool:
        kinds = [event["kind"] for event in self.events]
        return "paired" not in kinds or "entered" not in kinds[kinds.index("paired") :]

    def _next_knockout(self) -> tuple[list[Table], list[str]]:
        again, inside = self._tied(), self._through()
        if again:
            return again, [player for player in inside if player not in {p for table in again for p in table}]
        if (
            len(inside) <= self.seats
        ):  # the last table; where a seat is empty, the best of those who went out comes back
            others = [player for player in self._active if player not in inside]
            last = (*inside, *others[: self.seats - len(inside)])
            return ([last] if len(last) == self.seats else []), []
        out = knockout.byes(inside, self.seats)
        return knockout.folded([player for player in inside if player not in out], self.seats), out


def ranking_of(game: Game) -> tuple[int, ...]:
    """Places by the rules, or as the record says where the game ended otherwise."""
    if game.over:
        return game.ranking
    return tuple(int(place) for place in game.headers["Result"].split("-"))
