"""Tournaments on the server: people enter by a link, rounds become live tables, results count by themselves."""

from quatuor.server.tournaments.desk import Tournaments
from quatuor.server.tournaments.routes import api

__all__ = ["Tournaments", "api"]
