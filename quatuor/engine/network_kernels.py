"""The compiled part of a tree search with a network: many trees grow at once; the network is called between kernels.

``descend`` goes down every tree to positions that the network has not seen and writes their observations; ``expand``
takes the network's policies and values for them, adds the moves to the trees and backs the values up. A position that
is being evaluated counts as a loss on its path until then (virtual loss), so that the next descent goes elsewhere.

Selection is PUCT (Silver et al. 2017): the mean result plus a bonus for moves with a high prior and few visits. Every
seat maximises its own result (max^n). Results are those of a batch: 1 ahead of all others, -1 behind all.
"""

import math
from typing import NamedTuple

from quatuor.engine.batch_kernels import ByColumn, Flags
from quatuor.engine.repetition import third_after_list
from quatuor.engine.seats import lowest_seat, share
from quatuor.engine.tree import ACTION, FIRST, KIDS, UNKNOWN, copy_state
from quatuor.games.contract import legal, observe, outcome, play, repeat, to_move
from quatuor.kernel import (
    Bytes2,
    Floats,
    Floats2,
    Floats3,
    Singles2,
    Words,
    Words2,
    Words3,
    exp,
    exports,
    inlined,
    jit,
    template,
)

# Further columns of a node: visits, and evaluations under way below it; its parent; the seat that chose it and the seat
# that acts there; the digest of its position
VISITS, PENDING, PARENT, MOVER, SEAT, KEY, COLUMNS = 3, 4, 5, 6, 7, 8, 9
# Values: the prior; the sum of the results for the seat that chose the node, and for the seat that acts there
PRIOR, TOTAL, OUTLOOK, VALUES = 0, 1, 2, 3
AT_ONCE = -1  # instead of the number of positions: several seats act at once somewhere


class Roots(NamedTuple):
    """The positions that are searched: arrays of a batch."""

    states: Words2
    plies: Words
    history: ByColumn


class Forest(NamedTuple):
    """A tree for each root; the rows of a tree are its nodes, the root's first."""

    nodes: Words3
    values: Floats3
    used: Words  # how many rows of each tree are nodes


class Leaves(NamedTuple):
    """The positions that the network evaluates, a row for each."""

    trees: Words
    nodes: Words
    counts: Words  # legal moves
    moves: Words2
    mask: Bytes2
    planes: Bytes2
    facts: Bytes2


class Room(NamedTuple):
    """Room to work in."""

    state: Words
    key: Words
    keys: Words  # digests of the positions on a path, by depth
    scores: Words
    places: Words
    points: Floats  # what each seat gets


class Settings(NamedTuple):
    """How to search."""

    each: int  # positions of each tree that the network evaluates at once
    target: int  # simulations of each tree in all
    explore: float  # the weight of the bonus


@jit
@inlined
def select(node: int, explore: float, nodes: Words2, values: Floats2) -> int:
    """The child with the highest bound. One that was never tried promises what its parent is worth."""
    visits = nodes[node, VISITS]
    width = explore * math.sqrt(float(visits + nodes[node, PENDING]))
    worth = values[node, OUTLOOK] / visits
    start: int = nodes[node, FIRST]
    best = start
    top = -math.inf
    for kid in range(start, start + nodes[node, KIDS]):
        tries = nodes[kid, VISITS] + nodes[kid, PENDING]
        mean = (values[kid, TOTAL] - nodes[kid, PENDING]) / tries if tries else worth
        bound = mean + width * values[kid, PRIOR] / (1.0 + tries)
        if bound > top:
            top = bound
            best = kid
    return best


@jit
def hold(node: int, change: int, nodes: Words2) -> None:
    """Count one evaluation under way more or fewer on the path to a node."""
    while node >= 0:
        nodes[node, PENDING] += change
        node = nodes[node, PARENT]


@jit
def backup(node: int, points: Floats, nodes: Words2, values: Floats2) -> None:
    """One more visit for all nodes of the path to a node."""
    while node >= 0:
        nodes[node, VISITS] += 1
        values[node, TOTAL] += points[nodes[node, MOVER]]
        values[node, OUTLOOK] += points[nodes[node, SEAT]]
        node = nodes[node, PARENT]


