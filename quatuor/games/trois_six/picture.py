"""A position of 3/6 as data, as SVG, and for the terminal."""

from collections.abc import Mapping
from typing import Any

from quatuor.games.contract import State
from quatuor.games.trois_six import rules
from quatuor.games.trois_six.notation import LETTERS, cell_name


def _name(spot: int) -> str:
    return cell_name(int(rules.CELL_AT[spot]))


def piles(state: State) -> list[dict[str, Any]]:
    """Every pile in play, by owner and number."""
    return [
        {
            "cell": _name(int(state[rules.SPOT + pawn])),
            "owner": pawn // 6,
            "number": pawn % 6 + 1,
            "height": int(state[rules.HEIGHT + pawn]),
        }
        for pawn in range(12)
        if state[rules.SPOT + pawn]
    ]


def lines(state: State) -> list[dict[str, Any]]:
    """Every three in line (TS-20)."""
    found = []
    for seat in range(2):
        pawns = int(state[rules.PAWNS + seat])
        firsts = {step: pawns & pawns >> step & pawns >> 2 * step for step in map(int, rules.UPWARDS)}
        found += [
            {"seat": seat, "cells": [_name(spot + k * step) for k in range(3)]}
            for spot in range(8, 50)
            for step, first in firsts.items()
            if first >> spot & 1
        ]
    return found


def conceal(state: State, seat: int | None) -> State:
    """The state as a seat may see it: the other's order is known to be in, not what it is (TS-3)."""
    shown = state.copy()
    for other in range(2):
        if other != seat and shown[rules.ORDER + other] != rules.NO_ORDER:
            shown[rules.ORDER + other] = rules.SEALED
    return shown


def view(state: State) -> dict[str, Any]:
    return {
        "cells": piles(state),
        "ready": [bool(state[rules.ORDER + seat] != rules.NO_ORDER) for seat in range(2)],
        "quiet": int(state[rules.QUIET]),
        "quiet_turns": int(state[rules.QUIET_TURNS]) or None,
        "lines": lines(state),
    }


def effects(before: State, actions: Mapping[int, int], after: State) -> dict[str, Any]:
    """Both orders and what became of them, what was landed on, and the lines that stand now."""
    movers = [int(rules.mover(before, seat, actions[seat])) for seat in range(2)]
    collision = bool(rules.collide(before, actions[0], actions[1], *movers))
    standing = {pile["cell"]: pile for pile in piles(before)}
    if not collision:  # TS-11: the piles that move have left
        for pawn in movers:
            if pawn != rules.NOBODY:
                del standing[_name(int(before[rules.SPOT + pawn]))]
    orders = {seat: _order(before, seat, actions[seat], collision, standing) for seat in range(2)}
    swap = all(order["result"] == "moved" for order in orders.values()) and (
        orders[0]["from"] == orders[1]["to"] and orders[1]["from"] == orders[0]["to"]
    )
    return {"orders": orders, "swap": swap, "lines": lines(after)}


def _order(before: State, seat: int, action: int, collision: bool, standing: dict[str, Any]) -> dict[str, Any]:
    """One order and what became of it, given the piles that stay where they stand."""
    if action == rules.PASS:
        return {"number": None, "from": None, "to": None, "result": "passed"}
    number, cell = divmod(action, rules.CELLS)
    spot = int(before[rules.SPOT + 6 * seat + number - 1]) if number else 0
    order: dict[str, Any] = {
        "number": number or None,
        "from": _name(spot) if spot else None,
        "to": cell_name(cell),
    }
    under = standing.get(order["to"])
    if collision:
        order["result"] = "same_target"
    elif rules.mover(before, seat, action) == rules.NOBODY:
        order["result"] = "void"
    elif under is None:
        order["result"] = "moved"
    else:
        order["result"] = "stacked" if under["owner"] == seat else "captured"
        order["under"] = under
    return order


