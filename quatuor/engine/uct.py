"""One tree search for every game played in turns: UCT with random playouts, for any number of seats.

A node is a path from the root, kept as a row of one table. A reward is the share of the other seats that are
beaten, ties half (so 1, 0.5 or 0 for two), which makes every seat play for itself (max^n).
"""

import math
import sys
from typing import Any

import numpy as np

from quatuor.engine.playout import turn
from quatuor.engine.repetition import digest, history, times
from quatuor.engine.searcher import Finding, Searcher, between
from quatuor.game import Game
from quatuor.games.contract import key, legal, outcome, play, repeat, to_move
from quatuor.kernel import Floats, Rng, Words, below, bind, jit, seeded, template

# A node's row: its children are the rows FIRST to FIRST + KIDS - 1 (KIDS is UNKNOWN before it is expanded); the action
# that leads to it; its visits; the digest of its position. In an array of floats beside it, all that a parent looks at
# to choose: its mean reward, and one over the root of its visits.
FIRST, KIDS, ACTION, VISITS, NUMBER, COLUMNS = 0, 1, 2, 3, 4, 5
MEAN, DOUBT = 0, 1
UNTRIED = 1e9  # the doubt about a child that was never tried: it goes first
UNKNOWN = -1
SIMULTANEOUS = -1  # instead of a number of nodes: several seats act at once
NODES = 1 << 21  # at most; memory is only taken as nodes are made
DEPTH = 256  # of the tree; below it, playouts
CAP = 400  # plies of a playout; then the position counts as it stands
EXPLORE = 0.7

# Most nodes have few visits, and roots and logarithms are slow: looked up as far as fits into a few kilobytes.
FEW = 1024
ROOT_LOG = np.sqrt(np.log(np.arange(FEW) + 1.0))
INVERSE_ROOT = 1 / np.sqrt(np.maximum(np.arange(FEW), 1))


@jit
def seat_of(acting: int) -> int:
    """The lowest seat that acts."""
    seat = 0
    while acting >> seat & 1 == 0:
        seat += 1
    return seat


@template
def repeated(state: Words, node: int, tree: Any, path: Words, depth: int, words: Words, table: Words) -> bool:
    """Whether the position occurs for the third time: in the game so far (the table) and on the way down."""
    n = key(state, words)
    tree[node, NUMBER] = digest(words, n) if n else 0
    if n == 0 or depth == 0:  # the root itself is in the table
        return False
    found = 1 + times(table, tree[node, NUMBER])
    for i in range(depth - 1):
        if tree[path[i], NUMBER] == tree[node, NUMBER]:
            found += 1
    return found >= 3


@template
def expand(rng: Rng, state: Words, node: int, used: int, tree: Any, value: Any, moves: Words) -> int:
    """Give a node its children in random order; return how many nodes there are now, or SIMULTANEOUS."""
    acting = to_move(state)
    if acting & (acting - 1):
        return SIMULTANEOUS
    n = legal(state, seat_of(acting), moves) if acting else 0
    if used + n > len(tree):
        return used  # out of nodes: the node stays as it is
    tree[node, FIRST] = used
    tree[node, KIDS] = n
    for i in range(n):
        j = i + below(rng, n - i)
        tree[used + i, ACTION] = moves[j]
        moves[j] = moves[i]
        tree[used + i, KIDS] = UNKNOWN
        tree[used + i, VISITS] = 0
        value[used + i, MEAN] = 0.0
        value[used + i, DOUBT] = UNTRIED
    return used + n


@jit
def select(node: int, explore: float, tree: Any, value: Any) -> int:
    """The child with the highest upper confidence bound; one that was never tried goes first."""
    start: int = tree[node, FIRST]
    visits = tree[node, VISITS]
    width = explore * (ROOT_LOG[visits] if visits < FEW else math.sqrt(math.log(visits + 1.0)))
    best = start
    top = -1.0
    for child in range(start, start + tree[node, KIDS]):
        bound = value[child, MEAN] + width * value[child, DOUBT]
        if bound > top:
            top = bound
            best = child
    return best


@jit
def reward(node: int, points: float, tree: Any, value: Any) -> None:
    """One more visit, with what it brought to the seat that chose the node."""
    tree[node, VISITS] += 1
    visits = tree[node, VISITS]
    doubt = INVERSE_ROOT[visits] if visits < FEW else 1 / math.sqrt(visits)
    value[node, MEAN] += (points - value[node, MEAN]) * doubt * doubt
    value[node, DOUBT] = doubt


@jit
def share(places: Words, seats: int, seat: int) -> float:
    """The share of the other seats that this one beats, ties half."""
    points = 0.0
    for other in range(seats):
        if places[other] > places[seat]:
            points += 1.0
        elif places[other] == places[seat] and other != seat:
            points += 0.5
    return points / (seats - 1)


