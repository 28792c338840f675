"""The pages docs/measurements/*.md: what was measured, as tables made from the JSON files beside them.

``python tools/measurements.py`` writes them; the docs build calls it, and a test fails while a page is out of date.
``levels.json`` is written by ``quatuor arena calibrate GAME:VARIANT --docs docs/measurements/levels.json``, and
``scale.json``, of which docs/scale.md is made, by ``python -m bench.scale --json docs/measurements/scale.json``;
``blokus_games.jsonl``, of which strength.md is made, has a line for each game. Every other file has a title, a text
(lines of Markdown) and sections. A section may have a text, a ``command``, and a table: its ``columns`` and ``rows``. A
column has a ``key`` and a ``title``; ``unit`` follows each number, ``signed`` shows a plus, ``digits`` is the number of
decimals. In a row, a pair [mean, error] is printed as mean ± error, and what is missing was not measured.
"""

import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # where this is run as a script, or by the docs build

from quatuor.match import calibrate  # noqa: E402
from tools import scale  # noqa: E402
from tools.strength import strength  # noqa: E402

FOLDER = ROOT / "docs" / "measurements"
LEVELS, SCALE, GAMES = FOLDER / "levels.json", FOLDER / "scale.json", FOLDER / "blokus_games.jsonl"
PLUS_MINUS = "\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}"


def number(value: float, column: dict[str, Any]) -> str:
    """A number as the table shows it; the minus sign is the typographic one."""
    digits = f".{column['digits']}f" if "digits" in column else ""
    text = format(value, f"{'+' if column.get('signed') else ''},{digits}")
    return text.replace("-", "−") + column.get("unit", "")


def cell(value: Any, column: dict[str, Any]) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        mean, error = value
        return f"{number(mean, column)}{PLUS_MINUS}{number(error, column | {'signed': False})}"
    return value if isinstance(value, str) else number(value, column)


def table(columns: list[dict[str, Any]], rows: list[dict[str, Any]]) -> list[str]:
    """The lines of a Markdown table. Columns of numbers are aligned to the right."""
    known = {column["key"] for column in columns}
    if strange := {key for row in rows for key in row} - known:
        raise ValueError(f"values without a column: {', '.join(sorted(strange))}")
    numeric = [all(not isinstance(row.get(column["key"]), str) for row in rows) for column in columns]
    lines = [f"| {' | '.join(column['title'] for column in columns)} |"]
    lines.append(f"|{'|'.join('---:' if right else '---' for right in numeric)}|")
    lines += [f"| {' | '.join(cell(row.get(column['key']), column) for column in columns)} |" for row in rows]
    return lines


def section(part: dict[str, Any]) -> str:
    paragraphs = [f"## {part['title']}"]
    if text := part.get("text"):
        paragraphs.append("\n".join(text))
    if command := part.get("command"):
        paragraphs.append("\n".join(["```sh", *command, "```"]))
    if "columns" in part:
        paragraphs.append("\n".join(table(part["columns"], part["rows"])))
    if notes := part.get("notes"):
        paragraphs.append("\n".join(notes))
    return "\n\n".join(paragraphs)


def page(data: dict[str, Any]) -> str:
    """A whole page, as Markdown."""
    head = "\n\n".join([f"# {data['title']}", "\n".join(data["text"])])
    return "\n\n".join([head, *map(section, data["sections"])]) + "\n"


def pages() -> dict[Path, str]:
    """What every page should say."""
    found = {
        LEVELS.with_suffix(".md"): calibrate.page(calibrate.read(LEVELS)),
        FOLDER / "strength.md": page(strength(map(json.loads, GAMES.read_text(encoding="utf-8").splitlines()))),
        FOLDER.parent / "scale.md": scale.page(json.loads(SCALE.read_text(encoding="utf-8"))),
    }
    for path in sorted(FOLDER.glob("*.json")):
        if path not in (LEVELS, SCALE):
            found[path.with_suffix(".md")] = page(json.loads(path.read_text(encoding="utf-8")))
    return found


def on_pre_build(config: Any) -> None:
    """Called by the docs build; writes what has changed."""
    for path, text in pages().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    on_pre_build(None)
