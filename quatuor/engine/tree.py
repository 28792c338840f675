"""The tree that UCT, the guided and the best-first search grow, and all they have in common.

A node is a row in each of a few arrays, and a path from the root: positions reached by two paths are two nodes. The
children of a node are rows one after the other. Here nodes get children, a path goes down, and the part of a tree below
a later position becomes a tree of its own. Each search decides how to choose among children and what to back up.
"""

import os
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from quatuor.engine.repetition import memo_of
from quatuor.engine.search_api import Searcher, turns_between
from quatuor.engine.seats import lowest_seat
from quatuor.game import Game
from quatuor.games.contract import legal, play, to_move
from quatuor.kernel import Array, Floats, Rng, Words, below, bind, inlined, jit, seeded, template

# Columns of ``Tree.nodes`` in every search; further ones are the search's own. The children of a node are the rows
# FIRST to FIRST + KIDS - 1; KIDS is UNKNOWN before they are made. ACTION leads to the node.
FIRST, KIDS, ACTION = 0, 1, 2
UNKNOWN = -1


class Tree(NamedTuple):
    """Arrays with a row for each node, the root's first. Arrays that a search does not need have no columns."""

    nodes: Any  # whole numbers
    values: Any  # what the search believes, in floats
    priors: Any  # how likely a node is chosen, in floats
    bounds: Any  # what is proven, in half points
    used: Any  # [0]: how many rows are nodes; int64


class Root(NamedTuple):
    """The position that is searched."""

    state: Words
    memo: Words  # the positions of the game so far, see repetition.py


class Path(NamedTuple):
    """The way from the root to a node, by depth."""

    nodes: Words
    keys: Words  # digests of the positions
    movers: Words  # the seats that move there


class Scratch(NamedTuple):
    """Room to work in, and the random generator."""

    rng: Rng
    state: Words  # the position at hand
    moves: Words
    key: Words  # the position's key for the repetition rule
    scores: Words
    places: Words
    points: Floats  # what each seat gets


def tree_type(nodes: str, values: str, priors: str = "float32", bounds: str = "float32") -> Tree:
    """The tree of a search as a kernel takes it: the types of the numbers in its arrays."""
    return Tree(Array(nodes, 2), Array(values, 2), Array(priors, 2), Array(bounds, 2), Array("int64"))


@jit
@inlined
def copy_state(source: Words, target: Words) -> None:
    """Copy a position."""
    for i in range(len(source)):
        target[i] = source[i]


@jit
def shuffle(rng: Rng, moves: Words, count: int) -> None:
    """Put the first ``count`` moves in random order."""
    for i in range(count):
        j = i + below(rng, count - i)
        moves[i], moves[j] = moves[j], moves[i]


@template
def list_moves(state: Words, moves: Words) -> int:
    """List the moves of the seat to move; return how many there are, 0 when the game is over."""
    acting = to_move(state)
    return legal(state, lowest_seat(acting), moves) if acting else 0


@jit
def has_room(count: int, tree: Tree) -> bool:
    """Whether there is room for ``count`` more nodes."""
    room: bool = tree.used[0] + count <= len(tree.nodes)
    return room


@jit
def add_children(node: int, count: int, moves: Words, tree: Tree) -> int:
    """Give a node a child for each of the first ``count`` moves, for which there is room; return the first child."""
    nodes = tree.nodes
    first: int = tree.used[0]
    nodes[node, FIRST] = first
    nodes[node, KIDS] = count
    for i in range(count):
        nodes[first + i, ACTION] = moves[i]
        nodes[first + i, KIDS] = UNKNOWN
    tree.used[0] = first + count
    return first


@template
@inlined
def step_down(state: Words, node: int, depth: int, tree: Tree, path: Path) -> int:
    """Play the action that leads to a child and put the child on the path; return the new depth."""
    seat = lowest_seat(to_move(state))
    path.movers[depth] = seat
    play(state, seat, int(tree.nodes[node, ACTION]))
    path.nodes[depth + 1] = node
    return depth + 1


@jit
def copy_node(source: Tree, node: int, target: Tree, row: int) -> None:
    """Copy a node into a row of another tree."""
    target.nodes[row] = source.nodes[node]
    target.values[row] = source.values[node]
    target.priors[row] = source.priors[node]
    target.bounds[row] = source.bounds[node]


@jit
def graft(node: int, tree: Tree, new: Tree) -> None:
    """Copy a node and all below it into a new tree, whose root it becomes."""
    copy_node(tree, node, new, 0)
    used = 1
    row = 0
    while row < used:
        first = new.nodes[row, FIRST]
        new.nodes[row, FIRST] = used
        for kid in range(first, first + new.nodes[row, KIDS]):  # none if they are not known
            copy_node(tree, kid, new, used)
            used += 1
        row += 1
    new.used[0] = used


