"""Best-first search with an evaluation, for games played in turns by any number of seats.

The tree grows one node at a time: go down from the root, at every node to the child that looks best to the seat that
chooses (plus a bonus for children that were visited little), and give the leaf its children, each with its evaluation.
On the way back every node takes the values of the child that its seat likes best (for two seats, minimax).

With three or four seats that would assume that the others see all that the search sees. So a node where another seat
chooses takes the mean of its children, weighted by how likely each is, and visits them in that proportion. A move is
likely if it looks good to that seat: at first sight, when it was first evaluated, or ahead, as far as the search has
seen by now. The moves of that seat in this game decide how much each of the two counts. Moves whose results are known
to the end are chosen by these results, as every seat would choose (max^n).

Beside its estimate, every node keeps two bounds for every seat: the least that it can secure whatever the others do,
and the most that it can still reach. Where the two meet, the result is proven. Nodes that can no longer matter are not
visited again, so in an endgame the same search is an exact solver.

The game's advice provides ``evaluate(state, values, work)``, which fills in the share of the others that each seat
is expected to beat (0 to 1), and ``workspace(seed)``, the array of floats it works with. Evaluations may differ a
little from seed to seed, so that games do.

Where a constant was measured, docs/measurements/plateau_x.md has the games.
"""

import math
import sys
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quatuor.engine.repetition import third_on_path
from quatuor.engine.search_api import Finding, Searcher
from quatuor.engine.seats import lowest_seat
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
    shuffle,
    step_down,
    tree_type,
)
from quatuor.game import Game
from quatuor.games.contract import outcome, play, repeat, to_move
from quatuor.kernel import Floats, Words, exp, exports, inlined, jit, log, search_hook, seeded, template

ALONE = True  # every search of a position finds the same

# Further columns of a node: its visits; the seat that chooses there; whether nothing more can be found below; turns to
# the end where the result is proven for the seat that is searched for. Its values are those of the seats. Its bounds,
# in half points (2 for every other seat beaten, 1 for a tie): for every seat the least it can make sure of, then for
# every seat the most it can hope for.
VISITS, SEAT, CLOSED, TURNS, COLUMNS = 3, 4, 5, 6, 7
# Its priors: its share of its parent's visits at first sight, and how likely it is by now where another seat chooses.
FIRST_SIGHT, LIKELY = 0, 1

NODES = 1 << 22  # at most; chosen, not measured: 252 MB with four seats when all are used
DEPTH = 255  # of the tree; chosen, not measured
EXPLORE = 0.3  # the weight of the bonus for what was visited little; chosen, not measured
FOCUS = 0.05  # a move that looks worse by this gets a third of the visits; chosen, not measured
# With more than two seats: a move of the others that is worse by this is a third as likely
GLANCE = 0.003  # at first sight; measured against 0.001 and 0.01
AHEAD = 0.01  # as far as the search has seen; measured against 0.03
WATCHED = 8  # the last moves of each of the others that show whether it chooses at first sight; chosen, not measured
# How often what looks best at first sight is chosen: by a player that goes by it, and by a search. Measured: 93 of 100
# turns by ``greedy``, some 55 by a search; rounded.
HIT, LUCK = 0.95, 0.6


class Settings(NamedTuple):
    """Who searches, and how."""

    seats: int
    me: int  # the seat that is searched for
    explore: float
    focus: float
    glance: float


class Evaluation(NamedTuple):
    """Room for evaluations."""

    after: Words  # the position after a move
    values: Floats  # of the seats
    work: Floats  # the advice's own


Others = tuple[Evaluation, Floats]


@search_hook
def evaluate(state: Words, values: Floats, work: Floats) -> None:
    """The share of the others that each seat is expected to beat, in a position that is not over."""
    raise NotImplementedError


@template
def finish(state: Words, node: int, seats: int, tree: Tree, scratch: Scratch) -> None:
    """The game is over here: everything is known."""
    places = scratch.places
    outcome(state, scratch.scores, places)
    for seat in range(seats):
        points = 0
        for other in range(seats):
            if other != seat:
                points += 2 * (places[other] > places[seat]) + (places[other] == places[seat])
        tree.bounds[node, seat] = points
        tree.bounds[node, seats + seat] = points
        tree.values[node, seat] = points / (2.0 * (seats - 1))
    tree.nodes[node, KIDS] = 0
    tree.nodes[node, CLOSED] = 1
    tree.nodes[node, TURNS] = 0


