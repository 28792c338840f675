"""How many seconds of engine work a visitor gets before others go first."""

from quatuor.server.budgets import Budgets
from quatuor.server.visitors import Visitor


class EngineBudget:
    """The budget of engine seconds. A visitor who has used them up is served after the others."""

    def __init__(self, budgets: Budgets) -> None:
        self._budgets = budgets

    def charge(self, visitor: Visitor, seconds: float) -> None:
        """Count work that was done; a budget may become negative."""
        self._budgets.charge("engine_seconds", visitor, seconds)

    def left(self, visitor: Visitor) -> float:
        """The seconds that are left, by network or by person, whichever is less."""
        return self._budgets.left("engine_seconds", visitor)
