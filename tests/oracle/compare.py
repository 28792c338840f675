"""Play the same random game on the package and on the oracle, and look for a difference after every action."""

import random
from collections.abc import Callable
from typing import Any

import quatuor
from quatuor.games import rulebook
from tests.oracle import Oracle, oracle
from tests.oracle.blokus import COLOURS
from tests.oracle.trois_six import random_layout

# ---- what is compared: the package's view in the oracle's words


def plus4(game: quatuor.Game) -> Any:
    view = game.view()
    return {key: view[key] for key in ("grid", "bonus", "round")}


def blokus(game: quatuor.Game) -> Any:
    view = game.view()
    colours = {"b": "blue", "y": "yellow", "r": "red", "g": "green"}
    rows = list(enumerate(reversed(view["board"]), 1))  # from the bottom
    return {
        "board": {
            "abcdefghijklmnopqrst"[x] + str(y): colours[c] for y, row in rows for x, c in enumerate(row) if c != "."
        },
        "left": {COLOURS[there["colour"]]: len(there["pieces"]) for there in view["colours"]},
        "scores": {COLOURS[there["colour"]]: there["score"] for there in view["colours"]},
        "players": {COLOURS[there["colour"]]: there["seat"] for there in view["colours"]},
        "colour": None if game.over else COLOURS[view["colour"]],
        "anchors": set() if game.over else {*view["attach"], *view["colours"][view["colour"]]["start"]},
    }


def plateau_x(game: quatuor.Game) -> Any:
    view = game.view()
    return {
        "levels": {
            "ABCDEFG"[x] + str(y): level for y, row in enumerate(view["levels"], 1) for x, level in enumerate(row)
        },
        "bricks": {(brick["level"], frozenset(brick["cells"])) for brick in view["bricks"]},
        "plateaus": {frozenset(plateau["cells"]): plateau["owners"] for plateau in view["plateaus"]},
        "pawns": [sorted(pawn["cell"] for pawn in view["pawns"] if pawn["seat"] == seat) for seat in range(game.seats)],
        "stocks": [(stock["singles"], stock["doubles"], stock["pawns"]) for stock in view["stocks"]],
        "triples": view["triples"],
    }


def trois_six(game: quatuor.Game) -> Any:
    view = game.view()
    board = {there["cell"]: (there["owner"], there["number"], there["height"]) for there in view["cells"]}
    return {"board": board, "quiet": view["quiet"]}


POSITIONS: dict[str, Callable[[quatuor.Game], Any]] = {
    "plus4": plus4,
    "blokus": blokus,
    "plateau_x": plateau_x,
    "trois_six": trois_six,
}


def differences(game: quatuor.Game, twin: Oracle) -> list[str]:
    """Whatever the two do not agree on."""
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
    if not twin.orders:  # a secret order is no part of the position that all may see
        same("position", POSITIONS[game.name](game), twin.position())
    return found


# ---- random games

KINDS: dict[str, Callable[[str], Any]] = {
    "plus4": lambda move: move.endswith("*"),
    "blokus": lambda move: move.count(","),
    "plateau_x": lambda move: (move[0] in "+@", "-" in move, len(move)),
    "trois_six": lambda move: move[0],
}


class RandomPlayer:
    """Draws moves in one of three manners, so that rare things happen in some games."""

    def __init__(self, name: str, rng: random.Random) -> None:
        self.name, self.rng = name, rng
        self.manner = rng.choice(["plain", "by kind", "stubborn"])
        self.played: set[tuple[int, str]] = set()

    def choose(self, twin: Oracle, seat: int) -> str:
        moves = sorted(twin.legal(seat))
        if self.name == "trois_six" and self.rng.random() < 0.1:  # TS-8: an impossible order is no error
            return f"{self.rng.randint(1, 6)}>{self.rng.choice('ABCDEF')}{self.rng.randint(1, 6)}"
        if self.manner == "by kind":  # first the kind, then the move: pawns move as often as bricks are laid
            kind = self.rng.choice(sorted({KINDS[self.name](move) for move in moves}))
            moves = [move for move in moves if KINDS[self.name](move) == kind]
        if self.manner == "stubborn" and self.rng.random() < 0.9:  # the same moves again: positions repeat
            moves = [move for move in moves if (seat, move) in self.played] or moves
        move = self.rng.choice(moves)
        self.played.add((seat, move))
        return move


def random_options(name: str, variant: str, rng: random.Random) -> dict[str, Any]:
    """A value for every option of the variant; defaults and small numbers come often."""
    chosen = {}
    for option in rulebook(name).options:
        if option.variants and variant not in option.variants:
            continue
        if option.name == "layout":
            values = [option.default, random_layout(random.Random(rng.getrandbits(32)))]
        elif hasattr(option, "values"):
            values = list(option.values)
        else:
            values = [option.default, option.low, rng.randint(option.low, 9), rng.randint(option.low, option.high)]
            values += [None] if option.none is not None else []
        chosen[option.name] = rng.choice(values)
    return chosen


def play_both(name: str, variant: str, options: dict[str, Any], rng: random.Random, plies: int) -> quatuor.Game:
    """One game, at most so many turns long, on which both agreed. AssertionError tells how to replay it."""
    player = RandomPlayer(name, rng)
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
    """A recorded game once more on both."""
    told = quatuor.load(record)
    game, twin = (
        quatuor.new(told.name, told.variant.name, **told.options),
        oracle(told.name, told.variant.name, told.options),
    )
    for ply, orders in enumerate(told.moves, 1):
        game.play(orders)
        twin.play(orders)
        check(game, twin, told.moves[:ply])
    return game


def check(game: quatuor.Game, twin: Oracle, played: list[dict[int, str]]) -> None:
    found = differences(game, twin)
    if found:
        start = f"{game.name}:{game.variant.name} {game.options}"
        raise AssertionError("\n".join([f"{start} after {played}", *found]))
