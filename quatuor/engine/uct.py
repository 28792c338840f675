"""UCT (Kocsis and Szepesvári 2006) with random playouts, for every game played in turns and any number of seats.

A reward is the share of the other seats that are beaten, ties half (so 1, 0.5 or 0 for two), which makes every seat
play for itself (max^n).
"""

import math
import sys
from typing import NamedTuple

import numpy as np

from quatuor.engine.playout import turn
from quatuor.engine.repetition import third_on_path
from quatuor.engine.search_api import Finding, Searcher
from quatuor.engine.seats import share
from quatuor.engine.tree import (
    FIRST,
    KIDS,
    UNKNOWN,
    Path,
    Root,
    Scratch,
    Tree,
    TreeSearch,
    add_children,
    copy_state,
    graft,
    has_room,
    list_moves,
    new_tree,
    shuffle,
    step_down,
    tree_type,
)
from quatuor.game import Game
from quatuor.games.contract import outcome, repeat, to_move
from quatuor.kernel import Words, exports, inlined, jit, log, template

# Further columns of a node: visits, and the digest of its position. Its values are all that a parent looks at to
# choose: the mean reward, and one over the root of the visits.
VISITS, KEY, COLUMNS = 3, 4, 5
MEAN, DOUBT = 0, 1
UNTRIED = 1e9  # the doubt about a child that was never tried: above any bound, so that it goes first

NODES = 1 << 21  # at most; chosen, not measured: 117 MB when all are used
DEPTH = 256  # of the tree, playouts below it; chosen, not measured
CAP = 400  # plies of a playout, then the position counts as it stands; chosen, not measured
EXPLORE = 0.7  # the weight of the doubt; chosen, not measured (UCB1 has the root of 2 for rewards from 0 to 1)

# Most nodes have few visits, and roots and logarithms are slow: looked up as far as fits into a few kilobytes.
FEW = 1024
ROOT_LOG = np.array([math.sqrt(log(i + 1.0)) for i in range(FEW)])
INVERSE_ROOT = 1 / np.sqrt(np.maximum(np.arange(FEW), 1))


class Settings(NamedTuple):
    """How to search."""

    seats: int
    cap: int = CAP
    explore: float = EXPLORE


@template
def expand(state: Words, node: int, tree: Tree, scratch: Scratch) -> bool:
    """Give a node its children in random order, if there is room; False where several seats act at once."""
    acting = to_move(state)
    if acting & (acting - 1):
        return False
    count = list_moves(state, scratch.moves)
    if has_room(count, tree):
        shuffle(scratch.rng, scratch.moves, count)
        first = add_children(node, count, scratch.moves, tree)
        for kid in range(first, first + count):
            tree.nodes[kid, VISITS] = 0
            tree.values[kid, MEAN] = 0.0
            tree.values[kid, DOUBT] = UNTRIED
    return True


@jit
@inlined
def select(node: int, explore: float, tree: Tree) -> int:
    """The child with the highest upper confidence bound; one that was never tried goes first."""
    nodes, values = tree.nodes, tree.values
    start: int = nodes[node, FIRST]
    visits = nodes[node, VISITS]
    width = explore * (ROOT_LOG[visits] if visits < FEW else math.sqrt(log(visits + 1.0)))
    best = start
    top = -1.0
    for child in range(start, start + nodes[node, KIDS]):
        bound = values[child, MEAN] + width * values[child, DOUBT]
        if bound > top:
            top = bound
            best = child
    return best


@jit
@inlined
def reward(node: int, points: float, tree: Tree) -> None:
    """One more visit, with what it brought to the seat that chose the node."""
    nodes, values = tree.nodes, tree.values
    nodes[node, VISITS] += 1
    visits = nodes[node, VISITS]
    doubt = INVERSE_ROOT[visits] if visits < FEW else 1 / math.sqrt(visits)
    values[node, MEAN] += (points - values[node, MEAN]) * doubt * doubt
    values[node, DOUBT] = doubt


@template
def simulate(count: int, settings: Settings, root: Root, tree: Tree, path: Path, scratch: Scratch) -> bool:
    """Run ``count`` simulations from the root; False if several seats act at once somewhere."""
    seats, cap, explore = settings.seats, settings.cap, settings.explore
    nodes, state, points = tree.nodes, scratch.state, scratch.points
    deepest = len(path.nodes) - 1
    for _ in range(count):
        copy_state(root.state, state)
        node = 0
        depth = 0
        while True:
            if nodes[node, KIDS] == UNKNOWN and (nodes[node, VISITS] > 0 or depth == 0):  # expand at the second visit
                if to_move(state) and third_on_path(state, depth, path.keys, scratch.key, root.memo):
                    nodes[node, KIDS] = 0
                elif not expand(state, node, tree, scratch):
                    return False
                nodes[node, KEY] = path.keys[depth]
            if nodes[node, KIDS] <= 0 or depth == deepest:
                break
            node = select(node, explore, tree)
            depth = step_down(state, node, depth, tree, path)
            path.keys[depth] = nodes[node, KEY]
        if nodes[node, KIDS] == 0 and to_move(state):
            repeat(state)
        for _ply in range(cap):
            acting = to_move(state)
            if acting == 0:
                break
            turn(scratch.rng, state, acting, scratch.moves)
        outcome(state, scratch.scores, scratch.places)
        nodes[0, VISITS] += 1
        for seat in range(seats):
            points[seat] = share(scratch.places, seats, seat)
        for i in range(depth):
            reward(path.nodes[i + 1], points[path.movers[i]], tree)
    return True


TREE = tree_type("int64", "float64")
EXPORTS = exports(simulate, graft, tree=TREE, new=TREE)


class Simultaneous(ValueError):
    """Several seats act at once, which UCT is not for."""


class Search(TreeSearch):
    """UCT as the engine runs it; a unit of work is a simulation."""

    def __init__(self, game: Game, seed: int = 0, nodes: int = NODES, cap: int = CAP, explore: float = EXPLORE) -> None:
        if game.seats < 2:
            raise ValueError("UCT plays against others: this game has one seat")
        self._nodes = nodes
        super().__init__(game, seed, DEPTH, sys.modules[__name__])
        self._settings = Settings(game.seats, cap, explore)

    def _new_tree(self, seats: int) -> Tree:
        return new_tree(self._nodes, (COLUMNS, np.int64), (2, np.float64))

    def _visits(self, node: int) -> int:
        return int(self._tree.nodes[node, VISITS])

    def run(self, count: int) -> None:
        """Simulate some more. Releases the GIL."""
        if not self._kernel.simulate(count, self._settings, self._root, self._tree, self._path, self._scratch):
            raise Simultaneous(f"{self.game.name}: UCT is for games played in turns; here several seats act at once")
        self.done += count

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
        found, node = [action], self._after(action)
        while node is not None and (kids := self.children(node)):
            action, (visits, _, node) = max(kids.items(), key=lambda item: item[1][:2])
            if visits == 0:
                break
            found.append(action)
        return found

    def children(self, node: int = 0) -> dict[int, tuple[int, float, int]]:
        """For every action at a node: visits, mean reward of the seat that chooses it (0 to 1), and its node."""
        mean = self._tree.values[:, MEAN]
        return {self._action(kid): (self._visits(kid), float(mean[kid]), kid) for kid in self._kids(node)}


def search(game: Game, seat: int, seed: int) -> Searcher:
    """A search for the one seat that is to move."""
    return Search(game, seed)
