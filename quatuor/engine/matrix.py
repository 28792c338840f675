"""Equilibrium search for two seats that act at once: a matrix game at every position, solved from the leaves up.

Neither seat knows the other's order, so a position is worth what the best mix of orders secures against any answer.
Every matrix is solved by double oracle (double_oracle.py). The search deepens turn by turn, keeps the positions it has
seen, and can stop at any position: its whole state lies in arrays, a frame for each turn of depth.

A value is *sure* where it follows from finished games alone: then it is exact, however deep the game may still go.

A game's advice for this search (``SEARCH = "matrix"``) defines ``expected_result``, ``SCRATCH`` and
``identity``, see below.
A game in turns can be searched too: a seat that does not act has one order, to wait.
"""

import sys
from typing import Any

import numpy as np

from quatuor.engine.double_oracle import (
    AT,
    BITS,
    FACTS,
    GOAL,
    LISTED,
    NOW,
    NUMBER,
    SLACK,
    SURE,
    Frames,
    Memory,
    Scratch,
    against,
    begin,
    hopeless,
    raise_bar,
    slot_of,
    think,
)  # fmt: skip
from quatuor.engine.repetition import digest
from quatuor.engine.search_api import Finding, Searcher
from quatuor.engine.seats import share
from quatuor.game import Game
from quatuor.games.contract import legal, outcome, play, to_move
from quatuor.kernel import Floats, Words, Words2, bind, exports, search_hook, template

ALONE = True  # a second search of the same position would find the same
DEEPEST = 16  # turns; chosen, not measured (level 8 reaches three)
MEMORY = 1 << 18  # positions; chosen, not measured: 10 MB
WAIT = -1  # the order of a seat that does not act


@search_hook
def expected_result(state: Words, scratch: Floats) -> float:
    """What seat 0 may expect from a running game: 1 to win, 0 to lose, a draw half. Scratch: ``SCRATCH`` floats."""
    raise NotImplementedError


@search_hook
def identity(state: Words, words: Words) -> int:
    """Write the words that distinguish this position from others of the same game; return how many."""
    raise NotImplementedError


