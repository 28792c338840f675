"""Tournaments on the server: people enter by a link, rounds become live tables, results count by themselves."""

from quatuor.server.tournaments.routes import api
from quatuor.server.tournaments.service import Tournaments

__all__ = ["Tournaments", "api"]
