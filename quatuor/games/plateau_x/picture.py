"""A position as a picture: SVG for documents, boxes and letters for the terminal. No words, so no language."""

from quatuor.games.contract import State
from quatuor.games.plateau_x import rules
from quatuor.games.plateau_x.notation import side_of
from quatuor.games.plateau_x.tables import BIT, CELLS, COVER, SIDE
from quatuor.games.plateau_x.view import laid, stocks

LETTERS = "PQRS"  # the pawns of seats 0 to 3: none is a column's letter
COLOURS = ("#1f1f1f", "#f2c80f", "#e8710a", "#2e8b3d")  # black, yellow, orange, green
INKS = ("#ffffff", "#1f1f1f", "#1f1f1f", "#ffffff")  # readable on them
RICH = ("white on black", "black on bright_yellow", "black on dark_orange", "white on green4")

CELL, EDGE, PANEL = 56, 28, 150  # pixels: a cell, the margin with the coordinates, the stocks to the right
JOINTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by the arms that meet: 1 up, 2 right, 4 down, 8 left


def tops(state: State) -> list[int]:
    """The topmost brick on each cell, numbered from 1 in the order in which they were placed; 0 on the bare board."""
    top = [0] * CELLS
    for number, brick in enumerate(laid(state), 1):
        for cell in range(CELLS):
            if COVER[brick] & BIT[cell]:
                top[cell] = number
    return top


def borders(state: State) -> tuple[list[list[bool]], list[list[bool]]]:
    """The lines to draw: below row r at column c, and left of column c in row r. Bricks, bare ground and the edge."""
    side, top = side_of(state), tops(state)

    def at(row: int, column: int) -> int:
        return top[row * SIDE + column] if 0 <= row < side and 0 <= column < side else -1

    below = [[at(r, c) != at(r - 1, c) for c in range(side)] for r in range(side + 1)]
    left = [[at(r, c) != at(r, c - 1) for c in range(side + 1)] for r in range(side)]
    return below, left


def pawn_at(state: State) -> dict[int, int]:
    """The seat of the pawn on each cell that holds one."""
    return {int(state[rules.PAWN + i]): i // 2 for i in range(8) if BIT[int(state[rules.PAWN + i])]}


def shade(level: int) -> str:
    """From pale sand on the board to deep brown; above level 9 only the number shows the height."""
    step = min(level, 9)
    return f"hsl({38 - 2 * step} {30 + 4 * step}% {94 - 7 * step}%)"


# ---- SVG


def _pawn(seat: int, x: float, y: float, radius: float) -> str:
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{COLOURS[seat]}" stroke="#fff" stroke-width="2"/>'
        f'<text x="{x}" y="{y}" font-weight="700" font-size="{radius}" fill="{INKS[seat]}">{LETTERS[seat]}</text>'
    )


