"""A tree search for games in turns that follows a game's advice: it looks first where strong players look.

An advice module for it (``SEARCH = "guided"``) says how many words (``MEMORY``) and floats (``MAPS``) its functions
need to work with, and defines the functions marked ``@search_hook`` below. Its ``SETTINGS``, if it has any, are the
settings of the search that differ from the default, by variant.

On the way down a move is chosen by its mean reward and its prior, the probability that the advice gives it (PUCT: Rosin
2011, Silver et al. 2017). Below the root, moves with a very small prior are left out until their position has been
visited often. Playouts follow the advice too, until it can predict how the game ends. The search learns which actions
were made in simulations that ended better than expected, in the tree or in playouts, and corrects priors and playouts
accordingly. Every seat maximises its own utility (max^n), so the search works for any number of seats.

Where a constant was measured, docs/measurements/blokus.md has the games.
"""

import math
import sys
from typing import NamedTuple

import numpy as np

from quatuor.engine.repetition import third_on_path
from quatuor.engine.search_api import Finding, Searcher
from quatuor.engine.seats import lowest_seat, share
from quatuor.engine.tree import (
    ACTION,
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
    refuse_ended,
    step_down,
    tree_type,
)
from quatuor.game import Game
from quatuor.games.contract import outcome, play, repeat, to_move
from quatuor.kernel import Floats, Rng, Singles, Words, exp, exports, inlined, jit, search_hook, template

# Further columns of a node: how many of its children were tried, which come before the others (the likeliest of these
# is the next); the digest of its position. An untried node has only the first two of its values.
TRIED, KEY, COLUMNS = 3, 4, 5
VISITS = 0
PRIOR = 1
UTILITY = 2  # means over its visits, for the seat that chose it:
WIN, SCORE = 3, 4
OUTLOOK, SQUARE = 5, 6  # and for the seat that moves next, its utility and the square of it
FACTS = 7

NODES = 1 << 23  # at most; chosen, not measured: 570 MB when all are used
DEPTH = 128  # of the tree, playouts below it; chosen, not measured
VARIANCE, FOR_VISITS = 0.1, 4.0  # the variance of the utility before there are visits, and its weight; chosen
FEW = 20  # of up to this many moves none is left out; chosen, not measured
WIDEN = 2000  # visits after which a node gets the moves that were left out; no gain or loss measured against never
LEARN = 1 / 128  # the weight of one simulation in what is learnt of an action; measured against 1/32
MOST_MADE = 512  # actions of a simulation; later ones teach nothing; chosen, not measured
CATCH_UP = 0.3  # share of the remaining simulations: the second move hardly ever gains more on the first; measured


class Settings(NamedTuple):
    """What can be tuned."""

    explore: float = 4.0  # bonus of a likely move, in standard deviations; measured in `two` against 2.5 and 6: even
    hope: float = 1.0  # visits that a move starts with, at its position's value; measured against less hope
    cut: float = 4.0  # below the root, moves exp(cut) times less likely than the best are left out; measured against 5
    doubt: float = 0.1  # the share of the priors that is spread evenly over all moves; chosen, not measured
    wait: float = 1.0  # visits after which a node gets children; measured against 2
    trust: float = 25.0  # a gain of 1/trust makes a move exp(1) times as likely; measured in `two` against 12.5 and 4
    restricted: float = 0.0  # 1: the root has only some of its moves, see ``restrict``


DEFAULT = Settings()


class Learnt(NamedTuple):
    """What a search has learnt about actions, and what its simulations were worth."""

    gains: Singles  # by kind of action: how much better than usual simulations with it ended
    kinds: Words  # the kinds of the actions of this simulation
    usual: Floats  # by seat: the mean utility
    wins: Floats  # by seat: the share of seats beaten in this simulation


class Advice(NamedTuple):
    """Room for the functions of the advice."""

    memory: Words
    maps: Singles
    odds: Singles  # of each move, as logarithms


