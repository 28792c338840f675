"""Choose an action by what a search has found."""

from quatuor.engine import search_registry
from quatuor.engine.analysis import order
from quatuor.engine.search_api import Finding
from quatuor.kernel import below, exp, seeded

DICE = 1 << 30  # how finely a random number between 0 and 1 is drawn; `below` takes less than 2**31


def pick(found: dict[int, Finding], slack: float, mixed: bool, seed: int) -> int:
    """The best action, or one drawn from the mix; at low levels sometimes one that seems a little worse."""
    if slack == 0.0:
        if not mixed:
            return max(found, key=lambda action: order(found[action]))
        return draw({action: finding.weight for action, finding in found.items()}, seed)
    tried = search_registry.looked_at(found)
    top = max(tried.values())
    near = {action: value - top for action, value in tried.items() if value >= top - slack}
    return draw({action: exp(2 * loss / slack) for action, loss in near.items()}, seed)


def draw(weights: dict[int, float], seed: int) -> int:
    """An action drawn by weight."""
    dart = below(seeded(seed), DICE) / DICE * sum(weights.values())
    for action, weight in weights.items():
        dart -= weight
        if dart < 0:
            return action
    return max(weights, key=weights.__getitem__)
