"""What every answer carries, and which pages may talk to the server at all."""

import logging
import re
import time
from collections.abc import MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quatuor.server.budgets import COSTS
from quatuor.server.errors import problem
from quatuor.server.metrics import Metrics
from quatuor.server.visitors import visitor
from quatuor.table import Refused

log = logging.getLogger("quatuor.server")

NAMED = re.compile(r"^(/api/people/|/@).*", re.DOTALL)  # addresses with the name of a person, which no log holds

POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",  # the kit for play without a server is WebAssembly
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
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
HSTS = "max-age=31536000"  # after one visit by https, a browser uses nothing else for a year
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")  # names that no other site can make its own
HARMLESS = ("GET", "HEAD", "OPTIONS")
COUNTED = ("/api", "/health", "/ready", "/metrics")  # all others are files of the page, which cost little
METHODS = (*HARMLESS, "POST", "PUT", "PATCH", "DELETE")


class Guard:
    """ASGI middleware: refuses what other sites' pages send in a guest's name, adds headers, hides tracebacks."""

    def __init__(self, app: ASGIApp, origins: tuple[str, ...], hosts: tuple[str, ...], metrics: Metrics) -> None:
        self._app, self._origins, self._metrics = app, origins, metrics
        self._hosts = {host.lower() for host in (*hosts, *LOOPBACK)} if hosts and "*" not in hosts else None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what may pass."""
        if scope["type"] == "websocket" and not (self._named(scope) and self._welcome(scope)):
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
                _add(message, scope["scheme"])
                self._note(scope, message["status"], time.perf_counter() - since)
            await send(message)

        try:
            await self._chosen(scope)(scope, receive, with_headers)
        except ClientDisconnect:
            pass  # in the middle of its body: nobody reads an answer
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            if not began:
                await problem("internal")(scope, receive, with_headers)

    def _chosen(self, scope: Scope) -> ASGIApp:
        """The app, or the refusal of this request."""
        if not self._named(scope):
            return problem("bad_host", {"setting": "QUATUOR_HOSTS"})
        if scope["method"] not in HARMLESS and not self._welcome(scope):
            return problem("bad_origin")
        amount = 1 if scope["path"].startswith(COUNTED) else COSTS["file"]
        running = getattr(scope["app"].state, "services", None)  # none before the app has started
        try:
            if running:
                running.budgets.spend("requests", visitor(HTTPConnection(scope)), amount)
        except Refused as refused:
            return problem(refused.code, refused.detail)
        return self._app

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        """Count and log a request; without its query, which may hold an invitation."""
        method = scope["method"] if scope["method"] in METHODS else "other"
        self._metrics.requests.labels(method, status).inc()
        if log.isEnabledFor(logging.INFO):
            path = NAMED.sub(r"\1…", scope["path"])
            facts = {"method": method, "path": path, "status": status, "ms": round(1000 * seconds, 1)}
            log.info("request", extra=facts)

    def _named(self, scope: Scope) -> bool:
        """Whether the server is called by one of its names; another site's name could point here."""
        host = Headers(scope=scope).get("host", "").lower()
        return self._hosts is None or re.sub(r":\d*$", "", host) in self._hosts

    def _welcome(self, scope: Scope) -> bool:
        """Browsers always say which page speaks; programs need not."""
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        return origin is None or urlsplit(origin).netloc == headers.get("host") or origin in self._origins


def _add(message: MutableMapping[str, Any], scheme: str) -> None:
    headers = MutableHeaders(scope=message)
    if scheme == "https":
        headers.setdefault("strict-transport-security", HSTS)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
