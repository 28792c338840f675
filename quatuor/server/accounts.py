"""Accounts: a name and a password, for those who want their games on every device."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from quatuor.server.clock import now
from quatuor.server.guests import Guests
from quatuor.server.hub import Hub
from quatuor.server.limits import Buckets
from quatuor.server.names import looks, name_key, proper_name
from quatuor.server.sessions import Identity, Sessions
from quatuor.server.settings import Settings
from quatuor.server.store.people import Account, NameTaken, People
from quatuor.table import Refused
from quatuor.table.seats import ACCOUNT, BOT

SHORTEST = 8
AT_ONCE = 2  # passwords checked: each takes 64 MiB and a core for a moment


class Accounts:
    """Signing up, in and out."""

    def __init__(self, people: People, sessions: Sessions, guests: Guests, hub: Hub, settings: Settings) -> None:
        self._people, self._sessions, self._guests, self._hub = people, sessions, guests, hub
        self._addresses, self._names = Buckets(settings.sign_ins), Buckets(settings.sign_ins)
        self.admit: Callable[[str], None] = lambda _: None  # refuses a banned account
        self._hasher = PasswordHasher()
        self._nobody = self._hasher.hash(secrets.token_hex(16))  # checked for names that do not exist
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def name(self, who: Identity | None) -> str | None:
        """The name with which somebody is signed in."""
        if who is None or who.session is None:
            return None
        account = await self._people.account_of(who.guest)
        return account.name if account else None

    async def sign_up(self, who: Identity | None, name: str, password: str, address: str) -> Identity:
        """A new account; the games played so far come along."""
        self._limit(address)
        _person(who)
        if who and who.session:
            raise Refused("signed_in")
        name = proper_name(name)
        guest = ACCOUNT + secrets.token_hex(12)
        hashed = await self._hash(password)
        try:
            await self._people.add(Account(guest, name, hashed), name_key(name), looks(name), now())
        except NameTaken:
            raise Refused("name_taken") from None
        if who:
            await self._hub.adopt(who.guest, guest, name)
            await self._people.hand_over(who.guest, guest)
        return await self._sessions.open(guest)

    async def sign_in(self, who: Identity | None, name: str, password: str, keep: bool, address: str) -> Identity:
        """Come back; the games of this browser come along if wished."""
        self._limit(address, name_key(name))
        _person(who)
        account = await self._people.account(name_key(name))
        if not await self._matches(account, password):
            raise Refused("wrong_password")
        assert account is not None
        self.admit(account.guest)
        if keep and who and who.session is None:
            await self._hub.adopt(who.guest, account.guest, await self._guests.name(account.guest))
            await self._people.hand_over(who.guest, account.guest)
        elif who and who.session:
            await self.sign_out(who, False)
        return await self._sessions.open(account.guest)

    async def sign_out(self, who: Identity | None, everywhere: bool) -> None:
        """Of this browser, or of all."""
        if who and who.session:
            await (self._sessions.close_all(who.guest) if everywhere else self._sessions.close(who.session))
            gone = None if everywhere else who.session
            self._hub.send_away(lambda one: one.guest == who.guest and (gone is None or one.session == gone))

    async def change_password(self, who: Identity | None, old: str, new: str, address: str) -> None:
        """Another password; all other browsers are signed out."""
        account = await self._signed_in(who, old, address)
        assert who is not None
        await self._people.set_password(account.guest, await self._hash(new))
        await self._sessions.close_all(account.guest, but=who.session)
        self._hub.send_away(lambda one: one.guest == account.guest and one.session != who.session)

    async def remove(
        self, who: Identity | None, password: str, address: str, forget: Callable[[str], Awaitable[None]]
    ) -> None:
        """Delete the account; the games stay, without the name. ``forget`` takes the name out of tournaments."""
        account = await self._signed_in(who, password, address)
        await forget(account.guest)  # first: if it fails, the account is still there to try again
        await self._people.remove(account.guest)
        await self._sessions.close_all(account.guest)
        await self._hub.rename(account.guest, await self._guests.name(account.guest))
        self._hub.send_away(lambda one: one.guest == account.guest)

    # ---- inside

    def _limit(self, address: str, name: str | None = None) -> None:
        if not self._addresses.take(address) or (name is not None and not self._names.take(name)):
            raise Refused("rate_limited")

    async def _signed_in(self, who: Identity | None, password: str, address: str) -> Account:
        self._limit(address)
        account = await self._people.account_of(who.guest) if who and who.session else None
        if account is None:
            raise Refused("not_signed_in")
        if not await self._matches(account, password):
            raise Refused("wrong_password")
        return account

    async def _hash(self, password: str) -> str:
        if len(password) < SHORTEST:
            raise Refused("bad_password", shortest=SHORTEST)
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _matches(self, account: Account | None, password: str) -> bool:
        """As slow for a name that does not exist as for a wrong password."""
        async with self._slots:
            try:
                hashed = account.password if account else self._nobody
                await asyncio.to_thread(self._hasher.verify, hashed, password)
            except (VerificationError, InvalidHashError):
                return False
        if account and self._hasher.check_needs_rehash(account.password):
            await self._people.set_password(account.guest, await self._hash(password))
        return account is not None


def _person(who: Identity | None) -> None:
    if who and who.guest.startswith(BOT):
        raise Refused("not_for_bots")
