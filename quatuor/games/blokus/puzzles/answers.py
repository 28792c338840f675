"""What the requests under /api/puzzles answer, as plain data: by the server, and by the page without one.

What takes time comes in steps. ValueError says what is wrong with a request.
"""

import datetime
from dataclasses import asdict
from typing import Any

from quatuor.games.blokus.puzzles.check import check as check_position
from quatuor.games.blokus.puzzles.generate import Challenge, generating, generating_daily
from quatuor.games.blokus.puzzles.kinds import DIFFICULTIES, KINDS
from quatuor.games.blokus.puzzles.position import read
from quatuor.games.blokus.puzzles.solve import answering, hinting
from quatuor.games.steps import Steps

Data = dict[str, Any]
SECONDS = 1.0  # for an answer while a person plays
PATIENCE = 10.0  # for the solution, when a person has given up


def kinds() -> Data:
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
        for kind in KINDS.values()
    ]
    return {"puzzles": found, "difficulties": DIFFICULTIES}


def new(
    puzzle: str = "", difficulty: str = "easy", seed: str = "0", hard: str = "",
    rows: str = "", columns: str = "", solution: str = "",
) -> Steps[Data]:  # fmt: skip
    """A graded puzzle; with its solution if asked. All arguments are texts of a query."""
    board = (_number("rows", rows), _number("columns", columns)) if rows or columns else (None, None)
    return _shown((yield from generating(puzzle, difficulty, _number("seed", seed), hard == "true", *board)), solution)


def daily(date: str = "", difficulty: str = "medium", solution: str = "") -> Steps[Data]:
    """The puzzle of a day; with its solution if asked."""
    day = datetime.date.fromisoformat(date) if date else datetime.date.today()
    return {"date": day.isoformat()} | _shown((yield from generating_daily(day, difficulty)), solution)


def check(position: Data, witness: Data | None = None) -> Steps[Data]:
    """Which rules are broken, and what is left to place."""
    yield
    return check_position(read(position)).data()


def solvable(position: Data, witness: Data | None = None) -> Steps[Data]:
    """Whether this can still be solved."""
    return _complete(position, witness, SECONDS)


def solution(position: Data, witness: Data | None = None) -> Steps[Data]:
    """A completion, in a legal placing order."""
    return _complete(position, witness, PATIENCE)


def hint(position: Data, witness: Data | None = None) -> Steps[Data]:
    """One piece of a completion."""
    piece, answer = yield from hinting(read(position), SECONDS, None if witness is None else read(witness))
    return {"piece": piece and piece.data()} | answer.data()


def _complete(position: Data, witness: Data | None, seconds: float) -> Steps[Data]:
    answer = yield from answering(read(position), seconds, None if witness is None else read(witness))
    return answer.data()


def _number(name: str, text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise ValueError(f"{name}={text!r}: write a whole number of at most nine digits")
    return int(text)


def _shown(challenge: Challenge, solution: str) -> Data:
    return challenge.data() | ({"solution": challenge.solution.data()} if solution == "true" else {})
