"""A position of Plus 4 as data, as SVG, and for the terminal."""

from collections.abc import Mapping
from typing import Any

from quatuor.games.contract import State
from quatuor.games.plus4 import rules
from quatuor.games.plus4.notation import COLUMNS

_LINES = (
    {f"column {c}": 0xF << 4 * i for i, c in enumerate(COLUMNS)}
    | {f"row {4 - i}": rules.TOPS << i for i in range(4)}
    | {"diagonal \\": rules.DIAGONAL, "diagonal /": rules.ANTIDIAGONAL}
)

_MARKS = str.maketrans("012456", ".br.BR")  # 1 blue, 2 red, and 4 for a bonus pawn


def cell_name(bit: int) -> str:
    """a1 is bottom left."""
    return f"{COLUMNS[bit // 4]}{4 - bit % 4}"


def grid(state: State) -> list[str]:
    """The rows from the top: ``.`` empty, ``b`` blue, ``r`` red, ``B`` and ``R`` their bonus pawns."""
    blue, red, bonus = (int(state[word]) for word in (rules.CELLS, rules.CELLS + 1, rules.BONUS))
    digits = int(f"{blue:b}") + 2 * int(f"{red:b}") + 4 * int(f"{bonus:b}")  # a decimal digit for each cell
    pawns = f"{digits:016}"[::-1].translate(_MARKS)
    return [pawns[floor::4] for floor in range(4)]


def lines(state: State, colour: int) -> list[int]:
    """The complete lines of a colour, as cell sets."""
    cells = int(state[rules.CELLS + colour])
    return [line for line in _LINES.values() if cells & line == line]


def _cells(mask: int) -> list[str]:
    return [cell_name(bit) for bit in range(16) if mask >> bit & 1]


def view(state: State) -> dict[str, Any]:
    return {
        "grid": grid(state),
        "bonus": [
            bool(state[rules.VARIANT] != rules.ELEMENTARY and not state[rules.CELLS + c] & state[rules.BONUS])
            for c in range(2)
        ],  # in hand
        "scores": [int(state[rules.SCORE]), int(state[rules.SCORE + 1])],
        "target": None if _unscored(state) else int(state[rules.TARGET]),
        "rounds": int(state[rules.ROUNDS]) or None if state[rules.VARIANT] == rules.IN_ROUNDS else None,
        "round": int(state[rules.ROUND]),
        "turn": int(state[rules.TURN]),
        "lines": [_cells(line) for colour in range(2) for line in lines(state, colour)],
    }


def _unscored(state: State) -> bool:
    return bool(
        state[rules.VARIANT] == rules.ELEMENTARY or (state[rules.VARIANT] == rules.IN_ROUNDS and state[rules.ROUNDS])
    )


def effects(before: State, actions: Mapping[int, int], after: State) -> dict[str, Any]:
    """The push: what went in, what fell out, which lines it completed and what they were worth."""
    ((seat, action),) = actions.items()
    column = action & 3
    pushed = before.copy()
    pushed[rules.VARIANT], pushed[rules.BOTH_LINES] = rules.ELEMENTARY, rules.BOTH_CONTINUE  # the grid is not emptied
    rules.play(pushed, seat, action)
    fallen = grid(before)[-1][column]
    completed = []
    for colour in range(2):
        old = lines(before, colour)
        completed += [{"colour": colour, "cells": _cells(line)} for line in lines(pushed, colour) if line not in old]
    return {
        "seat": seat,
        "column": COLUMNS[column],
        "bonus": bool(action & 4),
        "ejected": None if fallen == "." else fallen,
        "grid": grid(pushed),  # before a round is cleared away
        "lines": completed,
        "points": [int(after[rules.SCORE + c] - before[rules.SCORE + c]) for c in range(2)],
        "round_over": bool(after[rules.ROUND] != before[rules.ROUND]),
    }


def reason(state: State) -> dict[str, Any]:
    winner = int(state[rules.WINNER])
    return {"code": rules.REASONS[state[rules.WHY]], "winner": None if winner == rules.DRAW else winner}


def text_board(state: State) -> str:
    marks = {".": "[dim]·[/]", "b": "[blue]●[/]", "r": "[red]◆[/]", "B": "[bold cyan]◉[/]", "R": "[bold magenta]◈[/]"}
    shown = view(state)
    rows = [f"{4 - floor} │ " + " ".join(marks[p] for p in row) + " │" for floor, row in enumerate(shown["grid"])]
    board = ["    a b c d", *rows, "  └─────────┘"]
    if state[rules.VARIANT] != rules.ELEMENTARY:
        goal = f"{shown['rounds']} rounds" if shown["rounds"] else f"first to {shown['target']}"
        hands = ["bonus in hand" if held else "bonus in the grid" for held in shown["bonus"]]
        blue, red = shown["scores"]
        board.append(f"  [blue]● blue {blue}[/] ({hands[0]})   [red]◆ red {red}[/] ({hands[1]})   {goal}")
    if state[rules.WINNER] == rules.RUNNING:
        board.append(("  [blue]● blue[/]", "  [red]◆ red[/]")[shown["turn"]] + " to push")
    return "\n".join(board)


_FILL = {"b": "#2f6fb7", "r": "#c8412f", "B": "#8fc1f0", "R": "#f2a08f"}


def svg(state: State) -> str:
    """The grid as on the box; blue pawns carry a ring, red ones a diamond, bonus ones a star."""
    shown = view(state)
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 270" font-family="sans-serif" font-size="14">',
        '<rect x="20" y="24" width="200" height="200" rx="12" fill="#e8dcc4" stroke="#6b5537" stroke-width="3"/>',
    ]
    for c, name in enumerate(COLUMNS):
        parts.append(f'<text x="{47 + 48 * c}" y="18" text-anchor="middle" fill="#6b5537">{name}</text>')
        for floor in range(4):
            x, y, p = 48 + 48 * c, 52 + 48 * floor, shown["grid"][floor][c]
            parts.append(f'<circle cx="{x}" cy="{y}" r="20" fill="#cdbb97" stroke="#6b5537"/>')
            if p != ".":
                parts.append(f'<circle cx="{x}" cy="{y}" r="19" fill="{_FILL[p]}" stroke="#2b2118"/>')
                if p in "bB":
                    parts.append(f'<circle cx="{x}" cy="{y}" r="11" fill="none" stroke="#fff" stroke-width="3"/>')
                else:
                    parts.append(
                        f'<path d="M{x} {y - 12}l12 12-12 12-12-12z" fill="none" stroke="#fff" stroke-width="3"/>'
                    )
                if p in "BR":
                    parts.append(f'<text x="{x}" y="{y + 5}" text-anchor="middle" fill="#2b2118">★</text>')
    if state[rules.VARIANT] != rules.ELEMENTARY:
        blue, red = shown["scores"]
        parts.append(f'<text x="24" y="252" fill="#2f6fb7">● {blue}</text>')
        parts.append(f'<text x="216" y="252" text-anchor="end" fill="#c8412f">{red} ◆</text>')
    return "".join(parts) + "</svg>"
