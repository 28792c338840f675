"""What the events of a tournament have made of it: players, rounds and standings.

Events are only ever added, so all of it can be computed again at any time. ``renamed`` gives a player another name in
all events before it: what is shown and exported has the new name only.

Standing: points of the rulebook (``Rulebook.match_points``), then first places, then the points of the opponents met
(Buchholz), then a shared place. A bye is worth what the winners of that round's other tables got on average; in a round
robin it is worth nothing, since every player has one. Where points are scores, the winner of a game that was broken off
gets no less than 0; a player who went out while the others played on gets no more than the last of them.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

from quatuor.game import Game
from quatuor.match import pairing
from quatuor.match.knockout import Result
from quatuor.match.next_round import reached, tables_of, through
from quatuor.match.standings import Round, Standing, crossed, sums, worth_of
from quatuor.match.tournament_events import apply
from quatuor.record import name_seats


class TournamentState:
    """A tournament to read; `Tournament` can also change it."""

    kind: Game  # a game of it that is never played
    format: str
    title: str
    swiss_rounds: int | None  # as asked for; None: ``planned`` follows from the players

    def __init__(self, events: list[dict[str, Any]], path: Path | None = None) -> None:
        self.path = path
        self.events: list[dict[str, Any]] = []
        self.players: list[str] = []
        self.withdrawn: set[str] = set()
        self.rounds: list[Round] = []
        self.closed = False  # ended before all rounds were played
        self.starts: datetime | None = None  # when the first round is to start
        for event in events:
            self.happen(event)

    def __repr__(self) -> str:
        return f"<Tournament {getattr(self, 'title', '')!r}, {len(self.players)} players, {len(self.rounds)} rounds>"

    def happen(self, event: dict[str, Any]) -> None:
        """Apply an event, a line of the file; nothing is written."""
        apply(self, event)
        self.events.append(event)

    def text(self) -> str:
        """The tournament's file, with the names that players have now."""
        return "".join(map(line_of, self._named_events()))

    @property
    def seats(self) -> int:
        """Players at a table."""
        return self.kind.seats

    @property
    def scored(self) -> bool:
        """Whether the points of a game are its scores, so that a result needs scores and not only places."""
        first = tuple(range(1, self.seats + 1))
        return worth_of(self.kind, first, (1,) * self.seats) != worth_of(self.kind, first, (2,) * self.seats)

    @property
    def planned(self) -> int | None:
        """The number of rounds of a Swiss; None: the other formats end by their results."""
        return (self.swiss_rounds or max(1, (len(self.players) - 1).bit_length())) if self.format == "swiss" else None

    @property
    def over(self) -> bool:
        """Whether all rounds have been played, or it was closed."""
        if not self.rounds or self.rounds[-1].missing:
            return False
        if self.closed:
            return True
        if self.format == "knockout":
            return len(through(self)) <= 1
        if self.format == "swiss":
            return len(self.rounds) >= (self.planned or 0)
        times, active = pairing.met(tables_of(self)), self.active
        return all(times[frozenset((a, b))] for i, a in enumerate(active) for b in active[:i])

    @property
    def active(self) -> list[str]:
        """The players who have not left, from first to last."""
        return [row.player for row in self.standings() if not row.withdrawn]

    def standings(self) -> list[Standing]:
        """From first to last, without players who left before their first game."""
        points, firsts, games, sat_out = sums(self.players, self.rounds, self.format == "swiss")
        opponents: dict[str, Fraction] = {player: Fraction() for player in self.players}
        for result in self._results():
            for player in result.players:
                opponents[player] += sum((points[other] for other in result.players if other != player), Fraction())
        survived = reached(self)
        listed = [p for p in self.players if p not in self.withdrawn or games[p] or sat_out[p]]
        rank = {p: (survived[p], points[p], firsts[p], opponents[p]) for p in listed}
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
            for player in listed
        ]
        return sorted(rows, key=lambda row: row.place)

    def cross_table(self) -> dict[str, dict[str, Fraction]]:
        """For each player, the points made in games against each opponent."""
        return crossed(self.players, self._results())

    def records(self) -> Iterator[tuple[int, int, str]]:
        """Round, table and record of every game played, with the names that players have now."""
        for event in self._named_events():
            if event["kind"] == "played":
                yield event["round"], event["table"], event["record"]

    # ---- inside

    def _named_events(self) -> Iterator[dict[str, Any]]:
        """The events with the names that players have now, also in records without names."""
        shown: list[dict[str, Any]] = []
        for event in self.events:
            if event["kind"] == "renamed":
                shown = [_with_name(one, event["player"], event["name"]) for one in shown]
            else:
                shown.append(event)
        for event in shown:
            if event["kind"] == "played":
                players = self.rounds[event["round"] - 1].tables[event["table"] - 1]
                yield event | {"record": name_seats(event["record"], players)}
            else:
                yield event

    def _results(self) -> Iterator[Result]:
        return (result for r in self.rounds for result in r.results.values())


def _with_name(event: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    """An event with a player's new name; records are named from their tables."""
    if event.get("player") == old:
        return event | {"player": new}
    if event["kind"] == "paired":
        tables = [[new if player == old else player for player in table] for table in event["tables"]]
        return event | {"tables": tables, "byes": [new if player == old else player for player in event["byes"]]}
    return event


def line_of(event: dict[str, Any]) -> str:
    """A line of the file."""
    return json.dumps(event, ensure_ascii=False) + "\n"
