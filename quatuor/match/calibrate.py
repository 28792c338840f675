"""Measure the levels: each plays its neighbours, and the table goes into the guide."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quatuor.engine import levels
from quatuor.match.arena import Arena
from quatuor.match.bout import Outcome
from quatuor.match.summary import rows as summary

NEAR = 2  # how far apart two levels may be that meet
HEAD = """\
# Levels

Measured by `quatuor arena calibrate GAME:VARIANT`, each level against its neighbours, one thread each. Elo counts from
level 1 of the same game; errors are half a 95% interval. The highest level takes as long as it may: here the seconds
given in its row; more time makes it stronger. Where a game is solved, it plays perfectly.
"""
MARK = "<!-- {} -->"  # where a table begins: its figures, so that others can be added later


def levels_arena(game: str, *, games: int, seconds: float, seed: int = 1, **options: Any) -> Arena:
    """Every level against those next to it."""
    name, _, variant = game.partition(":")
    words = [f"level={level}" for level in range(1, levels.TOP)] + [f"level={levels.TOP},seconds={seconds:g}"]
    return Arena(words, name, variant or None, games=games, seed=seed, near=NEAR, **options)


def write(file: Path, arena: Arena, outcomes: Sequence[Outcome]) -> None:
    """Put the table of one variant into the page, in place of an older one; the others stay."""
    tables = read(file)
    tables[f"{arena.start.name}:{arena.start.variant.name}"] = _figures(arena, outcomes)
    parts = [
        f"## {name}\n\n{MARK.format(json.dumps(rows))}\n\n{_table(rows)}\n" for name, rows in sorted(tables.items())
    ]
    file.write_text("\n".join([HEAD, *parts]), encoding="utf-8")


def read(file: Path) -> dict[str, list[dict[str, Any]]]:
    """The figures of a page, by game and variant."""
    found, name = {}, ""
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        if line.startswith("## "):
            name = line.removeprefix("## ")
        elif line.startswith("<!-- ["):
            found[name] = json.loads(line.removeprefix("<!-- ").removesuffix(" -->"))
    return found


def _figures(arena: Arena, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    by_engine = {row["engine"]: row for row in summary(arena, outcomes)}
    lowest = by_engine[arena.engines[0]]["elo"]
    found = []
    for number, word in enumerate(arena.engines, 1):
        row = by_engine[word]
        elo, error, each = round(row["elo"] - lowest), round(row["error"]), round(row["seconds"], 3)
        found.append({"level": number, "elo": elo, "error": error, "games": row["games"], "seconds": each})
    return found


def _table(figures: list[dict[str, Any]]) -> str:
    lines = ["| level | Elo | ± | games | seconds a move |", "|---:|---:|---:|---:|---:|"]
    lines += [f"| {r['level']} | {r['elo']} | {r['error']} | {r['games']} | {r['seconds']:.3f} |" for r in figures]
    return "\n".join(lines)