@template
def note(row: int, tree: int, node: int, seat: int, state: Words, leaves: Leaves) -> None:
    """Write a position for the network to evaluate; of the mask, only the cells that change."""
    leaves.trees[row] = tree
    leaves.nodes[row] = node
    for i in range(leaves.counts[row]):
        leaves.mask[row, leaves.moves[row, i]] = 0
    leaves.counts[row] = legal(state, seat, leaves.moves[row])
    for i in range(leaves.counts[row]):
        leaves.mask[row, leaves.moves[row, i]] = 1
    observe(state, seat, leaves.planes[row], leaves.facts[row])


@template
def result(room: Room) -> None:
    """What each seat gets at the end of a game; one that is not over ends by repetition."""
    if to_move(room.state):
        repeat(room.state)
    outcome(room.state, room.scores, room.places)
    seats = len(room.points)
    for seat in range(seats):
        room.points[seat] = 2.0 * share(room.places, seats, seat) - 1.0


@template
def walk(tree: int, explore: float, roots: Roots, forest: Forest, room: Room) -> int:
    """Go down a tree to a node without children, or as deep as the room allows; return the node.

    ``room.state`` is its position then. A node that is reached first learns whether the game is over there.
    """
    nodes, values, state = forest.nodes[tree], forest.values[tree], room.state
    copy_state(roots.states[tree], state)
    node = 0
    depth = 0
    while nodes[node, KIDS] > 0 and depth < len(room.keys) - 1:
        node = select(node, explore, nodes, values)
        play(state, nodes[node, MOVER], nodes[node, ACTION])
        depth += 1
        room.keys[depth] = nodes[node, KEY]
    if nodes[node, KIDS] == UNKNOWN and nodes[node, PENDING] == 0:
        acting = to_move(state)
        history, count = roots.history[tree], roots.plies[tree] + 1
        if acting == 0 or third_after_list(state, depth, room.keys, room.key, history, count):
            nodes[node, KIDS] = 0
        else:
            nodes[node, SEAT] = lowest_seat(acting)
        nodes[node, KEY] = room.keys[depth]
    return node


@template
def descend(settings: Settings, roots: Roots, forest: Forest, leaves: Leaves, room: Room) -> int:
    """Simulate in every tree until the network is needed; return for how many positions, or AT_ONCE.

    A simulation that ends a game is finished here. One that meets a position under evaluation is dropped.
    """
    count = 0
    for tree in range(len(forest.used)):
        nodes = forest.nodes[tree]
        for _ in range(settings.each):
            if nodes[0, VISITS] + nodes[0, PENDING] >= settings.target:
                break
            node = walk(tree, settings.explore, roots, forest, room)
            if nodes[node, KIDS] == 0:
                result(room)
                backup(node, room.points, nodes, forest.values[tree])
                continue
            if nodes[node, PENDING]:
                break
            acting = to_move(room.state)
            if acting & (acting - 1):
                return AT_ONCE
            note(count, tree, node, nodes[node, SEAT], room.state, leaves)
            hold(node, 1, nodes)
            count += 1
    return count


@jit
def clear(node: int, parent: int, mover: int, nodes: Words2, values: Floats2) -> None:
    """A new node without children."""
    nodes[node, KIDS] = UNKNOWN
    nodes[node, VISITS] = 0
    nodes[node, PENDING] = 0
    nodes[node, PARENT] = parent
    nodes[node, MOVER] = mover
    nodes[node, SEAT] = 0
    nodes[node, KEY] = 0
    values[node, PRIOR] = 1.0
    values[node, TOTAL] = 0.0
    values[node, OUTLOOK] = 0.0


