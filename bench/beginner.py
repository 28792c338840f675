"""How often a beginner beats the lowest levels: ``python -m bench.beginner [--games N] [--json FILE]``.

The beginner looks at the position after each of its moves, as a child would: it takes a win, and otherwise plays any of
the better half of the moves, by points or by the game's own evaluation. It never looks two moves ahead. At
tables for three and four it plays alone against engines; in every game the seats are taken in turn.
"""

import argparse
import json
import random
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import quatuor
from bench.machine import machine
from quatuor.engine.player import Engine
from quatuor.games import NAMES, rulebook
from quatuor.match.players import CERTAIN, GreedyPlayer

LEVELS = (1, 2, 3)
SEED = 4000
LONGEST = 400  # turns; a game that is not over by then is a draw


class Beginner:
    """Chooses among the moves that look good one move ahead."""

    def __init__(self, seed: int) -> None:
        self._dice, self._glance = random.Random(seed), GreedyPlayer(seed)

    def choose(self, game: quatuor.Game, seat: int) -> str:
        """A move in the game's notation."""
        worth = {action: self._glance.worth(game, seat, action) for action in game.actions(seat)}
        order = sorted(worth, key=lambda action: -worth[action])
        wins = [action for action in order if worth[action] >= CERTAIN]
        half = worth[order[(len(order) - 1) // 2]]
        chosen = self._dice.choice(wins or [action for action in order if worth[action] >= half])
        return game.book.write(game.state, seat, chosen)


def play(name: str, variant: str, level: int, number: int) -> float:
    """The beginner's score in one game: 1 for an unshared first place, a share of it for a shared one."""
    game = quatuor.new(name, variant)
    sides = Engine(level, seed=SEED + number, threads=1)
    mine = number % game.seats
    partners = {seat for seat in range(game.seats) if variant == "teams" and seat % 2 == mine % 2} or {mine}
    beginner = Beginner(SEED + number)
    while not game.over and game.ply < LONGEST:
        game.play({seat: (beginner if seat in partners else sides).choose(game, seat) for seat in game.to_move})
    if not game.over:
        return 1 / game.seats
    first = [seat for seat, place in enumerate(game.ranking) if place == 1]
    return len(partners.intersection(first)) / len(first)


def measure(task: tuple[str, str, int, int]) -> dict[str, Any]:
    """A row of the table."""
    name, variant, level, games = task
    won = [play(name, variant, level, number) for number in range(games)]
    share = sum(won) / games
    error = (sum((one - share) ** 2 for one in won) / games / (games - 1)) ** 0.5
    even = 50.0 if variant == "teams" else 100 / quatuor.new(name, variant).seats
    return {
        "game": f"{name}:{variant}",
        "level": level,
        "games": games,
        "won": [100 * share, 100 * error],
        "even": even,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    variants = [(name, variant.name) for name in NAMES for variant in rulebook(name).variants]
    tasks = [(name, variant, level, chosen.games) for name, variant in variants for level in LEVELS]
    with ProcessPoolExecutor() as pool:
        rows = []
        for row in pool.map(measure, tasks):
            print(f"{row['game']:24} level {row['level']}: {row['won'][0]:5.1f}% ± {row['won'][1]:.1f}%", flush=True)
            rows.append(row)
    if chosen.json:
        chosen.json.write_text(json.dumps(page(rows, chosen.games), indent=2, ensure_ascii=False) + "\n")


def page(rows: list[dict[str, Any]], games: int) -> dict[str, Any]:
    """The rows as tools/measurements.py reads them."""
    columns = [
        {"key": "game", "title": "variant"}, {"key": "level", "title": "level"}, {"key": "games", "title": "games"},
        {"key": "won", "title": "first place", "unit": "%", "digits": 0},
        {"key": "even", "title": "if even", "unit": "%", "digits": 0},
    ]  # fmt: skip
    text = [
        "How often a beginner wins against the lowest levels. The beginner takes a win when there is one, and",
        "otherwise plays any of the better half of its moves, as they look right after the move; it never looks two",
        "moves ahead. At tables for three and four it plays alone against engines (in `teams` with a second beginner).",
        "A shared first place counts in part. Errors are one standard deviation.",
    ]
    results = {
        "title": f"Results of {date.today().isoformat()}", "text": [f"{machine()}; seeds from {SEED}."],
        "command": [f"python -m bench.beginner --games {games} --json docs/measurements/beginner.json"],
        "columns": columns, "rows": rows,
    }  # fmt: skip
    return {"title": "Beginners: measurements", "text": text, "sections": [results]}


if __name__ == "__main__":
    main()
