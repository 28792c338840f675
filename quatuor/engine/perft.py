"""Count move sequences: the number of ways to play ``depth`` turns. Two rulebooks that agree on it agree on much."""

import sys
from typing import NamedTuple

import numpy as np

from quatuor.engine.repetition import History, forget, history_of, remember
from quatuor.engine.seats import lowest_seat
from quatuor.engine.tree import copy_state
from quatuor.game import Game
from quatuor.games.contract import legal, play, to_move
from quatuor.kernel import Words, Words2, bind, exports, template

# One row a level; a level is one seat's choice, so a turn where two act at once takes two levels
LEFT, SEAT, LATER, DEPTH, KEPT, COLUMNS = 0, 1, 2, 3, 4, 5
DEEPEST = 1000  # turns; memory is taken for each


class Levels(NamedTuple):
    """The choices from the start of a sequence to where it is, one a level."""

    states: Words2
    moves: Words2
    rows: Words2


@template
def enter(state: Words, moves: Words, row: Words, acting: int, depth: int, kept: int) -> None:
    """Open a level, where the lowest acting seat chooses."""
    seat = lowest_seat(acting)
    row[LEFT] = legal(state, seat, moves)  # moves not tried yet
    row[SEAT] = seat
    row[LATER] = acting & ~(1 << seat)  # the seats that still have to choose in this turn
    row[DEPTH] = depth  # turns to go
    row[KEPT] = kept  # positions in the history


@template
def sequences(depth: int, levels: Levels, history: History, kept: int) -> int:
    """Count the sequences of ``depth`` turns from the first level, to which the ``kept`` positions led."""
    states, moves, rows = levels.states, levels.moves, levels.rows
    total = 0
    level = 0
    enter(states[0], moves[0], rows[0], to_move(states[0]), depth, kept)
    while level >= 0:
        row = rows[level]
        forget(history, row[KEPT], kept)
        kept = row[KEPT]
        if row[DEPTH] == 1 and row[LATER] == 0:  # the last choice of all: its moves need not be played
            total += row[LEFT]
            row[LEFT] = 0
        if row[LEFT] == 0:
            level -= 1
            continue
        row[LEFT] -= 1
        after = states[level + 1]
        copy_state(states[level], after)
        play(after, row[SEAT], moves[level, row[LEFT]])
        acting = row[LATER]
        to_go = row[DEPTH]
        if acting == 0:  # the turn is complete
            kept = remember(after, history, kept)
            acting = to_move(after)
            to_go -= 1
        if acting:
            level += 1
            enter(after, moves[level], rows[level], acting, to_go, kept)
    return total


EXPORTS = exports(sequences)


def perft(game: Game, depth: int) -> int:
    """Count the sequences of ``depth`` turns from this position. Games that end earlier count no further.

    >>> import quatuor
    >>> perft(quatuor.new("plus4"), 3)
    64

    Raises:
        ValueError: ``depth`` is negative or above 1000.
    """
    if not isinstance(game, Game):
        raise TypeError(f"game={game!r}: give a quatuor.Game, such as quatuor.new('plus4')")
    if isinstance(depth, bool) or not isinstance(depth, int | np.integer):
        raise TypeError(f"depth={depth!r}: give a whole number")
    if not 0 <= depth <= DEEPEST:
        raise ValueError(f"depth={depth}: choose a whole number from 0 to {DEEPEST}")
    if depth == 0:
        return 1
    if game.over:
        return 0
    book = game.book
    count = depth * game.seats + 1
    widths = book.state_size, book.max_moves, COLUMNS
    levels = Levels(*(np.zeros((count, width), np.int64) for width in widths))
    levels.states[0] = game.state
    history = history_of(game.occurred, depth, book.state_size)
    kernel = bind(sys.modules[__name__], book.rules, book.name)
    return int(kernel.sequences(depth, levels, history, len(game.occurred)))