def _cells(state: State) -> list[str]:
    side, held, drawn = side_of(state), pawn_at(state), []
    for row in range(side):
        for column in range(side):
            cell = row * SIDE + column
            x, y = EDGE + column * CELL, EDGE + (side - 1 - row) * CELL
            level = int(rules.level_of(state, BIT[cell]))
            ink = "#fff" if level > 4 else "#3a2c17"
            drawn.append(f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{shade(level)}"/>')
            if cell in held:
                drawn.append(_pawn(held[cell], x + CELL / 2, y + CELL / 2, 20))
                drawn.append(f'<text x="{x + 8}" y="{y + 10}" font-size="12" fill="{ink}">{level}</text>')
            elif level:
                drawn.append(f'<text x="{x + CELL / 2}" y="{y + CELL / 2}" font-size="20" fill="{ink}">{level}</text>')
            else:
                drawn.append(f'<circle cx="{x + CELL / 2}" cy="{y + CELL / 2}" r="2" fill="#b9ab8f"/>')
    return drawn


def _outlines(state: State) -> list[str]:
    side = side_of(state)
    below, left = borders(state)
    bottom = EDGE + side * CELL
    marks = [
        f"M{EDGE + c * CELL} {bottom - r * CELL}h{CELL}" for r in range(side + 1) for c in range(side) if below[r][c]
    ]
    marks += [
        f"M{EDGE + c * CELL} {bottom - r * CELL}v{-CELL}" for r in range(side) for c in range(side + 1) if left[r][c]
    ]
    return [f'<path d="{"".join(marks)}" fill="none" stroke="#3a2c17" stroke-width="3" stroke-linecap="round"/>']


def _coordinates(side: int) -> list[str]:
    middle = [EDGE + i * CELL + CELL / 2 for i in range(side)]
    letters = [f'<text x="{at}" y="{2 * EDGE + side * CELL - 12}">{"ABCDEFG"[i]}</text>' for i, at in enumerate(middle)]
    numbers = [f'<text x="12" y="{at}">{side - i}</text>' for i, at in enumerate(middle)]
    return ['<g font-size="14" fill="#6b5b3e">', *letters, *numbers, "</g>"]


def _stock(x: float, y: float, cells: int, number: int) -> str:
    """A little brick of one, two or three cells, and how many are left."""
    squares = ((0, 0), (1, 0), (0, -1))[:cells]
    drawn = "".join(f'<rect x="{x + 10 * a}" y="{y - 5 + 10 * b}" width="10" height="10"/>' for a, b in squares)
    return f'<g fill="{shade(3)}" stroke="#3a2c17">{drawn}</g><text x="{x + 34}" y="{y}" font-size="14">{number}</text>'


def _panel(state: State, x: float) -> list[str]:
    """The common triples, then each seat's pawn, singles and doubles; a bar marks the seat to move."""
    drawn = [_stock(x + 44, EDGE + 20, 3, int(state[rules.TRIPLES_LEFT]))]
    for seat, left in enumerate(stocks(state)):
        y = EDGE + 68 + seat * 44
        if rules.to_move(state) >> seat & 1:
            drawn.append(f'<rect x="{x}" y="{y - 18}" width="4" height="36" fill="{COLOURS[seat]}"/>')
        drawn.append(_pawn(seat, x + 22, y, 13 if left["pawns"] else 9))  # larger while one is in hand
        drawn += [_stock(x + 44, y, 1, left["singles"]), _stock(x + 92, y, 2, left["doubles"])]
    return drawn


def svg(state: State) -> str:
    """The board from above: level numbers, shading by height, brick outlines, pawns, stocks."""
    side = side_of(state)
    board = 2 * EDGE + side * CELL
    width = board + PANEL
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {board}" width="{width}" height="{board}"'
            ' role="img" aria-label="Plateau X" font-family="system-ui, sans-serif" text-anchor="middle"'
            ' dominant-baseline="central">',
            f'<rect width="{width}" height="{board}" fill="#fffdf8"/>',
            *_cells(state),
            *_outlines(state),
            *_coordinates(side),
            *_panel(state, board - 8),
            "</svg>",
        ]
    )


# ---- the terminal


def _line(below: list[list[bool]], left: list[list[bool]], r: int) -> str:
    """The line under row r, with the right joint where lines meet."""
    side = len(left)
    text = "   "
    for c in range(side + 1):
        up, down = r < side and left[r][c], r > 0 and left[r - 1][c]
        to_right, to_left = c < side and below[r][c], c > 0 and below[r][c - 1]
        text += JOINTS[up + 2 * to_right + 4 * down + 8 * to_left]
        text += ("───" if to_right else "   ") if c < side else ""
    return text.rstrip()


def _row(state: State, left: list[list[bool]], r: int) -> str:
    held, text = pawn_at(state), f"{r + 1:>2} "
    for c in range(len(left)):
        cell = r * SIDE + c
        level = str(rules.level_of(state, BIT[cell]) or "·")
        seat = held.get(cell)
        shown = f" {level:<2}" if seat is None else f"[{RICH[seat]}]{LETTERS[seat]}[/]{level:<2}"
        text += ("│" if left[r][c] else " ") + shown
    return text + "│"


def text_board(state: State) -> str:
    """The board with brick outlines, levels and pawns; below it what is left: 1, 2 and 3 cells, pawns in hand."""
    side = side_of(state)
    below, left = borders(state)
    lines = [_line(below, left, side)]
    for r in reversed(range(side)):
        lines += [_row(state, left, r), _line(below, left, r)]
    lines.append("    " + "".join(f" {letter}  " for letter in "ABCDEFG"[:side]).rstrip())
    for seat, stock in enumerate(stocks(state)):
        turn = ">" if rules.to_move(state) >> seat & 1 else " "
        hand = f" +{LETTERS[seat] * stock['pawns']}" if stock["pawns"] else ""
        lines.append(f" {turn} [{RICH[seat]}]{LETTERS[seat]}[/]  ▪×{stock['singles']}  ▪▪×{stock['doubles']}{hand}")
    lines.append(f"      ▙×{state[rules.TRIPLES_LEFT]}")
    return "\n".join(lines)