@template
def simulate(
    count: int,
    seats: int,
    cap: int,
    explore: float,
    rng: Rng,
    root: Words,
    used: int,
    tree: Any,
    value: Any,
    state: Words,
    moves: Words,
    words: Words,
    table: Words,
    path: Words,
    chose: Words,
    scores: Words,
    places: Words,
    points: Floats,
) -> int:
    """Run ``count`` simulations from ``root``; return how many nodes there are now, or SIMULTANEOUS."""
    for _ in range(count):
        for i in range(len(root)):
            state[i] = root[i]
        node = 0
        depth = 0
        while True:
            if tree[node, KIDS] == UNKNOWN and (tree[node, VISITS] > 0 or depth == 0):  # expand at the second visit
                if to_move(state) and repeated(state, node, tree, path, depth, words, table):
                    tree[node, KIDS] = 0
                else:
                    used = expand(rng, state, node, used, tree, value, moves)
                    if used == SIMULTANEOUS:
                        return used
            if tree[node, KIDS] <= 0 or depth == len(path):
                break
            node = select(node, explore, tree, value)
            path[depth] = node
            chose[depth] = seat_of(to_move(state))
            play(state, chose[depth], tree[node, ACTION])
            depth += 1
        if tree[node, KIDS] == 0 and to_move(state):
            repeat(state)
        for _ply in range(cap):
            acting = to_move(state)
            if acting == 0:
                break
            turn(rng, state, acting, moves)
        outcome(state, scores, places)
        tree[0, VISITS] += 1
        for seat in range(seats):
            points[seat] = share(places, seats, seat)
        for i in range(depth):
            reward(path[i], points[chose[i]], tree, value)
    return used


@jit
def graft(node: int, tree: Any, value: Any, new_tree: Any, new_value: Any) -> int:
    """Copy what grows from a node into a new tree, whose root it becomes; return the number of nodes."""
    new_tree[0] = tree[node]
    new_value[0] = value[node]
    used = 1
    row = 0
    while row < used:
        first = new_tree[row, FIRST]
        kids = max(new_tree[row, KIDS], 0)
        new_tree[row, FIRST] = used
        for kid in range(kids):
            new_tree[used + kid] = tree[first + kid]
            new_value[used + kid] = value[first + kid]
        used += kids
        row += 1
    return used


class Simultaneous(ValueError):
    """Several seats act at once, which UCT is not for."""


class Search:
    """A tree that grows from one position. The same seed and number of simulations give the same tree."""

    finished = False

    def __init__(self, game: Game, seed: int = 0, nodes: int = NODES, cap: int = CAP, explore: float = EXPLORE) -> None:
        if game.over:
            raise ValueError("the game is over: there is nothing to search")
        if game.seats < 2:
            raise ValueError("UCT plays against others: this game has one seat")
        book = game.book
        self.game, self.done = game.copy(), 0
        self._tree, self._value, self._used = np.empty((nodes, COLUMNS), np.int64), np.empty((nodes, 2)), 1
        self._tree[0] = 0
        self._tree[0, KIDS] = UNKNOWN
        self._settings = (game.seats, cap, explore, seeded(seed))
        sizes = (book.state_size, book.max_moves, book.state_size)
        self._scratch = tuple(np.zeros(size, np.int64) for size in sizes)
        paths = (np.zeros(size, np.int64) for size in (DEPTH, DEPTH, game.seats, game.seats))
        self._paths = (*paths, np.zeros(game.seats))
        self._table, _ = history(game.occurred, 0)
        self._kernel = bind(sys.modules[__name__], book.rules, book.name)

    def run(self, count: int) -> None:
        """Simulate some more. Releases the GIL."""
        tree = self.game.state, self._used, self._tree, self._value
        used = self._kernel.simulate(count, *self._settings, *tree, *self._scratch, self._table, *self._paths)
        if used == SIMULTANEOUS:
            raise Simultaneous(f"{self.game.name}: UCT is for games played in turns; here several seats act at once")
        self._used = used
        self.done += count

    def settled(self, count: int) -> bool:
        return False

    def found(self) -> dict[int, Finding]:
        """Visits and mean reward of every action."""
        kids = self.children()
        total = max(sum(visits for visits, _, _ in kids.values()), 1)
        return {
            action: Finding(visits, mean if visits else 0.5, visits / total)
            for action, (visits, mean, _) in kids.items()
        }

    def line(self, action: int) -> list[int]:
        """The action, and then those most visited."""
        found, node = [action], self.children()[action][2]
        while kids := self.children(node):
            action, (visits, _, node) = max(kids.items(), key=lambda item: item[1][:2])
            if visits == 0:
                break
            found.append(action)
        return found

    def advance(self, game: Game) -> bool:
        """Keep the part of the tree that a later position has; its simulations count as done."""
        turns, node = between(self.game, game), 0
        if turns is None or game.over:
            return False
        for (action,) in map(dict.values, turns):
            kids = self.children(node)
            if action not in kids:
                return False
            node = kids[action][2]
        if node:
            tree, value = np.empty_like(self._tree), np.empty_like(self._value)
            self._used = graft(node, self._tree, self._value, tree, value)
            self._tree, self._value = tree, value
        self.game, self.done = game.copy(), int(self._tree[0, VISITS])
        self._table, _ = history(game.occurred, 0)
        return True

    def children(self, node: int = 0) -> dict[int, tuple[int, float, int]]:
        """For every action at a node: visits, mean reward of the seat that chooses it (0 to 1), and its node."""
        first, count = int(self._tree[node, FIRST]), max(int(self._tree[node, KIDS]), 0)
        found = {}
        for child in range(first, first + count):
            action, visits = int(self._tree[child, ACTION]), int(self._tree[child, VISITS])
            found[action] = visits, float(self._value[child, MEAN]), child
        return found


def search(game: Game, seat: int, seed: int) -> Searcher:
    """A search for the one seat that is to move."""
    return Search(game, seed)
