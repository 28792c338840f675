"""A tree search for games in turns that goes by a game's advice: it looks first where strong players look.

An advice module for it (``SEARCH = "guided"``) says how many words (``MEMORY``) and floats (``MAPS``) its functions
want to work with, and defines the functions marked ``@advised`` below. A move is chosen on the way down by its mean
reward and by its prior, the probability that the advice gives it (PUCT); moves with hardly any are left out below the
root, until their position has been looked at often. Playouts follow the advice too, until it can tell how the game will
end. The search learns as it goes which actions were made when it ended better than expected, wherever in the tree or in
playouts that was: priors and playouts go by it. Every seat maximises its own utility (max^n), so any number will do.
"""

import math
import sys
from typing import Any, NamedTuple

import numpy as np

from quatuor.engine.repetition import history
from quatuor.engine.searcher import Finding, Searcher, between
from quatuor.engine.uct import FIRST, KIDS, UNKNOWN, graft, repeated, seat_of, share
from quatuor.game import Game
from quatuor.games.contract import legal, outcome, play, repeat, to_move
from quatuor.kernel import Floats, Rng, Words, advised, bind, jit, seeded, template

# A node's row, as in uct.py: its children are the rows FIRST to FIRST + KIDS - 1 (KIDS is UNKNOWN before it is
# expanded), those that were tried before the others, and of these the likeliest first; the action that leads to it; how
# many children were tried; the digest of its position. Beside it, in floats, of which an untried one has the first two:
ACTION, TRIED, COLUMNS = 2, 3, 5
VISITS = 0
PRIOR = 1
UTILITY = 2  # means over its visits: of the seat that chose it,
WIN, SCORE = 3, 4
OUTLOOK, SQUARE = 5, 6  # and of the seat that moves next, its utility and the square of it
FACTS = 7

NODES = 1 << 23  # at most; memory is only taken as nodes are made
DEPTH = 128  # of the tree; below it, playouts
VARIANCE, FOR_VISITS = 0.1, 4.0  # of the utility, until there are many more visits than so many
FEW = 20  # moves of which none is left out
WIDEN = 2000  # visits after which a node gets the moves that were left out
LEARN = 1 / 128  # how much of what is known of an action each simulation replaces,
TRUST = 25.0  # a gain of 1/25 in utility makes an action exp(1) times as likely
MOST_MADE = 512  # actions of a simulation; later ones teach nothing
CATCH_UP = 0.3  # of the simulations to come: hardly ever does the second move get so many more than the first


class Settings(NamedTuple):
    """What can be tuned."""

    explore: float = 4.0  # how much more than its mean may be hoped for from a move, in standard deviations
    hope: float = 1.0  # visits that a move starts with, at what its position is worth
    cut: float = 4.0  # below the root, of many moves, the best is at most exp(cut) times as likely as any other
    doubt: float = 0.1  # the share of the priors that is spread evenly over all moves
    wait: float = 1.0  # visits after which a node gets children


DEFAULT = Settings()


@advised
def weigh(state: Words, count: int, moves: Words, memory: Words, maps: Floats, out: Floats) -> None:
    """The logarithm of how likely a strong player makes each of the moves, up to a constant."""
    raise NotImplementedError


@advised
def alike(state: Words, action: int) -> int:
    """A number below ``KINDS``: what is learnt of an action holds for all that have the same one."""
    raise NotImplementedError


@advised
def choose(rng: Rng, state: Words, memory: Words, gains: Floats, moves: Words) -> int:
    """An action in a playout for the seat to move, quickly; each kind of action with its gain so far in utility."""
    raise NotImplementedError


@advised
def horizon(root: Words, done: int) -> int:
    """After how many turns from the root of a search a playout may stop, once so many simulations are done."""
    raise NotImplementedError


@advised
def foresee(state: Words, seats: int, memory: Words, scores: Words, wins: Floats) -> None:
    """What is to be expected where a playout stopped: the scores at the end, and the shares of seats beaten."""
    raise NotImplementedError


@advised
def utility(seats: int, scores: Words, wins: Floats, out: Floats) -> None:
    """What every seat should maximise, 0 to 1, from the scores at the end and the shares of seats beaten."""
    raise NotImplementedError


