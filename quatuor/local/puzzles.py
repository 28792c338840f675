"""The puzzles of Blokus, as the server's addresses under /api/puzzles answer them."""

import datetime
from dataclasses import asdict
from typing import Any

from quatuor import puzzles
from quatuor.table import Refused

SECONDS = 1.0  # for an answer while a person plays
PATIENCE = 10.0  # for the solution, when a person has given up


def kinds() -> dict[str, Any]:
    """The puzzles there are."""
    found = [
        {
            "name": kind.name,
            "title": asdict(kind.title),
            "colours": kind.colours,
            "sizes": kind.sizes,
            "boards": [{"rows": rows, "columns": columns} for rows, columns in kind.boards],
            "fills": kind.fills,
            "hard": kind.may_be_hard,
            "open": kind.open,
        }
        for kind in puzzles.KINDS.values()
    ]
    return {"puzzles": found, "difficulties": puzzles.DIFFICULTIES}


def challenge(which: str, query: dict[str, str]) -> dict[str, Any]:
    """A graded puzzle, or the puzzle of a day."""
    try:
        if which == "daily":
            date = query.get("date")
            day = datetime.date.fromisoformat(date) if date else datetime.date.today()
            found = puzzles.daily(day, query.get("difficulty", "medium"))
            return {"date": day.isoformat(), **_shown(found, query)}
        rows, columns = (int(query[key]) if query.get(key) else None for key in ("rows", "columns"))
        hard, seed = query.get("hard") == "true", int(query.get("seed", "0"))
        found = puzzles.new(query.get("puzzle", ""), query.get("difficulty", "easy"), seed, hard, rows, columns)
        return _shown(found, query)
    except ValueError as error:
        raise Refused("bad_puzzle", message=str(error)) from None


def ask(question: str, position: dict[str, Any], witness: dict[str, Any] | None) -> dict[str, Any]:
    """Check a position; say whether it can be completed; give a hint; complete it."""
    try:
        at = puzzles.read(position)
        known = None if witness is None else puzzles.read(witness)
        if question == "check":
            return puzzles.check(at).data()
        if question == "hint":
            piece, answer = puzzles.hint(at, SECONDS, known)
            return {"piece": piece and piece.data()} | answer.data()
        return puzzles.solvable(at, SECONDS if question == "solvable" else PATIENCE, known).data()
    except ValueError as error:
        raise Refused("bad_puzzle", message=str(error)) from None


def _shown(found: puzzles.Challenge, query: dict[str, str]) -> dict[str, Any]:
    solution = {"solution": found.solution.data()} if query.get("solution") == "true" else {}
    return found.data() | solution
