"""What each kind of event changes in a tournament: one function for each, and ``apply``."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from quatuor.game import Game
from quatuor.games import rulebook
from quatuor.match.knockout import Result
from quatuor.match.pairing import Table
from quatuor.match.standings import Round, Statement, ranking_of, worth, worth_of
from quatuor.record import load

if TYPE_CHECKING:
    from quatuor.match.tournament_state import TournamentState


class TournamentError(ValueError):
    """An action that is not possible; the message says why, and what would be."""


def apply(tournament: "TournamentState", event: dict[str, Any]) -> None:
    """Change a tournament by an event; TournamentError if it does not fit."""
    kind = event["kind"]
    if (kind == "created") != (not tournament.events):
        raise TournamentError("a tournament's file begins with a line of kind created, and has no other one")
    if kind not in _KINDS:
        raise TournamentError(f"unknown kind of event {kind!r}; known are {', '.join(_KINDS)}")
    _KINDS[kind](tournament, event)


def _created(tournament: "TournamentState", event: dict[str, Any]) -> None:
    tournament.kind = Game(rulebook(event["game"]), event["variant"], event["options"])
    tournament.format, tournament.swiss_rounds, tournament.title = event["format"], event["rounds"], event["title"]


def _entered(tournament: "TournamentState", event: dict[str, Any]) -> None:
    if event["player"] not in tournament.players:
        tournament.players.append(event["player"])
    tournament.withdrawn.discard(event["player"])


def _withdrawn(tournament: "TournamentState", event: dict[str, Any]) -> None:
    tournament.withdrawn.add(event["player"])


def _renamed(tournament: "TournamentState", event: dict[str, Any]) -> None:
    old, new = event["player"], event["name"]
    check_player(tournament, old)

    def now(players: tuple[str, ...] | list[str]) -> list[str]:
        return [new if player == old else player for player in players]

    tournament.players, tournament.withdrawn = now(tournament.players), set(now(list(tournament.withdrawn)))
    for r in tournament.rounds:
        r.tables, r.byes = [tuple(now(table)) for table in r.tables], now(r.byes)
        r.results = {n: replace(one, players=tuple(now(one.players))) for n, one in r.results.items()}
        r.stated = {n: {now([who])[0]: one for who, one in said.items()} for n, said in r.stated.items()}


def _scheduled(tournament: "TournamentState", event: dict[str, Any]) -> None:
    tournament.starts = event["at"] and datetime.fromisoformat(event["at"])


def _closed(tournament: "TournamentState", event: dict[str, Any]) -> None:
    tournament.closed = True


def _paired(tournament: "TournamentState", event: dict[str, Any]) -> None:
    tournament.starts = None
    tournament.rounds.append(Round([tuple(table) for table in event["tables"]], list(event["byes"]), {}))


def _played(tournament: "TournamentState", event: dict[str, Any]) -> None:
    players = tournament.rounds[event["round"] - 1].tables[event["table"] - 1]
    game = load(event["record"])
    check_game(tournament, game, players)
    ranking = ranking_of(game)
    _count(tournament, event, Result(players, ranking, worth(game, ranking)))


def _forfeited(tournament: "TournamentState", event: dict[str, Any]) -> None:
    """The other players of the table share the first place."""
    players = tournament.rounds[event["round"] - 1].tables[event["table"] - 1]
    ranking = tuple(len(players) if player == event["player"] else 1 for player in players)
    _count(tournament, event, Result(players, ranking, worth(tournament.kind, ranking)))


def _decided(tournament: "TournamentState", event: dict[str, Any]) -> None:
    _count(tournament, event, _result(tournament, event))


def _stated(tournament: "TournamentState", event: dict[str, Any]) -> None:
    _result(tournament, event)  # which fails if it fits no table
    said = tournament.rounds[event["round"] - 1].stated.setdefault(event["table"] - 1, {})
    said[event["player"]] = Statement(tuple(event["ranking"]), tuple(event["scores"] or ()))


def _moved(tournament: "TournamentState", event: dict[str, Any]) -> None:
    tournament.rounds[event["round"] - 1].on_board.add(event["table"] - 1)


def _corrected(tournament: "TournamentState", event: dict[str, Any]) -> None:
    result = replace(_result(tournament, event), note=event["note"])
    tournament.rounds[event["round"] - 1].results[event["table"] - 1] = result


def _result(tournament: "TournamentState", event: dict[str, Any]) -> Result:
    """The result that an event without a record states."""
    players = tournament.rounds[event["round"] - 1].tables[event["table"] - 1]
    ranking, scores = tuple(event["ranking"]), tuple(event["scores"] or ())
    return Result(players, ranking, worth_of(tournament.kind, ranking, scores))


def _count(tournament: "TournamentState", event: dict[str, Any], result: Result) -> None:
    results = tournament.rounds[event["round"] - 1].results
    if event["table"] - 1 in results:
        raise TournamentError(f"round {event['round']}, table {event['table']}: a result is counted already")
    results[event["table"] - 1] = result


def check_game(tournament: "TournamentState", game: Game, players: Table) -> None:
    """Raise unless a game is one of this tournament's, between these players, and finished."""
    wanted, kind = tournament.kind, (game.name, game.variant, game.options)
    if kind != (wanted.name, wanted.variant, wanted.options):
        raise TournamentError(f"{game!r} is not {wanted.name}:{wanted.variant.name} with {wanted.options}")
    names = names_in(game)
    if names != players and set(names) != {"?"}:
        raise TournamentError(f"the record names {', '.join(names)}; at the table sit {', '.join(players)}")
    if not game.over and not game.headers.get("Termination"):
        raise TournamentError("the game is not over")


def check_player(tournament: "TournamentState", player: str) -> None:
    """Raise unless a player has entered."""
    if player not in tournament.players:
        raise TournamentError(f"{player} has not entered; players: {', '.join(tournament.players) or 'none'}")


def names_in(game: Game) -> Table:
    """The names of the seats in a record; ? where it has none."""
    return tuple(game.headers.get(f"Seat{seat}", "?") for seat in range(game.seats))


_KINDS: dict[str, Callable[["TournamentState", dict[str, Any]], None]] = {
    "created": _created, "entered": _entered, "withdrawn": _withdrawn, "paired": _paired, "played": _played,
    "forfeited": _forfeited, "renamed": _renamed, "closed": _closed, "scheduled": _scheduled, "decided": _decided,
    "corrected": _corrected, "stated": _stated, "moved": _moved,
}  # fmt: skip
