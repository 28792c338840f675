"""A position as a picture: SVG for documents, letters for the terminal. No words, so no language."""

from quatuor.games.blokus.picture import DARK, FILLS, MARKS, RICH
from quatuor.games.blokus.puzzles.kinds import COLOURS
from quatuor.games.blokus.puzzles.position import Cell, Piece, Position, check_position

CELL, EDGE = 28, 26  # pixels: a cell, the margin

Owners = dict[Cell, int]


def _owners(position: Position) -> Owners:
    return {cell: i for i, piece in enumerate(position.pieces) for cell in piece.cells}


def svg(position: Position) -> str:
    """The board with coordinates, every piece outlined; a mark shows its colour without colour."""
    check_position(position)
    width, height = 2 * EDGE + position.columns * CELL, 2 * EDGE + position.rows * CELL
    pieces = [line for piece in position.pieces for line in _piece(piece, height - EDGE)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            f' role="img" aria-label="{position.puzzle}" font-family="system-ui, sans-serif" font-size="12"'
            ' text-anchor="middle" dominant-baseline="central">',
            f'<rect width="{width}" height="{height}" fill="#fdfdfb"/>',
            *_ground(position, width, height),
            *pieces,
            "</svg>",
        ]
    )


def _ground(position: Position, width: int, height: int) -> list[str]:
    across, up = position.columns * CELL, position.rows * CELL
    lines = "".join(f"M{EDGE} {EDGE + i * CELL}h{across}" for i in range(position.rows + 1))
    lines += "".join(f"M{EDGE + i * CELL} {EDGE}v{up}" for i in range(position.columns + 1))
    middle = [EDGE + i * CELL + CELL / 2 for i in range(max(position.columns, position.rows))]
    return [
        f'<rect x="{EDGE}" y="{EDGE}" width="{across}" height="{up}" fill="#e9e9e4"/>',
        f'<path d="{lines}" stroke="#c9c9c2" fill="none"/>',
        '<g fill="#55554f">',
        *(f'<text x="{at}" y="{height - 13}">{chr(97 + i)}</text>' for i, at in enumerate(middle[: position.columns])),
        *(f'<text x="12" y="{height - at}">{i + 1}</text>' for i, at in enumerate(middle[: position.rows])),
        "</g>",
    ]


def _piece(piece: Piece, bottom: int) -> list[str]:
    colour, cells = COLOURS.index(piece.colour), set(piece.cells)
    squares = outline = marks = ""
    for row, column in piece.cells:
        x, y = EDGE + column * CELL, bottom - (row + 1) * CELL
        squares += f"M{x} {y}h{CELL}v{CELL}h{-CELL}z"
        marks += f"M{x + CELL / 2} {y + CELL / 2}{MARKS[colour]}"
        sides = {
            (row + 1, column): f"M{x} {y}h{CELL}",
            (row - 1, column): f"M{x} {y + CELL}h{CELL}",
            (row, column - 1): f"M{x} {y}v{CELL}",
            (row, column + 1): f"M{x + CELL} {y}v{CELL}",
        }
        outline += "".join(side for near, side in sides.items() if near not in cells)
    return [
        f'<path d="{squares}" fill="{FILLS[colour]}"/>',
        f'<path d="{marks}" fill="none" stroke="{DARK[colour]}" stroke-width="2"/>',
        f'<path d="{outline}" stroke="#fff" stroke-width="2" stroke-linecap="square"/>',
    ]


# ---- the terminal


def text_board(position: Position) -> str:
    """Rich markup: a letter for the colour of every cell, bars and underlines between pieces."""
    check_position(position)
    owners = _owners(position)
    letters = "   " + " ".join(chr(97 + i) for i in range(position.columns))
    lines = [letters]
    for row in reversed(range(position.rows)):
        cells = "".join(_cell(position, owners, (row, column)) for column in range(position.columns))
        lines.append(f"{row + 1:>2} {cells}{row + 1}")
    return "\n".join([*lines, letters])


def _cell(position: Position, owners: Owners, cell: Cell) -> str:
    if cell not in owners:
        return "[dim]·[/] "
    row, column = cell
    owner = owners[cell]
    colour = position.pieces[owner].colour
    style = RICH[COLOURS.index(colour)]
    if row and owners.get((row - 1, column)) != owner:
        style += " underline"
    gap = " " if owners.get((row, column + 1)) == owner else "▕"
    return f"[{style}]{colour[0].upper()}{gap}[/]"
