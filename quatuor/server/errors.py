"""Errors on the wire: a code for programs and the facts that help, never a traceback, never prose."""

import logging
from typing import Any

from fastapi import FastAPI, Request
from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from quatuor.server.wire import respond
from quatuor.table import Refused

log = logging.getLogger("quatuor.server")

STATUS = {
    "not_signed_in": 401,
    "wrong_password": 401,
    "wrong_code": 401,
    "not_your_seat": 403,
    "account_needed": 403,
    "bad_origin": 403,
    "bad_token": 403,
    "not_for_bots": 403,
    "not_organiser": 403,
    "barred": 403,
    "banned": 403,
    "muted": 403,
    "not_moderator": 403,
    "protected": 403,
    "blocked": 403,
    "unknown_table": 404,
    "unknown_tournament": 404,
    "not_found": 404,
    "seat_taken": 409,
    "not_over": 409,
    "has_begun": 409,
    "stale_ply": 409,
    "not_your_turn": 409,
    "game_over": 409,
    "no_undo": 409,
    "no_claim": 409,
    "too_early": 409,
    "time_up": 409,
    "too_many_bots": 409,
    "name_taken": 409,
    "signed_in": 409,
    "no_rematch": 409,
    "rematch_declined": 409,
    "no_offer": 409,
    "no_draw": 409,
    "no_abort": 409,
    "tournament_over": 409,
    "tournament_full": 409,
    "too_late": 409,
    "too_few_players": 409,
    "round_running": 409,
    "stale_round": 409,
    "no_round": 409,
    "no_game": 409,
    "not_solved": 409,
    "no_mail": 409,
    "own_game": 409,
    "too_large": 413,
    "bad_host": 421,
    "rate_limited": 429,
    "over_budget": 429,
    "internal": 500,
    "unreadable_table": 500,
    "unreadable_tournament": 500,
    "client_gone": 499,  # never read, but counted
    "engine_failed": 500,
    "store_failed": 503,
    "busy": 503,
    "try_again": 503,
}  # the rest: 400


def problem(code: str, detail: dict[str, Any] | None = None, status: int | None = None) -> Response:
    """An error as the answer to a request."""
    response = respond({"error": {"code": code, "detail": detail or {}}}, status or STATUS.get(code, 400))
    if detail and "retry_after" in detail:
        response.headers["retry-after"] = str(detail["retry_after"])
    return response


def install(app: FastAPI) -> None:
    """Answer with a code; ``guard`` catches unexpected errors."""
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(HTTPException, _http)
    for kind in (OperationalError, InterfaceError, InternalError):  # a full disk, a lost database, one that only reads
        app.add_exception_handler(kind, _store_failed)


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return problem(error.code, error.detail)


async def _store_failed(_request: Request, error: Exception) -> Response:
    assert isinstance(error, DBAPIError)
    name = getattr(error.orig, "sqlite_errorname", None) or getattr(error.orig, "sqlstate", None)
    log.error("the store failed: %s", name or error.orig.__class__.__name__)  # its message may quote what was sent
    return problem("store_failed")


async def _http(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "bad_request")
    return problem(code, status=error.status_code)