@template
def expand(state: Words, node: int, settings: Settings, tree: Tree, scratch: Scratch, evaluation: Evaluation) -> None:
    """Give a node its children, each with its evaluation; there is room for them."""
    nodes, values, priors, bounds = tree.nodes, tree.values, tree.priors, tree.bounds
    seats, after = settings.seats, evaluation.after
    seat = lowest_seat(to_move(state))
    count = list_moves(state, scratch.moves)
    if node == 0:  # at the root, chance decides between equals
        shuffle(scratch.rng, scratch.moves, count)
    first = add_children(node, count, scratch.moves, tree)
    nodes[node, SEAT] = seat
    top = 0.0
    for i in range(count):
        kid = first + i
        copy_state(state, after)
        play(after, seat, scratch.moves[i])
        nodes[kid, VISITS] = 1
        nodes[kid, CLOSED] = 0
        nodes[kid, TURNS] = 0
        if to_move(after) == 0:
            finish(after, kid, seats, tree, scratch)
        else:
            evaluate(after, evaluation.values, evaluation.work)
            for other in range(seats):
                values[kid, other] = evaluation.values[other]
                bounds[kid, other] = 0
                bounds[kid, seats + other] = 2 * (seats - 1)
        top = max(top, values[kid, seat])
    total = 0.0
    scale = settings.glance if guessed(seat, settings) else settings.focus
    for kid in range(first, first + count):
        priors[kid, FIRST_SIGHT] = exp((values[kid, seat] - top) / scale)
        total += priors[kid, FIRST_SIGHT]
    for kid in range(first, first + count):
        priors[kid, FIRST_SIGHT] /= total


@jit
@inlined
def guessed(seat: int, settings: Settings) -> bool:
    """Whether the search guesses what a seat will do."""
    return settings.seats > 2 and seat != settings.me


@jit
@inlined
def select(node: int, settings: Settings, tree: Tree) -> int:
    """The child that looks best to the seat that chooses, plus a bonus for children that were visited little.

    Where others choose: the child that was visited least, compared with how likely it is.
    """
    nodes, values, priors, bounds = tree.nodes, tree.values, tree.priors, tree.bounds
    seats = settings.seats
    seat = nodes[node, SEAT]
    likely = guessed(seat, settings)
    sure = bounds[node, seat] + (seats == 2)  # a child that cannot bring more than this does not matter
    width = settings.explore * math.sqrt(nodes[node, VISITS])
    best = -1
    top = -1.0
    for kid in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, KIDS]):
        if nodes[kid, CLOSED] or bounds[kid, seats + seat] < sure:
            continue
        if likely:
            hope = priors[kid, LIKELY] / nodes[kid, VISITS]
        else:
            hope = values[kid, seat] + width * priors[kid, FIRST_SIGHT] / nodes[kid, VISITS]
        if hope > top:
            top = hope
            best = kid
    return best


@jit
def expect(node: int, best: int, hasty: float, tree: Tree) -> None:
    """How likely another seat is to choose each child, if it chooses at first sight with probability ``hasty``."""
    nodes, values, priors = tree.nodes, tree.values, tree.priors
    seat = nodes[node, SEAT]
    total = 0.0
    for kid in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, KIDS]):
        priors[kid, LIKELY] = exp((values[kid, seat] - values[best, seat]) / AHEAD)
        total += priors[kid, LIKELY]
    for kid in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, KIDS]):
        priors[kid, LIKELY] = hasty * priors[kid, FIRST_SIGHT] + (1 - hasty) * priors[kid, LIKELY] / total


@jit
def backup(node: int, settings: Settings, tree: Tree, hasty: Floats) -> None:
    """Take over what the children know: the best of them, or, where others choose, the mean."""
    nodes, values, priors, bounds = tree.nodes, tree.values, tree.priors, tree.bounds
    seats, me = settings.seats, settings.me
    first = nodes[node, FIRST]
    end = first + nodes[node, KIDS]
    seat = nodes[node, SEAT]
    best = first
    for kid in range(first + 1, end):
        ahead = values[kid, seat] - values[best, seat]
        if ahead > 0 or (ahead == 0 and values[kid, me] < values[best, me]):  # of equals the worst for the root
            best = kid
    for other in range(seats):
        least = bounds[first, other]
        most = bounds[first, seats + other]
        for kid in range(first + 1, end):
            low = bounds[kid, other]
            high = bounds[kid, seats + other]
            least = max(least, low) if other == seat else min(least, low)
            most = min(most, high) if other != seat and seats == 2 else max(most, high)
        bounds[node, other] = least
        bounds[node, seats + other] = most
    nodes[node, CLOSED] = closed(node, seats, tree)
    mean = guessed(seat, settings) and not nodes[node, CLOSED]
    if mean:
        expect(node, best, hasty[seat], tree)
    full = 2.0 * (seats - 1)
    for other in range(seats):
        worth = values[best, other]
        if mean:
            worth = 0.0
            for kid in range(first, end):
                worth += priors[kid, LIKELY] * values[kid, other]
        values[node, other] = min(max(worth, bounds[node, other] / full), bounds[node, seats + other] / full)
    if bounds[node, me] == bounds[node, seats + me]:
        nodes[node, TURNS] = turns(node, settings, tree)


