"""A position as a picture: SVG for documents, letters for the terminal. No words, so no language."""

from quatuor.games.blokus import rules
from quatuor.games.blokus.tables import FORMS, NAMES, PIECE, Cells, cells_of
from quatuor.games.blokus.view import LETTERS, pieces_left, view
from quatuor.games.contract import State

FILLS = ("#2563c9", "#f4c20d", "#d5322b", "#1f8f4a")
DARK = ("#123a80", "#8a6a00", "#7d1511", "#0d5128")  # for marks and outlines: the colour's own, darker
RICH = ("white on blue", "black on bright_yellow", "white on red", "black on green3")

CELL, EDGE, PANEL, MINI = 28, 26, 236, 6  # pixels: a cell, the margin, the hands to the right, a cell of theirs

# Every square has a mark, so that colours can be distinguished without colour: ring, triangle, diamond, cross.
MARKS = (
    "m-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0z",
    "m0 -6l6 10h-12z",
    "m0 -6l6 6l-6 6l-6 -6z",
    "m-5 0h10m-5 -5v10",
)


def _squares(cells: Cells, x: float, y: float, cell: int) -> str:
    """Path data: one square a cell with a thin gap between them, row 0 ending at y."""
    width = cell - 1
    return "".join(f"M{x + c * cell} {y - r * cell - width}h{width}v{width}h{-width}z" for r, c in cells)


def _marks(colour: int, cells: Cells, bottom: float) -> str:
    half = CELL / 2
    return "".join(f"M{EDGE + c * CELL + half} {bottom - r * CELL - half}{MARKS[colour]}" for r, c in cells)


def _cells_of_colour(board: list[str], colour: int) -> Cells:
    side = len(board)
    return tuple(
        (side - 1 - i, column)
        for i, row in enumerate(board)
        for column, letter in enumerate(row)
        if letter == LETTERS[colour]
    )


def _ground(side: int) -> list[str]:
    size, bottom = side * CELL, EDGE + side * CELL
    lines = "".join(f"M{EDGE} {EDGE + i * CELL}h{size}M{EDGE + i * CELL} {EDGE}v{size}" for i in range(side + 1))
    middle = [EDGE + i * CELL + CELL / 2 for i in range(side)]
    return [
        f'<rect x="{EDGE}" y="{EDGE}" width="{size}" height="{size}" fill="#e9e9e4"/>',
        f'<path d="{lines}" stroke="#c9c9c2" fill="none"/>',
        '<g font-size="12" fill="#55554f">',
        *(f'<text x="{at}" y="{bottom + 13}">{chr(97 + i)}</text>' for i, at in enumerate(middle)),
        *(f'<text x="12" y="{at}">{side - i}</text>' for i, at in enumerate(middle)),
        "</g>",
    ]


def _starts(state: State, bottom: float) -> list[str]:
    """Rings where a colour must begin; corners that are free for all are shown to the colour to move."""
    shown, drawn = view(state), []
    for entry in shown["colours"]:
        if len(entry["start"]) == 1 or entry["colour"] == shown["colour"]:
            for cell in entry["start"]:
                x, y = EDGE + (ord(cell[0]) - 96.5) * CELL, bottom - (int(cell[1:]) - 0.5) * CELL
                drawn.append(f'<circle cx="{x}" cy="{y}" r="9" fill="none" stroke="{FILLS[entry["colour"]]}"/>')
    return ['<g stroke-width="4">', *drawn, "</g>"]


def _placed(state: State, board: list[str]) -> list[str]:
    bottom = EDGE + len(board) * CELL
    drawn = _starts(state, bottom)
    for colour in range(rules.colours(state)):
        cells = _cells_of_colour(board, colour)
        if cells:
            drawn.append(f'<path d="{_squares(cells, EDGE, bottom, CELL)}" fill="{FILLS[colour]}"/>')
            mark = _marks(colour, cells, bottom)
            drawn.append(f'<path d="{mark}" fill="none" stroke="{DARK[colour]}" stroke-width="2"/>')
    if state[rules.LAST_ACTION] != rules.NONE:
        last = _squares(cells_of(int(state[rules.LAST_ACTION])), EDGE, bottom, CELL)
        drawn.append(f'<path d="{last}" fill="none" stroke="#111" stroke-width="2"/>')
    return drawn


