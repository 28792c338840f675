"""Flat Monte Carlo, for games where several seats act at once: try each order against random orders of the others.

It assumes that the others play at random, so it finds what is good on average, not an equilibrium: an opponent who
guesses the order can answer it.
"""

import sys
from typing import NamedTuple

from quatuor.engine.playout import turn
from quatuor.engine.search_api import Finding, Searcher
from quatuor.engine.seats import share
from quatuor.engine.tree import Scratch, copy_state, new_scratch
from quatuor.engine.uct import CAP
from quatuor.game import Game
from quatuor.games.contract import legal, outcome, play, to_move
from quatuor.kernel import Words, below, bind, exports, seeds, template


class Settings(NamedTuple):
    """Who tries what."""

    seats: int
    cap: int  # plies of a playout; then the position counts as it stands
    seat: int


@template
def sample(count: int, action: int, settings: Settings, root: Words, scratch: Scratch) -> float:
    """The rewards of ``count`` random games that begin with one order of one seat, added up."""
    seats, cap, seat = settings.seats, settings.cap, settings.seat
    rng, state, moves = scratch.rng, scratch.state, scratch.moves
    total = 0.0
    for _ in range(count):
        copy_state(root, state)
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
        outcome(state, scratch.scores, scratch.places)
        total += share(scratch.places, seats, seat)
    return total


EXPORTS = exports(sample)


class Trials(Searcher):
    """Every order of one seat, tried in turn."""

    finished = False

    def __init__(self, game: Game, seat: int, seed: int = 0, cap: int = CAP) -> None:
        book = game.book
        self.done = 0
        self._orders = game.actions(seat)
        self._visits, self._rewards = [0] * len(self._orders), [0.0] * len(self._orders)
        self._settings = Settings(game.seats, cap, seat)
        self._root = game.common.copy()  # without the orders that the others have given already: they are secret
        dice = seeds(seed * book.max_moves, len(self._orders))  # one for each order, so that chunks do not matter
        scratch = new_scratch(game, dice[0])
        self._scratch = [scratch._replace(rng=rng) for rng in dice]
        self._kernel = bind(sys.modules[__name__], book.rules, book.name)

    def run(self, count: int) -> None:
        """Simulate some more: whole rounds over the orders, at least one."""
        rounds = max(1, count // len(self._orders))
        for i, order in enumerate(self._orders):
            self._rewards[i] += self._kernel.sample(rounds, order, self._settings, self._root, self._scratch[i])
            self._visits[i] += rounds
        self.done += rounds * len(self._orders)

    def restrict(self, actions: set[int]) -> None:
        """Try these orders alone."""
        kept = [i for i, order in enumerate(self._orders) if order in actions]
        self._orders, self._scratch = [self._orders[i] for i in kept], [self._scratch[i] for i in kept]
        self._visits, self._rewards = [self._visits[i] for i in kept], [self._rewards[i] for i in kept]

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
