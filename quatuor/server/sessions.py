"""Browsers that are signed in to an account. What a browser holds is never kept here, only its hash."""

import hashlib
import secrets
from typing import NamedTuple

from quatuor.server.clock import now
from quatuor.server.remembered import Remembered
from quatuor.server.settings import Settings
from quatuor.server.store.session_rows import SessionRows
from quatuor.table.seats import BOT

DAY = 86_400_000
REMEMBERED = 10_000


class Identity(NamedTuple):
    """Who sent something: a guest, and the session if it is the guest of an account."""

    guest: str
    session: str | None = None


class Closed(NamedTuple):
    """Which sessions were closed: one, or those of a guest, perhaps all but one. Sessions are named by their hash."""

    guest: str | None = None
    session: str | None = None
    but: str | None = None

    def has(self, guest: str | None, session: str | None) -> bool:
        """Whether a guest's session is among them."""
        if self.session is not None:
            return session == self.session
        return guest is not None and guest == self.guest and (self.but is None or session != self.but)


class Sessions:
    """Open, checked, closed. A check holds for a moment, so that not every message asks the store.

    Other processes say at once when they close a session. While their messages may be missing, every check asks.
    """

    def __init__(self, rows: SessionRows, settings: Settings) -> None:
        self._rows, self._settings = rows, settings
        # hash -> owner, until when
        self._checked: Remembered[str, tuple[str | None, int]] = Remembered(REMEMBERED, lambda one: one[1] < now())
        self._closings = 0  # so far: a check that was under way during one of them is done again

    @property
    def _oldest(self) -> int:
        return now() - self._settings.session_days * DAY

    async def open(self, guest: str, agent: str | None = None) -> Identity:
        """Sign a browser in; ``agent`` is what it says about itself."""
        session = secrets.token_hex(16)
        await self._rows.open_session(hash_of(session), guest, now(), agent)
        return Identity(guest, session)

    async def owner(self, session: str) -> str | None:
        """Whose session it is; None if it does not exist or has ended."""
        key = hash_of(session)
        owner, until = self._checked.get(key, (None, 0))
        if until > now() and self._rows.current:
            return owner
        while True:
            closings = self._closings
            found = await self._rows.session(key, self._oldest)
            if closings == self._closings:
                break
        if found and found[1] < now() - DAY:
            await self._rows.touch(key, now())
        until = now() + int(self._settings.session_check * 1000)
        return self._checked.remember(key, (found[0] if found else None, until))[0]

    async def valid(self, guest: str | None, session: str | None) -> bool:
        """Whether a socket that was opened by this session, or with a bot's token, may stay open."""
        if session is not None:
            return await self.owner(session) == guest
        if guest is not None and guest.startswith(BOT) and not self._rows.current:
            return await self._rows.is_bot(guest)
        return True

    async def close(self, session: str) -> Closed:
        """Sign this browser out."""
        return await self.close_hash(hash_of(session))

    async def close_hash(self, key: str) -> Closed:
        """Sign out the browser whose session has this hash."""
        await self._rows.close_session(key)
        return self.forget(Closed(session=key))

    async def close_all(self, guest: str, but: str | None = None) -> Closed:
        """Sign out everywhere, or everywhere else."""
        kept = hash_of(but) if but else None
        await self._rows.close_sessions(guest, kept)
        return self.forget(Closed(guest, but=kept))

    def forget_all(self) -> None:
        """Messages of other processes were missed: no check holds any longer."""
        self._closings += 1
        self._checked.clear()

    def forget(self, closed: Closed) -> Closed:
        """Some sessions were closed, here or at another process."""
        self._closings += 1
        for key in [key for key, (owner, _) in self._checked.items() if closed.has(owner, key)]:
            del self._checked[key]
        return closed

    async def expire(self) -> None:
        """Forget what nobody has used for long."""
        await self._rows.expire(self._oldest)


def hash_of(session: str) -> str:
    """What is kept of a session."""
    return hashlib.sha256(session.encode()).hexdigest()
