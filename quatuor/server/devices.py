"""Browsers that were signed in before: a signed cookie lets them sign in again while strangers guess the password."""

import secrets
from typing import NamedTuple

from itsdangerous import BadSignature, Signer
from starlette.requests import HTTPConnection
from starlette.responses import Response

from quatuor.server.visitors import visitor

COOKIE = "quatuor_device"
YEAR = 365 * 86400


class Origin(NamedTuple):
    """Where an attempt to sign in comes from."""

    network: str
    account: str | None = None  # the id of the account that was signed in at this browser before
    device: str | None = None


class Devices:
    """Signs and reads the cookie."""

    def __init__(self, key: bytes) -> None:
        self._signer = Signer(key, salt="quatuor.device")

    def origin(self, connection: HTTPConnection) -> Origin:
        """Where a request comes from; a cookie that we did not sign counts for nothing."""
        network = visitor(connection).network
        try:
            account, _, device = self._signer.unsign(connection.cookies.get(COOKIE, "")).decode().partition("~")
        except (BadSignature, UnicodeError):
            return Origin(network)
        return Origin(network, account, device)

    def remember(self, connection: HTTPConnection, response: Response, account: str) -> Response:
        """This browser was signed in to an account."""
        known = self.origin(connection)
        if known.account != account:
            value = self._signer.sign(f"{account}~{secrets.token_hex(8)}").decode()
            secure = connection.url.scheme in ("https", "wss")
            response.set_cookie(COOKIE, value, max_age=YEAR, httponly=True, samesite="strict", secure=secure)
        return response