@template
def expand(
    state: Words,
    node: int,
    used: int,
    cut: float,
    doubt: float,
    tree: Any,
    value: Any,
    moves: Words,
    memory: Words,
    maps: Floats,
    odds: Floats,
    gains: Floats,
) -> int:
    """Give a node its children, or those that were left out, with their priors; return how many nodes there are now."""
    acting = to_move(state)
    n = legal(state, seat_of(acting), moves) if acting else 0
    if n == tree[node, KIDS] or used + n > len(tree):
        return used  # nothing was left out, or out of nodes: the node stays as it is
    first, old = used, tree[node, FIRST]
    tried = tree[node, TRIED] if tree[node, KIDS] > 0 else 0
    tree[node, FIRST] = first
    tree[node, KIDS] = 0
    tree[node, TRIED] = tried
    if n == 0:
        return used
    weigh(state, n, moves, memory, maps, odds)
    top = -math.inf
    for i in range(n):
        odds[i] += TRUST * gains[alike(state, moves[i])]
        top = max(top, odds[i])
    least = top - cut if node and n > FEW else -math.inf
    total = 0.0
    for i in range(n):
        if odds[i] >= least:
            tree[used, ACTION] = moves[i]
            tree[used, KIDS] = UNKNOWN
            value[used, VISITS] = 0.0
            value[used, PRIOR] = math.exp(odds[i] - top)
            total += value[used, PRIOR]
            used += 1
    for kid in range(first, used):
        value[kid, PRIOR] = (1.0 - doubt) * value[kid, PRIOR] / total + doubt / n
    tree[node, KIDS] = used - first
    take_over(old, tried, first, tree, value)
    bring_forward(first + tried, used, tree, value)
    return used


@jit
def take_over(old: int, tried: int, first: int, tree: Any, value: Any) -> None:
    """What is known of the children that a node had before: they come first among those it has now."""
    for i in range(tried):
        twin = first + i
        while tree[twin, ACTION] != tree[old + i, ACTION]:
            twin += 1
        prior = value[twin, PRIOR]
        tree[twin, ACTION], value[twin, PRIOR] = tree[first + i, ACTION], value[first + i, PRIOR]
        for column in range(COLUMNS):
            tree[first + i, column] = tree[old + i, column]
        for fact in range(FACTS):
            value[first + i, fact] = value[old + i, fact]
        value[first + i, PRIOR] = prior


@jit
def bring_forward(first: int, end: int, tree: Any, value: Any) -> None:
    """Put the likeliest of some untried nodes before the others."""
    best = first
    for kid in range(first + 1, end):
        if value[kid, PRIOR] > value[best, PRIOR]:
            best = kid
    if best > first:
        tree[first, ACTION], tree[best, ACTION] = tree[best, ACTION], tree[first, ACTION]
        value[first, PRIOR], value[best, PRIOR] = value[best, PRIOR], value[first, PRIOR]


@jit
def first_try(node: int, kid: int, tree: Any, value: Any) -> None:
    """The likeliest untried child of a node is tried: from now on it has facts of its own."""
    for fact in range(UTILITY, FACTS):
        value[kid, fact] = 0.0
    tree[node, TRIED] += 1
    bring_forward(kid + 1, tree[node, FIRST] + tree[node, KIDS], tree, value)


@jit
def select(node: int, explore: float, hope: float, tree: Any, value: Any) -> int:
    """The child that promises most; one that was never tried promises what its position is worth.

    Of those never tried the likeliest promises most, so no other is looked at: most children are never tried.
    The less the results below a node differ, the smaller the differences that matter: decided games are played well.
    """
    start: int = tree[node, FIRST]
    times = value[node, VISITS]
    spread = max(value[node, SQUARE] - value[node, OUTLOOK] * value[node, OUTLOOK], 0.0)
    variance = (times * spread + FOR_VISITS * VARIANCE) / (times + FOR_VISITS)
    width = explore * math.sqrt(variance * (times + 1.0))
    worth = value[node, OUTLOOK]
    tried: int = tree[node, TRIED]
    best = start
    top = -1.0
    for kid in range(start, start + tried):
        visits = value[kid, VISITS]
        mean = (visits * value[kid, UTILITY] + hope * worth) / (visits + hope)
        bound = mean + width * value[kid, PRIOR] / (1.0 + visits)
        if bound > top:
            top = bound
            best = kid
    if tried < tree[node, KIDS] and worth + width * value[start + tried, PRIOR] > top:
        best = start + tried
    return best