def _hand(pieces: list[str], x: float, y: float) -> str:
    """Path data of the pieces left, side by side in lines."""
    data, at, line = "", x, y
    for piece in pieces:
        form = FORMS[int(PIECE.searchsorted(NAMES.index(piece)))]  # its first form
        width = (max(c for _, c in form) + 2) * MINI
        if at + width > x + PANEL - 24:
            at, line = x, line + 4 * MINI
        data += _squares(form, at, line, MINI)
        at += width
    return data


def _panel(state: State, x: float) -> list[str]:
    """Every colour's letter, score and pieces left; a bar marks the colour to move."""
    shown, drawn = view(state), []
    apart = shown["size"] * CELL / len(shown["colours"])
    for entry in shown["colours"]:
        colour, y = entry["colour"], EDGE + entry["colour"] * apart
        if shown["colour"] == colour:
            drawn.append(f'<rect x="{x - 12}" y="{y}" width="4" height="112" rx="2" fill="{FILLS[colour]}"/>')
        drawn += [
            f'<circle cx="{x + 10}" cy="{y + 12}" r="10" fill="{FILLS[colour]}"/>',
            f'<path d="M{x + 10} {y + 12}{MARKS[colour]}" fill="none" stroke="{DARK[colour]}" stroke-width="2"/>',
            f'<text x="{x + 36}" y="{y + 12}" font-weight="700">{LETTERS[colour].upper()}</text>',
            f'<text x="{x + 72}" y="{y + 12}"{_faded(entry["out"])}>{entry["score"]}</text>',
            f'<path d="{_hand(entry["pieces"], x, y + 50)}" fill="{FILLS[colour]}"{_faded(entry["out"])}/>',
        ]
    return drawn


def _faded(out: bool) -> str:
    return ' opacity="0.45"' if out else ""


def svg(state: State) -> str:
    """The board with coordinates, the last piece outlined, and beside it the hands and scores."""
    board = view(state)["board"]
    height = 2 * EDGE + len(board) * CELL
    width = height + PANEL
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            ' role="img" aria-label="Blokus" font-family="system-ui, sans-serif" font-size="16" text-anchor="middle"'
            ' dominant-baseline="central">',
            f'<rect width="{width}" height="{height}" fill="#fdfdfb"/>',
            *_ground(len(board)),
            *_placed(state, board),
            *_panel(state, height),
            "</svg>",
        ]
    )


def hands_svg(state: State) -> str:
    """The pieces left and the scores alone, without a board."""
    height = 2 * EDGE + int(rules.side(state)) * CELL
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {PANEL} {height}" width="{PANEL}" height="{height}"'
            ' role="img" aria-label="Blokus" font-family="system-ui, sans-serif" font-size="16" text-anchor="middle"'
            ' dominant-baseline="central">',
            f'<rect width="{PANEL}" height="{height}" fill="#fdfdfb"/>',
            *_panel(state, EDGE),
            "</svg>",
        ]
    )


# ---- the terminal


def text_board(state: State) -> str:
    """Letters for the colours, rings where the colour to move may attach; below it hands and scores."""
    shown = view(state)
    side, attach = shown["size"], set(shown["attach"])
    letters = "   " + " ".join(chr(97 + i) for i in range(side))
    lines = [letters]
    for i, row in enumerate(shown["board"]):
        text = f"{side - i:>2} "
        for column, letter in enumerate(row):
            if letter != ".":
                text += f"[{RICH[LETTERS.index(letter)]}]{letter.upper()} [/]"
            else:
                text += "[bold]○[/] " if f"{chr(97 + column)}{side - i}" in attach else "[dim]·[/] "
        lines.append(f"{text}{side - i}")
    lines.append(letters)
    for entry in shown["colours"]:
        turn = ">" if shown["colour"] == entry["colour"] else " "
        letter = f"[{RICH[entry['colour']]}]{LETTERS[entry['colour']].upper()}[/]"
        left = " ".join(pieces_left(state, entry["colour"]))
        lines.append(f" {turn} {letter} {entry['score']:>4}  {'[dim]' + left + '[/]' if entry['out'] else left}")
    return "\n".join(lines)
