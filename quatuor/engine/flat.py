"""For games where several seats act at once: try each own order against random orders of the others.

This is flat Monte Carlo. It takes the others for dice, so it finds what is good on average, not an equilibrium: an
opponent who guesses the order can answer it.
"""

import sys

import numpy as np

from quatuor.engine.playout import turn
from quatuor.engine.searcher import Finding, Searcher
from quatuor.engine.uct import CAP, share
from quatuor.game import Game
from quatuor.games.contract import legal, outcome, play, to_move
from quatuor.kernel import Rng, Words, below, bind, seeds, template


@template
def sample(
    count: int,
    seats: int,
    cap: int,
    rng: Rng,
    root: Words,
    seat: int,
    action: int,
    state: Words,
    moves: Words,
    scores: Words,
    places: Words,
) -> float:
    """The rewards of ``count`` random games that begin with one order of one seat, added up."""
    total = 0.0
    for _ in range(count):
        for i in range(len(root)):
            state[i] = root[i]
        acting = to_move(state)
        for other in range(seats):
            if acting >> other & 1:
                n = legal(state, other, moves)
                play(state, other, action if other == seat else moves[below(rng, n)])
        for _ply in range(cap):
            acting = to_move(state)
            if acting == 0:
                break
            turn(rng, state, acting, moves)
        outcome(state, scores, places)
        total += share(places, seats, seat)
    return total


class Trials:
    """Every order of one seat, tried in turn."""

    finished = False

    def __init__(self, game: Game, seat: int, seed: int = 0, cap: int = CAP) -> None:
        book = game.book
        self.done = 0
        self._orders = game.actions(seat)
        self._visits, self._rewards = [0] * len(self._orders), [0.0] * len(self._orders)
        self._dice = seeds(seed * book.max_moves, len(self._orders))  # each order its own: chunks do not matter
        self._game = (game.seats, cap)
        self._root = (game.common.copy(), seat)  # what the others have ordered already is not ours to see
        sizes = (book.state_size, book.max_moves, game.seats, game.seats)
        self._scratch = tuple(np.zeros(size, np.int64) for size in sizes)
        self._kernel = bind(sys.modules[__name__], book.rules, book.name)

    def run(self, count: int) -> None:
        """Simulate some more: whole rounds over the orders, at least one."""
        rounds = max(1, count // len(self._orders))
        for i, order in enumerate(self._orders):
            self._rewards[i] += self._kernel.sample(
                rounds, *self._game, self._dice[i], *self._root, order, *self._scratch
            )
            self._visits[i] += rounds
        self.done += rounds * len(self._orders)

    def settled(self, count: int) -> bool:
        return False

    def found(self) -> dict[int, Finding]:
        """How often every order was tried and its mean reward; the best one would be played."""
        means = [reward / max(visits, 1) for visits, reward in zip(self._visits, self._rewards, strict=True)]
        best = means.index(max(means))
        return {order: Finding(self._visits[i], means[i], float(i == best)) for i, order in enumerate(self._orders)}

    def line(self, action: int) -> list[int]:
        """Nothing is known beyond the first order."""
        return [action]

    def advance(self, game: Game) -> bool:
        """Nothing is known of later positions."""
        return False


def search(game: Game, seat: int, seed: int) -> Searcher:
    """A search for one of the seats that act at once."""
    return Trials(game, seat, seed)