@template
def make(state: Words, action: int, count: int, movers: Words, kinds: Words) -> int:
    """The seat to move acts, which is noted; return how many actions there are now."""
    seat = seat_of(to_move(state))
    if count < MOST_MADE:
        movers[count] = seat
        kinds[count] = alike(state, action)
        count += 1
    play(state, seat, action)
    return count


@template
def playout(
    rng: Rng,
    state: Words,
    cap: int,
    memory: Words,
    gains: Floats,
    moves: Words,
    count: int,
    movers: Words,
    kinds: Words,
) -> int:
    for _ply in range(cap):
        if to_move(state) == 0:
            break
        count = make(state, choose(rng, state, memory, gains, moves), count, movers, kinds)
    return count


@jit
def learn(depth: int, path: Words, movers: Words, scores: Words, wins: Floats, points: Floats, value: Any) -> None:
    """One more visit for the root and all nodes of the path; ``movers[depth]`` is the seat that moves at its end."""
    for i in range(depth + 1):
        node = path[i - 1] if i else 0
        value[node, VISITS] += 1
        step = 1.0 / value[node, VISITS]
        outlook = points[movers[i]]
        value[node, OUTLOOK] += (outlook - value[node, OUTLOOK]) * step
        value[node, SQUARE] += (outlook * outlook - value[node, SQUARE]) * step
        if i:
            seat = movers[i - 1]
            value[node, UTILITY] += (points[seat] - value[node, UTILITY]) * step
            value[node, WIN] += (wins[seat] - value[node, WIN]) * step
            value[node, SCORE] += (scores[seat] - value[node, SCORE]) * step


@jit
def compare(count: int, movers: Words, kinds: Words, points: Floats, usual: Floats, gains: Floats) -> None:
    """What a simulation brought more than usual is a gain of all actions made in it."""
    for i in range(count):
        gain = points[movers[i]] - usual[movers[i]]
        gains[kinds[i]] += (gain - gains[kinds[i]]) * LEARN
    for seat in range(len(usual)):
        usual[seat] += (points[seat] - usual[seat]) * LEARN


@template
def simulate(
    count: int,
    seats: int,
    settings: Any,
    rng: Rng,
    root: Words,
    used: int,
    tree: Any,
    value: Any,
    state: Words,
    moves: Words,
    words: Words,
    memory: Words,
    maps: Floats,
    odds: Floats,
    gains: Floats,
    table: Words,
    path: Words,
    movers: Words,
    kinds: Words,
    scores: Words,
    places: Words,
    wins: Floats,
    points: Floats,
    usual: Floats,
) -> int:
    """Run ``count`` simulations from ``root``; return how many nodes there are now."""
    explore, hope, cut, doubt, wait = settings
    if tree[0, KIDS] > 0:  # it may be a child of an earlier root: some of its moves were left out
        used = expand(root, 0, used, math.inf, doubt, tree, value, moves, memory, maps, odds, gains)
    for _ in range(count):
        for i in range(len(root)):
            state[i] = root[i]
        node = 0
        depth = 0
        while True:
            if tree[node, KIDS] == UNKNOWN and (value[node, VISITS] >= wait or depth == 0):
                if to_move(state) and repeated(state, node, tree, path, depth, words, table):
                    tree[node, KIDS] = 0
                    tree[node, FIRST] = used
                else:
                    used = expand(state, node, used, cut, doubt, tree, value, moves, memory, maps, odds, gains)
            elif tree[node, KIDS] > 0 and value[node, VISITS] == WIDEN:
                used = expand(state, node, used, math.inf, doubt, tree, value, moves, memory, maps, odds, gains)
            if tree[node, KIDS] <= 0 or depth == len(path):
                break
            kid = select(node, explore, hope, tree, value)
            if value[kid, VISITS] == 0.0:
                first_try(node, kid, tree, value)
            node = kid
            path[depth] = node
            depth = make(state, tree[node, ACTION], depth, movers, kinds)
        movers[depth] = seat_of(to_move(state)) if to_move(state) else 0
        if tree[node, KIDS] == 0 and to_move(state):
            repeat(state)
        turns = horizon(root, int(value[0, VISITS])) - depth
        made = playout(rng, state, turns, memory, gains, moves, depth, movers, kinds)
        if to_move(state):
            foresee(state, seats, memory, scores, wins)
        else:
            outcome(state, scores, places)
            for seat in range(seats):
                wins[seat] = share(places, seats, seat)
        utility(seats, scores, wins, points)
        compare(made, movers, kinds, points, usual, gains)
        learn(depth, path, movers, scores, wins, points, value)
    return used


