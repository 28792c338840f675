"""The board for Python: cells, attach points, pieces."""

from collections.abc import Iterator

from quatuor.games.blokus import rules
from quatuor.games.blokus.adjacency import edges
from quatuor.games.blokus.tables import PAD, PIECE, SIDE, action_of
from quatuor.games.contract import State


def bits(word: int) -> Iterator[int]:
    """Which bits are set, the lowest first."""
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low


def colour_at(state: State, row: int, column: int) -> int | None:
    """The colour that covers a cell; None if it is empty or off the board."""
    return next((colour for colour in range(4) if covers(state, colour, row, column)), None)


def covers(state: State, colour: int, row: int, column: int) -> bool:
    """Whether a colour covers a cell; never off the board."""
    if not (0 <= row < SIDE and 0 <= column < SIDE):
        return False
    return bool(int(state[rules.CELLS + colour * rules.LAYER + row]) >> column + PAD & 1)


def is_attach_point(state: State, row: int, column: int) -> bool:
    return bool(state[rules.ATTACH + row] >> column + PAD & 1)


def attach_points(state: State) -> list[tuple[int, int]]:
    """The cells of which the next placement of the colour to move must cover one."""
    rows = state[rules.ATTACH : rules.ATTACH + SIDE].tolist()
    return [(row, column) for row, cells in enumerate(rows) for column in bits(cells >> PAD)]


def laid(state: State) -> list[tuple[int, int]]:
    """The pieces on the board as (colour, action), each colour's last one last."""
    return [(colour, action) for colour in range(rules.colours(state)) for action in _laid(state, colour)]


def _laid(state: State, colour: int) -> list[int]:
    """Pieces of one colour never touch by an edge (BK-4), so connected cells are one piece."""
    left = {(r, c) for r in range(SIDE) for c in range(SIDE) if colour_at(state, r, c) == colour}
    actions = []
    while left:
        piece, rim = set(), {left.pop()}
        while rim:
            piece |= rim
            rim = edges(rim) & left
            left -= rim
        action = action_of(tuple(piece))
        assert action is not None, "connected cells of one colour are one piece"
        actions.append(action)
    return sorted(actions, key=lambda action: PIECE[action // (SIDE * SIDE)] == state[rules.LAST_PIECE + colour])
