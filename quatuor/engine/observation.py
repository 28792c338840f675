"""What a learner sees: planes of the board and facts about the whole, if the game declares ``planes``."""

import numpy as np
import numpy.typing as npt

from quatuor.games.contract import Rulebook, State

Int8s = npt.NDArray[np.int8]


def sizes(book: Rulebook) -> tuple[tuple[int, int, int], int]:
    """The shape of a game's planes (planes, rows, columns), and how many facts there are."""
    if book.planes is None:
        raise ValueError(f"{book.name} has no planes: give its rulebook an Observation (quatuor/games/hooks.py)")
    return (len(book.planes.PLANES), book.planes.ROWS, book.planes.COLUMNS), len(book.planes.FACTS)


def look(book: Rulebook, state: State, seat: int) -> tuple[Int8s, Int8s]:
    """The planes and the facts of one position, as a seat sees it.

    >>> from quatuor.game import new
    >>> game = new("plus4")
    >>> game.play("b")
    >>> planes, facts = look(game.book, game.state, seat=1)
    >>> planes[1].tolist()[0]  # the other's pawns, top floor
    [0, 1, 0, 0]
    """
    shape, count = sizes(book)
    planes, facts = np.zeros(shape, np.int8), np.zeros(count, np.int8)
    assert book.planes is not None  # sizes has checked it
    book.planes.observe(state, seat, planes.reshape(-1), facts)
    return planes, facts


def stack(planes: Int8s, facts: Int8s) -> Int8s:
    """Planes and facts in one array: every fact becomes a plane of its own, the same number everywhere."""
    rows, columns = planes.shape[1:]
    spread = np.broadcast_to(facts[:, None, None], (len(facts), rows, columns))
    return np.concatenate([planes, spread])
