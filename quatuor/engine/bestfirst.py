"""Best-first search with an evaluation, for games played in turns by any number of seats.

The tree grows one node at a time: go down from the root, at every node to the child that looks best to the seat that
chooses (plus a bonus for what was looked at little), and give the leaf its children, each with its evaluation. On
the way back every node takes the values of the child that its seat likes best (for two seats, minimax).

With three or four seats that would trust the others to see all that the search sees, and every line it hopes for
hangs on moves that perhaps nobody makes. There a node of theirs takes the mean of its children, weighed by how likely
each is, and is gone through in that proportion. Likely is what looks good to that seat: at a glance, when it was first
judged, or as far as the search has seen by now. Which of the two counts how much is told by what that seat did before
in this game. What is known to the end is chosen by what it brings, as everybody would (max^n).

Beside its estimate, every node keeps for every seat the least it can make sure of whatever the others do, and the most
it can still hope for. Where the two meet the result is proven; what cannot matter any more is not looked at again, so
in an endgame the same search is an exact solver.

The game's advice provides ``evaluate(state, values, work)``, which fills in the share of the others that each seat
is expected to beat (0 to 1), and ``workspace(seed)``, the array of floats it works with. Tastes may differ a little
from seed to seed, so that games do.
"""

import math
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from quatuor.engine.repetition import digest, history, times
from quatuor.engine.searcher import Finding, Searcher, between
from quatuor.engine.uct import seat_of
from quatuor.game import Game
from quatuor.games.contract import key, legal, outcome, play, repeat, to_move
from quatuor.kernel import Floats, Rng, Words, advised, below, bind, jit, seeded, template

ALONE = True  # every search of a position finds the same

# A node's row: its children are the rows FIRST to FIRST + KIDS - 1 (KIDS is UNKNOWN before it is expanded); the action
# that leads to it; how often it was looked at; the seat that chooses there; whether nothing more can be found below;
# turns to the end where the result is proven for the seat that is searched for.
FIRST, KIDS, ACTION, VISITS, SEAT, CLOSED, TURNS, COLUMNS = 0, 1, 2, 3, 4, 5, 6, 7
# Arrays beside it: the seats' values; its share of its parent's attention at first sight, and how likely it is by now
# where another seat chooses; what is proven, in half points (2 for every other seat beaten, 1 for a tie): for every
# seat the least it can make sure of, then for every seat the most.
SIGHT, LIKELY = 0, 1
UNKNOWN = -1
NODES = 1 << 22  # at most; memory is only taken as nodes are made
DEPTH = 256
EXPLORE = 0.3
FOCUS = 0.05  # how much worse a move must look to get a third of the attention
# With more than two seats: how much worse a move of the others must be to be a third as likely
GLANCE = 0.003  # at first sight
AHEAD = 0.01  # as far as the search has seen
WATCHED = 8  # of each of the others, the last moves: do they show that it chooses at a glance?
HIT, LUCK = 0.95, 0.6  # how likely what looks best is chosen by a seat that does, and by one that looks ahead


@advised
def evaluate(state: Words, values: Floats, work: Floats) -> None:
    """The share of the others that each seat is expected to beat, in a position that is not over."""
    raise NotImplementedError


@template
def finish(
    state: Words, node: int, seats: int, tree: Any, value: Any, bound: Any, scores: Words, places: Words
) -> None:
    """The game is over here: everything is known."""
    outcome(state, scores, places)
    for seat in range(seats):
        points = 0
        for other in range(seats):
            if other != seat:
                points += 2 * (places[other] > places[seat]) + (places[other] == places[seat])
        bound[node, seat] = points
        bound[node, seats + seat] = points
        value[node, seat] = points / (2.0 * (seats - 1))
    tree[node, KIDS] = 0
    tree[node, CLOSED] = 1
    tree[node, TURNS] = 0