class Guided:
    """A tree that grows from one position. The same seed and number of simulations give the same tree."""

    finished = False

    def __init__(self, game: Game, seed: int = 0, nodes: int = NODES, settings: Settings = DEFAULT) -> None:
        if game.over:
            raise ValueError("the game is over: there is nothing to search")
        book, advice = game.book, game.book.advice
        if advice is None or advice.SEARCH != "guided":
            raise ValueError(f"{book.name} has no advice to guide a search")
        self.game, self.done = game.copy(), 0
        self._tree, self._used = np.empty((nodes, COLUMNS), np.int64), 1
        self._value = np.empty((nodes, FACTS), np.float32)
        self._tree[0], self._value[0] = 0, 0.0
        self._tree[0, KIDS] = UNKNOWN
        self._settings = game.seats, tuple(settings), seeded(seed)
        sizes = book.state_size, book.max_moves, book.state_size, advice.MEMORY
        self._scratch = (
            *(np.zeros(size, np.int64) for size in sizes),
            *(np.zeros(size, np.float32) for size in (advice.MAPS, book.max_moves)),
        )
        self._gains = np.zeros(advice.KINDS, np.float32)
        self._paths = (
            *(np.zeros(size, np.int64) for size in (DEPTH, MOST_MADE, MOST_MADE, game.seats, game.seats)),
            *(np.full(game.seats, 0.5) for _ in ("wins", "points", "usual")),
        )
        self._table, _ = history(game.occurred, 0)
        self._kernel = bind(sys.modules[__name__], book.rules, book.name, advice)

    def run(self, count: int) -> None:
        """Simulate some more. Releases the GIL."""
        tree = self.game.state, self._used, self._tree, self._value
        known = self._gains, self._table
        self._used = self._kernel.simulate(count, *self._settings, *tree, *self._scratch, *known, *self._paths)
        self.done += count

    def settled(self, count: int) -> bool:
        """Whether the action looked at most is so far ahead that no other will catch up, as far as one can tell."""
        if self._tree[0, KIDS] <= 0:  # no room for its children
            return False
        first, tried = int(self._tree[0, FIRST]), int(self._tree[0, TRIED])
        second, most = np.sort(np.append(self._value[first : first + tried, VISITS], (0.0, 0.0)))[-2:]
        return bool(most - second > CATCH_UP * count)

    def found(self) -> dict[int, Finding]:
        """Visits, mean reward and score of every action; one that was left out counts as never tried."""
        kids = self.children()
        total = max(sum(visits for visits, _ in kids.values()), 1)
        found = {}
        for action in self.game.actions():
            visits, node = kids.get(action, (0, 0))
            win, score = (float(self._value[node, fact]) for fact in (WIN, SCORE))
            found[action] = Finding(visits, win, visits / total, score) if visits else Finding(0, 0.5)
        return found

    def line(self, action: int) -> list[int]:
        """The action, and then those most visited."""
        line, kids = [], self.children()
        while action in kids:
            line.append(action)
            kids = {a: kid for a, kid in self.children(kids[action][1]).items() if kid[0]}
            action = max(kids, key=lambda a: kids[a][0], default=-1)
        return line or [action]

    def advance(self, game: Game) -> bool:
        """Keep the part of the tree that a later position has; its simulations count as done."""
        turns, node = between(self.game, game), 0
        if turns is None or game.over:
            return False
        for (action,) in map(dict.values, turns):
            kids = self.children(node)
            if action not in kids:
                return False
            node = kids[action][1]
        if node:
            tree, value = np.empty_like(self._tree), np.empty_like(self._value)
            self._used = graft(node, self._tree, self._value, tree, value)
            self._tree, self._value = tree, value
            if not value[0, VISITS]:  # never tried: it has no facts of its own yet
                value[0] = 0.0
        self.game, self.done = game.copy(), int(self._value[0, VISITS])
        self._table, _ = history(game.occurred, 0)
        return True

    def children(self, node: int = 0) -> dict[int, tuple[int, int]]:
        """For every action at a node: visits, and its node."""
        first, count = int(self._tree[node, FIRST]), max(int(self._tree[node, KIDS]), 0)
        kids = range(first, first + count)
        return {int(self._tree[kid, ACTION]): (int(self._value[kid, VISITS]), kid) for kid in kids}


def search(game: Game, seat: int, seed: int) -> Searcher:
    """A search for the one seat that is to move."""
    return Guided(game, seed)
