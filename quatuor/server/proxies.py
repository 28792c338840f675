"""Which proxies are believed, and who the visitor behind them is. Nothing else reads forwarded addresses."""

import ipaddress
import re
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

PROXIES = ("127.0.0.1", "::1")  # believed unless the settings say otherwise
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_FOR = re.compile(r'(?:^|[;,])\s*for\s*=\s*("[^"]*"|[^;,\s]*)', re.IGNORECASE)
_PROTO = re.compile(r'(?:^|[;,])\s*proto\s*=\s*"?(\w+)', re.IGNORECASE)


def check(proxies: Iterable[str]) -> list[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    """Addresses and networks as networks; ValueError says which one is neither."""
    found = []
    for proxy in proxies:
        try:
            found.append(ipaddress.ip_network(proxy, strict=False))
        except ValueError:
            raise ValueError(
                f"proxy {proxy!r}: give an address such as 10.0.0.2 or a network such as 10.0.0.0/24"
            ) from None
    return found


class Proxied:
    """ASGI middleware: replaces a trusted proxy's address and scheme with the visitor's."""

    def __init__(self, app: ASGIApp, proxies: Iterable[str]) -> None:
        self._app, self._trusted = app, check(proxies)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Find out who sent this, then pass it on."""
        if scope["type"] != "lifespan" and scope.get("client") and self.trusts(scope["client"][0]):
            headers = Headers(scope=scope)
            visitor = self._visitor(headers)
            scheme = _scheme(headers)
            scope = {**scope, "client": (visitor, 0) if visitor else scope["client"]}
            if scheme:
                scope["scheme"] = scheme.replace("http", "ws") if scope["type"] == "websocket" else scheme
        await self._app(scope, receive, send)

    def trusts(self, address: str) -> bool:
        """Whether an address is a trusted proxy's."""
        parsed = _parsed(address)
        return parsed is not None and any(parsed in network for network in self._trusted)

    def _visitor(self, headers: Headers) -> str | None:
        """The last address that is not a proxy's: what stands before it, the visitor may have made up."""
        values = headers.getlist("x-forwarded-for")
        given = ",".join(values).split(",") if values else _FOR.findall(",".join(headers.getlist("forwarded")))
        visitor = None
        for text in reversed(given):
            parsed = _parsed(text.strip().strip('"'))
            if parsed is None:
                break
            visitor = str(parsed)
            if not self.trusts(visitor):
                break
        return visitor


def _scheme(headers: Headers) -> str | None:
    """http or https, as the nearest proxy says."""
    values = headers.getlist("x-forwarded-proto")
    given = ",".join(values).split(",") if values else _PROTO.findall(",".join(headers.getlist("forwarded")))
    scheme = given[-1].strip().lower() if given else ""
    return {"ws": "http", "wss": "https"}.get(scheme, scheme) if scheme in ("http", "https", "ws", "wss") else None


def _parsed(text: str) -> Address | None:
    """An address, also with a port or in brackets."""
    text = text.partition("%")[0]
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, ipaddress.IPv6Address) else address
