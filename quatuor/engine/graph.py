"""The value over a game as a picture."""

from collections.abc import Sequence
from html import escape

from quatuor.engine.review import Turn

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 720, 240, 44, 30, 24
DASHES = ("", "7 4", "2 3", "9 3 2 3")  # one for each seat: colour alone does not distinguish lines for everyone
INKS = ("#1f5fbf", "#c2410c", "#15803d", "#7e22ce")
SIGNS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!"}

Point = tuple[float, float]


def graph(turns: Sequence[Turn], names: Sequence[str]) -> str:
    """An SVG with a line for each seat (of two, the first: the other is its mirror image); errors are marked."""
    last = max((turn["number"] for turn in turns), default=1)
    shown = range(1) if len(names) == 2 else range(len(names))
    parts = [_frame(last, names)]
    for seat in shown:
        points = [(turn["number"], value) for turn in turns if (value := turn["values"][seat]) is not None]
        parts.append(_line(seat, [_place(number, value, last) for number, value in points]))
    parts += [_legend(seat, names[seat]) for seat in shown]
    parts += [_marks(turn, last, shown) for turn in turns]
    style = 'font-family="sans-serif" font-size="11" fill="#444"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" {style}>'
    return "\n".join([head, *filter(None, parts), "</svg>"]) + "\n"


def _place(number: float, value: float, last: int) -> Point:
    x = LEFT + (WIDTH - LEFT - 12) * number / max(last, 1)
    y = TOP + (HEIGHT - TOP - BOTTOM) * (1 - value) / 2
    return round(x, 1), round(y, 1)


def _frame(last: int, names: Sequence[str]) -> str:
    lines = [f"<title>{escape(' – '.join(names))}</title>", f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for value, word in ((1, "wins"), (0, "even"), (-1, "loses")):
        (x1, y), (x2, _) = _place(0, value, last), _place(last, value, last)
        lines.append(f'<path d="M{x1} {y}H{x2}" stroke="{"#999" if value == 0 else "#ddd"}"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{word}</text>')
    step = max(1, round(last / 10 / 5) * 5) if last > 10 else 1
    for number in range(step, last + 1, step):
        x, _ = _place(number, 0, last)
        lines.append(f'<text x="{x}" y="{HEIGHT - 8}" text-anchor="middle">{number}</text>')
    return "\n".join(lines)


def _line(seat: int, points: Sequence[Point]) -> str:
    if not points:
        return ""
    path = " ".join(f"{x},{y}" for x, y in points)
    dash = f' stroke-dasharray="{DASHES[seat % 4]}"' if DASHES[seat % 4] else ""
    return f'<polyline points="{path}" fill="none" stroke="{INKS[seat % 4]}" stroke-width="2"{dash}/>'


def _legend(seat: int, name: str) -> str:
    x = LEFT + 160 * seat
    return _line(seat, [(x, 14), (x + 28, 14)]) + f'\n<text x="{x + 34}" y="18">{escape(name)}</text>'


def _marks(turn: Turn, last: int, shown: range) -> str:
    """Each marked move, at the height of its seat's line."""
    found = []
    for decision in turn["decisions"]:
        if decision["mark"] is None:
            continue
        seat = decision["seat"]
        value = decision["value"] if seat in shown else -decision["value"]
        x, y = _place(turn["number"], value, last)
        ink = INKS[seat % 4]
        label = f"{turn['number']}. {decision['move']}: {decision['mark']}, better {decision['best']}"
        found.append(
            f'<g><title>{escape(label)}</title><circle cx="{x}" cy="{y}" r="3.5" fill="{ink}"/>'
            f'<text x="{x}" y="{y - 6}" text-anchor="middle" fill="{ink}">{SIGNS[decision["mark"]]}</text></g>'
        )
    return "\n".join(found)
