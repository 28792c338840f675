"""Who meets whom in the next round of a tournament, and who is still in a knock-out."""

from collections import Counter
from typing import TYPE_CHECKING

from quatuor.match import knockout, pairing
from quatuor.match.pairing import Table
from quatuor.match.standings import Round, sums

if TYPE_CHECKING:
    from quatuor.match.tournament_state import TournamentState


def tables_of(tournament: "TournamentState") -> list[Table]:
    """The tables of all rounds."""
    return [table for r in tournament.rounds for table in r.tables]


def reached(tournament: "TournamentState") -> Counter[str]:
    """In a knock-out, the last round that each player survived; in other formats nothing."""
    survived: Counter[str] = Counter()
    if tournament.format == "knockout":
        for number, r in enumerate(tournament.rounds, 1):
            for player in (*knockout.survivors(r.results.values(), _best(tournament, r)), *r.byes):
                survived[player] = number
    return survived


def through(tournament: "TournamentState") -> list[str]:
    """Who is still in a knock-out, with those who have to play again."""
    if not tournament.rounds:
        return list(tournament.players)
    last = tournament.rounds[-1]
    again = {player for table in _tied(tournament) for player in table}
    inside = {*knockout.survivors(last.results.values(), _best(tournament, last)), *last.byes, *again}
    return [player for player in tournament.players if player in inside and player not in tournament.withdrawn]


def _best(tournament: "TournamentState", r: Round) -> int:
    """The number of players of a table who go on: one from the last table and from tables for two, else two."""
    return 1 if tournament.seats == 2 or (len(r.tables) == 1 and not r.byes) else 2


def _tied(tournament: "TournamentState") -> list[Table]:
    """Tables of the last round that have to play again."""
    if not tournament.rounds:
        return []
    last = tournament.rounds[-1]
    return knockout.tied(last.results.values(), _best(tournament, last))


def next_tables(tournament: "TournamentState") -> tuple[list[Table], list[str]]:
    """The tables of the next round, and who has a bye."""
    if tournament.format == "knockout":
        return _next_knockout(tournament)
    active, times = tournament.active, pairing.met(tables_of(tournament))
    if len(active) < tournament.seats:
        return [], active
    if tournament.format == "round_robin" and tournament.seats == 2 and _all_came_and_stayed(tournament):
        tables = pairing.circle(tournament.players, len(tournament.rounds))
        return tables, [player for player in tournament.players if player not in {p for t in tables for p in t}]
    *_, sat_out = sums(tournament.players, tournament.rounds, tournament.format == "swiss")
    out = pairing.byes(active, tournament.seats, sat_out)
    near = tournament.format == "swiss"
    return pairing.by_standing([p for p in active if p not in out], tournament.seats, times, near), out


def _all_came_and_stayed(tournament: "TournamentState") -> bool:
    """Whether nobody has left, or entered after the first round was paired."""
    kinds = [event["kind"] for event in tournament.events]
    late = "paired" in kinds and "entered" in kinds[kinds.index("paired") :]
    return not tournament.withdrawn and not late


def _next_knockout(tournament: "TournamentState") -> tuple[list[Table], list[str]]:
    again, inside = _tied(tournament), through(tournament)
    if again:
        return again, [player for player in inside if player not in {p for table in again for p in table}]
    if len(inside) <= tournament.seats:  # the last table; the best of those who went out take its empty seats
        others = [player for player in tournament.active if player not in inside]
        last = (*inside, *others[: tournament.seats - len(inside)])
        return ([last] if len(last) == tournament.seats else []), []
    out = knockout.byes(inside, tournament.seats)
    return knockout.folded([player for player in inside if player not in out], tournament.seats), out