@template
def expand(
    state: Words, node: int, used: int, seats: int, me: int, focus: float, glance: float, rng: Rng, tree: Any,
    value: Any, prior: Any, bound: Any, after: Words, moves: Words, scores: Words, places: Words, values: Floats,
    work: Floats,
) -> int:  # fmt: skip
    """Give a node its children, each with its evaluation; return how many nodes there are now."""
    seat = seat_of(to_move(state))
    n = legal(state, seat, moves)
    tree[node, FIRST] = used
    tree[node, KIDS] = n
    tree[node, SEAT] = seat
    top = 0.0
    for i in range(n):
        kid = used + i
        j = i + below(rng, n - i) if node == 0 else i  # at the root, chance decides between equals
        action = moves[j]
        moves[j] = moves[i]
        for k in range(len(state)):
            after[k] = state[k]
        play(after, seat, action)
        tree[kid, KIDS] = UNKNOWN
        tree[kid, ACTION] = action
        tree[kid, VISITS] = 1
        tree[kid, CLOSED] = 0
        tree[kid, TURNS] = 0
        if to_move(after) == 0:
            finish(after, kid, seats, tree, value, bound, scores, places)
        else:
            evaluate(after, values, work)
            for other in range(seats):
                value[kid, other] = values[other]
                bound[kid, other] = 0
                bound[kid, seats + other] = 2 * (seats - 1)
        top = max(top, value[kid, seat])
    total = 0.0
    scale = glance if guessed(seat, seats, me) else focus
    for kid in range(used, used + n):
        prior[kid, SIGHT] = math.exp((value[kid, seat] - top) / scale)
        total += prior[kid, SIGHT]
    for kid in range(used, used + n):
        prior[kid, SIGHT] /= total
    return used + n


@jit
def guessed(seat: int, seats: int, me: int) -> bool:
    """Whether it is guessed what a seat will do."""
    return seats > 2 and seat != me


@jit
def select(node: int, seats: int, me: int, explore: float, tree: Any, value: Any, prior: Any, bound: Any) -> int:
    """The child that looks best to the seat that chooses, plus a bonus for what was looked at little.

    Where others choose: the child that was looked at least, compared with how likely it is.
    """
    seat = tree[node, SEAT]
    likely = guessed(seat, seats, me)
    sure = bound[node, seat] + (seats == 2)  # what cannot bring more than this is of no interest
    width = explore * math.sqrt(tree[node, VISITS])
    best = -1
    top = -1.0
    for kid in range(tree[node, FIRST], tree[node, FIRST] + tree[node, KIDS]):
        if tree[kid, CLOSED] or bound[kid, seats + seat] < sure:
            continue
        if likely:
            hope = prior[kid, LIKELY] / tree[kid, VISITS]
        else:
            hope = value[kid, seat] + width * prior[kid, SIGHT] / tree[kid, VISITS]
        if hope > top:
            top = hope
            best = kid
    return best


@jit
def expect(node: int, best: int, hasty: float, tree: Any, value: Any, prior: Any) -> None:
    """How likely another seat goes to each child, if it chooses at a glance with probability ``hasty``."""
    seat = tree[node, SEAT]
    total = 0.0
    for kid in range(tree[node, FIRST], tree[node, FIRST] + tree[node, KIDS]):
        prior[kid, LIKELY] = math.exp((value[kid, seat] - value[best, seat]) / AHEAD)
        total += prior[kid, LIKELY]
    for kid in range(tree[node, FIRST], tree[node, FIRST] + tree[node, KIDS]):
        prior[kid, LIKELY] = hasty * prior[kid, SIGHT] + (1 - hasty) * prior[kid, LIKELY] / total