@template
def enter(frames: Frames, memory: Memory, scratch: Scratch, level: int, goal: int) -> None:
    """Set up a frame for the position that its state holds."""
    number = digest(scratch.words, identity(frames.states[level], scratch.words))
    state = frames.states[level]
    acting = to_move(state)
    frames.facts[level, GOAL] = goal
    frames.facts[level, NUMBER] = number
    slot = slot_of(memory, number)
    seen = memory.numbers[slot] == number
    for seat in range(2):
        if acting >> seat & 1:
            frames.counts[level, seat] = legal(state, seat, frames.orders[level, seat])
        else:
            frames.counts[level, seat] = 1
            frames.orders[level, seat, 0] = WAIT
        hints = memory.hints[slot, seat] if seen else frames.counts[level, seat]
        size = 0
        while hints:
            order = (hints & (1 << BITS) - 1) - 1
            frames.picks[level, seat, size] = order
            frames.mix[level, seat, order] = 1.0
            size += 1
            hints >>= BITS
        frames.sizes[level, seat] = size
    begin(frames, level, min(goal, memory.depths[slot] // 2 + 1) if seen else 1)


@template
def look(frames: Frames, memory: Memory, scratch: Scratch, level: int, row: int, column: int) -> bool:
    """Find the payoff of a pair of orders. False if that takes a search, for which the next frame is set up."""
    state = frames.states[level + 1]
    for i in range(frames.states.shape[1]):
        state[i] = frames.states[level, i]
    acting = to_move(state)
    if acting & 1:
        play(state, 0, frames.orders[level, 0, row])
    if acting & 2:
        play(state, 1, frames.orders[level, 1, column])
    depth = frames.facts[level, NOW] - 1
    if to_move(state) == 0:
        outcome(state, scratch.scores, scratch.places)
        frames.payoff[level, row, column] = share(scratch.places, 2, 0)
        frames.sure[level, row, column] = 1
        return True
    if depth == 0:
        frames.payoff[level, row, column] = expected_result(state, scratch.floats)
        frames.sure[level, row, column] = 0
        return True
    number = digest(scratch.words, identity(state, scratch.words))
    slot = slot_of(memory, number)
    if memory.numbers[slot] == number and (memory.depths[slot] >= 2 * depth or memory.depths[slot] & 1):
        frames.payoff[level, row, column] = memory.values[slot]
        frames.sure[level, row, column] = memory.depths[slot] & 1
        return True
    enter(frames, memory, scratch, level + 1, depth)
    return False


@template
def explore(
    budget: int, level: int, frames: Frames, memory: Memory, scratch: Scratch, visits: Words2, counter: Words
) -> int:
    """Look at ``budget`` positions, or until the root is solved; return the level reached, -1 when it is solved.

    ``visits`` [seat, order] counts the positions below each order of the root, ``counter[0]`` all of them;
    ``counter[1]`` is the value of ``counter[0]`` when the search began the root's current pair.
    """
    facts = frames.facts
    end = counter[0] + budget
    while counter[0] < end:
        if facts[level, AT] == facts[level, LISTED]:
            if think(frames, memory, scratch, level):
                continue
            level -= 1
            if level < 0:
                return -1
            pair = frames.pairs[level, facts[level, AT]]
            row, column = pair >> 2 + BITS, pair >> 2 & (1 << BITS) - 1
            frames.payoff[level, row, column] = frames.value[level + 1]
            frames.sure[level, row, column] = facts[level + 1, SURE]
        else:
            pair = frames.pairs[level, facts[level, AT]]
            row, column = pair >> 2 + BITS, pair >> 2 & (1 << BITS) - 1
            if level > 0 and hopeless(frames, level, row, column, pair & 3):
                facts[level, AT] += 1
                continue
            counter[0] += 1
            if not look(frames, memory, scratch, level, row, column):
                level += 1
                continue
        facts[level, AT] += 1
        raise_bar(frames, level, row, column, pair & 3)
        if level == 0:
            visits[0, row] += counter[0] - counter[1]
            visits[1, column] += counter[0] - counter[1]
            counter[1] = counter[0]
    return level


EXPORTS = exports(enter, explore, begin, against)


class Equilibrium(Searcher):
    """The search, as the engine runs it."""

    def __init__(self, game: Game, seat: int, memory: int = MEMORY, deepest: int = DEEPEST) -> None:
        book, advice = game.book, game.book.advice
        if game.seats != 2 or advice is None or advice.SEARCH != "matrix":
            raise ValueError(f"{game.name}:{game.variant.name}: this search is for two seats, with advice")
        self._kernel = bind(sys.modules[__name__], book.rules, book.name, advice)
        self._deepest = deepest
        self._frames = _frames(deepest + 1, book.state_size, book.max_moves)
        self._memory = Memory(_words(memory), _words(memory), np.zeros(memory), _words(memory, 2))
        self._scratch = _scratch(book.state_size, book.max_moves, advice.SCRATCH)
        self._visits, self._counter = _words(2, book.max_moves), _words(2)
        self._start(game, seat)

    def _start(self, game: Game, seat: int) -> None:
        self._game, self._seat = game.copy(), seat
        self._frames.states[0] = game.common  # without the order that the other has given already: it is secret
        self._frames.mix[:] = 0.0
        self._visits[:], self._counter[:] = 0, 0
        self.done, self.finished, self.depth, self._level = 0, False, 0, 0
        self._found: dict[int, Finding] = {}
        self._kernel.enter(self._frames, self._memory, self._scratch, 0, 1)

    def run(self, count: int) -> None:
        """Look at about ``count`` more positions; at least until the first depth is searched."""
        end = self.done + count
        while not self.finished and (self.done < end or not self._found):
            self._level = self._kernel.explore(
                max(end - self.done, 1), self._level, self._frames, self._memory, self._scratch,
                self._visits, self._counter,
            )  # fmt: skip
            self.done = int(self._counter[0])
            if self._level < 0:
                self._conclude()

    def _conclude(self) -> None:
        """The root is solved to one more depth."""
        frames, seat = self._frames, self._seat
        self.depth, sure = int(frames.facts[0, NOW]), bool(frames.facts[0, SURE])
        value = float(frames.value[0] if seat == 0 else 1 - frames.value[0])
        picks = {int(k) for k in frames.picks[0, seat, : frames.sizes[0, seat]]}
        lost = sure and value <= SLACK
        found = {}
        for k, action in enumerate(map(int, frames.orders[0, seat, : frames.counts[0, seat]])):
            worth = float(self._kernel.against(frames, 0, seat, k))
            weight = float(frames.mix[0, seat, k]) if k in picks else 0.0
            if lost and self._found:
                weight = self._found[action].weight  # all orders lose: play as before, which delays the end
            proven = "loss" if lost else "win" if sure and weight and value >= 1 - SLACK else None
            found[action] = Finding(
                int(self._visits[seat, k]),
                worth,
                weight,
                None,
                proven,
                self.depth if proven else None,
                value - worth,
                sure,
            )
        self._found = found
        self.finished = sure or self.depth == self._deepest
        if not self.finished:
            self._level = 0
            frames.facts[0, GOAL] += 1
            self._kernel.begin(frames, 0, self.depth + 1)

    def found(self) -> dict[int, Finding]:
        """Every order: its value against the other's mix, how often it is played, and what it gives away."""
        return self._found

    def line(self, action: int) -> list[int]:
        """What follows is not certain: the other's order is secret."""
        return [action]

    def advance(self, game: Game) -> bool:
        """Go on from any position under the same rules: what memory holds stays true."""
        before = self._game
        if (before.book, before.variant, before.options) != (game.book, game.variant, game.options):
            return False
        self._start(game, self._seat)
        return True


def _words(*shape: int) -> Any:
    return np.zeros(shape, np.int64)


def _frames(levels: int, size: int, most: int) -> Frames:
    return Frames(
        states=_words(levels, size),
        orders=_words(levels, 2, most),
        counts=_words(levels, 2),
        payoff=np.zeros((levels, most, most)),
        sure=np.zeros((levels, most, most), np.int8),
        picks=_words(levels, 2, most),
        sizes=_words(levels, 2),
        mix=np.zeros((levels, 2, most)),
        value=np.zeros(levels),
        bar=np.zeros((levels, 2)),
        pairs=_words(levels, 2 * most * most),
        facts=_words(levels, FACTS),
    )


def _scratch(size: int, most: int, floats: int) -> Scratch:
    return Scratch(
        words=_words(size),
        scores=_words(2),
        places=_words(2),
        small=np.zeros((most, most)),
        row_mix=np.zeros(most),
        column_mix=np.zeros(most),
        tableau=np.zeros((most + 1, most + 1)),
        labels=_words(2 * most),
        floats=np.zeros(floats),
    )


def search(game: Game, seat: int, seed: int) -> Equilibrium:
    """A search for the seat; there is no chance in it, so ``seed`` does not matter."""
    return Equilibrium(game, seat)
