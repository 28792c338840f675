"""A step's position as a real table, and the result of a try at it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quatuor.game import new
from quatuor.games.contract import Text
from quatuor.learn.courses import Step, course
from quatuor.learn.goals import meets
from quatuor.table import Accepted, Context, Event, Refused, Seat, Setup, Table, decide, snapshot
from quatuor.table.commands import Move

LEARNER = "learner"


@dataclass(frozen=True)
class Attempt:
    """What became of a try."""

    verdict: str  # done; wrong: a legal turn that misses the goal; refused: no legal move
    says: Text | None  # the word for a try like this one, if the course has one
    clause: str | None  # the rule in the way
    table: dict[str, Any] | None  # after the turn, as the learner sees it; None if it was refused


def table(game: str, lesson: str, step: int) -> dict[str, Any]:
    """The snapshot of a step's position; LookupError if there is no such step."""
    return snapshot(_table(game, course(game).step(lesson, step)), LEARNER)


def attempt(game: str, lesson: str, step: int, move: str) -> Attempt:
    """Try a move at a step; LookupError if there is no such step."""
    task = course(game).step(lesson, step)
    return _tried(task, _table(game, task), move)


def solutions(game: str, lesson: str, step: int) -> list[str]:
    """Every legal move that reaches the goal."""
    task = course(game).step(lesson, step)
    at, found = _table(game, task), []
    for move in at.game.legal(at.owned(LEARNER)[0]):
        if _tried(task, at, move).verdict == "done":
            found.append(move)
        at.apply(Event("undo", {"ply": len(task.moves)}))
        _give(at, task.orders)
    return found


def _tried(task: Step, at: Table, move: str) -> Attempt:
    """Play a move at the table of a step, if it is legal."""
    decision = decide(at, Move(at.game.ply, at.owned(LEARNER)[0], move), Context(LEARNER))
    if isinstance(decision, Refused):
        return _judged(task, {"move": move, "refused": decision.detail["reason"]}, None)
    assert isinstance(decision, Accepted)
    at.apply(decision.event)
    entry = at.entries[-1]
    seen = {"move": move, "refused": None, "effects": entry["effects"], "position": entry["position"]}
    end = {"over": at.game.over, "reason": at.reason, "scores": at.game.scores, "ranking": at.game.ranking}
    return _judged(task, seen | end, at)


def _judged(step: Step, outcome: dict[str, Any], at: Table | None) -> Attempt:
    after = None if at is None else snapshot(at, LEARNER)
    if after and meets(outcome, step.goal):
        return Attempt("done", step.done, None, after)
    verdict = "wrong" if after else "refused"
    for wrong in step.wrong:
        if ("refused" in wrong.when) == (verdict == "refused") and meets(outcome, wrong.when):
            return Attempt(verdict, wrong.says, wrong.clause, after)
    return Attempt(verdict, None, None, after)


def _table(game: str, step: Step) -> Table:
    """The position, with the learner in the seat that is to move and programs in the others."""
    plain = new(game, step.variant, **step.options)
    turns = []
    for turn in step.moves:
        turns.append(dict(zip(plain.to_move, turn.split(" / "), strict=True)))
        plain.play(turns[-1])
    learner = next(seat for seat in plain.to_move if seat not in step.orders)
    seats = tuple(Seat("human", LEARNER) if n == learner else Seat("engine", level=1) for n in range(plain.seats))
    at = Table(Setup(game, plain.variant.name, plain.options, seats, ""))
    for orders in (*turns, step.orders):
        _give(at, orders)
    return at


def _give(at: Table, orders: Mapping[int, str]) -> None:
    for seat, order in orders.items():
        at.apply(Event("move", {"seat": seat, "move": order}))