@jit
def backup(node: int, seats: int, me: int, hasty: Floats, tree: Any, value: Any, prior: Any, bound: Any) -> None:
    """Take over what the children know: the best of them, or, where others choose, the mean."""
    first = tree[node, FIRST]
    end = first + tree[node, KIDS]
    seat = tree[node, SEAT]
    best = first
    for kid in range(first + 1, end):
        ahead = value[kid, seat] - value[best, seat]
        if ahead > 0 or (ahead == 0 and value[kid, me] < value[best, me]):  # of equals the worst for the root
            best = kid
    for other in range(seats):
        least = bound[first, other]
        most = bound[first, seats + other]
        for kid in range(first + 1, end):
            low = bound[kid, other]
            high = bound[kid, seats + other]
            least = max(least, low) if other == seat else min(least, low)
            most = min(most, high) if other != seat and seats == 2 else max(most, high)
        bound[node, other] = least
        bound[node, seats + other] = most
    tree[node, CLOSED] = closed(node, seats, tree, bound)
    mean = guessed(seat, seats, me) and not tree[node, CLOSED]
    if mean:
        expect(node, best, hasty[seat], tree, value, prior)
    full = 2.0 * (seats - 1)
    for other in range(seats):
        worth = value[best, other]
        if mean:
            worth = 0.0
            for kid in range(first, end):
                worth += prior[kid, LIKELY] * value[kid, other]
        value[node, other] = min(max(worth, bound[node, other] / full), bound[node, seats + other] / full)
    if bound[node, me] == bound[node, seats + me]:
        tree[node, TURNS] = turns(node, seats, me, tree, bound)


@jit
def closed(node: int, seats: int, tree: Any, bound: Any) -> bool:
    """Whether nothing more can be found below a node: not by the seat that chooses there, nor of what it will do."""
    seat = tree[node, SEAT]
    if seats == 2 and bound[node, seat] == bound[node, seats + seat]:
        return True
    for kid in range(tree[node, FIRST], tree[node, FIRST] + tree[node, KIDS]):
        if not tree[kid, CLOSED] and bound[kid, seats + seat] >= bound[node, seat]:
            return False
    return True


@jit
def turns(node: int, seats: int, root: int, tree: Any, bound: Any) -> int:
    """Turns to the proven end: who wins hurries, who loses delays."""
    result = bound[node, root]
    hurry = (tree[node, SEAT] == root) == (result == 2 * (seats - 1))
    found = -1
    for kid in range(tree[node, FIRST], tree[node, FIRST] + tree[node, KIDS]):
        if bound[kid, root] == result and bound[kid, seats + root] == result:
            n = tree[kid, TURNS] + 1
            if found < 0 or (n < found) == hurry:
                found = n
    return found


@jit
def over(seats: int, me: int, needed: int, tree: Any, bound: Any) -> bool:
    """Whether nothing more can be found for the seat that is searched for, or there is no room for more nodes."""
    return bool(tree[0, CLOSED]) or bound[0, me] == bound[0, seats + me] or needed > len(tree)


@template
def third(state: Words, depth: int, numbers: Words, words: Words, table: Words) -> bool:
    """Whether the position occurs for the third time: in the game so far (the table) and on the way down."""
    n = key(state, words)
    numbers[depth] = digest(words, n) if n else 0
    if n == 0 or depth == 0:  # the root itself is in the table
        return False
    found = 1 + times(table, numbers[depth])
    for i in range(1, depth):
        if numbers[i] == numbers[depth]:
            found += 1
    return found >= 3


@template
def grow(
    count: int, seats: int, me: int, explore: float, focus: float, glance: float, rng: Rng, hasty: Floats,
    root: Words, used: int, tree: Any, value: Any, prior: Any, bound: Any, table: Words, state: Words, after: Words,
    moves: Words, words: Words, path: Words, numbers: Words, scores: Words, places: Words, values: Floats,
    work: Floats,
) -> int:  # fmt: skip
    """Expand ``count`` leaves; return how many nodes there are now."""
    for _ in range(count):
        if over(seats, me, used + len(moves), tree, bound):
            break
        for i in range(len(root)):
            state[i] = root[i]
        node = 0
        depth = 0
        path[0] = 0
        again = third(state, 0, numbers, words, table)
        while tree[node, KIDS] != UNKNOWN and depth < len(path) - 1:
            seat = tree[node, SEAT]
            node = select(node, seats, me, explore, tree, value, prior, bound)
            play(state, seat, tree[node, ACTION])
            depth += 1
            path[depth] = node
            again = third(state, depth, numbers, words, table)
        if again:
            repeat(state)
            finish(state, node, seats, tree, value, bound, scores, places)
        elif tree[node, KIDS] == UNKNOWN:
            used = expand(
                state, node, used, seats, me, focus, glance, rng, tree, value, prior, bound,
                after, moves, scores, places, values, work,
            )  # fmt: skip
        for i in range(depth, -1, -1):
            node = path[i]
            tree[node, VISITS] += 1
            if tree[node, KIDS] > 0:
                backup(node, seats, me, hasty, tree, value, prior, bound)
    return used


