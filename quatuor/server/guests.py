"""Guests: an id in a signed cookie and a name. Nothing the browser says is trusted."""

import hmac
import secrets
from pathlib import Path

from itsdangerous import BadSignature, Signer
from sqlalchemy.exc import IntegrityError
from starlette.requests import HTTPConnection
from starlette.responses import Response

from quatuor.server.key import read_key
from quatuor.server.names import looks, nameless, proper_name
from quatuor.server.sessions import Identity, Sessions
from quatuor.server.store import Store
from quatuor.server.store.names import AccountNames
from quatuor.table import Refused
from quatuor.table.seats import ACCOUNT, BOT

COOKIE = "quatuor"
SECURE_COOKIE = "__Host-quatuor"  # over https: no other host of the domain can set it
YEARS = 5 * 365 * 86400
SEPARATOR = "~"  # between guest and session in a cookie


class Guests:
    """Knows guests by their cookies, and their names."""

    def __init__(self, secret: Path, store: Store, sessions: Sessions) -> None:
        self.key = read_key(secret)
        self._signer = Signer(self.key, salt="quatuor.guest")
        self._store, self._sessions, self._account_names = store, sessions, AccountNames(store)

    async def known(self, connection: HTTPConnection) -> Identity | None:
        """Who sent this, or None: no cookie, one that we did not sign, a session that is over. A bot showed a token."""
        if bot := connection.scope.get("state", {}).get("bot"):
            return Identity(str(bot))
        try:
            given = connection.cookies.get(SECURE_COOKIE) or connection.cookies.get(COOKIE, "")
            signed = self._signer.unsign(given).decode()
        except (BadSignature, UnicodeError):
            return None
        guest, _, session = signed.partition(SEPARATOR)
        if session and await self._sessions.owner(session) != guest:
            return None
        return Identity(guest, session or None)

    async def meet(self, connection: HTTPConnection) -> Identity:
        """Who sent this, or a new guest; ``remember`` sets the browser's cookie."""
        return await self.known(connection) or Identity(secrets.token_hex(12))

    def remember(self, connection: HTTPConnection, response: Response, who: Identity) -> Response:
        """Set the sender's cookie on a response; a bot needs none."""
        if who.guest.startswith(BOT):
            return response
        secure = connection.url.scheme in ("https", "wss")
        response.set_cookie(
            SECURE_COOKIE if secure else COOKIE,
            self._signer.sign(f"{who.guest}{SEPARATOR}{who.session}" if who.session else who.guest).decode(),
            max_age=YEARS,
            httponly=True,
            samesite="lax",
            secure=secure,
        )
        return response

    def network_hash(self, network: str) -> str:
        """A network as the store may keep it: equal networks have equal hashes, and only the server can make them."""
        return hmac.new(self.key, b"network " + network.encode(), "sha256").hexdigest()[:16]

    def player_link(self, tournament: str, number: int) -> str:
        """The token by which a player who was entered by name is known in a tournament."""
        return Signer(self.key, salt=f"quatuor.player.{tournament}").sign(str(number)).decode()

    def player_of(self, tournament: str, link: str) -> int | None:
        """The number of the player whose token this is; None: nobody's."""
        try:
            return int(Signer(self.key, salt=f"quatuor.player.{tournament}").unsign(link))
        except BadSignature:
            return None

    async def names(self, ids: set[str]) -> dict[str, str]:
        """Everybody's name: the chosen one, or a number for each guest. An account's name is the account's."""
        chosen = await self._store.names(ids)
        others = {guest: looks(name) for guest, name in chosen.items() if not guest.startswith(ACCOUNT)}
        taken = await self._account_names.owners(look for own in others.values() for look in own)
        free = {guest: name for guest, name in chosen.items() if not others.get(guest, frozenset()) & taken.keys()}
        return {guest: free.get(guest) or nameless(guest) for guest in ids}

    async def name(self, guest: str) -> str:
        """One guest's name."""
        return (await self.names({guest}))[guest]

    async def rename(self, guest: str, name: str, sign_in_name: str | None = None) -> str:
        """Give a guest another name; Refused if it is not a proper name, or looks like an account's.

        Nobody else can have either name of an account: the one it signs in with, and this.
        """
        name = proper_name(name, guest)
        if set((await self._account_names.owners(looks(name))).values()) - {guest}:
            raise Refused("name_taken")
        if sign_in_name is not None:
            try:
                await self._account_names.claim(guest, looks(name), keep=looks(sign_in_name))
            except IntegrityError:
                raise Refused("name_taken") from None
        await self._store.rename(guest, name)
        return name

    def forget(self, response: Response) -> Response:
        """Delete the cookie: the next visitor with this browser is a new guest."""
        response.delete_cookie(COOKIE)
        response.delete_cookie(SECURE_COOKIE, secure=True)
        return response
