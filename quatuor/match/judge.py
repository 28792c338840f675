"""What every move of a game gave away: exactly where the position is solved or proven, else by several searches."""

from collections.abc import Iterable, Mapping
from statistics import mean, stdev
from typing import Any, NamedTuple, NotRequired, TypedDict

from quatuor.engine import matrix, search_registry
from quatuor.engine.arguments import WHOLE, acting_seat, check_numbers
from quatuor.engine.player import Engine
from quatuor.game import Game

SEARCHES = 3  # independent ones, where nothing is proven
INTERVAL = 4.303 / SEARCHES**0.5  # half a 95% interval of a mean of three, in standard deviations (Student's t)
DEPTHS = 2  # needed to estimate an error, where a search has no chance in it
STEP = 200  # positions after which the depth of such a search is read again


class Tried(NamedTuple):
    """How a player came to a decision."""

    ply: int
    seat: int
    move: str | None  # None: no legal one
    seconds: float | None  # None: not known
    illegal: tuple[str, ...] | None  # answers before it that were not legal; None: not known


class Verdict(TypedDict):
    """What a move was worth. Values are from -1 (beaten by all) to 1 (beats all)."""

    best: str  # the best move, or the likeliest where seats act at once
    loss: float  # what was given away, from 0 to 2; an estimate may be a little below 0, within its error
    error: float  # half a 95% interval of the loss by the spread of the searches, or by depths; 0 where exact
    exact: bool


class JudgedMove(TypedDict):
    """One decision, as a line of JSON."""

    game: str
    variant: str
    number: int  # of the game between these players
    ply: int
    seat: int
    player: str
    move: str | None
    seconds: float | None  # None: not known
    illegal: list[str] | None  # None: not known
    verdict: Verdict | None  # None: there was no legal move
    file: NotRequired[str]  # the record, where the game was read from one


def judge(game: Game, seats: tuple[str, ...], number: int, tried: list[Tried], units: int) -> list[JudgedMove]:
    """Judge all decisions of a game, each with searches of that number of units."""
    replay = game.copy(tree=False)
    while replay.ply:
        replay.undo()
    found: list[JudgedMove] = []
    for one in tried:
        while replay.ply < one.ply:
            replay.play(game.moves[replay.ply])
        found.append({
            "game": game.name, "variant": game.variant.name, "number": number, "ply": one.ply, "seat": one.seat,
            "player": seats[one.seat], "move": one.move,
            "seconds": None if one.seconds is None else round(one.seconds, 4),
            "illegal": None if one.illegal is None else list(one.illegal),
            "verdict": None if one.move is None else judge_move(replay, one.seat, one.move, units),
        })  # fmt: skip
    return found


def decisions(game: Game, kept: Iterable[Mapping[str, Any]] = ()) -> list[Tried]:
    """All decisions of a recorded game, for ``judge``.

    A record has neither times nor illegal answers: ``kept`` are those that a player wrote down, each
    ``{ply, seat, move, seconds, illegal}``. Of several for one decision (a move was taken back) the last one counts.

    >>> import quatuor
    >>> game = quatuor.load('[Game "plus4"]\\n\\n1. a\\n2. b')
    >>> decisions(game, [{"ply": 0, "seat": 0, "move": "a", "seconds": 1.5, "illegal": ["z"]}])[0]
    Tried(ply=0, seat=0, move='a', seconds=1.5, illegal=('z',))
    """
    known = {(line["ply"], line["seat"]): line for line in kept}
    found = []
    for ply, turn in enumerate(game.moves):
        for seat, move in turn.items():
            line = known.pop((ply, seat), {"move": move})
            if line["move"] != move:
                raise ValueError(f"ply {ply}: the record has {move!r}, the player noted {line['move']!r}")
            illegal = line.get("illegal")
            found.append(Tried(ply, seat, move, line.get("seconds"), None if illegal is None else tuple(illegal)))
    return found


