"""Threads that step a batch together and spin between its steps.

Waking a thread takes as long as a step of a thousand small games. So a thread that has finished its work spins for a
moment before it sleeps. Each thread owns a range of games, which stay in its caches, and then takes pieces of the other
ranges: no thread waits for one that sleeps. All of this is compiled code that does not hold Python's lock.

All kernels are compiled before the first thread starts, so no thread holds the compiler's lock later. A forked child
has none of its parent's threads: it starts its own at its next step.
"""

import os
import sys
import weakref
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

import numpy as np

from quatuor.engine import no_observation
from quatuor.engine.batch_backend import Array, SingleThread
from quatuor.engine.batch_kernels import ALL_LEGAL, Games, StepRules, draw, first_illegal, refresh, restart, step
from quatuor.games.contract import Rulebook
from quatuor.kernel import Words, Words1, Words2, bind, exports, inlined, template
from quatuor.kernel.atomic import add, load, rest, store
from quatuor.kernel.jit import direct, prebound

STEP, DRAW, CHECK, RESTART, REFRESH = 0, 1, 2, 3, 4  # kinds of order
KINDS = 5
SPINS = 8_000  # before a thread sleeps: measured as 0.23 ms on an AMD EPYC
PIECE = 64  # games taken at a time; chosen, not measured
ALONE = 2048  # games whose actions are checked without the other threads: it takes a few microseconds

# The board has a row for each thread: the order (its kind, and a number that differs from the last order's) in the high
# bits, and below it the first game of the thread's range that is not taken yet. Rows lie APART, so that no two share a
# cache line. Two more rows: how many games are done, and after it how many pieces had illegal actions; then the rules
# of a step.
GAME_BITS = 32
GAME_MASK = (1 << GAME_BITS) - 1
APART = 16  # words
SEATS, CAP, AUTO_RESET = 0, 1, 2


class Work(NamedTuple):
    """What all threads work on."""

    board: Words1
    actions: Words2
    options: Words
    games: Games


@template
def run_piece(kind: int, first: int, last: int, rules: int, work: Work) -> None:
    """Carry out an order on some games; ``rules`` is the board's row of that name."""
    games, board = work.games, work.board
    if kind == STEP:
        step_rules = StepRules(board[rules + SEATS], board[rules + CAP], board[rules + AUTO_RESET])
        step(first, last, work.actions, step_rules, work.options, games)
    elif kind == DRAW:
        draw(first, last, work.actions, games.moves, games.counts, games.rngs)
    elif kind == RESTART:
        restart(first, last, work.options, games)
    elif kind == REFRESH:
        refresh(first, last, board[rules + CAP], games)
    elif first_illegal(first, last, work.actions, games.active, games.counts, games.mask) != ALL_LEGAL:
        add(board, rules - APART + 1, 1)


@template
def drain(me: int, threads: int, work: Work) -> int:
    """Take pieces until none is left: first of its own range, then of the others. Return the order they belonged to."""
    n = len(work.games.plies)
    board = work.board
    done = threads * APART
    order = 0
    for i in range(threads):
        owner = me + i if me + i < threads else me + i - threads
        last = n * (owner + 1) // threads
        while True:
            taken = add(board, owner * APART, PIECE)
            first = taken & GAME_MASK
            if i == 0:
                order = taken >> GAME_BITS
            if first >= last:
                break
            end = min(first + PIECE, last)
            run_piece((taken >> GAME_BITS) % KINDS, first, end, done + APART, work)
            add(board, done, end - first)
    return order


