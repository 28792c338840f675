"""How a player did in an analysed game, as a row of a table."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from quatuor.engine.review import Turn

STYLES = {"blunder": "bold red", "mistake": "red", "inaccuracy": "yellow"}
SUMMARY = ("mean loss", "blunders", "mistakes", "inaccuracies")


def summary_row(seat: int, turns: "list[Turn]") -> list[str]:
    """The mean loss of the seat's moves, and how many of them have each mark."""
    own = [decision for turn in turns for decision in turn["decisions"] if decision["seat"] == seat]
    mean = sum(decision["loss"] for decision in own) / max(len(own), 1)
    return [f"{mean:.3f}", *(str(sum(decision["mark"] == mark for decision in own)) for mark in STYLES)]