Known = tuple[Advice, Learnt]


@search_hook
def weigh(state: Words, count: int, moves: Words, memory: Words, maps: Floats, out: Floats) -> None:
    """The logarithm of how likely a strong player makes each of the moves, up to a constant."""
    raise NotImplementedError


@search_hook
def alike(state: Words, action: int) -> int:
    """The kind of an action, a number below ``KINDS``: what is learnt of an action holds for all of its kind."""
    raise NotImplementedError


@search_hook
def choose(rng: Rng, state: Words, memory: Words, gains: Floats, moves: Words) -> int:
    """A quick choice of an action in a playout; ``gains`` has what each kind of action has gained so far in utility."""
    raise NotImplementedError


@search_hook
def horizon(root: Words, done: int) -> int:
    """After how many turns from the root a playout may stop, when ``done`` simulations have been run."""
    raise NotImplementedError


@search_hook
def foresee(state: Words, seats: int, memory: Words, scores: Words, wins: Floats) -> None:
    """What to expect where a playout stopped: the scores at the end, and the shares of seats beaten."""
    raise NotImplementedError


@search_hook
def utility(seats: int, scores: Words, wins: Floats, out: Floats) -> None:
    """What every seat should maximise, 0 to 1, from the scores at the end and the shares of seats beaten."""
    raise NotImplementedError


@template
def expand(
    state: Words, node: int, settings: Settings, tree: Tree, scratch: Scratch, advice: Advice, gains: Floats
) -> None:
    """Give a node its children, or those that were left out, with their priors; without room it stays as it is."""
    nodes, values, moves, odds = tree.nodes, tree.values, scratch.moves, advice.odds
    count = list_moves(state, moves)
    if count == nodes[node, KIDS] or not has_room(count, tree):
        return  # nothing was left out, or out of nodes
    old = nodes[node, FIRST]
    tried = nodes[node, TRIED] if nodes[node, KIDS] > 0 else 0
    nodes[node, FIRST] = tree.used[0]
    nodes[node, KIDS] = 0
    nodes[node, TRIED] = tried
    if count == 0:
        return
    weigh(state, count, moves, advice.memory, advice.maps, odds)
    top = -math.inf
    for i in range(count):
        odds[i] += settings.trust * gains[alike(state, moves[i])]
        top = max(top, odds[i])
    least = top - settings.cut if node and count > FEW else -math.inf
    kept = 0
    for i in range(count):
        if odds[i] >= least:
            moves[kept] = moves[i]
            odds[kept] = odds[i]
            kept += 1
    first = add_children(node, kept, moves, tree)
    total = 0.0
    for i in range(kept):
        values[first + i, VISITS] = 0.0
        values[first + i, PRIOR] = exp(odds[i] - top)
        total += values[first + i, PRIOR]
    doubt = settings.doubt
    for kid in range(first, first + kept):
        values[kid, PRIOR] = (1.0 - doubt) * values[kid, PRIOR] / total + doubt / count
    take_over(old, tried, first, tree)
    bring_forward(first + tried, first + kept, tree)


@jit
def take_over(old: int, tried: int, first: int, tree: Tree) -> None:
    """Keep what is known of the children that a node had before: they come first among those it has now."""
    nodes, values = tree.nodes, tree.values
    for i in range(tried):
        twin = first + i
        while nodes[twin, ACTION] != nodes[old + i, ACTION]:
            twin += 1
        prior = values[twin, PRIOR]
        nodes[twin, ACTION], values[twin, PRIOR] = nodes[first + i, ACTION], values[first + i, PRIOR]
        for column in range(COLUMNS):
            nodes[first + i, column] = nodes[old + i, column]
        for fact in range(FACTS):
            values[first + i, fact] = values[old + i, fact]
        values[first + i, PRIOR] = prior


