"""What every answer carries, and which pages may talk to the server at all."""

import logging
import time
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quatuor.server.errors import problem
from quatuor.server.metrics import Metrics

log = logging.getLogger("quatuor.server")

POLICY = "; ".join(
    (
        "default-src 'self'",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",  # pictures of positions carry style attributes; scripts may not be inline
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
HARMLESS = ("GET", "HEAD", "OPTIONS")
METHODS = (*HARMLESS, "POST", "PUT", "PATCH", "DELETE")


class Guard:
    """ASGI middleware: refuses what other sites' pages send in a guest's name, adds headers, hides tracebacks."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...], metrics: Metrics) -> None:
        self._app, self._origins, self._metrics = app, origins, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass."""
        if scope["type"] == "websocket" and not self._welcome(scope):
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "bad_origin"})  # before accept: HTTP 403
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        began, since = False, time.perf_counter()

        async def with_headers(message: Message) -> None:
            nonlocal began
            if message["type"] == "http.response.start":
                began = True
                _add(message)
                self._note(scope, message["status"], time.perf_counter() - since)
            await send(message)

        app = self._app if scope["method"] in HARMLESS or self._welcome(scope) else problem("bad_origin")
        try:
            await app(scope, receive, with_headers)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            if not began:
                await problem("internal")(scope, receive, with_headers)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        """Count and log a request; without its query, which may hold an invitation."""
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._metrics.requests.labels(method, status).inc()
        if log.isEnabledFor(logging.INFO):
            facts = {"method": method, "path": scope["path"], "status": status, "ms": round(1000 * seconds, 1)}
            log.info("request", extra=facts)

    def _welcome(self, scope: Scope) -> bool:
        """Browsers always say which page speaks; programs need not."""
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        return origin is None or urlsplit(origin).netloc == headers.get("host") or origin in self._origins


def _add(message: MutableMapping[str, Any]) -> None:
    headers = MutableHeaders(scope=message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
