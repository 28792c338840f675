"""Digests of games, searches, batches and puzzles from fixed seeds. A change that must not alter behaviour keeps them.

``python -m tests.digests`` prints all of them; ``--write`` replaces the expected ones in ``tests/data/digests.json``,
for a change that is meant to alter them.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import quatuor
from quatuor import puzzles
from quatuor.engine import search_registry
from quatuor.engine.network import Search
from quatuor.games import NAMES, rulebook
from quatuor.kernel import below, seeded
from tests.seeded import fingerprint

EXPECTED = Path(__file__).parent / "data" / "digests.json"
UNITS = 60  # of a search: enough for several levels of a tree
OPENING = 6  # random turns before a search
STEPS = 40
PUZZLES = [("tetro20", False), ("tetro20", True), ("pento12", False), ("all84", False)]


def digest(*parts: Any) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return found.hexdigest()[:12]


def opening(name: str, variant: str) -> quatuor.Game:
    game, rng = quatuor.new(name, variant), seeded(7)
    while not game.over and game.ply < OPENING:
        for seat in game.to_move:
            actions = game.actions(seat)
            game.play_actions({seat: actions[below(rng, len(actions))]})
    return game


def games(name: str, variant: str) -> str:
    return digest(*(fingerprint(name, variant, seed) for seed in (1, 2)))


def search(name: str, variant: str, plain: bool) -> str:
    game = opening(name, variant)
    seat = game.to_move[0]
    kind = search_registry.PLAIN if plain else search_registry.kind(game)
    searcher = search_registry.module(game, kind).search(game, seat, 3)
    searcher.run(UNITS)
    found = searcher.found()
    best = max(found, key=lambda action: (found[action].visits, -action))
    return digest(sorted((action, *map(repr, finding)) for action, finding in found.items()), searcher.line(best))


def batch(name: str, variant: str) -> str:
    played = quatuor.batch(name, 3, variant, seed=5, threads=1)
    for _ in range(STEPS):
        played.step(played.sample())
    return digest(played.mask, played.planes, played.rewards, played.scores)


def opinions(planes: Any, facts: Any, mask: Any) -> tuple[Any, Any]:
    """A network's stand-in: numbers computed from the position by integer arithmetic."""
    cells = np.concatenate([planes.reshape(len(planes), -1), facts], axis=1).astype(np.int64)
    number = cells @ (np.arange(cells.shape[1]) * 7919 % 1009)
    return (number[:, None] + 31 * np.arange(mask.shape[1])) % 17 / 8.0, (number % 201 - 100) / 100.0


def network(name: str, variant: str) -> str:
    game = opening(name, variant)

    def evaluate(planes: Any, facts: Any, mask: Any) -> tuple[Any, Any]:
        policy, value = opinions(planes, facts, mask)
        return policy, np.stack([value * (1 - 0.4 * seat) for seat in range(game.seats)], axis=1)

    searcher = Search(game, evaluate)
    searcher.run(UNITS)
    found = searcher.found()
    best = max(found, key=lambda action: (found[action].visits, -action))
    alone = digest(sorted((action, *map(repr, finding)) for action, finding in found.items()), searcher.line(best))
    played = quatuor.batch(name, 3, variant, seed=5, threads=1)
    search = quatuor.search(played, evaluate)
    for _ in range(3):
        search.run(6)
        search.step(search.best())
    search.run(6)
    return digest(alone, search.visits, search.value, played.states)


def puzzle(name: str, hard: bool) -> str:
    return digest(*(puzzles.solve(name, hard=hard, seed=seed).dump() for seed in (1, 2)))


def digests() -> Iterator[tuple[str, Callable[[], str]]]:
    """The name of every digest and the function that computes it."""
    for name in NAMES:
        for variant in (v.name for v in rulebook(name).variants):
            yield f"{name}:{variant} games", partial(games, name, variant)
            yield f"{name}:{variant} batch", partial(batch, name, variant)
            yield f"{name}:{variant} search", partial(search, name, variant, plain=False)
            yield f"{name}:{variant} plain search", partial(search, name, variant, plain=True)
            if len(quatuor.new(name, variant).to_move) == 1:
                yield f"{name}:{variant} network search", partial(network, name, variant)
    for kind, hard in PUZZLES:
        yield f"puzzle {kind}{' hard' * hard}", partial(puzzle, kind, hard)


def main() -> None:
    found = {name: compute() for name, compute in digests()}
    text = json.dumps(found, indent=1) + "\n"
    if "--write" in sys.argv[1:]:
        EXPECTED.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