def reason(state: State) -> dict[str, Any]:
    winner = int(state[rules.WINNER])
    decided: dict[str, Any] = {
        "code": rules.REASONS[state[rules.WHY]],
        "winner": None if winner == rules.DRAW else winner,
    }
    if state[rules.WHY] == rules.TOO_QUIET:
        decided["turns"] = int(state[rules.QUIET])
    return decided


def text_board(state: State) -> str:
    """White pieces as ``3``, black ones as ``(3)``; a pile's height follows as a small number."""
    marks = {pile["cell"]: _mark(pile) for pile in piles(state)}
    head = "    " + "    ".join(LETTERS)
    rows = []
    for row in range(6, 0, -1):
        cells = (marks.get(f"{letter}{row}", "[dim] · [/]  ") for letter in LETTERS)
        rows.append(f"{row}  " + "".join(cells))
    return "\n".join([head, *rows, *_status(state)])


def _mark(pile: dict[str, Any]) -> str:
    height = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(pile["height"])) if pile["height"] > 1 else ""
    number = f" {pile['number']} " if pile["owner"] == 0 else f"({pile['number']})"
    style = "bold yellow" if pile["owner"] == 0 else "bold blue"
    return f"[{style}]{number}[/]{height:2}"


def _status(state: State) -> list[str]:
    if state[rules.WINNER] != rules.RUNNING:
        return []
    ready = view(state)["ready"]
    waiting = [name for seat, name in enumerate(("white 3", "black (3)")) if not ready[seat]]
    return [f"   orders wanted: {', '.join(waiting)}"]


_DISC = (("#fdf6e3", "#2b2118"), ("#2f3e57", "#ffffff"))  # fill and figure of each colour
_CELL = 44


def svg(state: State) -> str:
    """The board with its pawns; a pile is drawn as its discs one on another, with its height beside it."""
    size = 6 * _CELL + 48
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" font-family="sans-serif" font-size="14">',
        f'<rect width="{size}" height="{size}" rx="12" fill="#e8dcc4"/>',
    ]
    for i in range(6):
        middle = 24 + _CELL * i + _CELL // 2
        parts.append(f'<text x="{middle}" y="{size - 7}" text-anchor="middle" fill="#6b5537">{LETTERS[i]}</text>')
        parts.append(f'<text x="12" y="{size - middle + 5}" text-anchor="middle" fill="#6b5537">{i + 1}</text>')
        for j in range(6):
            fill = "#cdbb97" if (i + j) % 2 else "#dccbaa"
            parts.append(
                f'<rect x="{24 + _CELL * i}" y="{24 + _CELL * j}" width="{_CELL}" height="{_CELL}" fill="{fill}"/>'
            )
    for pile in sorted(piles(state), key=lambda pile: pile["cell"][1], reverse=True):  # the nearer row in front
        parts += _pile_svg(pile)
    return "".join(parts) + "</svg>"


def _pile_svg(pile: dict[str, Any]) -> list[str]:
    x = 24 + _CELL * LETTERS.index(pile["cell"][0]) + _CELL // 2
    y = 24 + _CELL * (6 - int(pile["cell"][1])) + _CELL // 2 + 2
    fill, figure = _DISC[pile["owner"]]
    parts = [
        f'<circle cx="{x}" cy="{y - 2 * level}" r="16" fill="#8d7b5f" stroke="#2b2118"/>'
        for level in range(pile["height"] - 1)  # the pawns below, of either colour
    ]
    top = y - 2 * (pile["height"] - 1)
    parts.append(f'<circle cx="{x}" cy="{top}" r="16" fill="{fill}" stroke="#2b2118" stroke-width="1.5"/>')
    parts.append(
        f'<text x="{x}" y="{top + 6}" text-anchor="middle" font-size="17" font-weight="bold" fill="{figure}">'
        f"{pile['number']}</text>"
    )
    if pile["height"] > 1:
        parts.append(
            f'<text x="{x + 20}" y="{y + 18}" text-anchor="end" font-size="11" fill="#2b2118">×{pile["height"]}</text>'
        )
    return parts