@jit
def grow(row: int, policy: Singles2, forest: Forest, leaves: Leaves) -> None:
    """Give an evaluated node its children, with the policy's probabilities as priors, if there is room."""
    tree, node, count = leaves.trees[row], leaves.nodes[row], leaves.counts[row]
    nodes, values = forest.nodes[tree], forest.values[tree]
    first = forest.used[tree]
    if nodes[node, KIDS] != UNKNOWN or first + count > len(nodes):
        return
    top = -math.inf
    for i in range(count):
        top = max(top, float(policy[row, leaves.moves[row, i]]))
    total = 0.0
    for i in range(count):
        kid = first + i
        clear(kid, node, nodes[node, SEAT], nodes, values)
        nodes[kid, ACTION] = leaves.moves[row, i]
        if top > -math.inf:
            values[kid, PRIOR] = exp(float(policy[row, leaves.moves[row, i]]) - top)
        total += values[kid, PRIOR]
    for kid in range(first, first + count):
        values[kid, PRIOR] /= total
    nodes[node, FIRST] = first
    nodes[node, KIDS] = count
    forest.used[tree] = first + count


@jit
def expand(count: int, policy: Singles2, value: Floats2, forest: Forest, leaves: Leaves, points: Floats) -> None:
    """Take what the network says of the first ``count`` leaves.

    ``policy``: logits by action; ``value``: the result of each seat, the one that acts first, then those after it.
    """
    seats = len(points)
    for row in range(count):
        tree, node = leaves.trees[row], leaves.nodes[row]
        nodes = forest.nodes[tree]
        grow(row, policy, forest, leaves)
        for i in range(seats):
            points[(nodes[node, SEAT] + i) % seats] = value[row, i]
        hold(node, -1, nodes)
        backup(node, points, nodes, forest.values[tree])


@jit
@inlined
def copy_node(node: int, nodes: Words2, values: Floats2, row: int, tree: int, target: Forest) -> None:
    """Copy a node into a row of another tree, number by number: Numba's copies of rows may raise errors."""
    for column in range(COLUMNS):
        target.nodes[tree, row, column] = nodes[node, column]
    for column in range(VALUES):
        target.values[tree, row, column] = values[node, column]


@jit
def graft(node: int, tree: int, forest: Forest, spare: Forest) -> None:
    """Make a node the root of its tree; only what is below it stays. ``spare``: room for one tree."""
    nodes, values, new = forest.nodes[tree], forest.values[tree], spare.nodes[0]
    copy_node(node, nodes, values, 0, 0, spare)
    new[0, PARENT] = -1
    used = 1
    row = 0
    while row < used:
        first = new[row, FIRST]
        new[row, FIRST] = used
        for kid in range(first, first + new[row, KIDS]):  # none if they are not known
            copy_node(kid, nodes, values, used, 0, spare)
            new[used, PARENT] = row
            used += 1
        row += 1
    for row in range(used):
        copy_node(row, new, spare.values[0], row, tree, forest)
    forest.used[tree] = used


@jit
def follow(actions: Words, fresh: Flags, forest: Forest, spare: Forest) -> None:
    """Move every tree to the child that an action leads to. A ``fresh`` one, or one without that child, begins anew."""
    for tree in range(len(forest.used)):
        nodes = forest.nodes[tree]
        found = -1
        count = 0 if fresh[tree] else nodes[0, KIDS]
        for kid in range(nodes[0, FIRST], nodes[0, FIRST] + count):
            if nodes[kid, ACTION] == actions[tree] and nodes[kid, KIDS] != 0:
                found = kid
        if found < 0:
            clear(0, -1, 0, nodes, forest.values[tree])
            nodes[0, FIRST] = 0
            forest.used[tree] = 1
        else:
            graft(found, tree, forest, spare)


@jit
def report(forest: Forest, visits: Words2, value: Floats) -> None:
    """The visits of every action at the roots, and the mean result of the seat that acts there."""
    for tree in range(len(forest.used)):
        nodes = forest.nodes[tree]
        for action in range(visits.shape[1]):
            visits[tree, action] = 0
        for kid in range(nodes[0, FIRST], nodes[0, FIRST] + nodes[0, KIDS]):
            visits[tree, nodes[kid, ACTION]] = nodes[kid, VISITS]
        value[tree] = forest.values[tree, 0, OUTLOOK] / max(nodes[0, VISITS], 1)


EXPORTS = exports(descend, expand, follow, report)
