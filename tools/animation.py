"""The picture at the top of the README: four games that play themselves, made from the games' own pictures.

``python tools/animation.py`` writes docs/img/four-games.svg. Engines play, with fixed seeds. The frames of a game are
groups that appear one after another; what all of them have in common is drawn once. Where the reader has asked for less
motion, the last frame stands still.
"""

import re
from pathlib import Path
from typing import NamedTuple

from quatuor.engine.player import Engine
from quatuor.game import Game, new
from quatuor.games import rulebook

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "img" / "four-games.svg"
FRAMES, SECONDS, HOLD = 14, 0.9, 4  # the last frame is shown for as long as HOLD frames
SIDE, GAP, HEAD = 276, 20, 40
PLACE = re.compile(r'(?:x|cx)="([\d.]+)"|d="M([\d.]+)')


class Panel(NamedTuple):
    """A game, how many turns pass from frame to frame, and the part of its picture that is shown."""

    game: str
    turns: int
    box: tuple[int, int, int]  # left, top, side


PANELS = (
    Panel("plus4", 1, (8, 0, 236)),
    Panel("blokus", 4, (0, 10, 600)),
    Panel("plateau_x", 3, (0, 8, 438)),
    Panel("trois_six", 1, (0, 0, 312)),
)


def pictures(panel: Panel) -> list[list[str]]:
    """The frames, each as the elements inside the box."""
    game, found = new(panel.game), []
    engine = Engine(level=4, seed=7)
    for _ in range(FRAMES):
        found.append(elements(game, panel.box))
        for _ in range(panel.turns):
            if not game.over:
                game.play({seat: engine.choose(game, seat) for seat in game.to_move})
    return found


def elements(game: Game, box: tuple[int, int, int]) -> list[str]:
    inner = game.svg().split(">", 1)[1].rsplit("</svg>", 1)[0].replace("\n", "")
    parts = re.findall(r"<g\b.*?</g>|<text\b.*?</text>|<[^>]*/>", inner)
    return [part for part in parts if (place := left(part)) is None or place < box[0] + box[2]]


def left(part: str) -> float | None:
    found = PLACE.search(part)
    return float(found[1] or found[2]) if found else None


def attributes(game: str) -> str:
    """The text attributes of a picture's outer element."""
    return " ".join(re.findall(r'(?:font-family|font-size|text-anchor|dominant-baseline)="[^"]*"', head(game)))


def head(game: str) -> str:
    return new(game).svg().split(">", 1)[0]


def drawn(panel: Panel, column: int) -> str:
    frames = pictures(panel)
    common = 0
    while all(len(frame) > common and frame[common] == frames[0][common] for frame in frames):
        common += 1
    layers = [f'<g class="f f{i}">{"".join(frame[common:])}</g>' for i, frame in enumerate(frames)]
    x, (across, top, side) = GAP + column * (SIDE + GAP), panel.box
    return (
        f'<rect x="{x - 8}" y="4" width="{SIDE + 16}" height="{SIDE + HEAD + 8}" rx="14"'
        f' fill="#fffdf8" stroke="#cdbb97"/>'
        f'<text x="{x + SIDE / 2}" y="31" text-anchor="middle" font-size="20" font-weight="600" fill="#3a2c17"'
        f' font-family="system-ui, sans-serif">{rulebook(panel.game).title.en}</text>'
        f'<svg x="{x}" y="{HEAD}" width="{SIDE}" height="{SIDE}" viewBox="{across} {top} {side} {side}"'
        f" {attributes(panel.game)}>{''.join(frames[0][:common])}{''.join(layers)}</svg>"
    )


def style() -> str:
    """The frames appear in turn: each is visible for one step of the time line, the last one for several."""
    steps = FRAMES + HOLD - 1
    rules = [".f{visibility:hidden}", f".f{FRAMES - 1}{{visibility:visible}}"]
    moving = [".f{animation-duration:%.1fs;animation-iteration-count:infinite;animation-timing-function:step-end}"]
    moving[0] %= steps * SECONDS
    for i in range(FRAMES):
        start, end = 100 * i / steps, 100 * (i + 1 if i < FRAMES - 1 else steps) / steps
        off = f"0%{{visibility:{'visible' if i == 0 else 'hidden'}}}"
        rest = f"{end:.2f}%{{visibility:hidden}}" if end < 100 else ""
        rules.append(f"@keyframes k{i}{{{off}{start:.2f}%{{visibility:visible}}{rest}}}")
        moving.append(f".f{i}{{animation-name:k{i}}}")
    return f"<style>{''.join(rules)}@media (prefers-reduced-motion: no-preference){{{''.join(moving)}}}</style>"


def picture() -> str:
    width, height = GAP + len(PANELS) * (SIDE + GAP), SIDE + HEAD + 16
    names = ", ".join(rulebook(panel.game).title.en for panel in PANELS)
    panels = "\n".join(drawn(panel, column) for column, panel in enumerate(PANELS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{names}">\n'
        f"{style()}\n{panels}\n</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
