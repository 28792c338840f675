"""Threads that do the work of a batch together, and stay awake between its steps.

To wake a thread takes as long as a step of a thousand small games. So whoever has worked looks out for more work for a
moment before it goes to sleep. Everyone has rows of their own, which stay in its caches, and then helps the others:
nobody waits for one who sleeps. All of this happens in compiled code, where Python's lock is not needed.
"""

import sys
import weakref
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np
from numba import boolean, int64, typeof

from quatuor.engine import blind
from quatuor.engine.batch import Array, Host
from quatuor.engine.rows import FINE, Games, draw, restart, step, wrong
from quatuor.games.contract import Rulebook
from quatuor.kernel import Words, bind, inlined, template
from quatuor.kernel.atomic import add, load, rest, store

STEP, DRAW, WRONG, RESTART = 0, 1, 2, 3  # what can be ordered
KINDS = 4
LOOKOUT = 8_000  # rests: 0.23 ms on an AMD EPYC
PIECE = 64  # games that are taken at a time

# The board, where orders are given, a row of it for each thread: the order (its kind, and a number that tells it from
# the last) above the first of the thread's rows that nobody has taken. Apart, so that no two share a cache line. Two
# rows more: how many games are done (behind it, how many actions are wrong), and the rules of a step.
ROW = 32  # bits of a row's number
ROWS = (1 << ROW) - 1
APART = 16  # words
SEATS, CAP, AGAIN = 0, 1, 2


@template
def obey(kind: int, first: int, last: int, board: Words, rules: int, actions: Any, options: Words, games: Any) -> None:
    """Do a piece of what is ordered."""
    if kind == STEP:
        step(first, last, actions, board[rules + SEATS], board[rules + CAP], board[rules + AGAIN] != 0, options, games)
    elif kind == DRAW:
        draw(first, last, actions, games.moves, games.counts, games.rngs)
    elif kind == RESTART:
        restart(first, last, options, games)
    elif wrong(first, last, actions, games.counts, games.mask) != FINE:
        add(board, rules - APART + 1, 1)


@template
def toil(me: int, threads: int, board: Words, actions: Any, options: Words, games: Any) -> int:
    """Take pieces until there are none: of one's own rows, then of the others'. Return the order that they were of."""
    n = len(games.plies)
    done = threads * APART
    order = 0
    for i in range(threads):
        whose = me + i if me + i < threads else me + i - threads
        last = n * (whose + 1) // threads
        while True:
            taken = add(board, whose * APART, PIECE)
            first = taken & ROWS
            if i == 0:
                order = taken >> ROW
            if first >= last:
                break
            end = min(first + PIECE, last)
            obey((taken >> ROW) % KINDS, first, end, board, done + APART, actions, options, games)
            add(board, done, end - first)
    return order


@template
@inlined
def give(order: int, threads: int, board: Words, actions: Any, options: Words, games: Any) -> int:
    """Give an order, do one's part of it and wait for the others; return how many pieces had wrong actions."""
    n = len(games.plies)
    done = threads * APART
    store(board, done, 0)
    store(board, done + 1, 0)
    for thread in range(threads - 1, -1, -1):
        store(board, thread * APART, order << ROW | n * thread // threads)
    toil(thread, threads, board, actions, options, games)  # 0, but not as a constant: that would be compiled apart
    while load(board, done) < n:
        rest()
    return int(load(board, done + 1))


@template
def lead(
    number: int,
    kind: int,
    check: bool,
    seats: int,
    cap: int,
    again: bool,
    threads: int,
    board: Words,
    actions: Any,
    options: Words,
    games: Any,
) -> bool:
    """Have something done for all games, unless (``check``) an action is wrong; whether it was done."""
    rules = (threads + 1) * APART
    board[rules + SEATS] = seats
    board[rules + CAP] = cap
    board[rules + AGAIN] = again
    if check and give(number * KINDS + WRONG, threads, board, actions, options, games):
        return False
    give((number + 1) * KINDS + kind, threads, board, actions, options, games)
    return True


@template
def follow(me: int, threads: int, board: Words, actions: Any, options: Words, games: Any) -> None:
    """Do one's part of every order, until there has been none for a while."""
    seen = -1
    idle = 0
    while idle < LOOKOUT:
        if load(board, me * APART) >> ROW != seen:
            seen = toil(me, threads, board, actions, options, games)
            idle = 0
        else:
            rest()
            idle += 1


class Crew(Host):
    """So many threads for one batch; the calling thread is one of them."""

    def __init__(self, book: Rulebook, n: int, threads: int) -> None:
        super().__init__(book, n)
        self._bound = bind(sys.modules[__name__], book.rules, book.name, book.planes or blind)
        self._threads, self._number = threads, 0
        self._given: tuple[Any, ...] = ()
        self._board = np.zeros((threads + 2) * APART, np.int64)
        self._board[: threads * APART : APART] = n  # nothing to take yet
        self._asleep: list[SimpleQueue[bool]] = []

    def run(self, kernel: str, *arguments: Any) -> None:
        if kernel == "restart":
            self._gather(*arguments)
            self._order(RESTART)
        else:
            self._order(DRAW)
            np.copyto(arguments[0], self._actions)

    def step(self, actions: Array, check: bool, seats: int, cap: int, again: bool, options: Words, games: Games) -> int:
        np.copyto(self._actions, actions)
        return FINE if self._order(STEP, check, seats, cap, again) else self.wrong(actions, games)

    def _gather(self, options: Words, games: Games) -> None:
        """Have the threads come, if they are not there yet."""
        if self._given:
            return
        self._actions = np.zeros(games.counts.shape, np.int64)  # what steps play and samples are drawn into
        self._given = self._threads, self._board, self._actions, options, games
        # the machine code itself: Numba would look up the types of so many arrays anew in every call
        types = int64, int64, boolean, int64, int64, boolean, *map(typeof, self._given)
        self._lead = self._bound.lead.get_compile_result(boolean(*types)).entry_point
        for me in range(1, self._threads):
            bell = SimpleQueue[bool]()
            given = self._bound.follow, (me, *self._given), bell, self._asleep
            Thread(target=_serve, args=given, daemon=True).start()
            weakref.finalize(self, bell.put, False)
            self._asleep.append(bell)

    def _order(self, kind: int, check: bool = False, seats: int = 0, cap: int = 0, again: bool = False) -> bool:
        self._number = (self._number + 2) % (1 << 28)
        while self._asleep:
            self._asleep.pop().put(True)
        done: bool = self._lead(self._number, kind, check, seats, cap, again, *self._given)
        return done


def _serve(follow: Any, given: tuple[Any, ...], bell: SimpleQueue[bool], asleep: list[SimpleQueue[bool]]) -> None:
    """A thread's life: work when called, until the bell says that the batch is gone."""
    while bell.get():
        follow(*given)
        asleep.append(bell)