@jit
def bring_forward(first: int, end: int, tree: Tree) -> None:
    """Put the likeliest of some untried nodes before the others."""
    nodes, values = tree.nodes, tree.values
    best = first
    for kid in range(first + 1, end):
        if values[kid, PRIOR] > values[best, PRIOR]:
            best = kid
    if best > first:
        nodes[first, ACTION], nodes[best, ACTION] = nodes[best, ACTION], nodes[first, ACTION]
        values[first, PRIOR], values[best, PRIOR] = values[best, PRIOR], values[first, PRIOR]


@jit
def first_try(node: int, kid: int, tree: Tree) -> None:
    """The likeliest untried child of a node is tried: from now on it has all its values."""
    for fact in range(UTILITY, FACTS):
        tree.values[kid, fact] = 0.0
    tree.nodes[node, TRIED] += 1
    bring_forward(kid + 1, tree.nodes[node, FIRST] + tree.nodes[node, KIDS], tree)


@jit
@inlined
def select(node: int, explore: float, hope: float, tree: Tree) -> int:
    """The child that promises most; one that was never tried promises what its position is worth.

    Of those never tried the likeliest promises most, so no other is looked at: most children are never tried.
    The less the results below a node differ, the smaller the differences that matter: decided games are played well.
    """
    nodes, values = tree.nodes, tree.values
    start: int = nodes[node, FIRST]
    times = values[node, VISITS]
    spread = max(values[node, SQUARE] - values[node, OUTLOOK] * values[node, OUTLOOK], 0.0)
    variance = (times * spread + FOR_VISITS * VARIANCE) / (times + FOR_VISITS)
    width = explore * math.sqrt(variance * (times + 1.0))
    worth = values[node, OUTLOOK]
    tried: int = nodes[node, TRIED]
    best = start
    top = -1.0
    for kid in range(start, start + tried):
        visits = values[kid, VISITS]
        mean = (visits * values[kid, UTILITY] + hope * worth) / (visits + hope)
        bound = mean + width * values[kid, PRIOR] / (1.0 + visits)
        if bound > top:
            top = bound
            best = kid
    if tried < nodes[node, KIDS] and worth + width * values[start + tried, PRIOR] > top:
        best = start + tried
    return best


@template
def playout(cap: int, depth: int, path: Path, scratch: Scratch, advice: Advice, learnt: Learnt) -> int:
    """Play on for ``cap`` turns at most; return how many actions were noted, those of the tree among them."""
    state, movers, kinds = scratch.state, path.movers, learnt.kinds
    count = depth
    for _ply in range(cap):
        if to_move(state) == 0:
            break
        action = choose(scratch.rng, state, advice.memory, learnt.gains, scratch.moves)
        seat = lowest_seat(to_move(state))
        if count < MOST_MADE:
            movers[count] = seat
            kinds[count] = alike(state, action)
            count += 1
        play(state, seat, action)
    return count


@jit
def backup(depth: int, tree: Tree, path: Path, scratch: Scratch, wins: Floats) -> None:
    """One more visit for all nodes of the path; ``movers[depth]`` is the seat that moves at its end."""
    values, movers, points, scores = tree.values, path.movers, scratch.points, scratch.scores
    for i in range(depth + 1):
        node = path.nodes[i]
        values[node, VISITS] += 1
        step = 1.0 / values[node, VISITS]
        outlook = points[movers[i]]
        values[node, OUTLOOK] += (outlook - values[node, OUTLOOK]) * step
        values[node, SQUARE] += (outlook * outlook - values[node, SQUARE]) * step
        if i:
            seat = movers[i - 1]
            values[node, UTILITY] += (points[seat] - values[node, UTILITY]) * step
            values[node, WIN] += (wins[seat] - values[node, WIN]) * step
            values[node, SCORE] += (scores[seat] - values[node, SCORE]) * step