@template
@inlined
def dispatch(order: int, threads: int, work: Work) -> int:
    """Give an order to all threads, do a share of it and wait for the rest; return how many pieces had illegal actions.

    ``thread`` is 0 after the loop, but not as a constant: ``drain`` would be compiled once more for that.
    """
    n = len(work.games.plies)
    board = work.board
    done = threads * APART
    store(board, done, 0)
    store(board, done + 1, 0)
    for thread in range(threads - 1, -1, -1):
        store(board, thread * APART, order << GAME_BITS | n * thread // threads)
    drain(thread, threads, work)
    while load(board, done) < n:
        rest()
    return int(load(board, done + 1))


@template
def lead(call: int, threads: int, work: Work) -> bool:
    """Carry out an order on all games, unless actions are to be checked and one is illegal; return whether it was done.

    ``call`` is twice the order, plus 1 if actions are to be checked. An order is an odd number times KINDS, plus its
    kind; the even number before it is for the check.
    """
    order = call >> 1
    if call & 1:
        games = work.games
        if len(games.plies) <= ALONE:
            if first_illegal(0, len(games.plies), work.actions, games.active, games.counts, games.mask) != ALL_LEGAL:
                return False
        elif dispatch((order // KINDS - 1) * KINDS + CHECK, threads, work):
            return False
    dispatch(order, threads, work)
    return True


@template
def follow(me: int, threads: int, work: Work) -> None:
    """Do a share of every order, until there has been none for a while."""
    seen = -1
    idle = 0
    while idle < SPINS:
        if load(work.board, me * APART) >> GAME_BITS != seen:
            seen = drain(me, threads, work)
            idle = 0
        else:
            rest()
            idle += 1


EXPORTS = exports(lead, follow)


class ThreadPool(SingleThread):
    """A number of threads for one batch, the calling thread among them."""

    def __init__(self, book: Rulebook, n: int, threads: int) -> None:
        super().__init__(book, n)
        self._bound = bind(sys.modules[__name__], book.rules, book.name, book.planes or no_observation)
        self._threads, self._number = threads, 0
        self._asleep: list[SimpleQueue[bool]] = []
        self._started = False
        _pools.add(self)

    def prepare(self, options: Words, games: Games) -> None:
        """Put the arrays together and compile for them."""
        super().prepare(options, games)
        board = np.zeros((self._threads + 2) * APART, np.int64)
        self._row = board[(self._threads + 1) * APART :]  # of the rules
        self._work = Work(board, self._actions, options, games)
        self._lead = prebound(direct(self._bound.lead, EXPORTS["lead"]), self._threads, self._work)
        self._follow = direct(self._bound.follow, EXPORTS["follow"])

    def run(self, kernel: str, *arguments: Any) -> None:
        if kernel == "refresh":
            self._row[CAP], self._rules = arguments[0], None
        self._give(REFRESH if kernel == "refresh" else RESTART)

    def sample(self, games: Games) -> Array:
        self._give(DRAW)
        return self._actions.copy()

    def step(self, actions: Array, check: bool, rules: StepRules, options: Words, games: Games) -> int:
        self._actions[:] = actions
        if rules != self._rules:
            self._rules = rules
            self._row[: len(rules)] = rules
        return ALL_LEGAL if self._give(STEP, check) else self._calls["first_illegal"](0)

    def _give(self, kind: int, check: bool = False) -> int:
        """Give an order to all threads; return whether it was carried out."""
        if not self._started:
            self._start()
        self._number = (self._number + 2) % (1 << 28)
        while self._asleep:
            self._asleep.pop().put(True)
        return self._lead(((self._number + 1) * KINDS + kind) * 2 + check)

    def _start(self) -> None:
        """Start the other threads."""
        self._work.board[: (self._threads + 1) * APART] = 0
        self._work.board[: self._threads * APART : APART] = self._n  # nothing to take yet
        for me in range(1, self._threads):
            bell = SimpleQueue[bool]()
            work = self._follow, (me, self._threads, self._work), bell, self._asleep
            Thread(target=_serve, args=work, daemon=True).start()
            weakref.finalize(self, bell.put, False)
            self._asleep.append(bell)
        self._started = True

    def forget_threads(self) -> None:
        """In a forked child: the threads are gone, and one may have been at work at the moment of the fork."""
        self._started, self._asleep = False, []


def _serve(follow: Any, work: tuple[Any, ...], bell: SimpleQueue[bool], asleep: list[SimpleQueue[bool]]) -> None:
    """A thread: work each time the bell gives True; False means that the batch is gone."""
    while bell.get():
        follow(*work)
        asleep.append(bell)


_pools: weakref.WeakSet[ThreadPool] = weakref.WeakSet()


def _after_fork() -> None:
    for pool in _pools:
        pool.forget_threads()


if hasattr(os, "register_at_fork"):  # only on POSIX
    os.register_at_fork(after_in_child=_after_fork)
