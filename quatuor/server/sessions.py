"""Browsers that are signed in to an account. What a browser holds is never kept here, only its hash."""

import hashlib
import secrets
from collections import OrderedDict
from typing import NamedTuple

from quatuor.server.clock import now
from quatuor.server.settings import Settings
from quatuor.server.store.people import People

DAY = 86_400_000
REMEMBERED = 10_000


class Identity(NamedTuple):
    """Who sent something: a guest, and the session if it is the guest of an account."""

    guest: str
    session: str | None = None


class Sessions:
    """Open, checked, closed. A check is believed for a moment, so that not every message asks the store."""

    def __init__(self, people: People, settings: Settings) -> None:
        self._people, self._settings = people, settings
        self._checked: OrderedDict[str, tuple[str | None, int]] = OrderedDict()  # hash -> owner, until when

    @property
    def _oldest(self) -> int:
        return now() - self._settings.session_days * DAY

    async def open(self, guest: str, agent: str | None = None) -> Identity:
        """Sign a browser in; ``agent`` is what it says about itself."""
        session = secrets.token_hex(16)
        await self._people.open_session(hash_of(session), guest, now(), agent)
        return Identity(guest, session)

    async def owner(self, session: str) -> str | None:
        """Whose session it is; None: nobody's, or nobody's any more."""
        key = hash_of(session)
        owner, until = self._checked.get(key, (None, 0))
        if until > now():
            return owner
        found = await self._people.session(key, self._oldest)
        if found and found[1] < now() - DAY:
            await self._people.touch(key, now())
        return self._remember(key, found[0] if found else None)

    async def close(self, session: str) -> None:
        """Sign this browser out."""
        await self.close_hash(hash_of(session))

    async def close_hash(self, key: str) -> None:
        """Sign out the browser whose session has this hash."""
        await self._people.close_session(key)
        self._remember(key, None)

    async def close_all(self, guest: str, but: str | None = None) -> None:
        """Sign out everywhere, or everywhere else."""
        await self._people.close_sessions(guest, hash_of(but) if but else None)
        for key in [key for key, (owner, _) in self._checked.items() if owner == guest]:
            del self._checked[key]

    async def expire(self) -> None:
        """Forget what nobody has used for long."""
        await self._people.expire(self._oldest)

    def _remember(self, key: str, owner: str | None) -> str | None:
        self._checked[key] = (owner, now() + int(self._settings.session_check * 1000))
        self._checked.move_to_end(key)
        if len(self._checked) > REMEMBERED:
            self._checked.popitem(last=False)
        return owner


def hash_of(session: str) -> str:
    """What is kept of a session."""
    return hashlib.sha256(session.encode()).hexdigest()