@jit
def learn(count: int, movers: Words, points: Floats, learnt: Learnt) -> None:
    """What a simulation brought beyond the usual counts as a gain of every action made in it."""
    gains, kinds, usual = learnt.gains, learnt.kinds, learnt.usual
    for i in range(count):
        gain = points[movers[i]] - usual[movers[i]]
        gains[kinds[i]] += (gain - gains[kinds[i]]) * LEARN
    for seat in range(len(usual)):
        usual[seat] += (points[seat] - usual[seat]) * LEARN


@template
def result(scratch: Scratch, advice: Advice, wins: Floats) -> None:
    """Fill in scores, shares of seats beaten and utilities, of the end or as foreseen."""
    state, seats = scratch.state, len(wins)
    if to_move(state):
        foresee(state, seats, advice.memory, scratch.scores, wins)
    else:
        outcome(state, scratch.scores, scratch.places)
        for seat in range(seats):
            wins[seat] = share(scratch.places, seats, seat)
    utility(seats, scratch.scores, wins, scratch.points)


@template
def simulate(
    count: int, settings: Settings, root: Root, tree: Tree, path: Path, scratch: Scratch, known: Known
) -> None:
    """Run ``count`` simulations from the root; ``known``: Advice and Learnt."""
    advice, learnt = known
    all_moves = settings.restricted == 0.0
    whole = Settings(  # leaves nothing out
        settings.explore, settings.hope, math.inf, settings.doubt, settings.wait, settings.trust, 0.0
    )
    nodes, values, state, movers = tree.nodes, tree.values, scratch.state, path.movers
    deepest = len(path.nodes) - 1
    if nodes[0, KIDS] > 0 and all_moves:  # it may be a child of an earlier root: some of its moves were left out
        expand(root.state, 0, whole, tree, scratch, advice, learnt.gains)
    for _ in range(count):
        copy_state(root.state, state)
        node = 0
        depth = 0
        while True:
            if nodes[node, KIDS] == UNKNOWN and (values[node, VISITS] >= settings.wait or depth == 0):
                if to_move(state) and third_on_path(state, depth, path.keys, scratch.key, root.memo):
                    nodes[node, KIDS] = 0
                    nodes[node, FIRST] = tree.used[0]
                else:
                    expand(state, node, settings, tree, scratch, advice, learnt.gains)
                nodes[node, KEY] = path.keys[depth]
            elif nodes[node, KIDS] > 0 and values[node, VISITS] == WIDEN and (node or all_moves):
                expand(state, node, whole, tree, scratch, advice, learnt.gains)
            if nodes[node, KIDS] <= 0 or depth == deepest:
                break
            kid = select(node, settings.explore, settings.hope, tree)
            if values[kid, VISITS] == 0.0:
                first_try(node, kid, tree)
            node = kid
            learnt.kinds[depth] = alike(state, nodes[node, ACTION])
            depth = step_down(state, node, depth, tree, path)
            path.keys[depth] = nodes[node, KEY]
        movers[depth] = lowest_seat(to_move(state)) if to_move(state) else 0
        if nodes[node, KIDS] == 0 and to_move(state):
            repeat(state)
        turns = horizon(root.state, int(values[0, VISITS])) - depth
        made = playout(turns, depth, path, scratch, advice, learnt)
        result(scratch, advice, learnt.wins)
        learn(made, movers, scratch.points, learnt)
        backup(depth, tree, path, scratch, learnt.wins)


TREE = tree_type("int64", "float32")
EXPORTS = exports(simulate, graft, tree=TREE, new=TREE)


