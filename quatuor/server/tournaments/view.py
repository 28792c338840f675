"""A tournament as clients see it: players by number, names instead of guest ids."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from quatuor.match.knockout import Result
from quatuor.match.standings import Standing
from quatuor.match.tournament import Tournament
from quatuor.server.store.tournaments import Entrant, TournamentRow
from quatuor.server.tournaments import commands
from quatuor.table import Refused

JsonObject = dict[str, Any]


class Shown(NamedTuple):
    """What everybody sees, and whose view has more: the organiser and the players."""

    common: JsonObject
    organiser: str
    guests: list[str | None]  # by player
    links: dict[str, str]  # of people entered by name, for the organiser

    def to(self, guest: str | None, link: int | None = None) -> JsonObject:
        """The view of a guest: which player they are, by their own ``link`` or else, and whether they organise it."""
        if link is not None and link < len(self.guests):
            return {**self.common, "you": link, "by_link": True, "organiser": False}
        mine = [i for i, one in enumerate(self.guests) if guest is not None and one == guest]
        here = [i for i in mine if not self.common["players"][i]["withdrawn"]]
        view = {**self.common, "you": next(iter(here or mine), None), "organiser": guest == self.organiser}
        return {**view, "links": self.links} if view["organiser"] else view


def summary(tournament: Tournament, setup: JsonObject) -> JsonObject:
    """The fields of a tournament that lists show."""
    about = tournament.events[0]
    return {
        "title": tournament.title,
        "game": about["game"],
        "variant": about["variant"],
        "format": tournament.format,
        "pace": setup["pace"],
        "status": "over" if tournament.over else "running" if tournament.rounds else "open",
        "entered": len(tournament.players) - len(tournament.withdrawn),
        "most": setup["most"],
        "round": len(tournament.rounds),
        "planned": tournament.planned,
        "starts": round(tournament.starts.timestamp() * 1000) if tournament.starts else None,
    }


def shown(
    tournament: Tournament,
    kept: TournamentRow,
    name: str,
    organiser: str,
    profiles: Mapping[str, str],
    link: Callable[[int], str],
) -> Shown:
    """Everything about it.

    ``profiles``: the names under which guests' profiles are found; ``link``: the token of a player entered by name.
    """
    number = {player: i for i, player in enumerate(tournament.players)}
    common = {
        "id": name,
        **summary(tournament, kept.setup),
        "options": tournament.events[0]["options"],
        **{key: kept.setup[key] for key in ("late", "auto", "listed", "words")},
        "by": organiser,
        "by_profile": profiles.get(kept.organiser),
        "seats": tournament.seats,
        "scored": tournament.scored,
        "version": len(tournament.events),
        "players": [_player(tournament, kept.entrants[player], player, profiles) for player in tournament.players],
        "standings": [_row(row, number[row.player]) for row in tournament.standings()],
        "cross": [
            {str(number[other]): float(points) for other, points in cells.items()}
            for cells in tournament.cross_table().values()
        ],
        "rounds": _rounds(tournament, kept, number),
        "entry": _entry(tournament, kept),
    }
    links = {str(i): link(i) for i, player in enumerate(tournament.players) if kept.entrants[player].by_name}
    return Shown(common, kept.organiser, [kept.entrants[player].guest for player in tournament.players], links)


def _player(tournament: Tournament, entrant: Entrant, player: str, profiles: Mapping[str, str]) -> JsonObject:
    return {
        "name": player,
        "level": entrant.level,
        "by_name": entrant.by_name,
        "profile": profiles.get(entrant.guest or ""),
        "withdrawn": player in tournament.withdrawn,
    }


def _row(row: Standing, player: int) -> JsonObject:
    return {
        "place": row.place,
        "player": player,
        "points": float(row.points),
        "firsts": row.firsts,
        "buchholz": float(row.buchholz),
        "games": row.games,
        "byes": row.byes,
    }


def _rounds(tournament: Tournament, kept: TournamentRow, number: dict[str, int]) -> list[JsonObject]:
    return [
        {
            "tables": [
                {
                    "id": None if t - 1 in played.on_board else kept.tables.get((r, t)),
                    "players": [number[player] for player in players],
                    "stated": [
                        {"player": number[player], "ranking": list(said.ranking), "scores": list(said.scores)}
                        for player, said in played.stated.get(t - 1, {}).items()
                    ],
                    **_result(played.results.get(t - 1)),
                }
                for t, players in enumerate(played.tables, 1)
            ],
            "byes": [number[player] for player in played.byes],
        }
        for r, played in enumerate(tournament.rounds, 1)
    ]


def _result(result: Result | None) -> JsonObject:
    if result is None:
        return {"ranking": None, "points": None, "note": ""}
    return {"ranking": list(result.ranking), "points": [float(p) for p in result.points], "note": result.note}


def _entry(tournament: Tournament, kept: TournamentRow) -> str | None:
    """None: people may enter now; else the code of why not."""
    try:
        commands.admit(tournament, kept)
    except Refused as refused:
        return refused.code
    return None
