"""The learning curve of examples/train_plus4.py, drawn from the table of docs/network.md: python -m tools.curve"""

import math
import re
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE, PICTURE = DOCS / "network.md", DOCS / "img" / "train-plus4.svg"
ROW = re.compile(r"\| ([\d,]+) \| (0\.\d+) \| (0\.\d+) \|")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 340, 64, 24, 24, 52
LINES = ((1, "the network alone", "#b3261e"), (2, "with a search", "#29507e"))
TITLE = "Loss of the network, alone and with a search, over the positions played"


def rows() -> list[tuple[float, ...]]:
    """Positions played, and both losses."""
    found = ROW.findall(PAGE.read_text(encoding="utf-8"))
    return [tuple(float(cell.replace(",", "")) for cell in row) for row in found]


def picture() -> str:
    """Both losses over the positions played; the losses on a logarithmic scale."""
    figures = rows()
    last = figures[-1][0]

    def x(played: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * played / last

    def y(loss: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * -math.log10(loss) / 3  # from 1 to 0.001

    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" rx="12" fill="#fffdf8"/>']
    for loss in (1, 0.1, 0.01, 0.001):
        parts.append(f'<path d="M{LEFT} {y(loss):.1f}H{WIDTH - RIGHT}" stroke="#d8d2c4"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(loss) + 5:.1f}" text-anchor="end">{loss:g}</text>')
    parts += [
        f'<text x="{x(played):.1f}" y="{HEIGHT - 28}" text-anchor="middle">{played:,}</text>'
        for played in range(0, int(last) + 1, 500_000)
    ]
    parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">positions played</text>')
    for column, name, colour in LINES:
        points = " ".join(f"{x(row[0]):.1f},{y(row[column]):.1f}" for row in figures)
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        where = figures[len(figures) // 2]
        at = f'x="{x(where[0]):.1f}" y="{y(where[column]) - 10:.1f}"'
        parts.append(f'<text {at} fill="{colour}" font-weight="700">{name}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{TITLE}" '
        f'font-family="system-ui, sans-serif" font-size="14" fill="#222">\n' + "\n".join(parts) + "\n</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
