"""Random games from a seed, to try a rulebook with."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from quatuor.game import Game
from quatuor.games.contract import Rulebook, Variant
from quatuor.kernel import below, seeded

TURNS = 300  # at most


@dataclass
class Sample:
    """One random game of a variant. ``game`` is played when it is first asked for, compiled."""

    book: Rulebook
    variant: Variant
    seed: int
    options: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def game(self) -> Game:
        return self.play()

    def play(self, turns: int = TURNS) -> Game:
        """A random game from the start, the same as game 0 of ``random_games`` with this seed."""
        game, rng = self.start(), seeded(self.seed)
        while not game.over and game.ply < turns:
            for seat in game.to_move:
                actions = game.actions(seat)
                game._advance({seat: actions[below(rng, len(actions))]})
        return game

    @property
    def option_values(self) -> list[int]:
        """What ``setup`` reads."""
        plain = {o.name: o.check(self.options[o.name]) for o in self.book.options if o.name in self.options}
        return self.book.option_values(self.variant, plain)

    def start(self) -> Game:
        return Game(self.book, self.variant.name, self.options)

    def middle(self) -> Game:
        """A position in the course of the game; it is over only if the start is."""
        return at(self.game, min(8, self.game.ply // 2))

    def positions(self, step: int = 7) -> list[Game]:
        """The start, every ``step``-th position, or more in short games, and the end."""
        step = max(1, min(step, self.game.ply // 8))
        return [at(self.game, ply) for ply in sorted({*range(0, self.game.ply, step), self.game.ply})]


def samples(book: Rulebook, games: int) -> Iterator[Sample]:
    """Some games of every variant: the first with default options, the others with random ones."""
    for variant in book.variants:
        for seed in range(1, games + 1):
            options = {} if seed == 1 else random_options(book, variant, random.Random(seed))
            yield Sample(book, variant, seed, options)


def random_options(book: Rulebook, variant: Variant, dice: random.Random) -> dict[str, Any]:
    """A value for every option of a variant."""
    apply = [option for option in book.options if not option.variants or variant.name in option.variants]
    return {option.name: dice.choice(getattr(option, "examples", (option.default,))) for option in apply}


def at(game: Game, ply: int) -> Game:
    """The game as it was after a number of turns."""
    earlier = game.copy()
    while earlier.ply > ply:
        earlier.undo()
    return earlier