class TreeSearch(Searcher):
    """A tree that grows from one position. The same seed and amount of work give the same tree."""

    finished = False

    def __init__(self, game: Game, seed: int, depth: int, kernels: ModuleType, advice: Any = None) -> None:
        """``depth``: of the tree at most; ``kernels``: the module with the templates of the search."""
        refuse_ended(game)
        book, seats = game.book, game.seats
        self.game, self.done = game.copy(), 0
        self._tree = self._new_tree(seats)
        self._tree.nodes[0], self._tree.used[0] = 0, 1
        self._tree.nodes[0, KIDS] = UNKNOWN
        self._root = Root(self.game.state, memo_of(game.occurred))
        self._path = Path(*(np.zeros(depth + 1, np.int64) for _ in Path._fields))
        self._scratch = new_scratch(game, seeded(seed))
        self._kernel = bind(kernels, book.rules, book.name, advice)
        self._first: tuple[Tree | None, range, dict[int, int]] = None, range(0), {}  # children of the root, by action

    def _new_tree(self, seats: int) -> Tree:
        """A tree without nodes."""
        raise NotImplementedError

    def _visits(self, node: int) -> int:
        """How often a node was looked at."""
        raise NotImplementedError

    def _kids(self, node: int) -> range:
        """The children of a node."""
        first, count = int(self._tree.nodes[node, FIRST]), int(self._tree.nodes[node, KIDS])
        return range(first, first + max(count, 0))

    def _action(self, node: int) -> int:
        """The action that leads to a node."""
        return int(self._tree.nodes[node, ACTION])

    def _after(self, action: int) -> int | None:
        """The child of the root to which an action leads."""
        tree, kids, found = self._first
        if tree is not self._tree or kids != self._kids(0):
            kids = self._kids(0)
            found = {self._action(kid): kid for kid in kids}
            self._first = self._tree, kids, found
        return found.get(action)

    def restrict(self, actions: set[int]) -> None:
        """Leave only these actions at the root."""
        kept, first = [kid for kid in self._kids(0) if self._action(kid) in actions], int(self._tree.nodes[0, FIRST])
        if not kept:
            return  # there was no room for children
        for rows in (self._tree.nodes, self._tree.values, self._tree.priors, self._tree.bounds):
            rows[first : first + len(kept)] = rows[kept]
        self._tree.nodes[0, KIDS] = len(kept)

    def advance(self, game: Game) -> bool:
        """Keep the part of the tree below a later position; its visits count as work done."""
        turns, node = turns_between(self.game, game), 0
        if turns is None or game.over:
            return False
        for (action,) in map(dict.values, turns):
            found = next((kid for kid in self._kids(node) if self._action(kid) == action), None)
            if found is None:
                return False
            node = found
        if node:
            new = self._new_tree(game.seats)
            self._kernel.graft(node, self._tree, new)
            self._tree = new
        self.game, self.done = game.copy(), self._visits(0)
        self._root = Root(self.game.state, memo_of(game.occurred))
        return True


def refuse_ended(game: Game) -> None:
    """ValueError if the game is over."""
    if game.over:
        raise ValueError("the game is over: there is nothing to search")


def new_tree(nodes: int, *kinds: tuple[int, npt.DTypeLike]) -> Tree:
    """A tree with room for this many nodes; ``kinds``: number and type of the columns of its arrays, in order.

    The system gives memory only as nodes are made. Where it gives all of it at once, as browsers do, QUATUOR_TREE_MB in
    the environment limits the megabytes of a tree.
    """
    columns = (*kinds, *((0, np.float32),) * (4 - len(kinds)))
    if limit := os.environ.get("QUATUOR_TREE_MB"):
        bytes_each = sum(np.empty((1, count), kind).size * np.empty(1, kind).itemsize for count, kind in columns)
        nodes = min(nodes, int(limit) * 1_000_000 // bytes_each)
    rows: list[Any] = [np.empty((nodes, count), kind) for count, kind in columns]
    return Tree(*[*rows, np.zeros(1, np.int64)])


def new_scratch(game: Game, rng: npt.NDArray[np.uint64]) -> Scratch:
    """Room for a search of a game."""
    book, seats = game.book, game.seats
    sizes = book.state_size, book.max_moves, book.state_size, seats, seats
    room: list[Any] = [np.zeros(size, np.int64) for size in sizes]
    return Scratch(*[rng, *room, np.zeros(seats)])
