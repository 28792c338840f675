"""3/6 positions as text: ``A1,E1,F2,A5,B6,F6/B1,F1,A2x3,-,A6,- 4`` (docs/positions.md).

Where pawns 1 to 6 of white stand, a slash, those of black; ``x3`` is the height of a pile, ``-`` a pawn out of play;
then the turns in a row in which nothing was landed on. How a game ended follows from that.
"""

import re

from quatuor.games.contract import PositionError, State
from quatuor.games.trois_six import rules
from quatuor.games.trois_six.notation import cell_name, cell_number
from quatuor.games.trois_six.rules import _decide as decide

_PILE = re.compile(r"([A-F][1-6])(?:x([1-9]\d?))?")
PAWNS = 12
SIDES = ("white", "black")
_FIELDS = "the pawns of white and of black and the quiet turns, such as A1,E1,F2,A5,B6,F6/B1,F1,A2,F5,A6,E6 0"


def write_position(state: State) -> str:
    piles = [_pile(int(state[rules.SPOT + i]), int(state[rules.HEIGHT + i])) for i in range(PAWNS)]
    return f"{','.join(piles[:6])}/{','.join(piles[6:])} {state[rules.QUIET]}"


def read_position(state: State, text: str) -> None:
    found = re.fullmatch(r"([^/ ]+)/([^/ ]+) (\d{1,9})", text)
    sides = [side.split(",") for side in found.groups()[:2]] if found else []
    if not found or [len(side) for side in sides] != [6, 6]:
        raise PositionError(f"{text!r} is not a position; write {_FIELDS}")
    for i in range(rules.SPOT):
        state[rules.PAWNS + i] = 0
    for i, pile in enumerate(sides[0] + sides[1]):
        _put(state, i, pile)
    _check_heights(state)
    quiet, limit = int(found[3]), int(state[rules.QUIET_TURNS])
    if limit and quiet > limit:
        raise PositionError(f"{quiet} quiet turns: the game ends after {limit}")
    state[rules.QUIET] = quiet
    decide(state)


def write_earlier(now: State, earlier: State) -> str:
    return ""  # TS-23: no position counts as repeated


def read_earlier(now: State, text: str) -> State:
    raise PositionError(f"{text!r}: 3/6 counts no repeated positions")


def _pile(spot: int, height: int) -> str:
    if not height:
        return "-"
    return cell_name(int(rules.CELL_AT[spot])) + (f"x{height}" if height > 1 else "")


def _put(state: State, pawn: int, text: str) -> None:
    state[rules.SPOT + pawn] = state[rules.HEIGHT + pawn] = 0
    if text == "-":
        return
    found = _PILE.fullmatch(text)
    if not found:
        raise PositionError(f"{text!r} is not a pawn; write its cell, A1 to F6, with the height of a pile A1x3, or -")
    spot = int(rules.SPOTS[cell_number(found[1])])
    if (state[rules.PAWNS] | state[rules.PAWNS + 1]) >> spot & 1:
        raise PositionError(f"two pawns stand on {found[1]}: the upper one alone is named (TS-6)")
    state[rules.SPOT + pawn] = spot
    state[rules.HEIGHT + pawn] = int(found[2] or 1)
    state[rules.PAWNS + pawn // 6] |= 1 << spot


def _check_heights(state: State) -> None:
    """TS-10: pawns leave the game only below others, so the heights of all piles add up to twelve."""
    heights = [int(height) for height in state[rules.HEIGHT : rules.HEIGHT + PAWNS]]
    if sum(heights) != PAWNS:
        raise PositionError(
            f"the piles hold {sum(heights)} pawns, but all {PAWNS} stay on the board, some of them below others"
        )
