"""Measure the levels: each plays its neighbours, and the table goes into the guide."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quatuor.engine import levels
from quatuor.match.arena import Arena
from quatuor.match.arena_game import Outcome
from quatuor.match.summary import rows as summary

LEVEL = re.compile(r"level=(\d)")
NEAR = 2  # how far apart two levels may be that meet
HEAD = """\
# Levels

How strong the levels are: `quatuor arena calibrate GAME:VARIANT` has each of them play
its neighbours, with one thread and from seed 1, and writes a table with `--docs docs/levels.md`. Elo counts from the
lowest level of the same game; errors are half a 95% interval, around the mean of all. The highest level takes as long
as it may, here the seconds in its row instead of 4.5 on all cores; more time makes it stronger. Where a game is
solved, it is perfect. Where a variant has more than two sides, steps are smaller: one player decides less.

A level below the highest is `units` and `slack` of that file: some of its games were played under those names, and
from other seeds.
Other settings than those of the levels may have played along: they make the ratings surer, and are not listed.
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
    """The rows of the levels, counted from the lowest; other engines that played along only help to rate them."""
    rows = [(LEVEL.match(row["engine"]), row) for row in summary(arena, outcomes)]
    found = sorted(((int(match[1]), row) for match, row in rows if match), key=lambda pair: pair[0])
    lowest = found[0][1]["elo"]
    return [
        {
            "level": level,
            "elo": round(row["elo"] - lowest),
            "error": round(row["error"]),
            "games": row["games"],
            "seconds": round(row["seconds"], 3),
        }
        for level, row in found
    ]


def _table(figures: list[dict[str, Any]]) -> str:
    lines = ["| level | Elo | ± | games | seconds a move |", "|---:|---:|---:|---:|---:|"]
    lines += [f"| {r['level']} | {r['elo']} | {r['error']} | {r['games']} | {r['seconds']:.3f} |" for r in figures]
    return "\n".join(lines)