@jit
def closed(node: int, seats: int, tree: Tree) -> bool:
    """Whether a search below a node can change neither the result of the seat that chooses there nor its choice."""
    nodes, bounds = tree.nodes, tree.bounds
    seat = nodes[node, SEAT]
    if seats == 2 and bounds[node, seat] == bounds[node, seats + seat]:
        return True
    for kid in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, KIDS]):
        if not nodes[kid, CLOSED] and bounds[kid, seats + seat] >= bounds[node, seat]:
            return False
    return True


@jit
def turns(node: int, settings: Settings, tree: Tree) -> int:
    """Turns to the proven end: the winner hurries, the loser delays."""
    nodes, bounds = tree.nodes, tree.bounds
    seats, me = settings.seats, settings.me
    result = bounds[node, me]
    hurry = (nodes[node, SEAT] == me) == (result == 2 * (seats - 1))
    found = -1
    for kid in range(nodes[node, FIRST], nodes[node, FIRST] + nodes[node, KIDS]):
        if bounds[kid, me] == result and bounds[kid, seats + me] == result:
            n = nodes[kid, TURNS] + 1
            if found < 0 or (n < found) == hurry:
                found = n
    return found


@jit
def over(settings: Settings, most_moves: int, tree: Tree) -> bool:
    """Whether nothing more can be found for the seat that is searched for, or there is no room for more nodes."""
    me, bounds = settings.me, tree.bounds
    proven = bounds[0, me] == bounds[0, settings.seats + me]
    return bool(tree.nodes[0, CLOSED]) or proven or not has_room(most_moves, tree)


@template
def grow(count: int, settings: Settings, root: Root, tree: Tree, path: Path, scratch: Scratch, others: Others) -> None:
    """Expand ``count`` leaves. ``others``: Evaluation, and how likely each seat chooses at first sight."""
    evaluation, hasty = others
    nodes, state = tree.nodes, scratch.state
    deepest = len(path.nodes) - 1
    for _ in range(count):
        if over(settings, len(scratch.moves), tree):
            break
        copy_state(root.state, state)
        node = 0
        depth = 0
        again = third_on_path(state, 0, path.keys, scratch.key, root.memo)
        while nodes[node, KIDS] != UNKNOWN and depth < deepest:
            node = select(node, settings, tree)
            depth = step_down(state, node, depth, tree, path)
            again = third_on_path(state, depth, path.keys, scratch.key, root.memo)
        if again:
            repeat(state)
            finish(state, node, settings.seats, tree, scratch)
        elif nodes[node, KIDS] == UNKNOWN:
            expand(state, node, settings, tree, scratch, evaluation)
        for i in range(depth, -1, -1):
            node = path.nodes[i]
            nodes[node, VISITS] += 1
            if nodes[node, KIDS] > 0:
                backup(node, settings, tree, hasty)


TREE = tree_type("int32", "float32", "float32", "int8")
EXPORTS = exports(grow, expand, over, graft, tree=TREE, new=TREE)


