"""Several games that count together."""

from quatuor.match.match import Match, Result, Row

__all__ = ["Match", "Result", "Row"]