class Guided(TreeSearch):
    """The search as the engine runs it; a unit of work is a simulation."""

    def __init__(self, game: Game, seed: int = 0, nodes: int = NODES, settings: Settings | None = None) -> None:
        """``settings``: unless given, those of the advice for the variant."""
        refuse_ended(game)
        advice = game.book.advice
        if advice is None or advice.SEARCH != "guided":
            raise ValueError(f"{game.book.name} has no advice to guide a search")
        self._nodes = nodes
        self._settings = settings or DEFAULT._replace(**getattr(advice, "SETTINGS", {}).get(game.variant.name, {}))
        super().__init__(game, seed, DEPTH, sys.modules[__name__], advice)
        self._tree.values[0] = 0.0
        self._path = self._path._replace(movers=np.zeros(MOST_MADE, np.int64))
        self._advice = Advice(
            np.zeros(advice.MEMORY, np.int64),
            np.zeros(advice.MAPS, np.float32),
            np.zeros(game.book.max_moves, np.float32),
        )
        self._learnt = Learnt(
            np.zeros(advice.KINDS, np.float32),
            np.zeros(MOST_MADE, np.int64),
            np.full(game.seats, 0.5),
            np.full(game.seats, 0.5),
        )

    def _new_tree(self, seats: int) -> Tree:
        return new_tree(self._nodes, (COLUMNS, np.int64), (FACTS, np.float32))

    def _visits(self, node: int) -> int:
        return int(self._tree.values[node, VISITS])

    def run(self, count: int) -> None:
        """Simulate some more. Releases the GIL."""
        known = self._advice, self._learnt
        self._kernel.simulate(count, self._settings, self._root, self._tree, self._path, self._scratch, known)
        self.done += count

    def restrict(self, actions: set[int]) -> None:
        """Leave only these actions at the root: those tried first, then the likeliest of the others."""
        super().restrict(actions)
        rows = np.arange(self._kids(0).start, self._kids(0).stop)
        tried = self._tree.values[rows, VISITS] > 0
        order = rows[np.lexsort((-self._tree.values[rows, PRIOR], ~tried))]
        self._tree.nodes[rows], self._tree.values[rows] = self._tree.nodes[order], self._tree.values[order]
        self._tree.nodes[0, TRIED] = tried.sum()
        self._settings = self._settings._replace(restricted=1.0)

    def settled(self, count: int) -> bool:
        """Whether the action visited most is so far ahead that another one hardly ever catches up."""
        if self._tree.nodes[0, KIDS] <= 0:  # no room for its children
            return False
        first, tried = int(self._tree.nodes[0, FIRST]), int(self._tree.nodes[0, TRIED])
        second, most = np.sort(np.append(self._tree.values[first : first + tried, VISITS], (0.0, 0.0)))[-2:]
        return bool(most - second > CATCH_UP * count)

    def found(self) -> dict[int, Finding]:
        """Visits, mean reward and score of every action; one that was left out counts as never tried."""
        kids = self.children()
        total = max(sum(visits for visits, _ in kids.values()), 1)
        found = {}
        for action in self.game.actions():
            visits, node = kids.get(action, (0, 0))
            win, score = (float(self._tree.values[node, fact]) for fact in (WIN, SCORE))
            found[action] = Finding(visits, win, visits / total, score) if visits else Finding(0, 0.5)
        return found

    def line(self, action: int) -> list[int]:
        """The action, and then those most visited."""
        line, node = [action], self._after(action)
        while node is not None:
            kids = {a: kid for a, kid in self.children(node).items() if kid[0]}
            if not kids:
                break
            action = max(kids, key=lambda a: kids[a][0])
            line.append(action)
            node = kids[action][1]
        return line

    def advance(self, game: Game) -> bool:
        """Keep the part of the tree below a later position; its simulations count as done."""
        kept = super().advance(game)
        if kept and not self.done:  # never tried: it has no values of its own yet
            self._tree.values[0] = 0.0
        return kept

    def children(self, node: int = 0) -> dict[int, tuple[int, int]]:
        """For every action at a node: visits, and its node."""
        return {self._action(kid): (self._visits(kid), kid) for kid in self._kids(node)}


def search(game: Game, seat: int, seed: int) -> Searcher:
    """A search for the one seat that is to move."""
    return Guided(game, seed)
