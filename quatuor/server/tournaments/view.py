"""A tournament as readers may see it: players by their numbers, names instead of ids."""

from typing import Any, NamedTuple

from quatuor.match.tournament import Tournament
from quatuor.server.store.tournaments import TournamentRow
from quatuor.server.tournaments import commands
from quatuor.table import Refused

Plain = dict[str, Any]


class Shown(NamedTuple):
    """What everybody sees, and the ids of those who see a little more."""

    common: Plain
    organiser: str
    guests: list[str | None]  # by player

    def to(self, guest: str | None) -> Plain:
        """As somebody sees it: which player they are, and whether they run it."""
        mine = [i for i, one in enumerate(self.guests) if guest is not None and one == guest]
        here = [i for i in mine if not self.common["players"][i]["withdrawn"]]
        return {**self.common, "you": next(iter(here or mine), None), "organiser": guest == self.organiser}


def card(cup: Tournament, setup: Plain) -> Plain:
    """What lists show."""
    about = cup.events[0]
    return {
        "title": cup.title,
        "game": about["game"],
        "variant": about["variant"],
        "format": cup.format,
        "pace": setup["pace"],
        "status": "over" if cup.over else "running" if cup.rounds else "open",
        "entered": len(cup.players) - len(cup.withdrawn),
        "most": setup["most"],
        "round": len(cup.rounds),
        "planned": cup.planned,
    }


def shown(cup: Tournament, kept: TournamentRow, name: str, organiser: str) -> Shown:
    """Everything about it."""
    number = {player: i for i, player in enumerate(cup.players)}
    common = {
        "id": name,
        **card(cup, kept.setup),
        "options": cup.events[0]["options"],
        **{key: kept.setup[key] for key in ("late", "auto", "listed", "words")},
        "by": organiser,
        "seats": cup.seats,
        "version": len(cup.events),
        "players": [
            {"name": player, "level": kept.entrants[player].level, "withdrawn": player in cup.withdrawn}
            for player in cup.players
        ],
        "standings": [
            {
                "place": row.place,
                "player": number[row.player],
                "points": float(row.points),
                "firsts": row.firsts,
                "buchholz": float(row.buchholz),
                "games": row.games,
                "byes": row.byes,
            }
            for row in cup.standings()
        ],
        "cross": [
            {str(number[other]): float(points) for other, points in cells.items()}
            for cells in cup.cross_table().values()
        ],
        "rounds": _rounds(cup, kept, number),
        "entry": _entry(cup, kept),
    }
    return Shown(common, kept.organiser, [kept.entrants[player].guest for player in cup.players])


def _rounds(cup: Tournament, kept: TournamentRow, number: dict[str, int]) -> list[Plain]:
    return [
        {
            "tables": [
                {
                    "id": kept.tables.get((r, t)),
                    "players": [number[player] for player in players],
                    "ranking": list(played.results[t - 1].ranking) if t - 1 in played.results else None,
                    "points": [float(p) for p in played.results[t - 1].points] if t - 1 in played.results else None,
                }
                for t, players in enumerate(played.tables, 1)
            ],
            "byes": [number[player] for player in played.byes],
        }
        for r, played in enumerate(cup.rounds, 1)
    ]


def _entry(cup: Tournament, kept: TournamentRow) -> str | None:
    """None: people may enter now; else the code of why not."""
    try:
        commands.admit(cup, kept)
    except Refused as refused:
        return refused.code
    return None
