"""The page docs/planes.md: what learners see of every game, with a picture of the planes. The docs build calls it."""

import random
from html import escape
from pathlib import Path
from typing import Any

from quatuor.engine.observation import look
from quatuor.game import Game
from quatuor.games import NAMES, rulebook

DOCS = Path(__file__).resolve().parent.parent / "docs"
TURNS = {"plus4": 9, "blokus": 14, "plateau_x": 24, "trois_six": 6}  # played at random before the picture is taken
VARIANT = {"plus4": "endless", "blokus": "two", "plateau_x": "double", "trois_six": "classic"}
ACROSS, SIDE, GAP, HEAD = 4, 150, 16, 34
HEAD_TEXT = """# What learners see

Every game shows a seat *planes* (numbers on the board's cells) and *facts* (numbers about the whole). They are what
`quatuor.batch`, OpenSpiel, PettingZoo and Gymnasium hand out ([adapters](adapters.md)). All are 8-bit integers; planes
are indexed plane, row, column. Their order and meaning, and the numbers of actions, only change with the version.
"""


def sheet(name: str) -> str:
    """All planes of one position, side by side."""
    book, dice = rulebook(name), random.Random(3)
    game = Game(book, VARIANT[name])
    for _ in range(TURNS[name]):
        game.play_actions({seat: dice.choice(game.actions(seat)) for seat in game.to_move})
    planes, _ = look(book, game.state, game.to_move[0])
    parts = [_plane(i, planes[i], title) for i, title in enumerate(book.planes.PLANES)]
    width, height = ACROSS * (SIDE + GAP) + GAP, -(-len(parts) // ACROSS) * (SIDE + HEAD + GAP) + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">'
        f'<rect width="{width}" height="{height}" fill="#fbf7ef"/>{"".join(parts)}</svg>\n'
    )


def _plane(number: int, plane: Any, title: str) -> str:
    left, top = GAP + number % ACROSS * (SIDE + GAP), GAP + number // ACROSS * (SIDE + HEAD + GAP)
    rows, columns = plane.shape
    size, most = SIDE / columns, max(int(plane.max()), 1)
    inner = f"{size - 0.8:.1f}"
    square, cells = f"h{inner}v{inner}h-{inner}z", ""
    for value in range(most + 1):
        squares = "".join(
            f"M{left + column * size:.1f} {top + HEAD + row * size:.1f}{square}"
            for row in range(rows)
            for column in range(columns)
            if plane[row, column] == value
        )
        shade = 0.15 + 0.85 * value / most if value else 0.06
        cells += f'<path fill-opacity="{shade:.2f}" d="{squares}"/>' if squares else ""
    words, lines = f"{number} {title}".split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > 26:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    text = "".join(
        f'<tspan x="{left}" dy="{13 if i else 0}">{escape(line)}</tspan>' for i, line in enumerate(lines[:2])
    )
    return f'<g fill="#155e63">{cells}</g><text y="{top + 12}" font-size="11" fill="#333">{text}</text>'


def page() -> str:
    parts = [HEAD_TEXT]
    for name in NAMES:
        book = rulebook(name)
        planes = book.planes
        about = (planes.__doc__ or "").strip()
        parts += [f"## {book.title.en}: `{name}`, version {planes.VERSION}\n", about.replace("``", "`") + "\n"]
        parts += [f"{len(planes.PLANES)} planes of {planes.ROWS} by {planes.COLUMNS}, {len(planes.FACTS)} facts, "
                  f"{book.actions:,} actions.\n", f"![Planes of {book.title.en}](img/planes-{name}.svg)\n"]  # fmt: skip
        parts += ["| fact | |", "|--:|---|"]
        shown = planes.FACTS if len(planes.FACTS) < 30 else (*planes.FACTS[:12], "…", planes.FACTS[-1])
        numbers = {fact: number for number, fact in enumerate(planes.FACTS)}
        parts += [f"| {numbers.get(fact, '')} | {fact} |" for fact in shown] + [""]
    return "\n".join(parts)


def on_pre_build(config: Any) -> None:
    """Called by the docs build; writes what has changed."""
    texts = {DOCS / "planes.md": page()} | {DOCS / "img" / f"planes-{name}.svg": sheet(name) for name in NAMES}
    for path, text in texts.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    on_pre_build(None)
