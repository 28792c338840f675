"""Who sends a request: the network it comes from and, once known, the person."""

import ipaddress
from typing import NamedTuple

from starlette.requests import HTTPConnection


class Visitor(NamedTuple):
    """The sender of a request or the owner of a socket, as budgets and queues count them."""

    network: str  # an IPv4 address or an IPv6 /64
    person: str | None = None  # the id of a guest, an account or a bot


def network_of(address: str) -> str:
    """The network an address belongs to. One household or server usually holds a whole IPv6 /64."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((parsed, 64), strict=False))
    return str(parsed)


def visitor(connection: HTTPConnection, person: str | None = None) -> Visitor:
    """The visitor behind a request or socket."""
    return Visitor(network_of(connection.client.host if connection.client else ""), person)
