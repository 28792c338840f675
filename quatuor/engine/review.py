"""Review a whole game: what every move was worth, what would have been better, and where the game was decided.

>>> import quatuor
>>> from quatuor.engine.review import review
>>> game = quatuor.new("plus4", both_lines="mover")
>>> for move in "abababa":
...     game.play(move)
>>> for turn in review(game):
...     (decision,) = turn["decisions"]
...     if decision["mark"]:
...         print(turn["number"], decision["move"], decision["best"], decision["loss"], decision["mark"])
2 b a 1.0 blunder
3 a b 2.0 blunder
4 b a 2.0 blunder
5 a b 2.0 blunder
6 b a 2.0 blunder
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import TypedDict

from quatuor.engine.analysis import Analysis, Row
from quatuor.engine.arguments import check_game
from quatuor.engine.player import Engine
from quatuor.game import Game

MARKS = {"blunder": 0.6, "mistake": 0.4, "inaccuracy": 0.2}  # the least loss of each; chosen, not measured
SECONDS = 1.0  # for a turn, unless an engine is given
SHOWN = 5  # moves listed for each position


class Decision(TypedDict):
    """What one seat did in one turn, and what it could have done. Values are the seat's own, from -1 to 1."""

    seat: int
    move: str
    value: float  # of the move
    best: str
    best_value: float
    loss: float  # what the move gave away, 0 if nothing
    mark: str | None  # "inaccuracy", "mistake" or "blunder"
    outcome: str | None  # of the best move, where proven: "win", "draw" or "loss"
    score: float | None  # points expected at the end with the best move, where the game counts points
    weight: float | None  # how likely the engine would have played the move, where several seats act at once
    line: list[str]  # the best move and what may follow
    moves: list[Row]  # the best few, and the move itself


class Turn(TypedDict):
    """One turn of a reviewed game."""

    number: int  # from 1
    decisions: list[Decision]  # one, or one of each seat where several act at once
    values: list[float | None]  # what the position after the turn is worth to each seat; None where it is not known
    exact: bool  # proven


Look = tuple[Game, dict[int, Analysis]]  # a position and what each seat that acts there may do


def review(game: Game, engine: Engine | None = None) -> Iterator[Turn]:
    """Analyse a game turn by turn, and yield each turn as soon as it is done.

    ``engine.stop()`` ends the analysis of the current position.

    >>> import quatuor
    >>> game = quatuor.new("plus4")
    >>> for move in "abababa":
    ...     game.play(move)
    >>> decision = list(review(game))[5]["decisions"][0]
    >>> decision["move"], decision["best"], decision["mark"]
    ('b', 'a', 'blunder')
    """
    check_game(game)
    if engine is not None and not isinstance(engine, Engine):
        raise TypeError(f"engine={engine!r}: give an Engine, such as quatuor.engine(level=5)")
    chosen = engine or Engine(seconds=SECONDS)
    looks = ((at, {seat: chosen.analyse(at, seat) for seat in at.to_move}) for at in positions(game))
    for before, after in pairwise(looks):
        yield reviewed(game, before, after)


def positions(game: Game) -> Iterator[Game]:
    """Every position of a game, from the start to the last."""
    replay = game.copy()
    while replay.ply:
        replay.undo()
    for turn in [*game.played, {}]:
        yield replay.copy()
        if turn:
            replay._advance(turn)


def reviewed(game: Game, before: Look, after: Look) -> Turn:
    """The turn of a game that leads from one position to the next."""
    position, analyses = before
    values = _values(after)
    moves = game.moves[position.ply]
    decisions = [_decision(seat, move, analyses[seat], values) for seat, move in moves.items()]
    exact = all(analysis["exact"] for analysis in analyses.values())
    return {"number": position.ply + 1, "decisions": decisions, "values": values, "exact": exact}


def _values(look: Look) -> list[float | None]:
    """What a position is worth to each seat that acts; of two seats, the other has the opposite."""
    game, analyses = look
    values: list[float | None] = [None] * game.seats
    if game.over:
        return [_beaten(game.ranking, seat) for seat in range(game.seats)]
    for seat, analysis in analyses.items():
        values[seat] = _expected(analysis["moves"])
    if game.seats == 2 and analyses:
        first = [value if seat == 0 else -value for seat, value in enumerate(values) if value is not None]
        values = [sum(first) / len(first), -sum(first) / len(first)]
    return values


def _expected(rows: list[Row]) -> float:
    """The value of a position: of its best move, or of its best mix."""
    if rows[0]["weight"] is None:
        return rows[0]["value"]
    return sum(row["value"] * (row["weight"] or 0.0) for row in rows)


def _beaten(ranking: tuple[int, ...], seat: int) -> float:
    """From -1 (beaten by all) to 1 (beats all)."""
    ahead = sum((place > ranking[seat]) - (place < ranking[seat]) for place in ranking)
    return ahead / (len(ranking) - 1)


def _decision(seat: int, move: str, analysis: Analysis, after: list[float | None]) -> Decision:
    rows = analysis["moves"]
    best, own = rows[0], next(row for row in rows if row["move"] == move)
    value = _worth(own, rows, after[seat], analysis["exact"])
    loss = 0.0 if own is best else max(0.0, best["value"] - value)
    if own["regret"] is not None:
        loss = own["regret"]
    return {
        "seat": seat,
        "move": move,
        "value": value,
        "best": best["move"],
        "best_value": best["value"],
        "loss": loss,
        "mark": next((mark for mark, least in MARKS.items() if loss >= least), None),
        "outcome": best["outcome"],
        "score": best["score"],
        "weight": own["weight"],
        "line": best["line"],
        "moves": rows[:SHOWN] if own in rows[:SHOWN] else [*rows[:SHOWN], own],
    }


def _worth(own: Row, rows: list[Row], after: float | None, exact: bool) -> float:
    """What a move was worth. The analysis of the position after it says more than the few visits it got before."""
    if exact or own["weight"] is not None:
        return own["value"]
    if after is not None:
        return after
    if own["visits"]:
        return own["value"]
    return min((row["value"] for row in rows if row["visits"]), default=own["value"])
