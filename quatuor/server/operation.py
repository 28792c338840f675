"""The routes for operators: health, readiness, metrics."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

import quatuor
from quatuor.server import answers
from quatuor.server.dependencies import At, operation
from quatuor.server.store import StoreFailed
from quatuor.server.wire import respond
from quatuor.table import Refused

router = APIRouter(tags=["operation"])


@router.get("/api/health", summary="Whether the server can read its store", **operation(answers.Health))
async def health(at: At) -> Response:
    store = at.store
    try:
        await store.check()
    except Exception:
        raise Refused("store_failed") from None
    return respond({"ok": True, "version": quatuor.__version__, "store": store.url.get_backend_name()})


@router.get("/health", include_in_schema=False)
async def alive() -> Response:
    """The event loop answers. If it does not, restart the process; a store that is away does not call for a restart."""
    return respond({"ok": True, "version": quatuor.__version__})


@router.get("/ready", include_in_schema=False)
async def ready(at: At) -> Response:
    """Something can be written within a second, so send visitors here; if not, ``cause`` says why."""
    try:
        await at.store.ready()
    except StoreFailed as failed:
        raise Refused("store_failed", cause=failed.cause) from None
    return respond({"ok": True, "version": quatuor.__version__})


@router.get("/metrics", include_in_schema=False)
async def metrics(request: Request, at: At) -> Response:
    if request.client is None or request.client.host not in at.settings.metrics_for:
        raise Refused("not_found")  # metrics are for operators, not for visitors
    text, kind = at.metrics.text()
    return Response(text, media_type=kind)
