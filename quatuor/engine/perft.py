"""Count move sequences: the number of ways to play ``depth`` turns. Two rulebooks that agree on it agree on much."""

import sys
from typing import Any

import numpy as np

from quatuor.engine.repetition import digest, forget, history, occurred
from quatuor.game import Game
from quatuor.games.contract import key, legal, play, repeat, to_move
from quatuor.kernel import Words, bind, template

# One row a level; a level is one seat's choice, so a turn where two act at once takes two levels
LEFT, SEAT, LATER, DEPTH, KEPT, COLUMNS = 0, 1, 2, 3, 4, 5


@template
def enter(state: Words, moves: Words, row: Words, acting: int, depth: int, kept: int) -> None:
    """Open a level, where the lowest acting seat chooses."""
    seat = 0
    while not acting >> seat & 1:
        seat += 1
    row[LEFT] = legal(state, seat, moves)  # moves not tried yet
    row[SEAT] = seat
    row[LATER] = acting & ~(1 << seat)  # who still has to choose in this turn
    row[DEPTH] = depth  # turns to go
    row[KEPT] = kept  # positions in the repetition table


@template
def arrive(state: Words, words: Words, table: Words, slots: Words, kept: int) -> int:
    """A turn is complete: apply the repetition rule; return how many positions the table holds."""
    n = key(state, words)
    if n == 0:
        return kept
    if occurred(table, slots, kept, digest(words, n)) == 3 and to_move(state):
        repeat(state)
    return kept + 1


@template
def sequences(
    depth: int, states: Any, moves: Any, rows: Any, words: Words, table: Words, slots: Words, kept: int
) -> int:
    """The sequences of ``depth`` turns from ``states[0]``; the table holds the ``kept`` positions that led there."""
    total = 0
    level = 0
    enter(states[0], moves[0], rows[0], to_move(states[0]), depth, kept)
    while level >= 0:
        row = rows[level]
        forget(table, slots, row[KEPT], kept)
        kept = row[KEPT]
        if row[DEPTH] == 1 and row[LATER] == 0:  # the last choice of all: its moves need not be played
            total += row[LEFT]
            row[LEFT] = 0
        if row[LEFT] == 0:
            level -= 1
            continue
        row[LEFT] -= 1
        after = states[level + 1]
        for i in range(len(after)):
            after[i] = states[level, i]
        play(after, row[SEAT], moves[level, row[LEFT]])
        acting = row[LATER]
        to_go = row[DEPTH]
        if acting == 0:
            kept = arrive(after, words, table, slots, kept)
            acting = to_move(after)
            to_go -= 1
        if acting:
            level += 1
            enter(after, moves[level], rows[level], acting, to_go, kept)
    return total


def perft(game: Game, depth: int) -> int:
    """How many sequences of ``depth`` turns there are from here. Games that end earlier count no further.

    >>> import quatuor
    >>> perft(quatuor.new("plus4"), 3)
    64
    """
    if depth < 0:
        raise ValueError(f"depth={depth}: choose a whole number from 0")
    if depth == 0:
        return 1
    if game.over:
        return 0
    book = game.book
    levels = depth * game.seats + 1
    table, slots = history(game.occurred, depth)
    states = np.zeros((levels, book.state_size), np.int64)
    states[0] = game.state
    kernel = bind(sys.modules[__name__], book.rules, book.name)
    moves, rows = np.zeros((levels, book.max_moves), np.int64), np.zeros((levels, COLUMNS), np.int64)
    words = np.zeros(book.state_size, np.int64)
    return int(kernel.sequences(depth, states, moves, rows, words, table, slots, len(game.occurred)))
