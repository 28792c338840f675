"""Which search plays a game, and on how many trees."""

from collections.abc import Sequence
from importlib import import_module
from types import ModuleType

from quatuor.engine import flat, uct
from quatuor.engine.searcher import Finding, Searcher
from quatuor.game import Game

PLAIN = "plain"


def kind(game: Game) -> str:
    """The name of the search that suits a game: the one its advice asks for, else ``plain``."""
    return PLAIN if game.book.advice is None else str(game.book.advice.SEARCH)


def module(game: Game, name: str) -> ModuleType:
    """The search of this name; the plain one is UCT where one seat is to move, and flat where several are."""
    if name != PLAIN:
        return import_module(f"quatuor.engine.{name}")
    return uct if at_once(game) == 1 else flat


def at_once(game: Game) -> int:
    """How many seats choose this turn."""
    return int(game.book.rules.to_move(game.common)).bit_count()


def merged(searchers: Sequence[Searcher]) -> dict[int, Finding]:
    """What several searches of one position found, taken together."""
    if len(searchers) == 1:
        return searchers[0].found()
    every = [searcher.found() for searcher in searchers]
    return {action: _merge([found[action] for found in every if action in found]) for action in every[0]}


def looked_at(found: dict[int, Finding]) -> dict[int, float]:
    """The values of the actions that a search has looked at; of all, if it had no time to look at any."""
    tried = {action: finding.value for action, finding in found.items() if finding.visits}
    return tried or {action: finding.value for action, finding in found.items()}


def _merge(findings: list[Finding]) -> Finding:
    visits = sum(f.visits for f in findings)
    parts = [(f, f.visits / visits if visits else 1 / len(findings)) for f in findings]
    scored = [(f.score, part) for f, part in parts if f.score is not None]
    certain = next((f for f in findings if f.proven or f.exact), findings[0])
    return Finding(
        visits,
        sum(f.value * part for f, part in parts),
        sum(f.weight for f in findings) / len(findings),
        sum(score * part for score, part in scored) / sum(part for _, part in scored) if scored else None,
        certain.proven,
        certain.distance,
        certain.regret,
        certain.exact,
    )
