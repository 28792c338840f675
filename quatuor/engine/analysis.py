"""What an engine says about a position, as plain data."""

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import TypedDict

from quatuor.engine.result import Solution
from quatuor.engine.search_api import Finding, Searcher
from quatuor.engine.search_registry import at_once, looked_at, merged
from quatuor.game import Game
from quatuor.games.steps import STEP_SECONDS, Steps, finished

LINE = 12  # turns shown
VALUE = {"win": 1.0, "draw": 0.0, "loss": -1.0}


class Row(TypedDict):
    """What the engine thinks of one move."""

    move: str
    value: float  # from -1 (beaten by all) to 1 (beats all)
    score: float | None  # points expected at the end, where the game counts points
    outcome: str | None  # "win", "draw" or "loss" where proven
    distance: int | None  # turns to the end, where proven
    visits: int | None
    weight: float | None  # how likely the engine plays it, where several seats act at once
    regret: float | None  # and how much value it gives away against what the others may do
    line: list[str]  # the move and what may follow, in games played in turns


class Analysis(TypedDict):
    """The moves, the best first; ``exact`` if they are proven."""

    moves: list[Row]
    exact: bool


class Update(Analysis):
    """An analysis under way."""

    units: int  # of work done
    seconds: float  # since it began
    final: bool  # nothing more will come


def searched(
    game: Game, seat: int, searchers: Sequence[Searcher], among: set[int] | None = None, lines: int | None = None
) -> Analysis:
    """What searches found about the moves in ``among``; only the best ``lines`` of them."""
    return finished(listing(game, seat, searchers, among, lines))


def listing(
    game: Game, seat: int, searchers: Sequence[Searcher], among: set[int] | None = None, lines: int | None = None
) -> Steps[Analysis]:
    """``searched`` in steps: hundreds of moves, each with its line, take a browser longer than a step may last."""
    found = among_only(merged(searchers), among)
    top = max(looked_at(found).values())
    mixed = at_once(game) > 1
    rows = []
    began = time.monotonic()
    for action, finding in sorted(found.items(), key=lambda item: order(item[1]), reverse=True)[:lines]:
        if time.monotonic() - began > STEP_SECONDS:
            yield
            began = time.monotonic()
        actions = [action] if mixed else searchers[0].line(action)[:LINE]
        rows.append(_row(game, seat, actions, finding, top if mixed else None))
    return {"moves": rows, "exact": all(finding.exact or finding.proven for finding in found.values())}


def among_only(found: dict[int, Finding], among: set[int] | None) -> dict[int, Finding]:
    """What was found about some actions, with weights that sum to 1; about all actions if ``among`` is None."""
    if among is None:
        return found
    kept = {action: finding for action, finding in found.items() if action in among}
    total = sum(finding.weight for finding in kept.values())
    if total == 0.0:  # none of them would be played: choose the one with the highest value
        best = max(kept, key=lambda action: (kept[action].value, kept[action].visits))
        return {action: finding._replace(weight=float(action == best)) for action, finding in kept.items()}
    return {action: finding._replace(weight=finding.weight / total) for action, finding in kept.items()}


def order(finding: Finding) -> tuple[float, ...]:
    """The higher, the better: by the probability of playing it, then visits, then value."""
    return finding.weight, finding.visits, finding.value


def proven(
    game: Game, seat: int, solution: Solution, among: set[int] | None = None, lines: int | None = None
) -> Analysis:
    """What a solved table knows."""
    rows: list[Row] = []
    moves = solution.moves(game)
    if among is not None:
        moves = {move: result for move, result in moves.items() if game.book.read(game.state, seat, move) in among}
    for move, result in list(moves.items())[:lines]:
        after, line = game.copy(), [move]
        after.play(move)
        while not after.over and len(line) < LINE:
            line.append(next(iter(solution.moves(after))))
            after.play(line[-1])
        rows.append({
            "move": move, "value": VALUE[result.outcome], "score": None, "outcome": result.outcome,
            "distance": result.distance, "visits": None, "weight": None, "regret": None, "line": line,
        })  # fmt: skip
    return {"moves": rows, "exact": True}


def _row(game: Game, seat: int, actions: list[int], finding: Finding, top: float | None) -> Row:
    line = _texts(game, seat, actions)
    value = VALUE[finding.proven] if finding.proven else 2 * finding.value - 1
    regret = None
    if top is not None:
        regret = max(0.0, 2 * (top - finding.value if finding.regret is None else finding.regret))
    return {
        "move": line[0],
        "value": max(-1.0, min(1.0, value)),  # sums of fractions may go a little beyond
        "score": finding.score,
        "outcome": finding.proven,
        "distance": finding.distance,
        "visits": finding.visits,
        "weight": None if top is None else finding.weight,
        "regret": regret,
        "line": line,
    }


def _texts(game: Game, seat: int, actions: list[int]) -> list[str]:
    """A line of actions as text."""
    line = [game.book.write(game.state, seat, actions[0])]
    if len(actions) == 1:
        return line
    after = game.copy()
    for action, following in pairwise(actions):
        after._advance({after.to_move[0]: action})
        if len(after.to_move) != 1:
            break
        line.append(game.book.write(after.state, after.to_move[0], following))
    return line
