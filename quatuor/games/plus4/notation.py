"""Plus 4 moves as text: a column ``a`` to ``d``; with a star, ``a*``, the bonus pawn."""

from quatuor.games.contract import IllegalMove, State
from quatuor.games.plus4 import rules

COLUMNS = "abcd"


def write(state: State, seat: int, action: int) -> str:
    return COLUMNS[action & 3] + ("*" if action & 4 else "")


def read(state: State, seat: int, text: str) -> int:
    column = COLUMNS.find(text[:1]) if text else -1
    if column < 0 or text[1:] not in ("", "*"):
        raise IllegalMove(
            f"{text!r} is not a move: push a column, a, b, c or d; the bonus pawn with a star, such as a*"
        )
    if not text.endswith("*"):
        return column
    if state[rules.VARIANT] == rules.ELEMENTARY:
        raise IllegalMove(f"{text!r}: the elementary game has no bonus pawns; push {text[0]}")
    if state[rules.CELLS + seat] & state[rules.BONUS]:
        raise IllegalMove(f"{text!r}: the bonus pawn is in the grid, not in hand; push {text[0]}")
    return column + 4
