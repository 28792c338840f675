"""A tournament: a list of events, from which everything else is computed.

The file has one event a line, as JSON: ``created``, ``scheduled`` (when the first round is to start), ``entered``,
``withdrawn``, ``paired``, ``played`` (with the record of the game), ``decided`` (a result without a record),
``stated`` (what a player says the result is; it does not count by itself), ``moved`` (a game that was to be played
online is played over the board, with a note), ``forfeited``, ``corrected`` (another result for a table that has one,
with a note), ``renamed``, ``closed``. ``tournament_state.py`` says what follows from them.

Formats
- ``round_robin``: everybody meets everybody. At tables of three or four, those who have met least often sit together,
  until every two have met.
- ``swiss``: a fixed number of rounds; players with equal points meet, and no two meet twice while that can be avoided.
- ``knockout``: the first of a table for two, the first two of a larger one, go on; a tie at the cut is played again.
  The first to enter meet the last; where players are too many for full tables, the first have a bye; where they are too
  few for the last table, the best of those who went out come back.
"""

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.match import pairing
from quatuor.match.knockout import Result
from quatuor.match.next_round import next_tables
from quatuor.match.pairing import Table
from quatuor.match.standings import Round, ranking_by
from quatuor.match.tournament_events import TournamentError, check_game, check_player, names_in
from quatuor.match.tournament_state import TournamentState, line_of
from quatuor.record import RecordError, load, name_seats
from quatuor.record_text import check_names

__all__ = ["FORMATS", "LONGEST_NAME", "LONGEST_NOTE", "MOST_PLAYERS", "Tournament", "TournamentError"]

FORMATS = ("round_robin", "swiss", "knockout")
LONGEST_NAME = 60
LONGEST_NOTE = 200  # to a corrected result
MOST_PLAYERS = 1000


def _file(path: Any) -> Path | None:
    """The file of a tournament; TypeError if this names none."""
    if path is None or isinstance(path, Path):
        return path
    if not isinstance(path, str) or not path:
        raise TypeError(f"path={path!r}: give a pathlib.Path or the name of a file")
    return Path(path)