def judge_move(game: Game, seat: int, move: str, units: int) -> Verdict:
    """What a move gives away in a position.

    >>> import quatuor
    >>> game = quatuor.new("plus4")
    >>> for turn in "ababa":
    ...     game.play(turn)
    >>> judge_move(game, 1, "b", 100)
    {'best': 'a', 'loss': 2.0, 'error': 0.0, 'exact': True}

    Raises:
        ValueError: The seat does not act now, or the move cannot be played (IllegalMove).
    """
    seat = acting_seat(game, seat)
    check_numbers(WHOLE, units=units)
    if not isinstance(move, str):
        raise TypeError(f"move={move!r}: a move is text, such as {game.legal(seat)[0]!r}")
    game.book.read(game.state, seat, move)
    if len(game.legal(seat)) == 1:
        return {"best": move, "loss": 0.0, "error": 0.0, "exact": True}
    if move not in game.legal(seat):
        move = _same(game, seat, move)
    if _wins_at_once(game, seat, move):
        return {"best": move, "loss": 0.0, "error": 0.0, "exact": True}
    first = Engine(units=units, seed=1, threads=1).analyse(game, seat)
    rows = first["moves"]
    best, own = rows[0], next(row for row in rows if row["move"] == move)
    proven = own["outcome"] == "win" or (best["outcome"] == "win" and own["outcome"] is not None)
    if first["exact"] or proven:
        loss = own["regret"] if own["regret"] is not None else max(row["value"] for row in rows) - own["value"]
        return {"best": best["move"], "loss": max(0.0, 0.0 if own["outcome"] == "win" else loss), "error": 0.0,
                "exact": True}  # fmt: skip
    if search_registry.kind(game) == "matrix":
        return _by_depth(game, seat, move, units)
    losses = [_estimate(game, seat, (best["move"], move), units, seed) for seed in range(2, SEARCHES + 2)]
    loss, error = mean(losses), INTERVAL * stdev(losses)
    return {"best": best["move"], "loss": round(loss, 4), "error": round(error, 4), "exact": False}


def _wins_at_once(game: Game, seat: int, move: str) -> bool:
    """Whether a move ends the game and beats all others; not every search proves that."""
    if len(game.to_move) > 1:
        return False
    after = game.copy(tree=False)
    after.play({seat: move})
    return after.over and after.ranking[seat] == 1 and after.ranking.count(1) == 1


def _same(game: Game, seat: int, void: str) -> str:
    """The legal order that does the same as a void one."""
    others = {other: game.legal(other)[0] for other in game.to_move if other != seat}

    def after(move: str) -> Game:
        copy = game.copy(tree=False)
        copy.play({seat: move, **others})
        return copy

    wanted = after(void)
    return next(move for move in reversed(game.legal(seat)) if after(move) == wanted)


def _estimate(game: Game, seat: int, moves: tuple[str, str], units: int, seed: int) -> float:
    """What a move gives away against the best one, each searched alone.

    Another search found the best move: a search that both names and values the best move would flatter it.
    """
    best, move = moves
    engines = [Engine(units=units, seed=seed + i * SEARCHES, threads=1) for i in range(2)]
    if len(game.to_move) > 1:
        own = next(row for row in engines[0].analyse(game, seat)["moves"] if row["move"] == move)
        return own["regret"] or 0.0
    if move == best:
        return 0.0
    values = [e.analyse(game, seat, moves=[one])["moves"][0]["value"] for e, one in zip(engines, moves, strict=True)]
    return values[0] - values[1]


def _by_depth(game: Game, seat: int, move: str, units: int) -> Verdict:
    """What an order gives away by a search without chance: the error is how much the last depth changed it."""
    action, search = game.book.read(game.state, seat, move), matrix.search(game, seat, 0)
    search.run(1)
    losses = {search.depth: search.found()[action].regret or 0.0}
    while not search.finished and (search.depth < DEPTHS or search.done < units):
        search.run(STEP)
        losses[search.depth] = search.found()[action].regret or 0.0
    found = search.found()
    *_, before, loss = (None, *(max(0.0, 2 * each) for each in losses.values()))  # rewards are from 0 to 1
    error = 0.0 if before is None or found[action].exact else abs(loss - before)
    best = game.book.write(game.state, seat, max(found, key=lambda each: found[each].weight))
    return {"best": best, "loss": round(loss, 4), "error": round(error, 4), "exact": found[action].exact}


class Summary(TypedDict):
    """What a player gave away over all of its judged games."""

    moves: int
    loss: float  # a move, on average
    error: float  # of that, by the searches alone
    exact: float  # the share of moves that were judged exactly
    blunders: int  # moves that gave away 0.5 or more
    illegal: int | None  # answers that were not legal; None: not known for any move


def summary(player: str, judged: list[JudgedMove]) -> Summary | None:
    """The averages of a player; None: none of its moves was judged."""
    own = [line for line in judged if line["player"] == player]
    verdicts = [line["verdict"] for line in own if line["verdict"]]
    if not verdicts:
        return None
    tries = [line["illegal"] for line in own if line["illegal"] is not None]
    return {
        "moves": len(verdicts),
        "loss": mean(verdict["loss"] for verdict in verdicts),
        "error": sum(verdict["error"] ** 2 for verdict in verdicts) ** 0.5 / len(verdicts),
        "exact": mean(verdict["exact"] for verdict in verdicts),
        "blunders": sum(verdict["loss"] >= 0.5 for verdict in verdicts),
        "illegal": sum(map(len, tries)) if tries else None,
    }
