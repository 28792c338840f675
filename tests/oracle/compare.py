"""Play the same random game on the package and on the oracle, and compare them after every action."""

import random
from typing import Any

import quatuor
from quatuor.games import rulebook
from quatuor.games.contract import Choice, Number
from tests.oracle import Oracle, oracle, oracle_of


def differences(game: quatuor.Game, twin: Oracle) -> list[str]:
    """All differences between the two."""
    found = []

    def same(what: str, package: Any, naive: Any) -> None:
        if package != naive:
            found.append(f"{what}: package {package!r}, oracle {naive!r}")

    same("to_move", game.to_move, twin.to_move)
    same("over", game.over, twin.over)
    same("scores", game.scores, twin.scores)
    same("ranking", game.ranking, twin.ranking)
    for seat in range(twin.seats):
        package, naive = game.legal(seat), twin.legal(seat)
        same(f"moves of seat {seat} only one has", sorted(set(package) - naive), sorted(naive - set(package)))
        same(f"how many moves seat {seat} has", len(package), len(naive))
    if not twin.orders:  # a secret order is not part of the public position
        same("position", twin.shown(game.view()), twin.position())
    return found


# ---- random games


class RandomPlayer:
    """Draws moves in one of three ways, so that rare events occur in some games."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.manner = rng.choice(["plain", "by kind", "stubborn"])
        self.played: set[tuple[int, str]] = set()

    def choose(self, twin: Oracle, seat: int) -> str:
        moves = sorted(twin.legal(seat))
        void = twin.void_order(self.rng)
        if void is not None:
            return void
        if self.manner == "by kind":  # first the kind, then the move: pawns move as often as bricks are placed
            kind = self.rng.choice(sorted({twin.kind(move) for move in moves}))
            moves = [move for move in moves if twin.kind(move) == kind]
        if self.manner == "stubborn" and self.rng.random() < 0.9:  # the same moves again: positions repeat
            moves = [move for move in moves if (seat, move) in self.played] or moves
        move = self.rng.choice(moves)
        self.played.add((seat, move))
        return move


def random_options(name: str, variant: str, rng: random.Random) -> dict[str, Any]:
    """A value for every option of the variant; defaults and small numbers are frequent."""
    chosen = {}
    for option in rulebook(name).options:
        if option.variants and variant not in option.variants:
            continue
        if isinstance(option, Choice):
            values = list(option.values)
        elif isinstance(option, Number):
            values = [option.default, option.low, rng.randint(option.low, 9), rng.randint(option.low, option.high)]
            values += [None] if option.none is not None else []
        else:
            values = oracle_of(name).option_values(option, rng)
        chosen[option.name] = rng.choice(values)
    return chosen


def play_both(name: str, variant: str, options: dict[str, Any], rng: random.Random, plies: int) -> quatuor.Game:
    """One game of at most this number of turns, on which both agreed. An AssertionError says how to replay it."""
    player = RandomPlayer(rng)
    game, twin = quatuor.new(name, variant, **options), oracle(name, variant, options)
    played: list[dict[int, str]] = []
    check(game, twin, played)
    while not twin.over and len(played) < plies:
        seats = list(twin.to_move)
        orders = {seat: player.choose(twin, seat) for seat in seats}
        played.append(orders)
        rng.shuffle(seats)
        parts = [orders] if rng.random() < 0.5 else [{seat: orders[seat]} for seat in seats]
        for part in parts:  # all at once, or one after the other
            game.play(part)
            twin.play(part)
            check(game, twin, played)
    return game


def replay_both(record: str) -> quatuor.Game:
    """Replay a recorded game on both."""
    loaded = quatuor.load(record)
    game, twin = (
        quatuor.new(loaded.name, loaded.variant.name, **loaded.options),
        oracle(loaded.name, loaded.variant.name, loaded.options),
    )
    for ply, orders in enumerate(loaded.moves, 1):
        game.play(orders)
        twin.play(orders)
        check(game, twin, loaded.moves[:ply])
    return game


def check(game: quatuor.Game, twin: Oracle, played: list[dict[int, str]]) -> None:
    found = differences(game, twin)
    if found:
        start = f"{game.name}:{game.variant.name} {game.options}"
        raise AssertionError("\n".join([f"{start} after {played}", *found]))
