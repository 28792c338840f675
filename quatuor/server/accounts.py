"""Accounts: a name and a password, for people who want their games on every device."""

import asyncio
import secrets
from base64 import b64encode
from collections.abc import Awaitable, Callable

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from quatuor.server.clock import now
from quatuor.server.devices import Origin
from quatuor.server.guests import Guests
from quatuor.server.hub import Hub
from quatuor.server.limits import Buckets
from quatuor.server.names import looks, name_key, proper_name
from quatuor.server.passwords import check_password, code_hash, new_codes
from quatuor.server.sessions import Closed, Identity, Sessions
from quatuor.server.settings import Settings
from quatuor.server.store.people import Account, NameTaken, People
from quatuor.table import Refused
from quatuor.table.seats import ACCOUNT, BOT

AT_ONCE = 2  # passwords checked: each takes 64 MiB and a core for a moment
WIDER = 10  # attempts for one name that all networks have together, for each that one network has


class Accounts:
    """Signing up, in and out."""

    def __init__(self, people: People, sessions: Sessions, guests: Guests, hub: Hub, settings: Settings) -> None:
        self._people, self._sessions, self._guests, self._hub = people, sessions, guests, hub
        size, rate = settings.sign_ins
        self._networks, self._pairs, self._devices = (Buckets(settings.sign_ins) for _ in range(3))
        self._names = Buckets((size * WIDER, rate * WIDER))
        self.admit: Callable[[str], None] = lambda _: None  # refuses a banned account
        self._hasher = PasswordHasher()
        self._nobody = fits_nothing(self._hasher)  # checked for names that do not exist
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def name(self, who: Identity | None) -> str | None:
        """The name of the account that the sender is signed in to."""
        account = await self._account(who)
        return account.name if account else None

    async def sign_up(
        self, who: Identity | None, name: str, password: str, origin: Origin, agent: str | None = None
    ) -> Identity:
        """Create an account; the games played so far move to it."""
        self._limit_network(origin)
        _person(who)
        if who and who.session:
            raise Refused("signed_in")
        name = proper_name(name)
        guest = ACCOUNT + secrets.token_hex(12)
        hashed = await self._hash(password, name)
        try:
            await self._people.add(Account(guest, name, hashed), name_key(name), looks(name), now())
        except NameTaken:
            raise Refused("name_taken") from None
        if who:
            await self._hub.adopt(who.guest, guest, name)
            await self._people.hand_over(who.guest, guest)
        return await self._sessions.open(guest, agent)

    async def sign_in(
        self, who: Identity | None, name: str, password: str, keep: bool, origin: Origin, agent: str | None = None
    ) -> Identity:
        """Sign in; the games of this browser move to the account if ``keep``."""
        account = await self._named(name, origin)
        _person(who)
        if not await self._matches(account, password):
            raise Refused("wrong_password")
        assert account is not None
        self.admit(account.guest)
        if keep and who and who.session is None:
            await self._hub.adopt(who.guest, account.guest, await self._guests.name(account.guest))
            await self._people.hand_over(who.guest, account.guest)
        elif who and who.session:
            await self.sign_out(who, False)
        return await self._sessions.open(account.guest, agent)

    async def sign_out(self, who: Identity | None, everywhere: bool) -> None:
        """Sign out this browser, or all of them."""
        if who and who.session:
            closing = self._sessions.close_all(who.guest) if everywhere else self._sessions.close(who.session)
            self._hub.sign_out(await closing)

    async def close_session(self, key: str) -> None:
        """Sign out the browser whose session has this hash."""
        self._hub.sign_out(await self._sessions.close_hash(key))

    async def change_password(self, who: Identity | None, old: str, new: str, origin: Origin) -> None:
        """Change the password; all other browsers are signed out."""
        account = await self._signed_in(who, old, origin)
        assert who is not None
        await self._people.set_password(account.guest, await self._hash(new, account.name))
        self._hub.sign_out(await self._sessions.close_all(account.guest, but=who.session))

    async def remove(
        self, who: Identity | None, password: str, origin: Origin, forget: Callable[[str], Awaitable[None]]
    ) -> None:
        """Delete the account with its bots; the games stay, without the name. ``forget``: in tournaments, too."""
        account = await self._signed_in(who, password, origin)
        await forget(account.guest)  # first: if it fails, the account is still there to try again
        bots = await self._people.remove(account.guest)
        self._hub.sign_out(self._sessions.forget(Closed(account.guest)))
        for bot in bots:
            self._hub.dismiss(bot)
        for guest, name in (await self._guests.names({account.guest, *bots})).items():
            self._hub.rename(guest, name)

    # ---- recovery codes

    async def new_codes(self, guest: str) -> list[str]:
        """Ten codes that each set a new password once; all earlier ones become invalid. Only hashes are kept."""
        codes = new_codes()
        await self._people.set_codes(guest, [code_hash(guest, code) for code in codes])
        return codes

    async def renew_codes(self, who: Identity | None, password: str, origin: Origin) -> list[str]:
        """Ten new codes, for the owner of the account."""
        return await self.new_codes((await self._signed_in(who, password, origin)).guest)

    async def recover(self, name: str, code: str, password: str, origin: Origin) -> Identity:
        """Set a new password with a recovery code, which is used up; all browsers are signed out."""
        account = await self._named(name, origin)
        hashed = await self._hash(password, name)  # before the code is used up: the password may be refused
        if account is None or not await self._people.use_code(account.guest, code_hash(account.guest, code)):
            raise Refused("wrong_code")
        await self._people.set_password(account.guest, hashed)
        self._hub.sign_out(await self._sessions.close_all(account.guest))
        self.admit(account.guest)
        return await self._sessions.open(account.guest)

    # ---- inside

    def _limit_network(self, origin: Origin) -> None:
        if not self._networks.take(origin.network):
            raise Refused("rate_limited")

    async def _named(self, name: str, origin: Origin) -> Account | None:
        """The account of a name, unless too many have guessed.

        A browser that was signed in to it before has its own attempts, so that strangers cannot lock the owner out.
        """
        key = name_key(name)
        account = await self._people.account(key)
        if account and origin.device and origin.account == account.guest:
            if not self._devices.take(origin.device):
                raise Refused("rate_limited")
            return account
        self._limit_network(origin)
        if not self._pairs.take(f"{origin.network} {key}") or not self._names.take(key):
            raise Refused("rate_limited")
        return account

    async def _account(self, who: Identity | None) -> Account | None:
        return await self._people.account_of(who.guest) if who and who.session else None

    async def _signed_in(self, who: Identity | None, password: str, origin: Origin) -> Account:
        self._limit_network(origin)
        account = await self._account(who)
        if account is None:
            raise Refused("not_signed_in")
        if not await self._matches(account, password):
            raise Refused("wrong_password")
        return account

    async def _hash(self, password: str, name: str) -> str:
        check_password(password, name)
        async with self._slots:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def _matches(self, account: Account | None, password: str) -> bool:
        """Whether the password is right; as slow for a name that does not exist as for a wrong password."""
        async with self._slots:
            try:
                hashed = account.password if account else self._nobody
                await asyncio.to_thread(self._hasher.verify, hashed, password)
            except (VerificationError, InvalidHashError):
                return False
        if account and self._hasher.check_needs_rehash(account.password):
            async with self._slots:
                hashed = await asyncio.to_thread(self._hasher.hash, password)
            await self._people.set_password(account.guest, hashed)
        return account is not None


def _person(who: Identity | None) -> None:
    if who and who.guest.startswith(BOT):
        raise Refused("not_for_bots")


def fits_nothing(hasher: PasswordHasher) -> str:
    """A hash that no password has, as slow to check as any; hashing a password would take every start a moment."""
    settings = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, hashed = (
        b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v={ARGON2_VERSION}${settings}${salt}${hashed}"