@jit
def graft(
    node: int, tree: Any, value: Any, prior: Any, bound: Any, new: Any, value_: Any, prior_: Any, bound_: Any
) -> int:
    """Copy what grows from a node into a new tree, whose root it becomes; return the number of nodes."""
    new[0] = tree[node]
    value_[0] = value[node]
    prior_[0] = prior[node]
    bound_[0] = bound[node]
    used = 1
    row = 0
    while row < used:
        first = new[row, FIRST]
        new[row, FIRST] = used
        for kid in range(first, first + new[row, KIDS]):  # none if they are not known
            new[used] = tree[kid]
            value_[used] = value[kid]
            prior_[used] = prior[kid]
            bound_[used] = bound[kid]
            used += 1
        row += 1
    return used


class Search:
    """A tree that grows from one position. The same seed and amount of work give the same tree.

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
        if game.over:
            raise ValueError("the game is over: there is nothing to search")
        book, seats = game.book, game.seats
        if book.advice is None or book.advice.SEARCH != "bestfirst":
            raise ValueError(f"{book.name}: a best-first search needs the game's advice")
        self.game, self.done, self.finished = game.copy(), 0, False
        (self._me,) = game.to_move
        self._used, self._arrays = 1, _arrays(nodes, seats)
        tree, _, _, bound = self._arrays
        tree[0] = 0
        tree[0, KIDS] = UNKNOWN
        bound[0, :seats], bound[0, seats:] = 0, 2 * (seats - 1)
        self._settings = (explore, focus, glance, seeded(seed))
        sizes = (book.state_size, book.state_size, book.max_moves, book.state_size, DEPTH, DEPTH, seats, seats)
        scratch = (np.zeros(size, np.int64) for size in sizes)
        self._scratch = (*scratch, np.zeros(seats), book.advice.workspace(seed) if work is None else work)
        self._table, _ = history(game.occurred, 0)
        self._kernel = bind(sys.modules[__name__], book.rules, book.name, book.advice)
        self._hasty, self._watched = np.zeros(seats), seats == 2

    def run(self, count: int) -> None:
        """Expand so many more nodes. Releases the GIL."""
        if not self._watched and self.done + count > 1:
            self._hasty[:], self._watched = self._watch(), True
        self._used = self._kernel.grow(
            count, self.game.seats, self._me, *self._settings, self._hasty, self.game.state, self._used, *self._arrays,
            self._table, *self._scratch,
        )  # fmt: skip
        self.done += count
        self.finished = self._over()

    def settled(self, count: int) -> bool:
        return False

    def found(self) -> dict[int, Finding]:
        """Every action with its value, and what is proven: a win or loss holds whatever the others do."""
        tree, value, _, _ = self._arrays
        best = self._best(0)
        found = {}
        for kid in self._kids(0):
            proven = self._proven(kid)
            found[int(tree[kid, ACTION])] = Finding(
                visits=int(tree[kid, VISITS]),
                value=float(value[kid, self._me]),
                weight=float(kid == best),
                proven=proven,
                distance=int(tree[kid, TURNS]) + 1 if proven in ("win", "loss") else None,
                exact=bool(tree[kid, CLOSED]),
            )
        return found

    def line(self, action: int) -> list[int]:
        """The action, and then what each seat would choose."""
        tree = self._arrays[0]
        found, node = [action], next(kid for kid in self._kids(0) if tree[kid, ACTION] == action)
        while self._kids(node):
            node = self._best(node)
            found.append(int(tree[node, ACTION]))
        return found

    def advance(self, game: Game) -> bool:
        """Keep the part of the tree that a later position has, where the same seat is to move."""
        turns = between(self.game, game)
        if turns is None or game.to_move != (self._me,):
            return False
        node = 0
        for turn in turns:
            kids = [kid for kid in self._kids(node) if self._arrays[0][kid, ACTION] in turn.values()]
            if not kids:
                return False
            node = kids[0]
        if node:
            arrays = _arrays(len(self._arrays[0]), game.seats)
            self._used = graft(node, *self._arrays, *arrays)
            self._arrays = arrays
        self.game, self.done = game.copy(), int(self._arrays[0][0, VISITS])
        self._table, _ = history(game.occurred, 0)
        self._watched = game.seats == 2
        self.finished = self._over()
        return True

    def positions(self, visits: int) -> Iterator[tuple[list[int], npt.NDArray[np.float32]]]:
        """The root and what was looked at so often below it: the actions that lead there, and the seats' values."""
        tree, value = self._arrays[:2]
        waiting: list[tuple[int, list[int]]] = [(0, [])]
        while waiting:
            node, actions = waiting.pop()
            yield actions, value[node].copy()
            often = [kid for kid in self._kids(node) if tree[kid, VISITS] >= visits and tree[kid, KIDS] > 0]
            waiting += [(kid, [*actions, int(tree[kid, ACTION])]) for kid in often]

    # ---- inside

    def _watch(self) -> npt.NDArray[np.float64]:
        """How likely each of the others chooses at a glance, by what it did in the game so far."""
        game, seats = self.game, self.game.seats
        arrays, odds, state = _arrays(1 + game.book.max_moves, seats), np.zeros(seats), game.start.copy()
        _, after, moves, *_, scores, places, values, work = self._scratch
        how = (*self._settings[1:3], seeded(0), *arrays, after, moves, scores, places, values, work)
        for ply, turn in enumerate(game.played):
            ((seat, action),) = turn.items()
            if seat != self._me and ply >= game.ply - WATCHED * seats:
                end = self._kernel.expand(state, 0, 1, seats, self._me, *how)
                looks, taken = arrays[1][1:end, seat], arrays[0][1:end, ACTION] == action
                if len(looks) > 1:
                    hit = looks[taken][0] >= looks.max() - GLANCE
                    odds[seat] += math.log(HIT / LUCK if hit else (1 - HIT) / (1 - LUCK))
            game.book.rules.play(state, seat, action)
        return np.asarray(1 / (1 + np.exp(-odds)))

    def _over(self) -> bool:
        tree, _, _, bound = self._arrays
        return bool(over(self.game.seats, self._me, self._used + self.game.book.max_moves, tree, bound))

    def _kids(self, node: int) -> range:
        first, count = self._arrays[0][node, FIRST], self._arrays[0][node, KIDS]
        return range(first, first + max(count, 0))

    def _best(self, node: int) -> int:
        """The child that the search would choose: the one most looked at, or one that is proven and no worse.

        Who has a proven win takes the quickest, who has lost the longest.
        """
        tree, value = self._arrays[:2]
        kids, seat = self._kids(node), int(tree[node, SEAT])
        best = max(kids, key=lambda kid: (tree[kid, VISITS], value[kid, seat]))
        closed = [kid for kid in kids if tree[kid, CLOSED] and value[kid, seat] >= value[best, seat]]
        if not closed:
            return best
        hurry = -1 if value[best, seat] > 0.5 else 1
        return max(closed, key=lambda kid: (value[kid, seat], hurry * tree[kid, TURNS]))

    def _proven(self, node: int) -> str | None:
        seats, bound = self.game.seats, self._arrays[3]
        least, most = int(bound[node, self._me]), int(bound[node, seats + self._me])
        if least == 2 * (seats - 1):
            return "win"
        if most == 0:
            return "loss"
        return "draw" if least == most and seats == 2 else None


def _arrays(nodes: int, seats: int) -> tuple[Any, Any, Any, Any]:
    """Nodes, values, priors and bounds."""
    return (
        np.empty((nodes, COLUMNS), np.int32),
        np.empty((nodes, seats), np.float32),
        np.empty((nodes, 2), np.float32),
        np.empty((nodes, 2 * seats), np.int8),
    )


def search(game: Game, seat: int, seed: int) -> Searcher:
    """A search for the seat that is to move."""
    return Search(game, seed)
