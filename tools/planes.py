"""The page docs/planes.md: the observation planes of every game, with a picture. The docs build calls it."""

import random
from html import escape
from pathlib import Path
from typing import Any

from quatuor.engine.observation import look
from quatuor.game import Game
from quatuor.games import rulebooks
from quatuor.games.contract import Cover, Observation, Rulebook

DOCS = Path(__file__).resolve().parent.parent / "docs"
ACROSS, SIDE, GAP, HEAD = 4, 150, 16, 34
HEAD_TEXT = """# What learners see

A seat observes *planes* (a number for each cell of the board) and *facts* (numbers about the whole game), through
`quatuor.batch`, OpenSpiel, PettingZoo or Gymnasium ([adapters](adapters.md)). All are 8-bit integers; planes are
indexed plane, row, column. Their order and meaning, and the action ids, change only with the version.
"""


def observed() -> list[tuple[Rulebook, Observation]]:
    """The games that have planes."""
    return [(book, book.planes) for book in rulebooks() if book.planes is not None]


def sheet(book: Rulebook, observation: Observation) -> str:
    """All planes of the game's cover position, side by side."""
    dice, cover = random.Random(3), book.cover or Cover(book.variants[0].name, turns=0)
    game = Game(book, cover.variant)
    for _ in range(cover.turns):
        game.play_actions({seat: dice.choice(game.actions(seat)) for seat in game.to_move})
    planes, _ = look(book, game.state, game.to_move[0])
    parts = [_plane(i, planes[i], title) for i, title in enumerate(observation.PLANES)]
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
    for book, planes in observed():
        about = (planes.__doc__ or "").strip()
        parts += [f"## {book.title.en}: `{book.name}`, version {planes.VERSION}\n", about.replace("``", "`") + "\n"]
        size = f"{len(planes.PLANES)} planes of {planes.ROWS} by {planes.COLUMNS}, {len(planes.FACTS)} facts"
        picture = f"![Planes of {book.title.en}](img/planes-{book.name}.svg)"
        parts += [f"{size}, {book.actions:,} actions.\n", f"{picture}\n"]
        parts += ["| fact | |", "|--:|---|"]
        shown = planes.FACTS if len(planes.FACTS) < 30 else (*planes.FACTS[:12], "…", planes.FACTS[-1])
        numbers = {fact: number for number, fact in enumerate(planes.FACTS)}
        parts += [f"| {numbers.get(fact, '')} | {fact} |" for fact in shown] + [""]
    return "\n".join(parts)


def on_pre_build(config: Any) -> None:
    """Called by the docs build; writes what has changed."""
    sheets = {DOCS / "img" / f"planes-{book.name}.svg": sheet(book, planes) for book, planes in observed()}
    texts = {DOCS / "planes.md": page()} | sheets
    for path, text in texts.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    on_pre_build(None)
