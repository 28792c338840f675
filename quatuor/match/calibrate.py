"""Measure the levels: each plays its neighbours. The figures are kept as JSON, and the guide has a page of them."""

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
NEAR = 2  # levels play each other if they are at most this far apart
HEAD = """\
# Levels: measurements

How strong the levels of each game are ([what a level is](../levels.md)). Every level played its neighbours, on one
thread:

```sh
quatuor arena calibrate GAME:VARIANT --docs docs/measurements/levels.json
```

Elo counts from the lowest level of the same variant; the error is half a 95% interval, around the mean of all levels.
The highest level searches for a fixed time, here the seconds in its row instead of 4.5 on all cores; more time makes it
stronger. Where a game is solved, it is perfect. With more than two sides the steps are smaller, since one player
decides less.

The seed is 1 unless [the measurements of the game](blokus.md#how-the-levels-were-chosen) name others. Some games of the
levels below the highest were played under the names of their settings, `units` and `slack`. Other settings may have
played along: they make the ratings more certain and are not listed.

The levels of `plus4:elementary`, `plus4:endless`, `plateau_x:mini`, `plateau_x:double` and `blokus:two` were chosen
anew, about equally far apart: 17 to 23 settings of each played their neighbours from seeds 62000 to 72000, 16 games
at a time on an Intel Xeon, then the chosen ones from seeds 73000 to 84000 on an AMD EPYC that other programs used
too, so that seconds are too high. The tables are of all these games together, that of `elementary` of the last ones
alone; games of `teams` count for `two`, which is the same game. In `elementary` the steps cannot all be 150 or
more: from moves at random to perfect play it is only about 1,100. The levels of `plus4:rounds` played 160 games a
pair from seed 42000 and about 64 from seed 43000; their seconds, the step to level 8 and its error are of the
calibration before. There the steps are large because a match of several rounds magnifies what one of them is worth.
"""


def levels_arena(game: str, *, games: int, seconds: float, seed: int = 1, **options: Any) -> Arena:
    """Every level against those next to it."""
    name, _, variant = game.partition(":")
    specs = [f"level={level}" for level in range(1, levels.TOP)] + [f"level={levels.TOP},seconds={seconds:g}"]
    return Arena(specs, name, variant or None, games=games, seed=seed, near=NEAR, **options)


def write(file: Path, arena: Arena, outcomes: Sequence[Outcome]) -> None:
    """Add the figures of one variant to the JSON file, in place of older ones, and write the page beside it."""
    data = file.with_suffix(".json")
    figures = read(data)
    figures[f"{arena.start.name}:{arena.start.variant.name}"] = _figures(arena, outcomes)
    data.write_text(_json(figures), encoding="utf-8")
    data.with_suffix(".md").write_text(page(figures), encoding="utf-8")


def read(file: Path) -> dict[str, list[dict[str, Any]]]:
    """The figures by game and variant; none if there is no such file yet. ValueError if the file is damaged."""
    try:
        found: dict[str, list[dict[str, Any]]] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    except ValueError as error:
        raise ValueError(f"{file}: these are not figures of levels: {error}") from None
    return found


def page(figures: dict[str, list[dict[str, Any]]]) -> str:
    """The page of the guide, as Markdown."""
    return "\n".join([HEAD, *(f"## `{name}`\n\n{_table(rows)}\n" for name, rows in sorted(figures.items()))])


def _json(figures: dict[str, list[dict[str, Any]]]) -> str:
    """One row a line, so that differences are easy to read."""
    parts = []
    for name, rows in sorted(figures.items()):
        lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
        parts.append(f"  {json.dumps(name)}: [\n{lines}\n  ]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _figures(arena: Arena, outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """A row for each level, Elo counted from the lowest. Other engines that played along only help to rate them."""
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