class Search(TreeSearch):
    """The search as the engine runs it; a unit of work is an expanded node.

    ``work``: a work array of the game's advice with other weights than its own, to compare them.
    """

    def __init__(
        self,
        game: Game,
        seed: int = 0,
        nodes: int = NODES,
        explore: float = EXPLORE,
        focus: float = FOCUS,
        glance: float = GLANCE,
        work: npt.NDArray[np.float64] | None = None,
    ) -> None:
        refuse_ended(game)
        book, seats = game.book, game.seats
        if book.advice is None or book.advice.SEARCH != "bestfirst":
            raise ValueError(f"{book.name}: a best-first search needs the game's advice")
        self._nodes, self.finished = nodes, False
        super().__init__(game, seed, DEPTH, sys.modules[__name__], book.advice)
        (me,) = game.to_move
        self._tree.bounds[0, :seats], self._tree.bounds[0, seats:] = 0, 2 * (seats - 1)
        self._settings = Settings(seats, me, explore, focus, glance)
        work = book.advice.workspace(seed) if work is None else work
        self._evaluation = Evaluation(np.zeros(book.state_size, np.int64), np.zeros(seats), work)
        self._hasty, self._watched = np.zeros(seats), seats == 2

    def _new_tree(self, seats: int) -> Tree:
        return _arrays(self._nodes, seats)

    def _visits(self, node: int) -> int:
        return int(self._tree.nodes[node, VISITS])

    def run(self, count: int) -> None:
        """Expand some more nodes. Releases the GIL."""
        if not self._watched and self.done + count > 1:
            self._hasty[:], self._watched = self._watch(), True
        others = self._evaluation, self._hasty
        self._kernel.grow(count, self._settings, self._root, self._tree, self._path, self._scratch, others)
        self.done += count
        self.finished = self._over()

    def found(self) -> dict[int, Finding]:
        """Every action with its value, and what is proven: a win or loss holds whatever the others do."""
        best = self._best(0)
        found = {}
        for kid in self._kids(0):
            proven = self._proven(kid)
            found[self._action(kid)] = Finding(
                visits=self._visits(kid),
                value=float(self._tree.values[kid, self._settings.me]),
                weight=float(kid == best),
                proven=proven,
                distance=int(self._tree.nodes[kid, TURNS]) + 1 if proven in ("win", "loss") else None,
                exact=bool(self._tree.nodes[kid, CLOSED]),
            )
        return found

    def line(self, action: int) -> list[int]:
        """The action, and then what each seat would choose."""
        found, node = [action], self._after(action)
        while node is not None and self._kids(node):
            node = self._best(node)
            found.append(self._action(node))
        return found

    def advance(self, game: Game) -> bool:
        """Keep the part of the tree below a later position where the same seat is to move."""
        if game.to_move != (self._settings.me,) or not super().advance(game):
            return False
        self._watched = game.seats == 2
        self.finished = self._over()
        return True

    def positions(self, visits: int) -> Iterator[tuple[list[int], npt.NDArray[np.float32]]]:
        """The root and all below it with at least this many visits: the actions that lead there, the seats' values."""
        nodes, values = self._tree.nodes, self._tree.values
        waiting: list[tuple[int, list[int]]] = [(0, [])]
        while waiting:
            node, actions = waiting.pop()
            yield actions, values[node].copy()
            often = [kid for kid in self._kids(node) if nodes[kid, VISITS] >= visits and nodes[kid, KIDS] > 0]
            waiting += [(kid, [*actions, self._action(kid)]) for kid in often]

    def _watch(self) -> npt.NDArray[np.float64]:
        """How likely each of the others chooses at first sight, by its moves in the game so far."""
        game, seats, me = self.game, self.game.seats, self._settings.me
        tree, odds, state = _arrays(1 + game.book.max_moves, seats), np.zeros(seats), game.start.copy()
        scratch = self._scratch._replace(rng=seeded(0))
        for ply, turn in enumerate(game.played):
            ((seat, action),) = turn.items()
            if seat != me and ply >= game.ply - WATCHED * seats:
                tree.used[0] = 1
                self._kernel.expand(state, 0, self._settings, tree, scratch, self._evaluation)
                end = tree.used[0]
                looks, taken = tree.values[1:end, seat], tree.nodes[1:end, ACTION] == action
                if len(looks) > 1:
                    hit = looks[taken][0] >= looks.max() - GLANCE
                    odds[seat] += log(HIT / LUCK if hit else (1 - HIT) / (1 - LUCK))
            game.book.rules.play(state, seat, action)
        return np.array([1 / (1 + exp(-float(odd))) for odd in odds])

    def _over(self) -> bool:
        return bool(self._kernel.over(self._settings, self.game.book.max_moves, self._tree))

    def _best(self, node: int) -> int:
        """The child that the search would choose: the one most visited, or one that is proven and no worse.

        With a proven win the quickest, with a proven loss the longest.
        """
        nodes, values = self._tree.nodes, self._tree.values
        kids, seat = self._kids(node), int(nodes[node, SEAT])
        best = max(kids, key=lambda kid: (nodes[kid, VISITS], values[kid, seat]))
        closed = [kid for kid in kids if nodes[kid, CLOSED] and values[kid, seat] >= values[best, seat]]
        if not closed:
            return best
        hurry = -1 if values[best, seat] > 0.5 else 1
        return max(closed, key=lambda kid: (values[kid, seat], hurry * nodes[kid, TURNS]))

    def _proven(self, node: int) -> str | None:
        seats, me, bounds = self.game.seats, self._settings.me, self._tree.bounds
        least, most = int(bounds[node, me]), int(bounds[node, seats + me])
        if least == 2 * (seats - 1):
            return "win"
        if most == 0:
            return "loss"
        return "draw" if least == most and seats == 2 else None


def _arrays(nodes: int, seats: int) -> Tree:
    return new_tree(nodes, (COLUMNS, np.int32), (seats, np.float32), (2, np.float32), (2 * seats, np.int8))


def search(game: Game, seat: int, seed: int) -> Searcher:
    """A search for the seat that is to move."""
    return Search(game, seed)
