"""Which search plays a game, and what several searches of one position found together."""

from collections.abc import Sequence
from types import ModuleType

from quatuor.engine import bestfirst, flat_monte_carlo, guided, matrix, uct
from quatuor.engine.search_api import Finding, Searcher
from quatuor.game import Game

NETWORK = "network"  # the search with a network that the caller gives
PLAIN = "plain"  # UCT where one seat is to move, flat Monte Carlo where several are
SEARCHES: dict[str, ModuleType] = {"guided": guided, "bestfirst": bestfirst, "matrix": matrix}  # by ``advice.SEARCH``


def kind(game: Game) -> str:
    """The name of the search that plays a game: the one its advice is meant for, or ``plain`` if it has none."""
    return PLAIN if game.book.advice is None else game.book.advice.SEARCH


def module(game: Game, name: str) -> ModuleType:
    """The search of this name, for the position of a game."""
    if name != PLAIN:
        return SEARCHES[name]
    return uct if at_once(game) == 1 else flat_monte_carlo


def at_once(game: Game) -> int:
    """How many seats choose this turn."""
    return int(game.book.rules.to_move(game.common)).bit_count()


def merged(searchers: Sequence[Searcher]) -> dict[int, Finding]:
    """What several searches of one position found, averaged over their visits."""
    if len(searchers) == 1:
        return searchers[0].found()
    every = [searcher.found() for searcher in searchers]
    return {action: _merge([found[action] for found in every if action in found]) for action in every[0]}


def looked_at(found: dict[int, Finding]) -> dict[int, float]:
    """The values of the actions that a search has visited; of all actions, if it has visited none."""
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
