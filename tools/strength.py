"""The page docs/measurements/strength.md: every kept game of Blokus against Pentobi, counted by match."""

import math
import re
from collections.abc import Iterable
from typing import Any

MATCH = re.compile(r"(?P<variant>\w+): (?P<search>.+) against level (?P<level>\d)")
NAMES = ("blue", "yellow", "red", "green")
COLUMNS = [
    {"key": "variant", "title": "variant"},
    {"key": "level", "title": "Pentobi level"},
    {"key": "search", "title": "search"},
    {"key": "units", "title": "units"},
    {"key": "games", "title": "games"},
    {"key": "seeds", "title": "seeds"},
    {"key": "won", "title": "value of the place", "unit": "%"},
    {"key": "seats", "title": "by seat"},
    {"key": "points", "title": "points ahead", "signed": True, "digits": 1},
    {"key": "ours", "title": "seconds a seat and game, Quatuor", "unit": " s", "digits": 1},
    {"key": "theirs", "title": "Pentobi", "unit": " s", "digits": 1},
]
TEXT = [
    "All games of Blokus against Pentobi 31 that are kept with their moves, in",
    "[blokus_games.jsonl](blokus_games.jsonl). [Blokus: measurements](blokus.md) says how they were played and what",
    "each search is, and has older matches. One thread each, no opening book. The value of a place is 1 for the first",
    "and 0 for the last, so 50% is even; with two players it is the share of games won. Errors are one standard",
    "deviation. Seats are named by the engine's first colour.",
]


def strength(games: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The page as data, as tools/measurements.py takes it."""
    matches: dict[tuple[str, Any], list[dict[str, Any]]] = {}
    for game in games:
        if MATCH.fullmatch(game["match"]):
            matches.setdefault((game["match"], game["units"]), []).append(game)
    rows = sorted((_row(*key, found) for key, found in matches.items()), key=lambda row: (row["variant"], row["level"]))
    sections = [{"title": "By match", "columns": COLUMNS, "rows": rows}]
    return {"title": "Strength: Blokus against Pentobi", "text": TEXT, "sections": sections}


def _row(match: str, units: int | None, games: list[dict[str, Any]]) -> dict[str, Any]:
    named = MATCH.fullmatch(match)
    assert named
    seats: dict[int, list[float]] = {}
    for game in games:
        seats.setdefault(game["seats_a"][0], []).append(game["value_a"])
    others = {"classic": 3, "three": 2}.get(named["variant"], 1)  # seats of Pentobi
    return {
        "variant": f"`{named['variant']}`",
        "level": int(named["level"]),
        "search": named["search"],
        "units": units,
        "games": len(games),
        "seeds": f"{min(game['seed'] for game in games)} to {max(game['seed'] for game in games)}",
        "won": [round(part) for part in _mean([100 * game["value_a"] for game in games])],
        "seats": ", ".join(_share(NAMES[seat], values) for seat, values in sorted(seats.items())),
        "points": _mean([game["lead_a"] for game in games]),
        "ours": _mean([game["cpu_a"] for game in games])[0],
        "theirs": _mean([game["cpu_b"] / others for game in games])[0],
    }


def _share(seat: str, values: list[float]) -> str:
    return f"{seat} {100 * sum(values) / len(values):.0f}% of {len(values)}"


def _mean(values: list[float]) -> list[float]:
    """Mean and standard error."""
    mean = sum(values) / len(values)
    return [mean, math.sqrt(sum((value - mean) ** 2 for value in values)) / len(values)]