class Tournament(TournamentState):
    """A tournament, kept in a file if it has one.

    >>> tournament = Tournament.create("plus4", players=("Ann", "Ben", "Cem"), format="round_robin")
    >>> tournament.pair().tables
    [('Ben', 'Cem')]

    Every method that changes something raises TournamentError, a ValueError, if it is not possible.
    """

    # ---- create and open

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
        path: Path | str | None = None,
    ) -> "Tournament":
        """Create a tournament, and its file if there is a ``path``.

        Raises:
            TournamentError: The format or the number of rounds is wrong, or the file exists already.
            ValueError: There is no such game, variant or option.
        """
        check_names(players=players)
        file = _file(path)
        if not isinstance(title, str):
            raise TypeError(f"title={title!r}: give text")
        if not isinstance(format, str) or format not in FORMATS:
            raise TournamentError(f"format={format!r}: choose one of {', '.join(FORMATS)}")
        if rounds is not None and (isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1):
            raise TournamentError(f"rounds={rounds!r}: choose a whole number from 1")
        kind = Game(rulebook(game), variant, options or {})
        if file is not None and file.exists():
            raise TournamentError(f"{file} exists already; choose another name")
        about = {"game": game, "variant": kind.variant.name, "options": dict(kind.options)}
        tournament = cls([], None)
        tournament._add({"kind": "created", **about, "format": format, "rounds": rounds, "title": title})
        for player in players:
            tournament.enter(player)
        if file is not None:
            file.write_text("".join(map(line_of, tournament.events)), encoding="utf-8")  # nothing was refused
            tournament.path = file
        return tournament

    @classmethod
    def open(cls, path: Path | str) -> "Tournament":
        """Read the file of a tournament.

        Raises:
            TournamentError: A line is damaged; the message names it.
        """
        file = _file(path)
        if file is None:
            raise TypeError("path=None: name the file of a tournament")
        tournament = cls([], file)
        try:
            lines = file.read_text(encoding="utf-8").removesuffix("\n")
        except UnicodeDecodeError as why:
            raise TournamentError(f"{path}: this is not UTF-8 text (byte {why.start + 1})") from None
        for number, line in enumerate(lines.split("\n") if lines else [], 1):  # a comment may hold U+2028
            try:
                tournament.happen(json.loads(line))
            except json.JSONDecodeError:
                raise TournamentError(f"{path}, line {number}: this is not an event of a tournament") from None
            except (ValueError, KeyError, TypeError, IndexError, AttributeError) as why:
                raise TournamentError(f"{path}, line {number}: {why}") from None
        if not tournament.events:
            raise TournamentError(f"{path} is empty: no tournament")
        return tournament

    # ---- actions

    def enter(self, player: str) -> None:
        """Enter a player, also late or again. Missed rounds bring no points."""
        name = player.strip()
        self._check_name(name)
        if name in self.players and name not in self.withdrawn:
            raise TournamentError(f"{name} has entered already")
        if len(self.players) >= MOST_PLAYERS:
            raise TournamentError(f"there are {MOST_PLAYERS} players: no more can enter")
        if self.format == "knockout" and self.rounds:
            raise TournamentError("nobody can enter a knock-out once it has begun")
        self._add({"kind": "entered", "player": name})

    def schedule(self, starts: datetime | None) -> None:
        """Set when the first round is to start, or None for no fixed time. Only the time is kept: ``pair`` starts it.

        >>> tournament = Tournament.create("plus4", players=("Ann", "Ben"))
        >>> tournament.schedule(datetime(2026, 11, 20, 19, tzinfo=UTC))
        >>> tournament.events[-1]["at"]
        '2026-11-20T19:00:00+00:00'
        """
        if self.rounds:
            raise TournamentError("the first round has been paired already")
        if starts is not None and starts.tzinfo is None:
            raise TournamentError(f"{starts}: a time needs a time zone")
        self._add({"kind": "scheduled", "at": starts and starts.astimezone(UTC).isoformat(timespec="seconds")})

    def withdraw(self, player: str) -> None:
        """Withdraw a player: results stand, no more games."""
        check_player(self, player)
        if player in self.withdrawn:
            raise TournamentError(f"{player} has withdrawn already")
        self._add({"kind": "withdrawn", "player": player})

    def rename(self, player: str, name: str) -> None:
        """Rename a player, in earlier rounds too."""
        check_player(self, player)
        self._check_name(name)
        if name in self.players:
            raise TournamentError(f"{name} is already the name of a player")
        self._add({"kind": "renamed", "player": player, "name": name})

    def pair(self) -> Round:
        """Pair the next round."""
        self._complete()
        if self.over:
            raise TournamentError("the tournament is over")
        tables, out = next_tables(self)
        if not tables:
            raise TournamentError(f"{len(self.active)} players: {self.seats} are needed for a table")
        sat = Counter((player, seat) for r in self.rounds for t in r.tables for seat, player in enumerate(t))
        seated = [list(pairing.seated(table, sat)) for table in tables]
        self._add({"kind": "paired", "tables": seated, "byes": out})
        return self.rounds[-1]

    def report(self, table: int, record: str) -> Result:
        """Count the game of a table (from 1) of this round. A record without names gets those of the players."""
        players = self._waiting(table)
        try:
            game = load(record)
        except RecordError as why:
            raise TournamentError(f"the record of table {table} is damaged: {why}") from None
        check_game(self, game, players)
        named = record if names_in(game) == players else name_seats(record, players)
        self._add({"kind": "played", "round": len(self.rounds), "table": table, "record": named})
        return self.rounds[-1].results[table - 1]

    def forfeit(self, table: int, player: str) -> Result:
        """Forfeit a player who did not come: last place; the others at the table share the first."""
        self._sits(table, player)
        self._add({"kind": "forfeited", "round": len(self.rounds), "table": table, "player": player})
        return self.rounds[-1].results[table - 1]

    def decide(self, table: int, ranking: Sequence[int] = (), scores: Sequence[int] = ()) -> Result:
        """Count a game of this round that has no record, by the places or by the scores of the seats.

        >>> tournament = Tournament.create("plus4", players=("Ann", "Ben"))
        >>> table = tournament.pair().tables[0]
        >>> tournament.decide(1, ranking=(2, 1)).first(1) == [table[1]]
        True
        """
        self._waiting(table)
        self._add({"kind": "decided", "round": len(self.rounds), "table": table, **self._places(ranking, scores)})
        return self.rounds[-1].results[table - 1]

    def state(self, table: int, player: str, ranking: Sequence[int] = (), scores: Sequence[int] = ()) -> None:
        """Note what a player says the result of a game of this round is. It counts once ``decide`` is called.

        >>> tournament = Tournament.create("plus4", players=("Ann", "Ben"))
        >>> tournament.pair().tables[0]
        ('Ann', 'Ben')
        >>> tournament.state(1, "Ben", ranking=(1, 2))
        >>> tournament.rounds[-1].stated[0]["Ben"].ranking
        (1, 2)
        """
        self._sits(table, player)
        result = self._places(ranking, scores)
        self._add({"kind": "stated", "round": len(self.rounds), "table": table, "player": player, **result})

    def move_to_board(self, table: int, note: str) -> None:
        """A game of this round that was to be played online is played over the board; the note says why."""
        self._waiting(table)
        self._check_note(note.strip(), "moving a game to a board")
        self._add({"kind": "moved", "round": len(self.rounds), "table": table, "note": note.strip()})

    def correct(
        self, round: int, table: int, note: str, ranking: Sequence[int] = (), scores: Sequence[int] = ()
    ) -> Result:
        """Replace the result of a table, in any round; a knock-out's only in its last. The note says why."""
        note = note.strip()
        self._check_note(note, "a correction")
        if not 1 <= round <= len(self.rounds) or table - 1 not in self.rounds[round - 1].results:
            raise TournamentError(f"round {round}, table {table} has no result yet")
        if self.format == "knockout" and round < len(self.rounds):
            raise TournamentError(f"round {round} decided who plays in round {round + 1}: it stands")
        result = self._places(ranking, scores)
        self._add({"kind": "corrected", "round": round, "table": table, **result, "note": note})
        return self.rounds[round - 1].results[table - 1]

    def close(self) -> None:
        """End the tournament before all rounds are played; results stand."""
        if not self.rounds:
            raise TournamentError("no round has been paired yet")
        self._complete()
        if self.over:
            raise TournamentError("the tournament is over")
        self._add({"kind": "closed"})

    # ---- inside

    def _add(self, event: dict[str, Any]) -> None:
        """Apply an event and write it."""
        self.happen(event)
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line_of(event))

    def _places(self, ranking: Sequence[int], scores: Sequence[int]) -> dict[str, Any]:
        """The places and scores of a table as an event has them; scores alone give the places."""
        if scores and len(scores) != self.seats:
            raise TournamentError(f"scores: give {self.seats} numbers, one for each seat")
        places = tuple(ranking) or ranking_by(scores)
        if not places or (self.scored and not scores):
            raise TournamentError(f"the result is missing: give {'scores' if self.scored else 'places or scores'}")
        if len(places) != self.seats or places != ranking_by([-place for place in places]):
            raise TournamentError(f"places {places}: give {self.seats} places from 1; equals share the better place")
        if scores and places != ranking_by(scores):
            raise TournamentError(f"places {places} do not follow from the scores {tuple(scores)}")
        return {"ranking": list(places), "scores": list(scores) or None}

    def _complete(self) -> None:
        """Raise unless the last round has all its results."""
        if self.rounds and self.rounds[-1].missing:
            missing = ", ".join(str(table + 1) for table in self.rounds[-1].missing)
            raise TournamentError(f"round {len(self.rounds)} is not over: no result of table {missing}")

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

    def _sits(self, table: int, player: str) -> None:
        """Raise unless a player waits for a result at a table."""
        players = self._waiting(table)
        if player not in players:
            raise TournamentError(f"{player} does not sit at table {table}; there are {', '.join(players)}")

    @staticmethod
    def _check_note(note: str, what: str) -> None:
        if not note or len(note) > LONGEST_NOTE or not note.isprintable():
            raise TournamentError(f"{what} needs a note of 1 to {LONGEST_NOTE} printable characters")

    @staticmethod
    def _check_name(name: str) -> None:
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise TournamentError(f"{name!r}: a name has 1 to {LONGEST_NAME} printable characters")
